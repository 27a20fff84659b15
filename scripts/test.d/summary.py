#!/usr/bin/env python3
"""Judges a test run: summary.py REPORT STATUS, with the xunit file and the exit status of swift test.

swift test exits with 0 when nothing ran and when everything was skipped; here both count. The exit status is that of
swift test, or 1 when the run proves nothing: no test ran, the report is missing, or (CI=true) a test was skipped.
"""

import os
import sys
import xml.etree.ElementTree as ElementTree


def cases(path):
    """The test cases of a report, none when the run ended before it was written."""
    try:
        return list(ElementTree.parse(path).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return []


def name(case):
    return f'{case.get("classname")}/{case.get("name")}'


def main(path, status):
    found = cases(path)
    failed = [case for case in found if case.find("failure") is not None or case.find("error") is not None]
    skipped = [case for case in found if case.find("skipped") is not None]
    passed = len(found) - len(failed) - len(skipped)
    complaints = []

    for case in skipped:
        print(f'skipped: {name(case)}: {case.find("skipped").text or "no reason given"}')
    for case in failed:
        print(f"failed: {name(case)}")
    if not found and status != 0:
        complaints.append("swift test ended without a report: it did not build, or it crashed")
    elif passed + len(failed) == 0:
        complaints.append("no test ran")
    if skipped and os.environ.get("CI") == "true":
        complaints.append(f"{len(skipped)} skipped, which CI does not allow")
    if failed and status == 0:
        complaints.append("swift test exited with 0 although tests failed")
    if found and status != 0 and not failed:
        complaints.append(f"swift test exited with {status} although no test failed: see its output, or the sanitizer's")
    for complaint in complaints:
        print(f"test: {complaint}")

    # A run that is refused as a whole is one failure more, so that the last line never looks like success.
    print(f"{passed} passed, {len(failed) + len(complaints)} failed")
    return status or (1 if complaints else 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
