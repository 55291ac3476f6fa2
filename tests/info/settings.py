#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""settings.py PROGRAM SETTINGS.md LAUNCHER...: processes of one job that have different settings.

What each setting means then is in the table of docs/settings.md: its own, for all, the same. EP_TEST_SEED repeats a run."""
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile

program, table, launcher = sys.argv[1], sys.argv[2], sys.argv[3:]
seed = int(os.environ.get("EP_TEST_SEED", random.randrange(1 << 30)))
draw = random.Random(seed)
failed = 0
MOST = 1 << 20  # of a random number
RUNS = 4


def check(what, ok, shown=""):
    global failed
    print(("ok      " if ok else "not ok  ") + what)
    if not ok:
        failed = 1
        print(shown)


def command(what, settings):
    """One process for each entry of settings."""
    words = []
    for own in settings:
        given = ["env"] + [f"{name}={value}" for name, value in own.items()]
        words += (launcher if not words else [":", launcher[-1]]) + ["1"] + given + [program, what]
    return words


def run(what, settings):
    try:
        done = subprocess.run(command(what, settings), capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired as e:
        return 1, f"hangs: {e.stdout} {e.stderr}", ""
    return done.returncode, done.stdout, done.stderr


def works(name, settings):
    status, out, err = run("work", settings)
    check(f"{name}: {settings}", status == 0 and out.strip() == "right", out + err)
    return err


def rows(kind):
    """(name, values) of the settings of a kind."""
    for line in open(table):
        cell = [c.strip() for c in line.split("|")]
        if len(cell) > 5 and cell[4] == kind:
            yield cell[1].strip("`"), cell[2]


def random_value(values):
    least = re.match(r"(\d+) or more(?:, at most (\d+))?", values)
    if not least:
        return draw.choice(values.split(", "))
    low, high = int(least[1]), min(int(least[2] or MOST), MOST)
    return draw.choice([low, high, draw.randint(low, high), min(high, low + draw.randint(0, 3))])


def random_settings():
    names = [(n, v) for n, v in rows("its own") if not re.match(r"EP_THREADS|EP_MPIRUN|EPRUN", n)]
    return {n: random_value(v) for n, v in names if draw.random() < 0.7}


def either(setting):
    """In one process only, the first and the second."""
    return [[setting, {}], [{}, setting]]


def read_until(words, wanted):
    """What a program that hangs prints on stderr, until it has said all that is wanted."""
    text = ""
    p = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, start_new_session=True)
    signal.alarm(60)
    try:
        for line in p.stderr:
            text += line
            if all(w in text for w in wanted):
                break
    except TimeoutError:
        pass
    signal.alarm(0)
    os.killpg(p.pid, signal.SIGKILL)
    p.wait()
    return text


def give_up(number, frame):
    raise TimeoutError


signal.signal(signal.SIGALRM, give_up)
print(f"EP_TEST_SEED={seed}")
check("the table is there", len(list(rows("its own"))) > 10 and len(list(rows("for all"))) >= 5 and list(rows("the same")))

for settings in either({"EP_STATS": "1"}):
    err = works("EP_STATS", settings)
    check("... one table of all four endpoints", len(re.findall("what 4 endpoints did", err)) == 1, err)

for settings in either({"EP_CHECK": "1"}):
    status, out, err = run("mismatch", settings)
    for where in "all", "merged":
        told = re.findall(rf"^{where} \d: ep_bcast: .*endpoint 0 called .*root 0.*endpoint 1 called .*root 1", out, re.M)
        check(f"EP_CHECK: {settings}: {where}", status == 0 and len(told) == 4, out + err)

with tempfile.TemporaryDirectory() as folder:
    for i, settings in enumerate(either({"EP_TRACE": f"{folder}/run.json"})):
        works("EP_TRACE", settings)
        check("... one file", os.listdir(folder) == ["run.json"], str(os.listdir(folder)))
        events = json.load(open(f"{folder}/run.json"))
        events = events["traceEvents"] if isinstance(events, dict) else events
        check("... of both processes", len({e["pid"] for e in events if "pid" in e}) == 2)
        os.remove(f"{folder}/run.json")
    works("EP_TRACE", [{"EP_TRACE": f"{folder}/a.json"}, {"EP_TRACE": f"{folder}/b.json"}])
    check("... the first one's file", os.listdir(folder) == ["a.json"], str(os.listdir(folder)))

for settings in either({"EP_WATCHDOG": "300ms"}):
    wanted = ["process 0: endpoint 0 has", "process 1: endpoint 3 has", "a cycle: 0 waits for 1"]
    text = read_until(command("stuck", settings), wanted)
    check(f"EP_WATCHDOG: {settings}", all(w in text for w in wanted), text)

for settings in either({"EP_SHARED_MEMORY": "0"}):
    works("EP_SHARED_MEMORY", settings)

for first, second in ("auto", "am"), ("native", "auto"):
    status, out, err = run("refused", [{"EP_RMA": first}, {"EP_RMA": second}])
    text = f"ep_comm_create_endpoints: the setting EP_RMA is {first} in process 0, but {second} in process 1"
    check(f"EP_RMA: {first}, {second}", status == 0 and all(f"process {p}: {text}" in out for p in (0, 1)), out + err)
works("EP_RMA", [{"EP_RMA": "am"}, {"EP_RMA": "am"}])

for i in range(RUNS):
    works("random", [random_settings(), random_settings()])

sys.exit(failed)
