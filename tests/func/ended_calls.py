#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""ended_calls.py HEADER...: a table of one call of each public function, with handles that were live when MPI ended.

Made from the headers, so that new functions are in it. Written to the standard output, for ended_calls.c.
"""
import pathlib
import re
import sys

FUNCTION = re.compile(r"^EP_PUBLIC\s+([\w ]+?[ *])(ep_\w+)\(([^;]*)\);", re.MULTILINE | re.DOTALL)
# Ends the process.
LEFT_OUT = {"ep_abort"}
# Handles that belong to an endpoint: with one of them a call gives MPI_ERR_OTHER. What only computes may answer.
OWNED = {"ep_comm", "ep_win", "ep_request", "ep_message", "ep_funnel", "ep_file"}
ANSWERS = re.compile(r"\w+_(c2f|f2c)$|\w+_null_(copy|delete)_fn$|\w+_dup_fn$|ep_counter_\w+$")
VALUES = {"ep_comm": "world", "ep_group": "group", "ep_request": "request", "ep_message": "message", "ep_win": "win", "ep_funnel": "funnel", "ep_file": "file",
          "ep_errhandler": "handler", "MPI_Comm": "MPI_COMM_WORLD", "MPI_Info": "MPI_INFO_NULL", "MPI_Datatype": "MPI_INT",
          "MPI_Op": "MPI_SUM"}
NUMBERS = {"count": "1", "incount": "1", "sendcount": "1", "recvcount": "1", "maxdims": "1", "ndims": "1", "num_ep": "1",
           "required": "MPI_THREAD_MULTIPLE", "keyval": "MPI_TAG_UB", "comm_keyval": "MPI_TAG_UB", "lock_type": "MPI_LOCK_SHARED",
           "split_type": "MPI_COMM_TYPE_SHARED", "size": "8", "disp_unit": "1", "win_keyval": "MPI_WIN_BASE"}


def argument(text):
    """The argument for a parameter, and the type of its handle."""
    if "(*" in text:
        return re.sub(r"(.*\(\*)\w+(\).*)", r"(\1\2)(void (*)(void))callback", text), None
    match = re.match(r"(.*?)(\w+)((?:\[\d*\])*)$", text)
    kind, name, array = match.group(1).strip(), match.group(2), match.group(3)
    bare = kind.removeprefix("const ").rstrip("* ")
    pointer = "*" in kind or bool(array)
    handle = bare if bare in OWNED else None
    if bare in VALUES and not pointer:
        return VALUES[bare], handle
    if bare in VALUES:
        owned = handle if not kind.startswith("const ") and not name.startswith("new") and bare == "ep_request" or name in (
            "comm", "win", "message", "funnel", "fh") else None
        return f"({bare}[]){{{VALUES[bare]}}}", owned
    if bare.endswith("_function"):
        return f"({bare} *)(void (*)(void))callback", None
    if pointer:
        return ("(void *)text" if bare == "char" and kind.count("*") == 1 else "(void *)numbers"), None
    return NUMBERS.get(name, "0"), None


def main(headers):
    for header in headers:
        source = re.sub(r"/\*.*?\*/", "", pathlib.Path(header).read_text(), flags=re.DOTALL)
        for result, function, text in FUNCTION.findall(source):
            if function in LEFT_OUT:
                continue
            parameters = [] if text.strip() == "void" else re.split(r",\s*(?![^(]*\))", " ".join(text.split()))
            arguments = [argument(p) for p in parameters]
            owner = next((handle for _, handle in arguments if handle), None)
            wants = owner and not ANSWERS.match(function) and result.strip() == "int"
            call = f"{function}({', '.join(value for value, _ in arguments)})"
            kind = result.strip()
            body = f"return {call};" if kind == "int" else f"(void){call}; return 0;"
            print(f"CALL({function}, {int(bool(wants))}, {{ {body} }})")


if __name__ == "__main__":
    main(sys.argv[1:])
