#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""stats.py PROGRAM LAUNCHER...: the table that EP_STATS=1 prints, for programs of stats.c whose counts are known.

Messages of the program are told from those that ep sends to make communicators by their number of bytes, or by looking at
endpoints of one process, where ep sends none."""
import os
import re
import subprocess
import sys

program, launcher = sys.argv[1], sys.argv[2:]
failed = 0


def check(what, ok, shown=""):
    global failed
    print(("ok      " if ok else "not ok  ") + what)
    if not ok:
        failed = 1
        print(shown)


def run(what, processes, stats="1"):
    """What the program prints on stderr, without what others say there."""
    env = dict(os.environ, EP_STATS=stats)
    done = subprocess.run(launcher + [str(processes), program, what], env=env, capture_output=True, text=True, timeout=100)
    check(f"{what} on {processes}: status", done.returncode == 0, done.stderr)
    return done.stderr


def tables(text):
    """[(title, {column: {counter: value}})], the columns in their order; what is not there is 0."""
    found = []
    columns = []
    for line in text.split("\n"):
        if line.startswith("ep: what "):
            found.append((line, {}))
        elif found and re.fullmatch(r" +(sum|\d+)( +\d+)*", line):
            columns = line.split()
            for c in columns:
                check(f"column {c} comes once", c not in found[-1][1], text)
                found[-1][1][c] = {}
        elif found and re.fullmatch(r"[a-z_]+( +\d+)+", line):
            name, *values = line.split()
            check(f"{name} has a value in each column", len(values) == len(columns), text)
            for c, v in zip(columns, values):
                found[-1][1][c][name] = int(v)
    return found


def of(column, name):
    return column.get(name, 0)


def check_sums(what, columns, text):
    """The first column is the sum of the others, or their greatest."""
    ranks = [c for c in columns if c != "sum"]
    check(f"{what}: the sum comes first", list(columns)[0] == "sum", text)
    check(f"{what}: some counters", len(columns["sum"]) >= 4, text)
    for name in columns["sum"]:
        values = [of(columns[c], name) for c in ranks]
        total = max(values) if name.endswith("_peak") else sum(values)
        check(f"{what}: sum of {name}", columns["sum"][name] == total and total > 0, text)


def check_ring(what, columns, text, near, times=3):
    """near(rank): is the next rank in the same process?"""
    ranks = [c for c in columns if c != "sum"]
    previous = {str((int(r) + 1) % len(ranks)): r for r in ranks}
    for r in ranks:
        c = columns[r]
        if near(int(r)):
            check(f"{what}: rank {r} sent near", of(c, "sent_near") == times and of(c, "sent_near_bytes") == 8 * times, text)
        else:
            check(f"{what}: rank {r} sent far", of(c, "sent_far") >= times and of(c, "sent_far_bytes") >= 8 * times, text)
        if near(int(previous[r])):
            check(f"{what}: rank {r} received near", of(c, "received_near") == times, text)
        else:
            check(f"{what}: rank {r} received far", of(c, "received_far") >= times, text)
    total = columns["sum"]
    check(f"{what}: what was sent was received", of(total, "sent_near") == of(total, "received_near") and
          of(total, "sent_far") == of(total, "received_far"), text)


def one_table(what, processes, ranks, near, times=3):
    text = run(what, processes)
    found = tables(text)
    check(f"{what} on {processes}: one table", len(found) == 1, text)
    if len(found) != 1:
        return
    title, columns = found[0]
    check(f"{what} on {processes}: title", title == f"ep: what {ranks} endpoints did (EP_STATS, docs/counters.md), by rank", text)
    check(f"{what} on {processes}: columns", list(columns) == ["sum"] + [str(r) for r in range(ranks)], text)
    check_sums(what, columns, text)
    check_ring(what, columns, text, near, times)


one_table("ring", 1, 4, lambda r: True)
one_table("ring", 2, 8, lambda r: r % 4 != 3)
one_table("ours", 2, 8, lambda r: r % 4 != 3)
one_table("open", 1, 4, lambda r: True)
one_table("open", 2, 8, lambda r: r % 4 != 3)
one_table("twice", 2, 8, lambda r: r % 4 != 3, 6)
one_table("wide", 2, 26, lambda r: r % 13 != 12)

text = run("alone", 2)
found = sorted(tables(text), key=lambda t: t[0])
check("alone: a table for each process", [t[0] for t in found] == [
    f"ep: what 4 endpoints of process {p} did (EP_STATS, docs/counters.md), by rank" for p in range(2)], text)
for title, columns in found:
    check_sums("alone", columns, text)
    check_ring("alone", columns, text, lambda r: True)

# Ranks 0 to 3 are three endpoints each: those of each process alone, and one of all.
text = run("both", 2)
found = tables(text)
check("both: one table", len(found) == 1 and list(found[0][1]) == ["sum"] + [str(r) for r in range(8)], text)
if len(found) == 1:
    check_sums("both", found[0][1], text)
    sent = [of(found[0][1][str(r)], "sent_near") for r in range(8)]
    check("both: rows of one rank are added", sent == [9, 9, 9, 6, 3, 3, 3, 0], text)

check("none: nothing", not tables(run("none", 2)))
check("without EP_STATS: nothing", not tables(run("ring", 2, "0")))
sys.exit(failed)
