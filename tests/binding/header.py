#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""header.py TABLE: <shmem.h> and <pshmem.h> compile without a warning wherever a program may include them, declare every function of
the table, and C11's generic functions call the function of their argument's type, with a context and without.

EPSHCC and EPSHCXX in the environment name the commands.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from shmem_calls import Table, profiled  # noqa: E402

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-c"]
CC, CXX = os.environ.get("EPSHCC", "epshcc"), os.environ.get("EPSHCXX", "epshc++")


def callers(table, p=""):
    """A C11 function for each type and form of each generic function, which calls it; and the functions that these calls are."""
    lines, wanted = [f"#include <{p}shmem.h>"], set()
    generic = [f for f in table.families if "generic" in f.flags]
    for f in generic:
        names = {t.name for t in f.types}
        for type_, ctx in f.functions():
            call = f"{p}{f.generic()}({', '.join(f.names_of_parameters(ctx))});"
            lines.append(f.prototype(type_, ctx).replace(f.name(type_, ctx=ctx), f"call_{len(lines)}", 1))
            lines[-1] = f"{lines[-1]};\n{lines[-1]}\n{{\n    {'' if f.result == 'void' else 'return '}{call}\n}}"
            is_covered = type_.covered in names
            wanted.add(f.name(table.types[type_.covered] if is_covered else type_, ctx=ctx))
    # A team or an active set, and two names that are functions, too.
    lines.append("""int sync_team(shmem_team_t team);
int sync_team(shmem_team_t team)
{
    return shmem_sync(team);
}
void sync_set(long *sync);
void sync_set(long *sync)
{
    shmem_sync(0, 1, 2, sync);
}
void (*const until)(volatile long *ivar, int cmp, long value) = shmem_wait_until;
void named(long *ivar, const long *constant, volatile long *changing, int pe);
void named(long *ivar, const long *constant, volatile long *changing, int pe)
{
    long array[2] = {0, 1};
    (shmem_wait_until)(ivar, SHMEM_CMP_EQ, 1);
    (shmem_wait)(ivar, 1);
    shmem_wait_until(changing, SHMEM_CMP_EQ, 1);
    array[1] = shmem_g(constant, pe);
    shmem_put(array, constant, 2, pe);
}""")
    wanted |= {"shmem_team_sync", "shmem_sync", "shmem_wait_until", "shmem_wait"}
    text = "\n".join(lines) + "\n"
    return (re.sub(r"\bshmem_(?!team_t|ctx_t)", "pshmem_", text), {p + n for n in wanted}) if p else (text, wanted)


def addresses(table, headers, p=""):
    """A program in C or C++ that takes the address of every function."""
    names = sorted(profiled(n) if p else n for n in table.names())
    lines = [f"#include <{header}>" for header in headers]
    lines += ["typedef void (*function)(void);", "extern const function functions[];", "const function functions[] = {"]
    return "\n".join(lines + [f"    (function){name}," for name in names] + ["};\n"]), set(names)


def undefined(path):
    output = subprocess.run(["nm", "-u", path], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1] for line in output.splitlines()}


def compiles(work, what, command, text, suffix, wanted):
    """Does it compile, and call just what is wanted?"""
    source, output = work / f"program{suffix}", work / "program.o"
    source.write_text(text)
    done = subprocess.run([*command, *STRICT, source, "-o", output], capture_output=True, text=True)
    if done.returncode:
        print(f"not ok: {what}: {done.stderr[:3000]}")
        return False
    found = {n for n in undefined(output) if "sh" in n or "pe" in n}
    if found != wanted:
        print(f"not ok: {what}: not called: {sorted(wanted - found)[:20]}; called: {sorted(found - wanted)[:20]}")
        return False
    print(f"ok: {what}: {len(found)} functions")
    return True


def rejects(work, what, command, call):
    """A call that no type has is an error of the compiler's."""
    source = work / "wrong.c"
    source.write_text(f"#include <shmem.h>\nvoid wrong(void);\nvoid wrong(void)\n{{\n    {call}\n}}\n")
    done = subprocess.run([*command, "-fsyntax-only", source], capture_output=True, text=True)
    print(f"{'ok' if done.returncode else 'not ok'}: {what} is not taken")
    return done.returncode != 0


def main(path):
    table = Table(path)
    c = ([CC], [CC, "-cc=clang"])
    cxx = ([CXX], [CXX, "-cxx=clang++"])
    # Another compiler may not be here; its own message would say so.
    c, cxx = ([command for command in commands if subprocess.run([*command, "--version"], capture_output=True).returncode == 0]
              for commands in (c, cxx))
    good = bool(c and cxx)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for command in c:
            name = " ".join(command[1:]) or "the compiler"
            text, wanted = callers(table)
            good &= compiles(work, f"{name}: C11, every generic function", [*command, "-std=c11"], text, ".c", wanted)
            text, wanted = callers(table, "p")
            good &= compiles(work, f"{name}: C11, the same for pshmem_", [*command, "-std=c11"], text, ".c", wanted)
            for std in ("c99", "gnu17"):
                text, wanted = addresses(table, ["shmem.h"])
                good &= compiles(work, f"{name}: {std}, every address", [*command, "-std=" + std], text, ".c", wanted)
            text, wanted = addresses(table, ["pshmem.h"], "p")
            good &= compiles(work, f"{name}: pshmem.h", [*command, "-std=c99"], text, ".c", wanted)
            for headers in (["mpi.h", "shmem.h"], ["shmem.h", "mpi.h"], ["mpp/shmem.h", "shmem.h"]):
                text, wanted = addresses(table, headers)
                good &= compiles(work, f"{name}: {headers}", [*command, "-std=gnu11"], text, ".c", wanted)
            good &= rejects(work, f"{name}: a struct", command, "struct { int a; } a; shmem_put(&a, &a, 1, 0);")
            good &= rejects(work, f"{name}: bits of a float", command, "float a = 0; shmem_atomic_and(&a, a, 0);")
        for command in cxx:
            name = " ".join(command[1:]) or "the compiler"
            for std in ("c++11", "c++17"):
                text, wanted = addresses(table, ["shmem.h"])
                good &= compiles(work, f"{name}: {std}", [*command, "-std=" + std], text, ".cpp", wanted)
            text, wanted = addresses(table, ["mpi.h", "pshmem.h"], "p")
            good &= compiles(work, f"{name}: C++, mpi.h and pshmem.h", [*command, "-std=c++11"], text, ".cpp", wanted)
    return good


sys.exit(not main(*sys.argv[1:]))
