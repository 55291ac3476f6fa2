#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""names.py FORTRAN_NATIVE EP_F90 CRT_F90 CRT_H HEADER...: is each function and constant that the headers declare in module ep (or crt),
as Fortran reads it, or one that `fortran_native.py names` says why it is not?"""
import pathlib
import re
import subprocess
import sys

# Constants and types that are others in Fortran, and what only C needs.
OTHERS = {"EP_COUNTER_COUNT": "EP_COUNTER_IS_COUNT", "crt_task_t": "type(C_PTR)", "omp_external_t": "integer(omp_external_kind)",
          "CRT_PUBLIC": "of C's header", "CRT_COND_INITIALIZER": "a component's first value"}


def names_of(headers, prefixes):
    """Functions, constants and types: as the headers declare them."""
    text = re.sub(r"/\*.*?\*/", "", "".join(pathlib.Path(h).read_text() for h in headers), flags=re.S)
    functions = re.findall(rf"^(?:EP|CRT)_PUBLIC [^;(]*?\b({prefixes}\w+)\(", text, re.M)
    constants = re.findall(r"^#define ((?:EP|CRT)_\w+) \S", text, re.M) + re.findall(r"^ +(omp_\w+) = ", text, re.M)
    types = re.findall(rf"^(?:typedef [^;({{\n]*?|\}} )\*?({prefixes}\w+)(?:;|\()", text, re.M)
    return set(functions), set(constants), set(types)


def declared(source):
    """What the module makes known, in small letters."""
    text = pathlib.Path(source).read_text().lower()
    names = set(re.findall(r"^ *public :: (.*)", text, re.M)) | set(re.findall(r"^.*public(?:, bind\(.*?\))? :: (\w+)", text, re.M))
    names |= set(re.findall(r"^ *(?:subroutine|.*\bfunction) (\w+)", text, re.M)) | set(re.findall(r"^ *type.* :: (\w+)", text, re.M))
    names |= {n for line in re.findall(r"parameter :: (.*)", text) for n in re.findall(r"(\w+) =", line)}
    return {n.strip() for line in names for n in line.split(",")}


def main(tool, ep_f90, crt_f90, crt_h, *headers):
    shown = subprocess.run([tool, "names", *headers], capture_output=True, text=True, check=True).stdout
    absent = dict(line.split("\t") for line in shown.splitlines())
    failed = 0
    for files, prefixes, module in ((headers, "ep_", ep_f90), ((crt_h,), "crt_|omp_", crt_f90)):
        there = declared(module)
        for kind, names in zip(("function", "constant", "type"), names_of(files, f"(?:{prefixes})")):
            if len(names) < (1 if module == crt_f90 else 5):
                sys.exit(f"{len(names)} names of the kind {kind} are too few to be all")
            for name in sorted(names - set(OTHERS)):
                is_there = name.lower() in there
                if is_there == (name in absent):
                    print(f"{name} is there, though {absent[name]}" if is_there else f"the {kind} {name} is nowhere, and nothing says why")
                    failed += 1
    for name in absent:
        print(f"{name}: {absent[name]}")
    sys.exit(failed > 0)


main(*sys.argv[1:])
