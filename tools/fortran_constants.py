#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""fortran_constants.py OUTDIR TABLE: two programs that print the values of the constants in TABLE (src/fortran/constants.txt):

values.f90  those that the Fortran header of the MPI underneath has
values.c    those of ep, and C's

fortran_modules.py reads what they print.
"""
import pathlib
import sys

# What values.f90 says of a name that the header does not declare.
ABSENT = 2**63 - 1


class Constant:
    """type: of a handle. value: an expression in C."""
    def __init__(self, kind, type_, name, value=None):
        self.kind, self.type, self.name, self.value = kind.rstrip("?"), type_, name, value
        self.may_lack = kind.endswith("?")

    @property
    def is_fortran(self):
        return self.kind in ("number", "length", "handle")


def read_constants(table):
    for line in pathlib.Path(table).read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        kind, *names = line.split()
        type_ = names.pop(0) if kind.startswith(("ep", "handle")) else None
        for name in names:
            name, _, value = name.partition("=")
            if kind == "ep":
                value = "handle_of_constant(" + name.replace("MPI_", "EP_") + ")"
            yield Constant(kind, type_, name, value or name)


def values_f90(constants):
    """Names that mpif.h does not declare are those of the module."""
    names = [c.name for c in constants if c.is_fortran]
    yield "module absent\n  implicit none"
    for name in names:
        yield f"  integer(8), parameter :: {name} = huge(0_8)"
    yield "end module\n\nprogram values\n  use absent\n  implicit none\n  call show\ncontains\n  subroutine show\n    include 'mpif.h'"
    for name in names:
        yield f"    print '(a,1x,i0)', '{name}', int({name}, 8)"
    yield "  end subroutine\nend program"


def values_c(constants):
    yield '#include <ep.h>\n#include <stdio.h>\n\n#include "comm/handle.h"\n\nint main(void)\n{'
    for c in constants:
        if not c.is_fortran:
            yield f'    printf("%s %lld\\n", "{c.name}", (long long)({c.value}));'
    yield "    return 0;\n}"


def main():
    outdir = pathlib.Path(sys.argv[1])
    constants = list(read_constants(sys.argv[2]))
    (outdir / "values.f90").write_text("\n".join(values_f90(constants)) + "\n")
    (outdir / "values.c").write_text("\n".join(values_c(constants)) + "\n")


if __name__ == "__main__":
    main()
