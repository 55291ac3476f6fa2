# SPDX-License-Identifier: BSD-3-Clause
"""The parts of epbench, one step each: cli, tools, build, layout, rounds (run, tree, check), report, plot."""


class Failed(Exception):
    """The comparison cannot be made: what the user is told, and the exit status."""

    def __init__(self, text, status=1):
        super().__init__(text)
        self.status = status


def tail(path, lines=20):
    """The end of a file, indented, for messages."""
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            end = f.read().splitlines()[-lines:]
    except OSError:
        end = []
    return "".join(f"    {line}\n" for line in end) or "    (nothing)\n"
