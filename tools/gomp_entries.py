#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""gomp_entries.py OUTDIR TABLE: libgomp's entry points behind ours, and ours where they only choose (src/crt/gomp).

A line of the table, which goes on in lines that begin with a blank, is KIND RESULT NAME(PARAMETERS), and for most kinds
= WHAT, what our entry point does:

    used     nothing: there is none, we only call libgomp's
    own      it is written by hand
    always   WHAT
    mode     WHAT in task mode, ...
    here     WHAT where the thread has a worker, w, in task mode, ...
    get      WHAT where it has one or gets one outside of regions (worker_get), ... else it calls libgomp's
    around   WHAT is BEFORE -> AFTER, either may be empty: it calls libgomp's in between, whose result is `result`
    region   it calls libgomp's; a region of task mode stands for fn and data

{a,b} in a NAME stands for one and the other, $1, $2 for what was chosen there. [x] in a NAME stands for nothing and for
x: then T is long and [y] is left out elsewhere, or T is unsigned long long (in a name, by $T: long and ull) and y stays.

    entries.h    struct real, the real functions, in the order of their names in real_names; prototypes of ours
    entries.c    real_names, and our entry points but those of kind own
    entries.lst  the names of ours
"""
import itertools
import pathlib
import re
import sys

LINE = re.compile(r"(\w+) ([\w ]+?[ *]+)([\w{},\[\]]+)\((.*?)\)(?: = ?(.*))?$")
BETWEEN = re.compile(r"(?:^| )->(?: |$)")
WITH_CALL = ("always", "mode", "here", "get", "around")
KINDS = WITH_CALL + ("used", "own", "region")
CONDITION = {"mode": "mode_is_task()", "here": "w", "get": "w"}
WORKER = {"here": "    struct worker *w = worker_here();\n", "get": "    struct worker *w = worker_get();\n"}
MARK = "/* SPDX-License-Identifier: BSD-3-Clause */\n/* Made by tools/gomp_entries.py from src/crt/gomp/entries.txt. */\n"


class Entry:
    def __init__(self, kind, result, name, parameters, what):
        self.kind, self.result, self.name, self.parameters, self.what = kind, result, name, parameters, what

    def prototype(self, name):
        return f"{self.result}{name}({self.parameters})"

    def arguments(self):
        """The names of the parameters: the last word of each, or (*name) of a pointer to a function."""
        parts = re.split(r", (?![^()]*\))", self.parameters)
        if parts == ["void"]:
            return []
        return [(re.search(r"\(\*(\w+)\)", p) or re.search(r"(\w+)$", p)).group(1) for p in parts]

    def real(self, *instead):
        return f"real_function()->{self.name}({', '.join(list(instead) + self.arguments()[len(instead):])})"

    def returning(self, expression):
        return expression if self.result == "void " else "return " + expression

    def body(self):
        if self.kind == "always":
            return f"    {self.returning(self.what)};\n"
        if self.kind == "region":
            return (f"    if (!region_wanted()) {{\n        {self.real()};\n        return;\n    }}\n"
                    f"    struct region r;\n    region_open(&r, fn, data, NULL);\n"
                    f"    {self.real('region_body', '&r')};\n    region_close(&r);\n")
        if self.kind == "around":
            before, after = BETWEEN.split(self.what)
            keeps = self.result != "void "
            steps = [before, (f"{self.result}result = " if keeps else "") + self.real(), after, "return result" if keeps else ""]
            return "".join(f"    {step};\n" for step in steps if step)
        return (f"{WORKER.get(self.kind, '')}    if ({CONDITION[self.kind]})\n        {self.returning(self.what)};\n"
                f"    else\n        {self.returning(self.real())};\n")


def variants(name):
    """Each name that is meant, what was chosen, and whether it is the wide one of two (None: of one)."""
    for wide in (False, True) if "[" in name else (None,):
        plain = re.sub(r"\[(\w+)\]", r"\1" if wide else "", name)
        parts = re.split(r"\{([\w,]*)\}", plain)
        for chosen in itertools.product(*(part.split(",") for part in parts[1::2])):
            yield "".join(a + b for a, b in itertools.zip_longest(parts[::2], chosen, fillvalue="")), chosen, wide


def fill(text, chosen, wide):
    """The text for one of them."""
    if wide is not None:
        text = re.sub(r"\[([^\]]*)\]", r"\1" if wide else "", text)
        text = text.replace("$T", "ull" if wide else "long")
        text = re.sub(r"\bT\b", "unsigned long long" if wide else "long", text)
    for i, word in enumerate(chosen, 1):
        text = text.replace(f"${i}", word)
    return text


def read(text):
    """The entries of a table; ValueError says what is wrong with it."""
    lines = "\n".join(line for line in text.split("\n") if line and not line.startswith("#"))
    entries = {}
    for line in re.sub(r"\n\s+", " ", lines).split("\n"):
        match = LINE.match(line)
        kind, result, names, parameters, what = match.groups() if match else (None,) * 5
        if kind not in KINDS:
            raise ValueError(f"no entry point: {line}")
        if (kind in WITH_CALL) != bool(what) or len(BETWEEN.split(what or "")) != 1 + (kind == "around"):
            raise ValueError(f"not what {kind} does: {line}")
        for name, chosen, wide in variants(names):
            if name in entries:
                raise ValueError(f"{name}: twice")
            entries[name] = Entry(kind, result if result.endswith("*") else result.strip() + " ", name,
                                  fill(parameters, chosen, wide), fill(what or "", chosen, wide))
    return list(entries.values())


def header(entries):
    members = "".join(f"    {e.prototype(f'(*{e.name})')};\n" for e in entries)
    prototypes = "".join(f"{e.prototype(e.name)};\n" for e in entries if e.kind != "used")
    return (f"{MARK}struct real {{\n{members}}};\nenum {{ REAL_FUNCTIONS = {len(entries)} }};\n"
            f"#pragma GCC visibility push(default)\n{prototypes}#pragma GCC visibility pop\n")


def source(entries):
    """A program that is linked with the static library gets all entry points, not only those it calls: its shared libraries may
    call others. So they are all referred to where real_names is."""
    ours = [e for e in entries if e.kind != "used"]
    names = "".join(f'    "{e.name}",\n' for e in entries)
    kept = "".join(f"    (void (*)(void)){e.name},\n" for e in ours)
    bodies = "".join(f"\n{e.prototype(e.name)}\n{{\n{e.body()}}}\n" for e in ours if e.kind != "own")
    return (f'{MARK}#include "crt/gomp/gomp.h"\n\nconst char *const real_names[REAL_FUNCTIONS] = {{\n{names}}};\n\n'
            f"__attribute__((used)) static void (*const all_of_ours[])(void) = {{\n{kept}}};\n{bodies}")


def main(outdir, table):
    entries = read(pathlib.Path(table).read_text(encoding="utf-8"))
    names = "".join(f"{e.name}\n" for e in entries if e.kind != "used")
    for name, text in (("entries.h", header(entries)), ("entries.c", source(entries)), ("entries.lst", names)):
        pathlib.Path(outdir, name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
