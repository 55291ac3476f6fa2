#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""trace_calls.py OUTDIR TABLE HEADER...: the entries of the calls that EP_TRACE shows (docs/trace.md).

Each such function ep_xxx of the signatures (signatures.py) has two symbols. ep_xxx, made here, is what programs call: it records the call, or
goes on to ep_plain_xxx. That is what the library's sources define, and what they call themselves: ep_plain.h, which is
included before everything else in them, gives their ep_xxx that name.

    ep_plain.h     the new names
    trace_calls.c  the entries, and the table of their names (src/observe/trace.h)
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from signatures import read_headers, read_table  # noqa: E402

# What asks or sets something in the endpoint alone is no part of the picture.
QUIET = re.compile(r"""
    .*_(c2f|f2c|fn) | group_\w+ | attr_\w+ | keyval_\w+ | status_\w+ | grequest_\w+ | abort | run | thread_bind | topo_test
    | (comm|win|file)_((get|set|null|create_errhandler|create_keyval|call|delete)\w* | rank | size | compare | group | remote_\w+ | test_inter)
    | cartdim_get | cart_(get|rank|coords|shift|map) | graphdims_get | graph_(get|neighbors\w*|map) | dist_graph_neighbors\w*
    | win_shared_query""", re.X)
# Of the drop-in, declared in ep_calls.h: a rank's own beginning and end.
OWN = ("Init", "Init_thread", "Finalize")
OBJECT = re.compile(r"\b(ep_comm|ep_win|ep_file|ep_message|ep_request|ep_funnel) ")

PEERS = ["dest", "source", "root", "target_rank", "remote_leader"]
# Count and datatype of the data that a call moves, the first that it has: buffer that may be MPI_IN_PLACE, count, datatype.
DATA = [(None, "target_count", "target_datatype"), (None, "count", "datatype"), ("sendbuf", "sendcount", "sendtype"),
        ("sendbuf", "recvcount", "datatype"), ("recvbuf", "recvcount", "recvtype"), (None, None, "datatype")]


class Call:
    def __init__(self, f, name):
        self.function, self.name = f, name
        self.types, self.arguments = f.types, f.arguments

    def prototype(self, prefix):
        return self.function.prototype(prefix + self.name)

    def has(self, *names):
        return all(n in self.types for n in names)

    def peer(self):
        if self.name.startswith("win_") and self.has("rank"):
            return "rank"
        return next((p for p in PEERS if self.has(p)), None)

    def tag(self):
        return next((t for t in ("tag", "sendtag") if self.has(t)), None)

    def sends(self):
        return self.has("dest") and not self.name.endswith("_init")

    def whose(self):
        """The statement that finds the endpoint."""
        for kind in ("comm", "win", "file", "message", "funnel"):
            for name, declared in self.types.items():
                if not declared.startswith("ep_" + kind + " ") or name.startswith("new") or "[]" in declared:
                    continue
                if "*" in declared:
                    return f"traced_{kind}(&t, {name} ? *{name} : NULL)"
                return f"traced_{kind}(&t, {name})"
        if self.has("requests"):
            return f"traced_requests(&t, {'incount' if self.has('incount') else 'count'}, requests)"
        if self.has("request"):
            return "traced_requests(&t, 1, request)" if "*" in self.types["request"] else "traced_requests(&t, 1, &request)"
        return "traced_nobody(&t)"

    def bytes(self):
        data = DATA
        if "scatter" in self.name and self.has("recvtype"):
            data = [DATA[4]]  # the others are significant at the root alone
        for buffer, count, datatype in data:
            if not self.has(datatype) or (count and not self.has(count)) or (buffer and not self.has(buffer)):
                continue
            size = f"traced_bytes({count or 1}, {datatype})"
            unless = ["root < 0"] if self.has("root") else []
            if buffer:
                unless.append(f"{buffer} == MPI_IN_PLACE")
            return f"{' || '.join(unless)} ? TRACE_NONE : {size}" if unless else size
        return None

    def starts(self):
        if self.name == "start":
            return "traced_starts(&t, 1, request)"
        return "traced_starts(&t, count, requests)" if self.name == "startall" else None


def read(table, headers):
    declared = read_headers(headers)
    own = {f.name: f for _, functions in read_table(table, declared) for f in functions}
    return [Call(f, f.name) for f in declared.values()
            if f.result == "int" and not QUIET.fullmatch(f.name)
            and (f.name == "comm_create_endpoints" or OBJECT.search(f.parameters))] \
        + [Call(own[name], "PMPI_" + name) for name in OWN]


def plain_h(functions):
    yield "#ifndef EP_PLAIN_H\n#define EP_PLAIN_H\n"
    for f in functions:
        yield f"#define ep_{f.name} ep_plain_{f.name}"
    yield "\n#endif"


def entry(number, f):
    fields = [f".call = {number}", f".peer = {f.peer() or 0}", f".tag = {f.tag() or 0}", f".bytes = {f.bytes() or 'TRACE_NONE'}"]
    yield f"\n{f.prototype('ep_plain_')};"
    yield f"static TRACED {f.prototype('traced_ep_')}\n{{"
    yield f"    struct traced t = {{{', '.join(fields)}}};"
    yield f"    {f.whose()};"
    if f.sends():
        yield f"    traced_sends(&t, dest, {f.tag()});"
    if f.starts():
        yield f"    {f.starts()};"
    yield f"    int rc = ep_plain_{f.name}({f.arguments()});"
    if f.starts():
        yield f"    {f.starts().replace('traced_starts', 'traced_started')};"
    yield "    traced_end(&t, rc);\n    return rc;\n}"
    yield f"EP_PUBLIC {f.prototype('ep_')}\n{{"
    yield f"    return observed_by(OBSERVER_TRACE) ? traced_ep_{f.name}({f.arguments()}) : ep_plain_{f.name}({f.arguments()});\n}}"


def traced_c(functions):
    yield '#include <ep_calls.h>\n\n#include "api/traced.h"\n'
    yield "const struct trace_name trace_names[] = {"
    for f in functions:
        peer = (f.peer() or "").removesuffix("_rank")
        yield f'    {{"{f.name.removeprefix("PMPI_").lower()}", "{peer}", {int(bool(f.tag()))}}},'
    yield f"}};\nconst int trace_names_n = {len(functions)};"
    for number, f in enumerate(functions):
        yield from entry(number, f)


def main(outdir, table, *headers):
    functions = read(table, headers)
    for name, lines in (("ep_plain.h", plain_h(functions)), ("trace_calls.c", traced_c(functions))):
        pathlib.Path(outdir, name).write_text("/* SPDX-License-Identifier: BSD-3-Clause */\n/* Made by tools/trace_calls.py. */\n"
                                              + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
