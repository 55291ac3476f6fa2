# SPDX-License-Identifier: BSD-3-Clause
"""What a module of gfortran declares. A .mod file is lists in parentheses, compressed: generic names and their procedures, symbols with
their attributes and arguments, and the names that a program sees.
"""
import gzip
import re

TOKEN = re.compile(r"'(?:[^']|'')*'|[()]|[^\s()']+")
INTENTS = {"IN": "in", "OUT": "out", "INOUT": "inout"}
FLAGS = ("OPTIONAL", "ASYNCHRONOUS", "VALUE", "POINTER", "ALLOCATABLE", "CONTIGUOUS")


def read_lists(path):
    with gzip.open(path, "rt") as file:
        title, text = file.read().split("\n", 1)
    if not title.startswith("GFORTRAN module version '15'"):
        raise ValueError(f"{path}: {title}")
    stack = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0]


def text_of(token):
    return token.strip("'").lower()


class Dummy:
    """A dummy argument. shape: as Fortran writes it, or None."""
    def __init__(self, name, type_, intent, shape, flags):
        self.name, self.type, self.intent, self.shape, self.flags = name, type_, intent, shape, flags

    def __repr__(self):
        parts = [self.type] + ([f"intent({self.intent})"] if self.intent else []) + sorted(self.flags)
        return f"{', '.join(parts)} :: {self.name}" + (f"({self.shape})" if self.shape else "")


class Procedure:
    def __init__(self, name, result, arguments):
        self.name, self.result, self.arguments = name, result, arguments


class Module:
    def __init__(self, path):
        lists = read_lists(path)
        generics, symbols, trees = lists[2], lists[-2], lists[-1]
        self.symbols = {symbols[i]: symbols[i:i + 6] for i in range(0, len(symbols), 6)}
        self.generics = {text_of(g[0]): g[2:] for g in generics}
        self.numbers = {text_of(trees[i]): trees[i + 2] for i in range(0, len(trees), 3)}

    def names(self):
        """Without what the compiler made."""
        return {n for n in set(self.numbers) | set(self.generics) if not n.startswith("__")}

    def procedures(self, name):
        """All that calls of that name can reach."""
        numbers = self.generics.get(name) or [self.numbers[name]]
        return [self.procedure(n) for n in numbers if self.symbols[n][5][0][0] == "PROCEDURE"]

    def procedure(self, number):
        body = self.symbols[number][5]
        result = self.type(body[2]) if "FUNCTION" in body[0] else None
        arguments = body[5] or (self.symbols[body[2][2]][5][5] if body[2][2] != "0" else [])
        return Procedure(self.name(number), result, [self.dummy(n) for n in arguments])

    def value(self, name):
        """Of an integer constant; None if it is none."""
        body = self.symbols[self.numbers[name]][5] if self.numbers.get(name) in self.symbols else [[""]]
        if body[0][0] == "PARAMETER" and body[2][0] == "INTEGER" and body[6][0] == "CONSTANT":
            return int(text_of(body[6][3]))
        return None

    def name(self, number):
        return text_of(self.symbols[number][1]) if number in self.symbols else "?"

    def bound(self, expression):
        if not expression:
            return "*"
        if expression[0] == "CONSTANT":
            return text_of(expression[3])
        return self.name(expression[3]) if expression[0] == "VARIABLE" else "?"

    def shape(self, spec):
        if not spec:
            return None
        if spec[2] == "ASSUMED_RANK":
            return ".."
        if spec[2] in ("ASSUMED_SHAPE", "DEFERRED"):
            return ",".join(":" * int(spec[0]))
        return ",".join(self.bound(b) for b in spec[4::2])

    def type(self, spec):
        kind = spec[0].lower()
        if kind == "derived":
            return f"type({self.name(spec[1])})"
        if kind == "assumed":
            return "type(*)"
        if kind == "character":
            return f"character({self.bound(spec[6][0] if spec[6] else [])})"
        return f"{kind}({spec[1]})"

    def dummy(self, number):
        body = self.symbols[number][5]
        attributes = body[0]
        type_ = self.type(body[2])
        if attributes[0] == "PROCEDURE":
            type_ = f"procedure({self.name(body[2][2]) if body[2][2] != '0' else ''})"
        flags = {f.lower() for f in attributes if f in FLAGS}
        return Dummy(self.name(number), type_, INTENTS.get(attributes[1]), self.shape(body[6]), flags)
