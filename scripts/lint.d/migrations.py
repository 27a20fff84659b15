#!/usr/bin/env python3
"""Checks that the steps listed in Migrations.swift are the files in migrations/, numbered from 0001 without a hole."""

import re
import sys
from pathlib import Path

LIST = Path("Sources/EventStore/Migrations.swift")
FOLDER = Path("migrations")
STEP = re.compile(r'\("(\w+)",\s*text\(PackageResources\.(\w+)\)\)')


def main():
    steps = STEP.findall(LIST.read_text(encoding="utf-8"))
    listed = [name for name, _ in steps]
    files = sorted(path.stem for path in FOLDER.glob("*.sql"))
    problems = []
    if not listed:
        problems.append(f"{LIST}: no steps found; does {Path(__file__).name} still know how they are written?")
    if listed != files:
        problems.append(f"{LIST} lists {', '.join(listed)}; {FOLDER} holds {', '.join(files)}")
    for name, resource in steps:
        # An identifier cannot start with a digit: SwiftPM puts _ in its place.
        if resource != f"_{name[1:]}_sql":
            problems.append(f"{LIST}: step {name} is read from {resource}")
    for number, name in enumerate(files, 1):
        if not re.fullmatch(rf"{number:04}_[a-z0-9_]+", name):
            problems.append(f"{FOLDER}/{name}.sql: expected {number:04}_… in small letters")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
