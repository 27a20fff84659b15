#!/usr/bin/env python3
"""Checks the statements in Sources/*/SQL: each starts with a comment that says what it does and explains each $n.

A head explains one parameter ("$1 text — …") or a range ("$2…$19 — …"). What it explains must be used, and the file
must be named by the Swift code of its target (PackageResources.file_sql).
"""

import re
import sys
from pathlib import Path

RANGE = re.compile(r"\$(\d+)(?:\s*(?:…|\.\.\.?|–)\s*\$?(\d+))?")
PARAMETERS_MAX = 65_535  # of the PostgreSQL protocol


def split(text):
    """The comment at the top, and the statement without its comments and texts."""
    lines = text.splitlines()
    end = next((index for index, line in enumerate(lines) if not line.startswith("--")), len(lines))
    head = "\n".join(line.removeprefix("--").strip() for line in lines[:end])
    body = re.sub(r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/", " ", "\n".join(lines[end:]), flags=re.DOTALL)
    return head, body


def explained(head):
    numbers = set()
    for first, last in RANGE.findall(head):
        numbers |= set(range(int(first), min(int(last or first), PARAMETERS_MAX) + 1))
    return numbers


def violations(path):
    head, body = split(path.read_text(encoding="utf-8"))
    if not head.strip() or head.startswith("$"):
        yield "must start with a comment that says what the statement does"
    used = {int(number) for number in re.findall(r"\$(\d+)", body)}
    for number in sorted(used - explained(head)):
        yield f"the head does not explain ${number}"
    for number in sorted(explained(head) - used):
        yield f"the head explains ${number}, which the statement does not use"


def main():
    found = 0
    for folder in sorted(Path("Sources").glob("*/SQL")):
        code = "".join(path.read_text(encoding="utf-8") for path in folder.parent.rglob("*.swift"))
        for path in sorted(folder.glob("*.sql")):
            problems = list(violations(path))
            if f"PackageResources.{path.stem}_sql" not in code:
                problems.append(f"no code of {folder.parent.name} names PackageResources.{path.stem}_sql")
            for problem in problems:
                print(f"{path}: {problem}")
            found += len(problems)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
