#!/usr/bin/env python3
"""Prints line coverage by target: coverage.py FILE, with the JSON that swift test --enable-code-coverage writes."""

import collections
import json
import os
import sys

LEAST_COVERED = 15


def main(path):
    with open(path, encoding="utf-8") as file:
        files = json.load(file)["data"][0]["files"]
    targets = collections.defaultdict(lambda: [0, 0])
    shares = []
    for entry in files:
        name = os.path.relpath(entry["filename"])
        lines = entry["summary"]["lines"]
        # Generated code lives in the build folder and is nobody's to test.
        if not name.startswith("Sources/") or not lines["count"]:
            continue
        target = targets[name.split("/")[1]]
        target[0] += lines["covered"]
        target[1] += lines["count"]
        shares.append((lines["covered"] / lines["count"], lines["count"], name))

    for target, (covered, count) in sorted(targets.items()):
        print(f"{100 * covered / count:6.1f} % of {count:6} lines  {target}")
    print("least covered:")
    for share, count, name in sorted(shares)[:LEAST_COVERED]:
        print(f"{100 * share:6.1f} % of {count:6} lines  {name}")


if __name__ == "__main__":
    main(sys.argv[1])
