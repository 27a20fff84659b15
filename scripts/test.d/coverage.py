#!/usr/bin/env python3
"""Prints line coverage by target: coverage.py FILE, with the JSON that swift test --enable-code-coverage writes."""

import collections
import json
import os
import sys

FILES_SHOWN = 15


def main(path):
    with open(path, encoding="utf-8") as file:
        files = json.load(file)["data"][0]["files"]
    targets = collections.defaultdict(lambda: [0, 0])
    missed = []
    for entry in files:
        name = os.path.relpath(entry["filename"])
        lines = entry["summary"]["lines"]
        # Generated code lives in the build folder and is nobody's to test.
        if not name.startswith("Sources/") or not lines["count"]:
            continue
        target = targets[name.split("/")[1]]
        target[0] += lines["covered"]
        target[1] += lines["count"]
        missed.append((lines["count"] - lines["covered"], name))

    for target, (covered, count) in sorted(targets.items()):
        print(f"{100 * covered / count:6.1f} % of {count:6} lines  {target}")
    print("most lines that did not run:")
    for count, name in sorted(missed, reverse=True)[:FILES_SHOWN]:
        print(f"{count:6}  {name}")


if __name__ == "__main__":
    main(sys.argv[1])
