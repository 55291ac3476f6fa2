#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""shmem_doc.py [--check PAGE] TABLE EPSHCC FOLDER...: docs/openshmem_functions.md, of the table of OpenSHMEM's functions and of the
tests in the folders, which are compiled to see what they call. With --check: is the page so, and does a test call each function?
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from shmem_calls import Table  # noqa: E402


class Uncompiled(Exception):
    pass


SHOWN = 3  # tests of a family, those that call the fewest others
HEAD = """# OpenSHMEM's functions

All functions of OpenSHMEM 1.5 in C, the deprecated ones of earlier versions, and some of 1.6: by the sections of the standard, with
tests that call them. NAME stands for each of the types or sizes. "ctx": there is also `shmem_ctx_...`, with a context as first
argument. "C11": there is a generic function without the type's name. Each has a second name, `pshmem_...`, which tools may
call from a function that they put in its place ([openshmem.md](openshmem.md)).

This page is made by `tools/shmem_doc.py` from the table `src/shmem/binding/functions.txt` and the tests.
"""


def calls_of(command, source, headers, work):
    """The functions that a test calls: what its object does not define."""
    text = source.read_text()
    flags = [flag for line in re.findall(r"shmem: flags (.*?)(?:\*/|$)", text, re.M) for flag in line.split()]
    flags = [flag for flag in flags if not flag.startswith("-l")]
    output = pathlib.Path(work) / (re.sub(r"\W", "_", str(source)) + ".o")
    compiler = command if source.suffix == ".c" else re.sub(r"cc$", "c++", command)
    done = subprocess.run([compiler, "-w", "-O0", "-I", headers, *flags, "-c", source, "-o", output], capture_output=True, text=True)
    if done.returncode:
        raise Uncompiled(f"{source}: {done.stderr[:2000]}")
    symbols = subprocess.run(["nm", "-u", output], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1] for line in symbols.splitlines()}


def tests_in(folders):
    """Each test, the folder with its headers, and what it is called on the page."""
    for folder in map(pathlib.Path, folders):
        for source in sorted(p for p in folder.rglob("*") if p.suffix in (".c", ".cc", ".cpp")):
            if folder.name == "shmem" or "shmem.h>" in source.read_text():
                yield source, folder, str(source.relative_to(folder.parent).with_suffix(""))


def callers(command, folders):
    """For each function the tests that call it; how many functions each test calls."""
    by_name, sizes = {}, {}
    tests = list(tests_in(folders))
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda test: calls_of(command, *test[:2], work), tests)
        for (*_, test), names in zip(tests, found):
            sizes[test] = len(names)
            for name in names:
                by_name.setdefault(name, set()).add(test)
    return by_name, sizes


def names_of(family):
    """All its functions."""
    return [family.name(type_, ctx=ctx) for type_, ctx in family.functions()]


def tests_of(family, by_name, sizes):
    """Few tests that call much of the family and little else."""
    names = names_of(family)
    tests = {test for name in names for test in by_name.get(name, ())}
    covered = {test: sum(test in by_name.get(name, ()) for name in names) for test in tests}
    return sorted(tests, key=lambda test: (-covered[test] * 10 // sizes[test], sizes[test], test))[:SHOWN]


def page(table, by_name, sizes):
    yield HEAD
    yield "| types and sizes | NAME |\n|---|---|"
    used = {f.set_name for f in table.families}
    for name, types in table.sets.items():
        if name in used:
            yield f"| {name} | {', '.join(types)} |"
    section = None
    for f in table.families:
        if f.section != section:
            section = f.section
            yield f"\n## {section.replace(' (old)', ', deprecated')}\n\n| function | NAME | forms | tests |\n|---|---|---|---|"
        forms = [{"ctx": "ctx", "generic": "C11"}[flag] for flag in f.flags if flag != "group"]
        tests = ", ".join(tests_of(f, by_name, sizes))
        yield f"| `{f.pattern}` | {f.set_name.strip('-')} | {', '.join(forms)} | {tests} |"


def check(path, made, table, by_name):
    missing = sorted(name for name in table.names() if name not in by_name)
    for name in missing:
        print(f"no test calls {name}")
    same = pathlib.Path(path).read_text() == made
    if not same:
        print(f"{path} is not what tools/shmem_doc.py makes of the table and the tests")
    print(f"{len(table.names())} functions, {len(missing)} without a test")
    return same and not missing


def main(*arguments):
    is_checked = arguments[:1] == ("--check",)
    path = arguments[1] if is_checked else None
    table_path, command, *folders = arguments[2:] if is_checked else arguments
    table = Table(table_path)
    by_name, sizes = callers(command, folders)
    made = "\n".join(page(table, by_name, sizes)) + "\n"
    if is_checked:
        return check(path, made, table, by_name)
    print(made, end="")
    return True


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    try:
        sys.exit(not main(*sys.argv[1:]))
    except Uncompiled as test:
        sys.exit(str(test))
