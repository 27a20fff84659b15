#!/usr/bin/env python3
"""Checks who imports whom.

An import of one of our modules needs a direct dependency in Package.swift: the compiler's own check lets a transitive
one pass. The rules below hold whatever Package.swift says.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

# C modules with the one target that may see them.
OWNERS = {"CThreads": "Threads", "CPostgres": "Postgres", "COpenSSL": "JWS", "CHTTP": "HTTPServer"}

# The bottom of the house: all that these targets may import of ours, and depend on.
OURS = {
    "LedgerCore": set(),
    "Threads": {"CThreads"},
    "Postgres": {"CPostgres", "Threads"},
    "JWS": {"COpenSSL", "LedgerCore", "Threads"},
    "HTTPServer": {"CHTTP", "Threads"},
}

# The pure domain: no I/O, no clock, no threads.
OTHERS = {"LedgerCore": {"FoundationEssentials"}}

IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(public|package|internal|fileprivate|private)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|typealias|func|let|var|actor)\s+)?(\w+)"
)


def targets():
    description = subprocess.run(
        ["swift", "package", "describe", "--type", "json"], check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(description.stdout)["targets"]


def violations(all_targets):
    ours = {target["name"] for target in all_targets}
    for target in all_targets:
        name, direct = target["name"], set(target.get("target_dependencies", []))
        for module in sorted(direct):
            if reason := forbidden(name, module, ours):
                yield f"Package.swift: {name} depends on {module}: {reason}"
        for path in sorted(Path(target["path"]).rglob("*.swift")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if not (match := IMPORT.match(line)):
                    continue
                level, module = match.groups()
                where = f"{path}:{number}: {name} imports {module}"
                if reason := forbidden(name, module, ours):
                    yield f"{where}: {reason}"
                elif module in ours and module not in direct:
                    yield f"{where}, which is no direct dependency of it in Package.swift"
                elif module in OWNERS and level in ("public", "package"):
                    yield f"{where} as {level}: C types would show in its signatures"


def forbidden(target, module, ours):
    """Why a target may not use a module, or None."""
    if module == "XCTest":
        return "tests are written with Swift Testing"
    if module in OWNERS and target != OWNERS[module]:
        return f"only {OWNERS[module]} may"
    if module in ours and target in OURS and module not in OURS[target]:
        return f"of ours it may import {', '.join(sorted(OURS[target])) or 'nothing'}"
    if module not in ours and target in OTHERS and module not in OTHERS[target]:
        return f"of others it may import {', '.join(sorted(OTHERS[target]))}"
    return None


if __name__ == "__main__":
    found = list(violations(targets()))
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
