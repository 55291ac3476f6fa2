#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bindings.py OUTDIR TABLE HEADER...: public functions whose checks and forwarding are regular, from src/api/bindings.txt.

Signatures are those of the headers (signatures.py). Each section [FILE] of the table becomes OUTDIR/FILE.inc, which src/api/FILE.c
includes at its end: so the table may name what is static there. What is wrong in the table is told with its line.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from signatures import read_headers  # noqa: E402

COLUMNS = 110
CHECK = re.compile(r"check (\w+)(?: for ([^=]+?))?(?: with ([^=]+?))? = (.+)")
# Where a line may be broken, and how many of the characters stay on it.
BREAKS = {", ": 1, " && ": 3, " || ": 3, " ? ": 0, " : ": 0, " = ": 2}
OPTIONAL = re.compile(r"\b(\w+)\?(?=[,)]|$)")
ASSIGNS = re.compile(r"\*?[\w\]\[>.-]+ = ")


class Wrong(Exception):
    """A line of the table is."""


def uses(name, text):
    return re.search(rf"\b{name}\b", re.sub(r'"[^"]*"', "", text)) is not None


def split_outside(text, separator):
    """The parts of text between separators that are in no parentheses, braces or strings."""
    parts, depth, quoted, start = [], 0, False, 0
    for at, character in enumerate(text):
        quoted ^= character == '"'
        if not quoted:
            depth += (character in "({[") - (character in ")}]")
        if depth == 0 and not quoted and text.startswith(separator, at) and at >= start:
            parts.append(text[start:at].strip())
            start = at + len(separator)
    return [part for part in parts + [text[start:].strip()] if part]


class Kind:
    """A kind of check: the expression that makes it, where @ is the parameter and ... what stands in parentheses."""
    def __init__(self, types, local, expression):
        self.types = [t.strip() for t in types.split(",")] if types else []
        self.local, self.expression = local, expression
        self.used = False

    def call(self, parameter, arguments):
        if ("..." in self.expression) != (arguments is not None):
            raise Wrong("this check takes " + ("something in parentheses" if arguments is None else "nothing in parentheses"))
        self.used = True
        text = self.expression.replace('"@"', f'"{parameter.lstrip("*")}"').replace("@", parameter)
        return text.replace("...", arguments or "")


class Kinds(dict):
    def of(self, name):
        if name not in self:
            raise Wrong(f"no check is named {name}")
        return self[name]

    def by_type(self, declared, name):
        """The kind for a parameter that is named alone; *name: for what it points to."""
        bare, pointed, array = re.fullmatch(r"(?:const )?(.*?)([* ]*)\b\w+((?:\[\d*\])*)", declared).groups()
        depth = pointed.count("*") + bool(array) - name.count("*")
        wanted = bare.strip() if depth == 0 else "*"
        found = [kind for kind in self.values() if wanted in kind.types] if depth >= 0 else []
        if found:
            return found[0]
        if name not in self:
            raise Wrong(f"no check is for the type of {declared}, or has its name")
        return self[name]


class Binding:
    """What one line says of one function."""
    def __init__(self, function, line, kinds, checks, action):
        self.function, self.line = function, line
        self.name = "ep_" + function.name
        self.locals, self.checks, self.unused = [], [], []  # checks: expressions, and what is returned if they fail
        self.short = []  # expressions: one that is true has done all
        self.together = False
        self.action = self.optional(action)
        for item in checks:
            self.add(kinds, item)
        self.verify()

    def parameter(self, name):
        declared = self.function.types.get(name.lstrip("*"))
        if declared is None:
            raise Wrong(f"{self.name} has no parameter {name.lstrip('*')}")
        return declared

    def optional(self, text):
        """Parameters with a ?, that only some of the functions of a line have: NULL in the others."""
        return re.sub(OPTIONAL, lambda m: m.group(1) if m.group(1) in self.function.types else "NULL", text)

    def add(self, kinds, item):
        if item.endswith("?"):
            item = item.removesuffix("?")
            if item not in self.function.types:
                return
        if item == "together":
            self.together = True
        elif item.startswith("local "):
            self.locals.append(item.removeprefix("local "))
        elif item.startswith("short "):
            self.short.append(item.removeprefix("short "))
        elif item.startswith("unused "):
            self.unused += item.split()[1:]
            for name in self.unused:
                self.parameter(name)
        elif item.endswith(")"):
            self.fail_if(self.optional(item))
        else:
            self.add_kind(kinds, item)

    def add_kind(self, kinds, item):
        match = re.fullmatch(r"(?:(\w+)(?:\((.*)\))? )?(\*?\w+)", item)
        if not match:
            raise Wrong(f"not a check: {item}")
        name, arguments, parameter = match.groups()
        declared = self.parameter(parameter)
        kind = kinds.of(name) if name else kinds.by_type(declared, parameter)
        if kind.local and kind.local not in self.locals:
            self.locals.append(kind.local)
        self.fail_if(kind.call(parameter, self.optional(arguments) if arguments else None))

    def fail_if(self, expression):
        self.checks.append((expression, "derive_refuse(w, rc)" if self.together else "rc"))

    def verify(self):
        if self.checks and self.function.result != "int":
            raise Wrong(f"{self.name} gives no error class, so it cannot have checks")
        text = " ".join([self.action, *self.locals, *(expression for expression, _ in self.checks)])
        if self.short and self.function.result != "int":
            raise Wrong(f"{self.name} gives no error class, so it has no short way")
        for name in self.function.types:
            if uses(name, text) == (name in self.unused):
                raise Wrong(f"{self.name}: {name} is " + ("used" if name in self.unused else "neither checked nor used"))

    def body(self):
        expressions = " ".join([self.action, *self.locals, *(expression for expression, _ in self.checks)])
        for expression in self.short:
            yield f"if (likely({expression}))"
            yield "    return MPI_SUCCESS;"
        if uses("w", expressions) or self.together:
            yield f'struct where w = {{NULL, "{self.name}"}};'
        yield from (f"{declaration};" for declaration in self.locals)
        yield from (f"(void){name};" for name in self.unused)
        for number, (expression, result) in enumerate(self.checks):
            yield f"int rc = {expression};" if number == 0 else None
            yield f"if (unlikely({'rc' if number == 0 else f'(rc = {expression})'}))"
            yield f"    return {result};"
        *statements, last = split_outside(self.action, ";")
        yield from (f"{statement};" for statement in statements)
        if ASSIGNS.match(last):
            yield f"{last};"
            last = "MPI_SUCCESS"
        yield f"return {last};"

    def text(self, table):
        yield f"/* {table}:{self.line} */"
        yield wrap(self.function.prototype(self.name))
        yield "{"
        yield from (wrap("    " + line) for line in self.body() if line)
        yield "}"


def wrap(line):
    """The line in as many as it needs, broken where it is in as few parentheses as may be, each going on below its parenthesis."""
    lines, outside = [], len(line) - len(line.lstrip()) + 4
    while len(line) > COLUMNS:
        opened, best = [], None
        for column, character in enumerate(line[:COLUMNS]):
            if character in "({":
                opened.append(column + 1)
            elif character in ")}" and opened:
                opened.pop()
            for end in (column + at for b, at in BREAKS.items() if line.startswith(b, column) and line[:column].strip()):
                if end <= COLUMNS and (best is None or len(opened) <= best[0]):
                    best = len(opened), end, opened[-1] if opened else outside
        if best is None or best[2] >= best[1]:
            break
        lines.append(line[:best[1]])
        outside = best[2]
        line = " " * outside + line[best[1]:].lstrip()
    return "\n".join(lines + [line])


def logical_lines(text):
    """(number of the first line, text) of each entry; a line that begins with a blank continues the one before."""
    entry, first = "", 0
    for number, line in enumerate(text.splitlines() + ["#"], 1):
        if line[:1] == " ":
            entry += " " + line.strip()
            continue
        if entry and entry[0] != "#":
            yield first, entry
        entry, first = line.rstrip(), number


class Table:
    """What the table says: sections by their names, each a list of bindings."""
    def __init__(self, declared):
        self.declared, self.kinds, self.sections, self.seen = declared, Kinds(), {}, set()
        self.section, self.line, self.defined_at = None, 0, {}

    def read(self, text):
        for self.line, entry in logical_lines(text):
            self.read_entry(entry)
        for name, kind in self.kinds.items():
            self.line = self.defined_at[name]
            if not kind.used:
                raise Wrong(f"no function has the check {name}")

    def read_entry(self, entry):
        section, check = re.fullmatch(r"\[(\w+)\]", entry), CHECK.fullmatch(entry)
        if section:
            self.begin(section.group(1))
        elif check:
            self.define(check.group(1), Kind(*check.groups()[1:]))
        elif ": " in entry and "-> " in entry:
            self.bind(entry)
        else:
            raise Wrong(f"neither a section, a check nor a function: {entry}")

    def begin(self, name):
        if name in self.sections:
            raise Wrong(f"section {name} is there already")
        self.section = self.sections[name] = []

    def define(self, name, kind):
        if name in self.kinds:
            raise Wrong(f"check {name} is there already")
        self.kinds[name] = kind
        self.defined_at[name] = self.line

    def bind(self, entry):
        names, rest = entry.split(":", 1)
        checks, action = (" " + rest).split(" -> ", 1) if " -> " in " " + rest else ("", "")
        if self.section is None:
            raise Wrong("a function before the first section")
        functions = [self.function(name.strip()) for name in names.split(",")]
        for name in OPTIONAL.findall(checks.strip()) + OPTIONAL.findall(action):
            having = sum(name in f.types for f in functions)
            if having in (0, len(functions)):
                raise Wrong(f"{'all' if having else 'none'} of these functions have the parameter {name}")
        for function in functions:
            self.section.append(Binding(function, self.line, self.kinds, split_outside(checks, ","), action.strip()))

    def function(self, name):
        if name not in self.declared:
            raise Wrong(f"no header declares ep_{name}")
        if name in self.seen:
            raise Wrong(f"ep_{name} is there already")
        self.seen.add(name)
        return self.declared[name]


def main(outdir, path, *headers):
    table = Table(read_headers(headers))
    try:
        table.read(pathlib.Path(path).read_text())
    except Wrong as wrong:
        sys.exit(f"{path}:{table.line}: {wrong}")
    for name, bindings in table.sections.items():
        head = f"/* SPDX-License-Identifier: BSD-3-Clause */\n/* Made by tools/bindings.py from src/api/bindings.txt, [{name}]. */\n"
        text = "\n".join("\n" + "\n".join(binding.text(pathlib.Path(path).name)) for binding in bindings)
        pathlib.Path(outdir, name + ".inc").write_text(head + text + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
