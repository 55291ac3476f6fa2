# SPDX-License-Identifier: BSD-3-Clause
"""What a run printed: is it the same as before, and what time does it say?"""
import difflib

from . import Failed


def lines_of(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read().splitlines()


def selected(lines, regex):
    """Lines that match, or what the groups of regex match in them; sorted, as ranks print in any order."""
    found = []
    for line in lines:
        match = regex.search(line)
        if match:
            found.append(" ".join(g or "" for g in match.groups()) if regex.groups else line.rstrip())
    return sorted(found)


class SameOutput:
    """Compares each run with the first one that has as many ranks."""

    def __init__(self, regex):
        self.regex = regex
        self.first = {}  # ranks: (who, lines)

    def check(self, ranks, who, path):
        if self.regex is None:
            return
        lines = selected(lines_of(path), self.regex)
        if not lines:
            raise Failed(f"{who} printed no line that matches '{self.regex.pattern}'")
        other, expected = self.first.setdefault(ranks, (who, lines))
        if lines != expected:
            diff = difflib.unified_diff(expected, lines, other, who, n=1, lineterm="")
            shown = "".join(f"    {line}\n" for line in list(diff)[:60])
            raise Failed(f"outputs differ (lines that match '{self.regex.pattern}', sorted):\n{shown}")


def printed_time(regex, who, path):
    """The largest of the times that a run prints; None if not asked for."""
    if regex is None:
        return None
    matches = [m for m in map(regex.search, lines_of(path)) if m]
    if not matches:
        raise Failed(f"{who} printed no line that matches '{regex.pattern}'")
    try:
        return max(float(m.group(1)) for m in matches)
    except (TypeError, ValueError):
        raise Failed(f"'{regex.pattern}' matches what is not a number: '{matches[0].group(1)}'") from None
