#!/usr/bin/env python3
"""Checks that no raw pointer shows in a package or public signature of the targets at the C edge.

C types need no check here: imports.py keeps the C modules' imports internal, and the compiler then refuses their types
in wider signatures. Buffer pointers lent to a closure are allowed: they carry their length.
"""

import re
import sys
from pathlib import Path

TARGETS = ["Postgres", "JWS", "HTTPServer"]
POINTER = re.compile(r"\b(?:OpaquePointer|CVaListPointer|Unsafe(?:Mutable)?(?:Raw)?Pointer)\b")

NOISE = re.compile(
    r'#*"""(?:\\.|.)*?"""#*|#"(?:.)*?"#|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', flags=re.DOTALL
)
# A declaration that others see; an extension or a type only opens a scope in which members may say so themselves.
EXPORTED = re.compile(r"\b(?:public|package|open)\b(?!\()")
MEMBERS_FOLLOW = re.compile(r"\b(?:public|package)\s+(?:indirect\s+)?(?:enum|protocol|extension)\b")
INITIAL_VALUE = re.compile(r"(\b(?:let|var)\b[^=]*) = .*", flags=re.DOTALL)


def blank(match):
    """Keeps the line numbers."""
    return "\n" * match.group().count("\n") or " "


def declarations(text):
    """Yields (line, declaration, scope): the text before each opening brace or end of statement, with the scope's."""
    scopes, start, depth = [""], 0, 0
    for index, character in enumerate(text):
        if character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        if character == "{" and depth == 0:
            piece = text[start:index]
            yield line_of(text, start), piece, scopes[-1]
            scopes.append(piece.strip())
            start = index + 1
        elif character == "}" and depth == 0:
            yield line_of(text, start), text[start:index], scopes[-1]
            if len(scopes) > 1:
                scopes.pop()
            start = index + 1
        elif character == "\n" and depth == 0 and not continues(text, index):
            yield line_of(text, start), text[start:index], scopes[-1]
            start = index + 1


def continues(text, index):
    """Whether the statement goes on after this line end."""
    before, after = text[:index].rstrip()[-2:], text[index:].lstrip()
    return before.endswith(("->", ",", ":", "=", "&")) or after.startswith(
        ("->", "throws", "async", "where", ".", "=", "{", ":", "&")
    )


def line_of(text, start):
    return text.count("\n", 0, start + len(text[start:]) - len(text[start:].lstrip())) + 1


def is_exported(declaration, scope):
    if EXPORTED.search(declaration):
        return True
    hidden = re.search(r"\b(?:private|fileprivate|internal)\b", declaration)
    if not MEMBERS_FOLLOW.search(scope) or hidden:
        return False
    # Cases share the access of their enum, requirements that of their protocol, members that of an extension.
    return bool(re.match(r"\s*(?:indirect\s+)?case\b", declaration)) or not re.search(r"\benum\b", scope)


def main():
    found = 0
    for path in sorted(path for target in TARGETS for path in Path("Sources", target).rglob("*.swift")):
        text = NOISE.sub(blank, path.read_text(encoding="utf-8"))
        for line, declaration, scope in declarations(text):
            signature = INITIAL_VALUE.sub(r"\1", declaration)
            if (pointer := POINTER.search(signature)) and is_exported(declaration, scope):
                print(f"{path}:{line}: {pointer.group()} in a signature that other targets see")
                found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
