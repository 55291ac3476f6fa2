#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""dropin_calls.py OUTDIR TABLE TAMPI HEADER...: from the signatures (signatures.py) and include/ep/TAMPI.h make

ep_hide.h     gives MPI's own functions other names, for while its header is read
ep_show.h     takes these away again
ep_names.h    declares the names of MPI, in ep's types, as the functions below
ep_symbols.h  gives the names of MPI the same symbols in files that declare them without the header
ep_calls.h    the same functions by their own names, for the library
calls.c       ep_MPI_Xxx, what a program calls: goes on to ep_xxx, or to what stands behind PMPI_Xxx
lacks.c       ep_lacks_MPI_Xxx, an error when called, for programs that are linked so
tampi.c       TAMPI_Ixxx, which have no request: ep_ixxx and ep_iwait
passed.c      ep_PMPI_Xxx of the class "passed": MPI's function, with its errors raised on the rank's world
functions.txt the table with the prototypes of all, for epcc
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from signatures import in_mpi_types, read_headers, read_table  # noqa: E402


def behind(f):
    """What PMPI_Xxx is."""
    return "ep_" + f.name.lower() if f.kind == "same" else "ep_PMPI_" + f.name


def ours(functions):
    return [f for f in functions if f.kind in ("same", "own", "passed")]


def lacking(functions, later):
    return [f.name for f in functions if f.kind == "lacks"] + later


def symbols(functions, later):
    """Each name that a program may use, and its symbol."""
    for f in ours(functions):
        yield "MPI_" + f.name, "ep_MPI_" + f.name
        yield "PMPI_" + f.name, behind(f)
    for name in lacking(functions, later):
        yield "MPI_" + name, "ep_lacks_MPI_" + name
        yield "PMPI_" + name, "ep_lacks_PMPI_" + name


def hide_h(functions, later):
    """A macro that the program has of this name stays its own."""
    for name, _ in symbols(functions, later):
        yield f'#pragma push_macro("{name}")\n#undef {name}\n#define {name} ep_below_{name}'


def show_h(functions, later):
    for name, _ in symbols(functions, later):
        yield f'#pragma pop_macro("{name}")'


def names_h(functions, later):
    yield """#ifndef EP_NAMES_H
#define EP_NAMES_H

#pragma GCC system_header

#ifdef __cplusplus
#define EP_ANY ...
extern "C" {
#else
#define EP_ANY
#endif
#define EP_SYMBOL(name) __asm__(#name)
#define EP_LACKS(name) __attribute__((warning("ep has no " #name)))
"""
    for f in ours(functions):
        yield f"EP_PUBLIC {f.prototype('MPI_' + f.name)} EP_SYMBOL(ep_MPI_{f.name});"
        yield f"EP_PUBLIC {f.prototype('PMPI_' + f.name)} EP_SYMBOL({behind(f)});"
    yield """
/* What ep does not have. No library defines these. Of the last ones, from later standards, a name is all that is
 * needed. */"""
    for p in ("", "P"):
        for f in functions:
            if f.kind == "lacks":
                yield f"{f.prototype(p + 'MPI_' + f.name)} EP_SYMBOL(ep_lacks_{p}MPI_{f.name}) EP_LACKS(MPI_{f.name});"
        for name in later:
            yield f"int {p}MPI_{name}(EP_ANY) EP_SYMBOL(ep_lacks_{p}MPI_{name}) EP_LACKS(MPI_{name});"
    yield "\n#ifdef __cplusplus\n}\n#endif\n#endif"


def read_tampi(header):
    """TAMPI's functions: their symbols."""
    return re.findall(r"\b(TAMPI_\w+)\([^;]*?\)\s*EP_TAMPI_SYMBOL\((\w+)\);", pathlib.Path(header).read_text())


def symbols_h(functions, later, tampi):
    yield "#if !defined EP_SYMBOLS_H && !defined __ASSEMBLER__"
    yield "#define EP_SYMBOLS_H\n#pragma GCC system_header"
    for name, symbol in list(symbols(functions, later)) + tampi:
        yield f"#pragma redefine_extname {name} {symbol}"
    # Says who compiled the object. Of other compilers' the assembler is told.
    yield '#ifdef __clang__\n__asm__(".set ep_object, 1");\n#endif'
    yield "#endif"


def calls_h(functions):
    yield "#ifndef EP_CALLS_H\n#define EP_CALLS_H\n\n#include <ep.h>\n"
    for f in ours(functions):
        yield f"EP_PUBLIC {f.prototype('ep_MPI_' + f.name)};"
        if f.kind != "same":
            yield f"EP_PUBLIC {f.prototype(behind(f))};"
    yield "\n#endif"


def calls_c(functions):
    yield "#include <ep_calls.h>"
    for f in ours(functions):
        if "..." not in f.types:
            yield f"\n{f.prototype('ep_MPI_' + f.name)}\n{{\n    return {behind(f)}({f.arguments()});\n}}"


# What says how many elements an array has.
LENGTHS = {"array_of_integers": "max_integers", "array_of_addresses": "max_addresses",
           "array_of_datatypes": "max_datatypes"}
# Handles that are looked at, not given.
TAKES_HANDLE = ("Type_commit", "Type_free", "Info_free")
MAY_BE_NULL = ("attr_val", "base", "location", "extra_state")


def check_of(f, type_, name, array, names):
    """The call that checks a parameter, or None."""
    bare = type_.removeprefix("const ").rstrip("* ")
    is_pointer = bool(array) or "*" in type_
    if array and bare != "char":
        length = LENGTHS.get(name) or next(n for n in ("count", "ndims") if n in names)
        if bare == "MPI_Datatype" and type_.startswith("const"):
            return f"passed_types(w, {length}, {name})"
        return f"passed_array(w, {length}, {name}, \"{name}\")"
    if bare in ("MPI_Datatype", "MPI_Info") and (not is_pointer or f.name in TAKES_HANDLE):
        kind = "type" if bare == "MPI_Datatype" else "info"
        if is_pointer:
            return f"passed_{kind}_at(w, {name}, \"{name}\")"
        # names of null handles may be asked for, and hints may be none
        may_be_null = int(f.name in ("Type_get_name", "Alloc_mem"))
        return f"passed_{kind}(w, {name}, \"{name}\", {may_be_null})"
    if is_pointer and name in ("inbuf", "outbuf") and name == ("inbuf" if f.name.startswith("Pack") else "outbuf"):
        count = "incount" if name == "inbuf" else "outcount"
        return f"passed_buffer(w, {name}, {count}, datatype, \"{name}\")"
    if is_pointer and name not in MAY_BE_NULL:
        return f"check_pointer(w, {name}, \"{name}\")"
    if name in ("incount", "outcount"):
        return f"check_count(w, {name}, \"{name}\")"
    return None


def checks_of(f):
    parts = [re.match(r"(.*?)(\w+)((?:\[\d*\])*)$", p).groups() for p in f.parameters.split(", ")]
    names = [name for _, name, _ in parts]
    checks = [check_of(f, type_.strip(), name, array, names) for type_, name, array in parts]
    # buffers need a datatype that is one
    return sorted(filter(None, checks), key=lambda c: c.startswith("passed_buffer"))


def passed_c(functions):
    """A call whose arguments can be told to be wrong does not reach MPI, which may crash."""
    yield '#include <ep_calls.h>\n\n#include "dropin/passed.h"'
    for f in functions:
        if f.kind == "passed":
            checks = "".join(f"    if ((rc = {check}))\n        return rc;\n" for check in checks_of(f))
            yield (f"\n{f.prototype(behind(f))}\n{{\n"
                   f"    struct where w = {{thread_world(), \"MPI_{f.name}\"}};\n    int rc = 0;\n{checks}"
                   f"    rc = MPI_{f.name}({f.arguments()});\n    return passed(w, rc);\n}}")


def lacks_c(functions, later):
    """Callers pass arguments that are not looked at; the two kinds of results are numbers and null handles."""
    yield '#include "dropin/dropin.h"\n'
    for name in lacking(functions, later):
        for symbol in (f"ep_lacks_MPI_{name}", f"ep_lacks_PMPI_{name}"):
            yield f"int {symbol}(void);\nint {symbol}(void)\n{{\n    return ep_lacking(\"MPI_{name}\");\n}}\n"


def tampi_c(functions, tampi):
    """The header has the prototypes: they are those of MPI without the request, and MPI_Irecv's has a status in its place."""
    yield "#include <TAMPI.h>"
    by_name = {f.name: f for f in functions}
    for name, symbol in tampi:
        f = by_name.get(name.removeprefix("TAMPI_"))
        if symbol != "ep_" + name or not f or not f.parameters.endswith(", ep_request *request"):
            continue
        has_status = f.name == "Irecv"
        parameters = f.parameters.removesuffix(", ep_request *request") + (", ep_status *status" if has_status else "")
        arguments = f.arguments().removesuffix(", request")
        yield (f"\nint {name}({parameters})\n{{\n"
               f"    ep_request request;\n    int rc = {behind(f)}({arguments}, &request);\n"
               f"    return rc ? rc : ep_iwait(&request, {'status' if has_status else 'EP_STATUS_IGNORE'});\n}}")


def functions_txt(lines):
    for line, functions in lines:
        if functions and functions[0].kind == "same":
            yield from (f"same   {in_mpi_types(f.prototype('MPI_' + f.name))};" for f in functions)
        else:
            yield line


def main(outdir, table, tampi_header, *headers):
    lines = list(read_table(table, read_headers(headers)))
    functions = [f for _, some in lines for f in some]
    later = [name.removeprefix("MPI_") for line, _ in lines if line.startswith("*") for name in line[1:].split()]
    tampi = read_tampi(tampi_header)
    pathlib.Path(outdir, "functions.txt").write_text("\n".join(functions_txt(lines)) + "\n")
    for name, text in (("ep_hide.h", hide_h(functions, later)), ("ep_show.h", show_h(functions, later)),
                       ("ep_names.h", names_h(functions, later)), ("ep_symbols.h", symbols_h(functions, later, tampi)),
                       ("ep_calls.h", calls_h(functions)), ("calls.c", calls_c(functions)),
                       ("passed.c", passed_c(functions)), ("lacks.c", lacks_c(functions, later)),
                       ("tampi.c", tampi_c(functions, tampi))):
        head = "/* SPDX-License-Identifier: BSD-3-Clause */\n/* Made by tools/dropin_calls.py. */\n"
        pathlib.Path(outdir, name).write_text(head + "\n".join(text) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
