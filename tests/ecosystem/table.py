#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""table.py TABLE RESULTS...: results of packages' tests, one row for each package and one column for each layout.

Ends in 1 where endpoints fail in what processes do not, or do not come to it."""

import sys

LAYOUTS = ("processes", "1x4", "2x2")
COUNTED = ("ok", "failed", "lacks")


def read(paths):
    packages = {}
    for line in (line for path in paths for line in open(path + ".tsv", encoding="utf-8")):
        name, version, place, test, how, why = line.rstrip("\n").split("\t")
        package = packages.setdefault(name, {"version": version, "places": {}})
        package["version"] = version
        package["places"].setdefault(place, {})[test] = (how, why)
    return packages


def cell(tests):
    """What a layout's tests came to: passed of all, and what became of the others."""
    count = {how: sum(h == how for h, _ in tests.values()) for how in COUNTED}
    total = sum(count.values())
    if not total:
        return "-"
    text = f"{count['ok']}/{total}"
    notes = [f"{count[how]} {what}" for how, what in (("failed", "failed"), ("lacks", "need files of MPI")) if count[how]]
    return text + (f" ({', '.join(notes)})" if notes else "")


def row(name, package):
    places = package["places"]
    if "nosource" in {how for tests in places.values() for how, _ in tests.values()}:
        return [name, "", "the archive has no source"] + [""] * (len(LAYOUTS) - 1)
    cells = []
    for layout in LAYOUTS:
        build = "processes" if layout == "processes" else "endpoints"
        cells.append("does not build" if "build" in places.get(build, {}) and layout not in places else cell(places.get(layout, {})))
    return [name, package["version"]] + cells


def wrong(packages):
    """Tests that fail on endpoints and not as processes, with the reason, or are missing there."""
    for name, package in packages.items():
        places = package["places"]
        processes = places.get("processes", {})
        for place in LAYOUTS:
            if list(places.get(place, ())) == ["layout"]:
                yield name, place, "all", "none has run"
        for place in ("endpoints",) + LAYOUTS[1:]:
            tests = places.get(place, {})
            for test, (how, why) in tests.items():
                if how == "failed" and processes.get(test, ("ok",))[0] == "ok":
                    yield name, place, test, why
            for test, (how, _) in processes.items():
                if len(tests) > 1 and "layout" in tests and how == "ok" and test not in tests:
                    yield name, place, test, "has not run"


def tally(packages):
    hows = [how for p in packages.values() for tests in p["places"].values() for how, _ in tests.values()]
    return hows.count("ok"), hows.count("lacks") + hows.count("nosource")


def main():
    table, *results = sys.argv[1:]
    packages = read(results)
    rows = [["package", "version", "processes", "1x4", "2x2"]] + [row(*item) for item in packages.items()]
    widths = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))]
    lines = ["| " + " | ".join(c.ljust(w) for c, w in zip(r, widths)) + " |" for r in rows]
    lines.insert(1, "|" + "|".join("-" * (w + 2) for w in widths) + "|")
    with open(table, "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    print("\n".join(lines))
    bad = list(wrong(packages))
    for name, place, test, why in bad:
        print(f"{name}, {place}: {test} failed{': ' + why if why else ''}")
    passed, skipped = tally(packages)
    print(f"{passed} passed, {len(bad)} failed, {skipped} skipped")
    return 1 if bad or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
