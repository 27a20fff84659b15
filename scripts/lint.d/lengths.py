#!/usr/bin/env python3
"""Checks that no file of ours has more than 400 lines: past that, look for the second concept."""

import sys
from pathlib import Path

LINES_MAX = 400
SUFFIXES = {".swift", ".c", ".h", ".sql", ".py", ".sh", ""}
PLACES = ["Package.swift", "Sources", "Tests", "Benchmarks", "Fuzz", "migrations", "scripts", ".ci"]
DATA = {"Golden", "Corpus", "__pycache__"}  # golden files and fuzzing seeds are not written by hand


def files():
    for place in map(Path, PLACES):
        for path in [place] if place.is_file() else sorted(place.rglob("*")):
            if path.is_file() and path.suffix in SUFFIXES and not DATA & set(path.parts):
                yield path


def main():
    found = 0
    for path in files():
        count = len(path.read_bytes().splitlines())
        if count > LINES_MAX:
            print(f"{path}: {count} lines, {LINES_MAX} at most")
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
