#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""shmem_calls.py make OUTDIR TABLE        from the table of OpenSHMEM's functions (src/shmem/binding/functions.txt) make
                                        shmem.h, pshmem.h and the parts of libep_shmem, part0.c to partN.c
shmem_calls.py names TABLE HEADER...    does the table have all functions that another library's headers declare?
"""
import pathlib
import re
import sys

PARTS = 8
# What other libraries have and no version of the standard, which has another shmem_broadcast.
NO_STANDARD = {"shmem_broadcast", "my_pe", "num_pes", "globalexit", "__attribute__"}
# What a program has to be to see C11's generic functions.
C11 = "#if defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L && !defined __cplusplus"
GENERICS = f"""
/* ---- C11: one name for all types, chosen by the first pointer ---- */

/*
 * With the context before the other arguments, or without: so their number says which form it is. These are macros with arguments: a
 * name alone, as in &shmem_wait_until or (shmem_wait_until)(...), is that of a function.
 */
{C11}
"""
LICENSE = "/* SPDX-License-Identifier: BSD-3-Clause */"


class Wrong(Exception):
    pass


class Type:
    """What a function may stand for: a type of C, or a width."""
    def __init__(self, name, c_type, width, word="-", mpi="-", covered=None):
        self.name, self.c_type, self.width, self.word, self.mpi, self.covered = name, c_type, width, word, mpi, covered


class Family:
    """One entry of the table."""
    def __init__(self, types, flags, prototype, section, comment, line):
        match = re.fullmatch(r"(noreturn )?(.*?[ *])(\w+)\((.*)\)", prototype)
        if not match:
            raise Wrong(f"line {line}: no prototype: {prototype}")
        self.types, self.flags, self.section, self.comment, self.line = types, flags, section, comment, line
        self.noreturn, self.result, self.pattern, self.parameters = match.groups()
        self.result = self.result.strip()
        self.body = ""

    def name(self, type_, prefix="shmem", ctx=False):
        name = self.pattern.replace("NAME", type_.name) if type_ else self.pattern
        name = re.sub(r"^shmem_", "shmem_ctx_", name) if ctx else name
        return profiled(name) if prefix == "pshmem" else name

    def generic(self, prefix="shmem"):
        """The name of C11's generic function."""
        name = self.pattern.replace("NAME_", "")
        return profiled(name) if prefix == "pshmem" else name

    def prototype(self, type_, ctx, prefix="shmem"):
        c_type = type_.c_type if type_ else ""
        result, parameters = (re.sub(r"\bTYPE\b", c_type, text) for text in (self.result, self.parameters))
        if ctx:
            parameters = "shmem_ctx_t ctx" + ("" if parameters == "void" else ", " + parameters)
        space = "" if result.endswith("*") else " "
        return f"{result}{space}{self.name(type_, prefix, ctx)}({parameters})"

    def names_of_parameters(self, ctx):
        names = re.findall(r"(\w+)(?=,|$)", self.parameters) if self.parameters != "void" else []
        return (["ctx"] if ctx else []) + names

    def functions(self):
        """For each of the functions: its type, and whether it has a context."""
        for type_ in self.types or [None]:
            yield type_, False
        for type_ in (self.types or [None]) if "ctx" in self.flags else []:
            yield type_, True


def profiled(name):
    """The name by which a tool that has a function of this name calls ours."""
    return "p" + name if name[0] != "_" else "_p" + name[1:]


class Table:
    def __init__(self, path):
        self.types, self.sets, self.families = {}, {}, []
        section = comment = ""
        commenting = False
        for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
            if not line.strip() or line[0] == "#":
                continue
            if line.startswith(("type ", "width ", "set ")):
                self.read_words(*line.split(" ", 1), number)
            elif line.startswith("== "):
                section, comment = line[3:].strip(), ""
            elif line.startswith("-- "):
                comment = comment + "\n" + line[3:] if commenting else line[3:]
            elif line[0] == " ":
                self.families[-1].body += line.strip() + " "
            else:
                self.families.append(self.read_family(line, section, comment, number))
            commenting = line.startswith("-- ")
        without = [f for f in self.families if not f.body]
        if without:
            raise Wrong(f"line {without[0].line}: it has no body")

    def read_words(self, kind, rest, number):
        name, _, value = rest.partition(": ")
        if kind == "type":
            part = value.split("; ") + [None]
            covered = part[3] and part[3].removeprefix("covered by ")
            self.types[name] = Type(name, part[0], f"sizeof({part[0]})", part[1], part[2], covered)
        elif kind == "width":
            self.types[name] = Type(name, "void", value)
        else:
            names = []
            for word in value.split():
                names += self.sets[word[1:]] if word[0] == "@" else [word]
            unknown = [n for n in names if n not in self.types]
            if unknown or len(set(names)) < len(names):
                raise Wrong(f"line {number}: twice, or no type: {unknown or names}")
            self.sets[name] = names

    def read_family(self, line, section, comment, number):
        set_name, *words = line.split()
        flags = []
        while words[0] in ("ctx", "generic", "group"):
            flags.append(words.pop(0))
        if set_name != "-" and set_name not in self.sets:
            raise Wrong(f"line {number}: no set: {set_name}")
        types = [self.types[n] for n in self.sets[set_name]] if set_name != "-" else []
        family = Family(types, flags, " ".join(words), section, comment, number)
        family.set_name = set_name
        return family

    def names(self):
        return {f.name(t, ctx=ctx) for f in self.families for t, ctx in f.functions()}


# ---- the headers ----

def wrapped(text, width=110, indent="    "):
    """A declaration in lines that are not too long, broken behind commas."""
    lines = [""]
    for part in text.split(", "):
        glue = ", " if lines[-1].strip() else ""
        if lines[-1].strip() and len(lines[-1]) + len(part) + 3 > width:
            lines[-1] += ","
            lines.append(indent)
            glue = ""
        lines[-1] += glue + part
    return "\n".join(lines)


def declarations(table, prefix):
    section = comment = None
    for f in table.families:
        if f.section != section:
            title = f.section.replace(" (old)", ", names and forms of earlier versions")
            yield f"\n/* ---- {title} ---- */"
        if f.comment != comment or f.section != section:
            yield "\n/* " + f.comment.replace("\n", "\n * ") + ("\n */" if "\n" in f.comment else " */")
        section, comment = f.section, f.comment
        for type_, ctx in f.functions():
            noreturn = "__attribute__((noreturn)) " if f.noreturn else ""
            yield wrapped(f"{noreturn}{f.prototype(type_, ctx, prefix)};")


def generic_types(family):
    """Those that differ for the compiler."""
    names = {t.name for t in family.types}
    return [t for t in family.types if t.covered not in names]


def lists_of_types(families):
    """A macro for each list of types that generic functions choose from: the list's names, and its name."""
    lists = {}
    for f in families:
        lists.setdefault(" ".join(t.name for t in generic_types(f)), (f"SHMEM_{f.set_name.upper()}_TYPES", generic_types(f)))
    return lists


def choosers(table):
    """What chooses from the types, for shmem_ and pshmem_."""
    families = [f for f in table.families if "generic" in f.flags]
    for name, types in lists_of_types(families).values():
        entries = ", ".join(f"{t.c_type}: prefix##{t.name}##suffix" for t in types)
        yield f"#define {name}(prefix, suffix) \\"
        yield wrapped("    " + entries).replace("\n", " \\\n") + "\n"
    yield "/* The function of a type: *(pointer) has it, without const and volatile. */"
    yield "#define SHMEM_BY_FIRST(types, prefix, suffix, pointer, ...) \\"
    yield "    _Generic(*(pointer), types(prefix, suffix))(pointer, __VA_ARGS__)"
    yield "#define SHMEM_BY_SECOND(types, prefix, suffix, team, pointer, ...) \\"
    yield "    _Generic(*(pointer), types(prefix, suffix))(team, pointer, __VA_ARGS__)"
    yield "#define SHMEM_WITH_CTX(types, prefix, suffix, ctx, pointer, ...) \\"
    yield "    _Generic(*(pointer), types(prefix##ctx_, suffix))(ctx, pointer, __VA_ARGS__)"
    yield "#define SHMEM_FIRST_OF(a, ...) a\n"
    yield "/* what: SHMEM_WITH_CTX for one argument more than the functions have without a context. */"
    for n in sorted({len(f.names_of_parameters(False)) for f in families if "ctx" in f.flags}):
        arguments = ", ".join(f"a{i}" for i in range(n + 1))
        yield f"#define SHMEM_FORM_OF_{n}({arguments}, what, ...) what"
    yield ""


def generics(table, prefix):
    families = [f for f in table.families if "generic" in f.flags]
    lists = lists_of_types(families)
    for f in families:
        types = lists[" ".join(t.name for t in generic_types(f))][0]
        suffix = f.pattern.partition("NAME")[2]
        names = f.names_of_parameters(False)
        form = "SHMEM_BY_SECOND" if names[0] == "team" else "SHMEM_BY_FIRST"
        if "ctx" in f.flags:
            form = f"SHMEM_FORM_OF_{len(names)}(__VA_ARGS__, SHMEM_WITH_CTX, {form}, 0)"
        yield f"#define {f.generic(prefix)}(...) \\\n    {form}({types}, {prefix}_, {suffix}, __VA_ARGS__)"
    yield "\n/* Of a team, or of an active set. */"
    yield f"#define {prefix}_sync(...) \\"
    yield (f"    _Generic(SHMEM_FIRST_OF(__VA_ARGS__, 0), shmem_team_t: {prefix}_team_sync, default: {prefix}_sync)"
           "(__VA_ARGS__)")


def shmem_h(table):
    yield f"""{LICENSE}
/*
 * OpenSHMEM 1.5 for programs that epshcc compiles and eprun starts: each rank is a PE. Made from ep's table of its functions, as is
 * docs/openshmem_functions.md. Functions of earlier versions are here, too.
 */
#ifndef EP_SHMEM_H
#define EP_SHMEM_H

#include <stddef.h>
#include <stdint.h>

#include <shmem_types.h>

#ifdef __cplusplus
extern "C" {{
#endif
#pragma GCC visibility push(default)

__extension__ typedef float _Complex ep_complexf;
__extension__ typedef double _Complex ep_complexd;"""
    yield from declarations(table, "shmem")
    yield "\n#pragma GCC visibility pop\n#ifdef __cplusplus\n}\n#endif"
    yield GENERICS
    yield from choosers(table)
    yield from generics(table, "shmem")
    yield "\n#endif\n\n#endif"


def pshmem_h(table):
    yield f"""{LICENSE}
/* The functions of <shmem.h> by the names that they have for tools: a program or library that defines shmem_put32 calls
 * pshmem_put32 in it. */
#ifndef EP_PSHMEM_H
#define EP_PSHMEM_H

#include <shmem.h>

#ifdef __cplusplus
extern "C" {{
#endif
#pragma GCC visibility push(default)"""
    yield from declarations(table, "pshmem")
    yield "\n#pragma GCC visibility pop\n#ifdef __cplusplus\n}\n#endif\n"
    yield C11
    yield from generics(table, "pshmem")
    yield "\n#endif\n\n#endif"


# ---- the library ----

def body_of(f, type_, ctx):
    words = {"CTX": "ctx" if ctx else "SHMEM_CTX_DEFAULT", "CALL": f'"{f.name(type_, ctx=ctx)}"'}
    if type_:
        words.update({"TYPE": type_.c_type, "WIDTH": type_.width, "WORD": type_.word, "MPI": type_.mpi})
    body = re.sub(r"\b(CTX|CALL|TYPE|WIDTH|WORD|MPI)\b", lambda m: words[m.group(1)], f.body.strip())
    if ";" in body:
        return [statement.strip() + ";" for statement in body.split(";") if statement.strip()]
    return [("return " if f.result != "void" else "") + body + ";"]


def definition(f, type_, ctx):
    lines = [f"{'_Noreturn ' if f.noreturn else ''}{f.prototype(type_, ctx, 'pshmem')}", "{"]
    statements = body_of(f, type_, ctx)
    group = "group" in f.flags
    used = " ".join(statements) + (" PE_start logPE_stride PE_size" if group else "")
    lines += [f"    (void){p};" for p in f.names_of_parameters(ctx) if not re.search(rf"\b{p}\b", used)]
    if group:
        lines.append(f'    shmem_team_t team = ep_shmem_active_set(PE_start, logPE_stride, PE_size, "{f.name(type_)}");')
        lines.append("    if (team != SHMEM_TEAM_INVALID)")
    lines += [("        " if group else "    ") + statement for statement in statements]
    name, real = f.name(type_, ctx=ctx), f.name(type_, "pshmem", ctx)
    return "\n".join(lines) + f"\n}}\nextern __typeof__({real}) {name} __attribute__((weak, alias(\"{real}\")));\n"


def part_c(table, number):
    yield f"{LICENSE}\n#include \"shmem/binding/binding.h\"\n\n#include <pshmem.h>\n"
    yield "/* Both a function and C11's generic one. */"
    for name in sorted({f.generic() for f in table.families if "generic" in f.flags} & table.names()) + ["shmem_sync"]:
        yield f"#undef {name}\n#undef p{name}"
    yield ""
    for i, f in enumerate(table.families):
        if i % PARTS == number:
            for type_, ctx in f.functions():
                yield definition(f, type_, ctx)


def make(out, table):
    outputs = {"shmem.h": shmem_h(table), "pshmem.h": pshmem_h(table)}
    outputs.update({f"part{i}.c": part_c(table, i) for i in range(PARTS)})
    for name, lines in outputs.items():
        (pathlib.Path(out) / name).write_text("\n".join(lines) + "\n")


# ---- another library's headers ----

def check_names(table, headers):
    names = table.names()
    others = set()
    for header in headers:
        text = re.sub(r"/\*.*?\*/|//[^\n]*|^[ \t]*#(?:\\\n|[^\n])*", "", pathlib.Path(header).read_text(), flags=re.S | re.M)
        others |= set(re.findall(r"\b(?:OSHMEM_DECLSPEC|extern)\b[^;{}(]*?[ *](\w+)\s*\(", text))
    others = {n for n in others if not n.startswith("shmemx_") and n not in NO_STANDARD}
    missing = sorted(others - names)
    for name in missing:
        print(f"missing: {name}")
    print(f"{len(others)} functions of {', '.join(headers)}, {len(missing)} of them missing; {len(names)} in the table")
    return not missing and len(others) > 0


def main(mode, *arguments):
    try:
        if mode == "make":
            make(arguments[0], Table(arguments[1]))
        elif mode == "names":
            return check_names(Table(arguments[0]), arguments[1:])
        else:
            sys.exit(__doc__)
    except Wrong as wrong:
        sys.exit(f"shmem_calls.py: {wrong}")
    return True


if __name__ == "__main__":
    sys.exit(not main(*sys.argv[1:] or ["help"]))
