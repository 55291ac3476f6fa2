#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""trace.py CASE PxT CHECKER PROGRAM LAUNCHER...: is the file that EP_TRACE makes of trace.c right?

The program logs what it has called, sent and received; each message has a length that no other has, so both ends of each arrow
are known. For the case `ranks` PROGRAM is the source of a program for epcc."""
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

case, shape, checker, program, *launcher = sys.argv[1:]
program = os.path.abspath(program)
processes, endpoints = map(int, shape.split("x"))
failed = 0
endpoint_of = {}
folder = tempfile.TemporaryDirectory()
there = pathlib.Path(folder.name)


def check(what, ok, shown=""):
    global failed
    if not ok:
        failed = 1
        print("not ok  " + what)
        print(str(shown)[:3000])
    else:
        print("ok      " + what)


def run(command, trace, **more):
    env = dict(os.environ, EP_TRACE=str(trace), **more)
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=150, cwd=there)
    check("status", done.returncode == 0, done.stdout + done.stderr)
    return done.stderr


def run_program(what, trace, *level, **more):
    return run(launcher + [str(processes), program, what, str(there / "log"), str(endpoints), *level], trace, **more)


def load(trace):
    done = subprocess.run([checker, "--strict", trace], capture_output=True, text=True)
    check("trace_check", done.returncode == 0, done.stdout + done.stderr)
    data = json.loads(pathlib.Path(trace).read_text())
    endpoint_of.clear()
    for e in data["traceEvents"]:
        if e["ph"] == "M" and e["name"] == "thread_name" and e["args"]["name"].startswith("endpoint "):
            endpoint_of[e["pid"], e["tid"]] = int(e["args"]["name"].split()[1].strip(","))
    return data


def rank_of(event):
    """Endpoint of a track; what overlaps is on further tracks of its own."""
    return endpoint_of.get((event["pid"], event["tid"]), -1)


def read_log():
    calls, sent, received = collections.Counter(), collections.Counter(), collections.Counter()
    for log in there.glob("log.*"):
        for line in log.read_text().splitlines():
            kind, *words = line.split()
            if kind == "C":
                calls[int(words[0]), "ep_" + words[1]] += int(words[2])
            elif kind in "SR":
                (sent if kind == "S" else received)[tuple(map(int, words))] += 1
    return calls, sent, received


def check_calls(events, calls, ranks):
    slices = collections.Counter((rank_of(e), e["name"]) for e in events if e["ph"] == "X" and rank_of(e) in ranks)
    check(f"{sum(calls.values())} slices, as many of each call and endpoint as calls", slices == calls,
          f"{slices - calls} too many, {calls - slices} too few")


def check_arrows(events, sent, received):
    """By the world's ranks: the tracks."""
    check("the program received what it sent", sent == received and sent, f"{sent - received} {received - sent}")
    begin = {e["id"]: e for e in events if e["ph"] == "s"}
    end = {e["id"]: e for e in events if e["ph"] == "f"}
    found = collections.Counter()
    wrong = []
    for id_ in end:
        s, f = begin[id_], end[id_]
        found[rank_of(s), rank_of(f), s["args"]["tag"], s["args"]["bytes"]] += 1
        if s["args"]["bytes"] != f["args"]["bytes"] or s["args"]["tag"] != f["args"]["tag"] or s["args"]["comm"] != f["args"]["comm"]:
            wrong.append((s, f))
        if s["pid"] != rank_of(s) // endpoints or f["pid"] != rank_of(f) // endpoints:
            wrong.append((s, f))
    check("both ends of each arrow are one message", not wrong, wrong)
    check(f"{sum(sent.values())} arrows, for each message one", found == sent, f"{found - sent} too many, {sent - found} too few")
    return len(begin) - len(end)


def check_arguments(events):
    """What slices of calls say of them."""
    for e in events:
        if e["ph"] == "X" and e["name"] in ("ep_send", "ep_isend", "ep_ssend") and \
                not {"comm", "dest", "tag", "bytes"} <= set(e["args"]):
            return check("arguments of a send", e["args"].get("bytes") is None and "comm" in e["args"], e) if "bytes" not in e["args"] \
                else check("arguments of a send", False, e)
        if e["ph"] == "X" and e["name"] == "ep_barrier" and set(e["args"]) != {"comm"}:
            return check("arguments of a barrier", False, e)
    recv = [e["args"] for e in events if e["ph"] == "X" and e["name"] == "ep_recv"]
    check("a receive from any source says so", any(a["source"] == "any" for a in recv), recv[:5])
    check("a receive of one source says so", any(a["source"] == 0 for a in recv) or case != "all", recv[:5])
    root = [e["args"] for e in events if e["ph"] == "X" and e["name"] == "ep_bcast"]
    check("a broadcast has a root and a size", all(a["root"] == 1 and a["bytes"] in (400, 400000) for a in root) and root, root[:5])


def check_counters(events):
    lengths = [e for e in events if e["ph"] == "C"]
    check("lengths of queues", any(e["args"]["messages"] > 1 for e in lengths), lengths[:5])
    last = {e["name"]: e["args"]["messages"] for e in lengths}
    check("which are 0 in the end", all(v == 0 for v in last.values()), last)


def case_all(*level):
    trace = there / "t.json"
    err = run_program("all", trace, *level, OMP_EXTERNAL="thread")
    data = load(trace)
    events, other = data["traceEvents"], data["otherData"]
    calls, sent, received = read_log()
    check("nothing is lost", other["dropped_events"] == other["messages_without_arrow"] == other["cancelled_sends"] == 0, other)
    check("no warning", "EP_TRACE" not in err, err)
    check("all processes", other["processes"] == processes == len({e["pid"] for e in events}), other)
    ranks = range(processes * endpoints)
    check_calls(events, calls, ranks)
    unreceived = check_arrows(events, sent, received)
    check("of a message that was taken back there is a beginning", unreceived <= processes, unreceived)
    check_arguments(events)
    check_counters(events)
    names = {(e["tid"], e["args"]["name"]) for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    check("each endpoint has its track", {(r, f"endpoint {r}") for r in ranks} <= names, names)


def case_many():
    """A small ring keeps the last events, and counts the others."""
    trace = there / "t.json"
    run_program("many", trace)
    whole = load(trace)
    run_program("many", trace, EP_TRACE_EVENTS="50")
    data = load(trace)
    events, other = data["traceEvents"], data["otherData"]
    kept = collections.Counter(rank_of(e) for e in events if e["ph"] in "XsfC")
    check("at most 50 events of an endpoint", all(kept[r] == 50 for r in range(processes * endpoints)), kept)
    check("all that are not there were counted", other["events"] - other["dropped_events"] == sum(kept.values()) and
          other["dropped_events"] > 0, other)
    check("as many in all as without the limit", other["events"] >= whole["otherData"]["events"] - 100 * processes * endpoints * 2,
          (other, whole["otherData"]))  # queues may differ
    check("the last ones", all(any(e["ph"] == "X" and e["name"] == "ep_comm_free" and e["tid"] == r for e in events)
                               for r in range(processes * endpoints)), "")


def case_overlap(what, **more):
    trace = there / "t.json"
    run_program(what, trace, **more)
    events = load(trace)["traceEvents"]
    calls, sent, received = read_log()
    check_calls(events, calls, range(processes * endpoints))
    check_arrows(events, sent, received)
    slices = collections.defaultdict(list)
    for e in events:
        if e["ph"] == "X":
            slices[e["pid"], e["tid"], e["args"].get("tag")].append((e["ts"], e["ts"] + e["dur"] + 0.0005))
    astray = [e for e in events if e["ph"] in "sf" and
              not any(b <= e["ts"] <= t for b, t in slices[e["pid"], e["tid"], e["args"]["tag"]])]
    check("each arrow begins and ends in the call of its tag", not astray, astray)
    further = {e["tid"] for e in events if e["ph"] == "X" and rank_of(e) not in (e["tid"], -1)}
    check("calls at the same time are on further tracks", further, "")


def case_alone():
    """No file for all, but one for each process."""
    run_program("alone", "t.json")  # relative: where the program was started
    check("no file of all", not (there / "t.json").exists())
    for p in range(processes):
        data = load(there / f"t.{p}.json")
        events = data["traceEvents"]
        check(f"process {p} is alone in its file", {e["pid"] for e in events} == {p} and data["otherData"]["processes"] == 1)
        check(f"process {p} has all its slices", sum(e["ph"] == "X" and e["name"] == "ep_mprobe" for e in events) == 2 * endpoints)
        arrows = [{e["id"] for e in events if e["ph"] == kind} for kind in "sf"]
        check(f"process {p} has its arrows", arrows[1] and arrows[1] <= arrows[0])


def case_unwritable():
    for trace in (there / "none" / "t.json", there):
        err = run_program("many", trace)
        check("the program goes on, and one line says what is wrong",
              err.count(f"ep: warning: EP_TRACE: {trace} cannot be written: ") == 1, err)
    err = run_program("many", "")
    check("an empty name is no name", "EP_TRACE" not in err and not list(there.glob("*.json")), err)
    err = run_program("many", "/dev/full")
    check("a full disk is told of", "ep: warning: EP_TRACE: /dev/full is not complete: " in err, err)


def case_others():
    """Neither is a link followed nor a file of somebody else's overwritten, and what it was stays in it."""
    kept, link = there / "kept", there / "link.json"
    kept.write_text("precious")
    link.symlink_to(kept)
    err = run_program("many", link)
    check("a link", f"EP_TRACE: {link} cannot be written: it is a symbolic link" in err and kept.read_text() == "precious", err)
    (there / "dangling").symlink_to(there / "made")
    run_program("many", there / "dangling")
    check("a link to nothing", not (there / "made").exists())
    os.mkfifo(there / "fifo")
    run_program("many", there / "fifo")
    trace = there / "old.json"
    trace.write_text("x" * 10000000)
    run_program("many", trace)
    load(trace)
    if os.geteuid() == 0:
        os.chown(kept, 12345, -1)
        err = run_program("many", kept)
        check("another's file", "it belongs to another user" in err and kept.read_text() == "precious", err)


def case_limit():
    """Files may not be large (ulimit -f): one line says so, and the program ends as ever. Without mpirun, and with an Open MPI
    that makes no files, because that does not heed the limit."""
    alone = {"OMPI_MCA_ess_singleton_isolated": "1", "OMPI_MCA_plm": "isolated", "OMPI_MCA_orte_create_session_dirs": "0"}
    err = run(["sh", "-c", 'ulimit -f 16 && exec "$@"', "sh", program, "many", str(there / "log"), str(endpoints)],
              there / "t.json", **alone)
    check("a limit", "is not complete: File too large" in err, err)
    check("it is kept", (there / "t.json").stat().st_size <= 16384)


def case_clocks():
    """One of two processes has another clock, 1000 s ahead: a time namespace, where the system lets one be made."""
    ahead = ["unshare", "--time", "--monotonic", "1000"]
    try:
        possible = subprocess.run(ahead + ["true"], capture_output=True).returncode == 0
    except OSError:
        possible = False
    if not possible:
        sys.exit(77)
    command = [program, "many", str(there / "log"), str(endpoints)]
    run(launcher + ["1", *command, ":", "-n", "1", *ahead, *command], there / "t.json")
    events = json.loads((there / "t.json").read_text())["traceEvents"]
    ends = [e["ts"] for e in events if e["ph"] == "X" and e["name"] == "ep_comm_free"]
    check("all ended at about the same time", len(ends) == 2 * endpoints and max(ends) - min(ends) < 400e6, ends)


def case_ranks():
    """Under the names that the program knows."""
    env = dict(os.environ)
    subprocess.run([env["EPCC"], "-o", str(there / "ranks"), program], check=True)
    run([env["EPRUN"], "-n", str(processes), "-t", str(endpoints), str(there / "ranks")], there / "t.json")
    events = load(there / "t.json")["traceEvents"]
    n = processes * endpoints
    once = {"MPI_Init": 1, "MPI_Send": 3, "MPI_Recv": 3, "MPI_Allreduce": 1, "MPI_Finalize": 1}
    check_calls(events, collections.Counter({(r, name): k for r in range(n) for name, k in once.items()}), range(n))
    sent = collections.Counter((r, (r + 1) % n, i, 10 * (r + 1) + i) for r in range(n) for i in range(3))
    check_arrows(events, sent, sent)


cases = {"all": case_all, "funneled": lambda: case_all("1"), "serialized": lambda: case_all("2"), "many": case_many,
         "shared": lambda: case_overlap("shared"),
         "tasks": lambda: case_overlap("tasks", OMP_EXTERNAL="task"), "alone": case_alone, "unwritable": case_unwritable,
         "others": case_others, "limit": case_limit,
         "clocks": case_clocks, "ranks": case_ranks}
cases[case]()
sys.exit(failed)
