#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""names.py TABLE: what becomes of each function of MPI in the drop-in <mpi.h>?

EPCC and EPCXX are the compilers. Each name of the MPI underneath must be ep's, MPI's own on purpose, or missing
with a message; never MPI's own by accident. What is in the table must compile, link and be what it says.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Families that ep may lack; each with a program that can reach a call.
MAY_LACK = {
    "files": (r"File_\w+|Register_datarep",
              "MPI_File f; return MPI_File_open(MPI_COMM_WORLD, \"x\", 0, MPI_INFO_NULL, &f);", "MPI_File_open"),
    "dynamic processes": (r"Comm_(spawn|spawn_multiple|accept|connect|join)|(Open|Close)_port|(Lookup|Publish|Unpublish)_name",
                          "return PMPI_Open_port(MPI_INFO_NULL, 0);", "MPI_Open_port"),
}
failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)
        print("FAILED:", text)


def run(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def read_table(path):
    kinds, later = {}, set()
    for line in pathlib.Path(path).read_text().splitlines():
        if line.startswith("*"):
            later |= set(line[1:].split())
        elif line and not line.startswith("#"):
            kinds[re.search(r"\b(MPI_\w+)\(", line).group(1)] = line.split()[0]
    return kinds, later


def compiled(compiler, folder, name, text, *flags):
    source = folder / name
    source.write_text(text)
    return run(compiler, *flags, str(source), "-o", str(folder / "out"))


def check_header(epcc, kinds, later):
    """All that the header underneath declares, by the symbols that a program's names stand for."""
    _, text, _ = run(epcc, "-E", "-x", "c", "-", text="#include <mpi.h>\n")
    _, macros, _ = run(epcc, "-E", "-dM", "-x", "c", "-", text="#include <mpi.h>\n")
    symbols = dict(re.findall(r"\b(P?MPI_\w+)\s*\([^;]*?\)\s*__asm__\s*\(\"(\w+)\"\)", text))
    for name in re.findall(r"#define (P?MPI_(?:[A-Z][a-z]\w*|T_\w+))(?:\(.*?\))? ", macros):
        kind = kinds.get(name.removeprefix("P"))
        expect(kind in (None, "direct"), f"{name} is a macro")
    below = set(re.findall(r"\bep_below_(P?MPI_\w+)\s*\(", text))
    declared = below | set(re.findall(r"\b(P?MPI_[A-Z][a-z]\w*|P?MPI_T_\w+)\s*\(", text))
    declared.discard("MPI_Aint")  # typedef MPI_Aint (type_of_a_function)(...)
    expect(len(below) > 700, f"the header underneath declares only {len(below)} functions")
    for name in sorted(declared):
        plain = name.removeprefix("P")
        kind = kinds.get(plain, "lacks" if plain in later else None)
        if plain.startswith("MPI_T_") or kind == "direct" or "_fn" in plain or plain.endswith("_function"):
            continue
        symbol = symbols.get(name, "")
        expect(kind, f"{name} is MPI's own, and the table does not know it")
        expect(symbol.startswith("ep_"), f"{name} is not ep's: {symbol}")
        expect((kind == "lacks") == symbol.startswith("ep_lacks_"), f"{name}: {symbol}")


def check_families(kinds):
    for name, kind in kinds.items():
        allowed = any(re.fullmatch(f"MPI_({p})", name, re.I) for p, _, _ in MAY_LACK.values())
        expect(kind != "lacks" or allowed, f"{name} is missing")
    for kind, count in collections.Counter(kinds.values()).most_common():
        print(f"{count:4} {kind}")


def check_linked(compiler, folder, suffix, kinds):
    """The address of each function, also with its PMPI name."""
    there = [n for n, kind in kinds.items() if kind not in ("lacks", "direct")]
    text = "#include <mpi.h>\ntypedef void (*any)(void);\nany all[] = {\n"
    text += "".join(f"(any){n}, (any)P{n},\n" for n in there)
    text += "};\nint main(void)\n{\n    for (any *f = all; f < all + sizeof all / sizeof *all; f++)\n"
    text += "        if (!*f)\n            return 1;\n    return 0;\n}\n"
    rc, _, error = compiled(compiler, folder, "all" + suffix, text)
    expect(rc == 0, f"{compiler} does not link all functions:\n{error}")


def check_missing(compiler, folder, suffix):
    for family, (_, call, name) in MAY_LACK.items():
        body = f"#include <mpi.h>\nint f(void);\nint f(void)\n{{\n    {call}\n}}\n"
        rc, _, error = compiled(compiler, folder, "lack" + suffix, body, "-c")
        expect(rc == 0 and f"ep has no {name}" in error, f"{family}: no warning about {name}:\n{error}")
        rc, _, error = compiled(compiler, folder, "lack" + suffix, body + "int main(void) { return f(); }\n")
        expect(rc != 0 and name in error, f"{family}: a program that calls {name} links:\n{error}")
        rc, _, error = compiled(compiler, folder, "lack" + suffix, body + "int main(void) { return f(); }\n", "--missing=run")
        expect(rc == 0, f"{family}: {name} does not link with --missing=run:\n{error}")
        rc, _, error = compiled(compiler, folder, "lack" + suffix, body + "int main(void) { return 0; }\n")
        expect(rc == 0, f"{family}: {name} out of reach does not link:\n{error}")


def main():
    epcc, epcxx = os.environ["EPCC"], os.environ["EPCXX"]
    kinds, later = read_table(sys.argv[1])
    check_families(kinds)
    check_header(epcc, kinds, later)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for compiler, suffix in ((epcc, ".c"), (epcxx, ".cc")):
            check_linked(compiler, folder, suffix, kinds)
            check_missing(compiler, folder, suffix)
    sys.exit(1 if failures else 0)


main()
