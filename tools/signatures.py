# SPDX-License-Identifier: BSD-3-Clause
"""The signatures of MPI's functions and of ep's, each written once: those of ep_xxx in the headers of include/ep, those of
MPI's other functions in src/dropin/functions.txt, which names the class of all. From them dropin_calls.py makes the drop-in,
trace_calls.py the entries that EP_TRACE records.
"""
import pathlib
import re
import sys

# Types that are ep's own; all others are MPI's.
TYPES = re.compile(r"""\bMPI_(Comm|Group|Request|Message|Errhandler|Win|Status|F08_status
    |(?:Comm|Win)_copy_attr_function|(?:Comm|Win)_delete_attr_function|Copy_function|Delete_function
    |(?:Comm|Win)_errhandler_function|Grequest_(?:query|free|cancel)_function)\b(?!\()""", re.VERBOSE)
DECLARATION = re.compile(r"^EP_PUBLIC\s+([\w ]+?[ *]+)ep_(\w+)\(([^;]*?)\)(?:\s*\w+\([^;]*\))?;", re.M)
LINE = re.compile(r"(own|passed|direct|lacks)\s+([\w ]+[ *])MPI_(\w+)\((.*)\);$")


def in_ep_types(text):
    text = text.replace("MPI_Handler_function", "ep_comm_errhandler_function")
    return TYPES.sub(lambda m: "ep_" + m.group(1).lower(), text)


def in_mpi_types(text):
    return re.sub(r"\bep_(\w)(\w*)", lambda m: "MPI_" + m.group(1).upper() + m.group(2), text)


class Function:
    """One function; types are ep's."""
    def __init__(self, kind, result, name, parameters):
        self.kind = kind
        self.result = result.strip()
        self.name = name
        self.parameters = re.sub(r"\s+", " ", parameters).strip()
        parts = [] if self.parameters == "void" else self.parameters.split(", ")
        self.types = {re.search(r"(\w+|\.\.\.|\))(?:\[\d*\])*$", part).group(1): part for part in parts}

    def prototype(self, name):
        return f"{self.result} {name}({self.parameters})"

    def arguments(self):
        return ", ".join(self.types)


def read_headers(headers):
    """What the headers declare, by the name without ep_."""
    text = "".join(re.sub(r"/\*.*?\*/", "", pathlib.Path(h).read_text(), flags=re.S) for h in headers)
    return {name: Function("same", result, name, parameters) for result, name, parameters in DECLARATION.findall(text)}


def read_table(table, declared):
    """For each line of the table: itself, and the functions that it is about, whose names are MPI's without MPI_."""
    for number, line in enumerate(pathlib.Path(table).read_text().splitlines(), 1):
        match = LINE.match(line)
        names = line.replace("MPI_", "").split()
        functions = [Function(*map(in_ep_types, match.groups()))] if match else []
        if names and names[0] == "same":
            own = [(name, declared.get(name.lower())) for name in names[1:]]
            if not all(f for _, f in own):
                sys.exit(f"{table}:{number}: no header declares ep_{next(n for n, f in own if not f).lower()}")
            functions = [Function("same", f.result, name, f.parameters) for name, f in own]
        elif not match and names and line[0] not in "#*":
            sys.exit(f"{table}:{number}: not a class and a prototype: {line}")
        yield line, functions
