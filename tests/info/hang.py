#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hang.py PROGRAM LAUNCHER...: what EP_WATCHDOG says about programs of hang.c.

Each is ended as soon as it has said what it must, so that only a failing test takes its time. Nothing is said about when."""
import os
import re
import signal
import subprocess
import sys
import threading

program, launcher = sys.argv[1], sys.argv[2:]
PATIENCE = 60
failed = 0


def check(what, ok, shown=""):
    global failed
    print(("ok      " if ok else "not ok  ") + what)
    if not ok:
        failed = 1
        print(shown)


def end(child):
    """The launcher and all that it has started."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def ask(child, over):
    while not over.wait(0.3):
        child.send_signal(signal.SIGUSR1)


def hang(what, processes, endpoints, wanted, asked=False, after="500ms"):
    """Run until every pattern of wanted was seen in a line. Returns the lines."""
    env = dict(os.environ, EP_WATCHDOG=after, EP_TEST_T=str(endpoints), OMP_NUM_THREADS=str(endpoints))
    command = [program, what] if processes == 1 else launcher + [str(processes), program, what]
    child = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
                             start_new_session=True)
    alarm = threading.Timer(PATIENCE, end, [child])
    alarm.start()
    lines, missing = [], list(wanted)
    over = threading.Event()
    asker = threading.Thread(target=ask, args=(child, over))
    for line in child.stderr:
        lines.append(line.rstrip("\n"))
        if asked and line == "ready\n": # all endpoints wait, or will soon
            asker.start()
        missing = [m for m in missing if not re.search(m, line)]
        if not missing:
            break
    over.set()
    end(child)
    child.stderr.read()
    child.wait()
    alarm.cancel()
    for m in wanted:
        check(f"{what} {processes}x{endpoints}: {m}", m not in missing, "\n".join(lines))
    return lines


def cycles(lines):
    return [line for line in lines if "cycle" in line]


for shape in ((1, 4), (2, 2)):
    far = shape[0] - 1
    hang("deadlock", *shape, [
        r"process 0: endpoint 0 has waited for \d+\.\d s in ep_recv from 3 with tag 7, as rank 0 of 4$",
        rf"process {far}: endpoint 3 has waited for \d+\.\d s in ep_ssend to 0 with tag 9, as rank 3 of 4$",
        rf"process {far}: endpoint 2 does not wait in ep$",
        r"posted receives: 1; from 3 tag 7$",
        r"unexpected messages: 1; from 3 tag 9, 4 bytes$",
        r"a cycle: 0 waits for 3 in ep_recv with tag 7; 3 waits for 0 in ep_ssend with tag 9$"])
    hang("three", *shape, [
        r"a cycle: 0 waits for 1 in ep_recv with tag 10; 1 waits for 2 in ep_recv with tag 11; 2 waits for 0 in ep_recv with tag 12$",
        rf"process {far}: endpoint 3 has waited for \d+\.\d s in ep_probe from 0 with tag 3, as rank 3 of 4"])
    lines = hang("tag", *shape, [
        r"endpoint 0 has waited for \d+\.\d s in ep_recv from 1 with tag 7, as rank 0 of 4$",
        r"it waits for tag 7, but the message that has come from 1 has tag 8: is one of them wrong\?$"])
    check("tag: no cycle", not cycles(lines), lines)
    lines = hang("barrier", *shape, [
        r"endpoint 1 has waited for \d+\.\d s in ep_recv from any source with any tag, as rank 1 of 4$",
        r"endpoint 0 has waited for \d+\.\d s in ep_barrier, for rank 1, as rank 0 of 4$"])
    check("barrier: no cycle", not cycles(lines), lines)
    hang("mixed", *shape, [
        r"a cycle: 0 waits for 1 in ep_barrier; 1 waits for 0 in ep_recv with tag 6$"])
    hang("named", *shape, [
        r"endpoint 0 has waited for \d+\.\d s in ep_irecv from 0 with tag 1, as rank 1 of 2 in reversed$"])

# Where memory cannot be shared MPI carries the messages, and nothing is told.
reach = subprocess.run(launcher + ["2", program, "reach"], capture_output=True, text=True, timeout=PATIENCE)
said = set(re.findall(r"^memory ([01])$", reach.stdout, re.M))
check("reach: both processes say the same", reach.returncode == 0 and len(said) == 1, reach.stdout + reach.stderr)
if said == {"1"}:
    hang("end", 2, 2, [r"process 0: MPI_Finalize has waited for \d+\.\d s until process 1 takes 1 message$"])
    # The ring holds 1024 lines; what is in it is not waited for.
    hang("home", 2, 2, [r"process 0: MPI_Finalize has waited for \d+\.\d s until process 1 takes 9\d\d messages$"])

# Long before the time is over. MPICH has a handler of its own for the signal, which stays.
if "mpiexec" not in launcher[0]:
    hang("deadlock", 1, 4, [r"a cycle: 0 waits for 3 in ep_recv with tag 7; 3 waits for 0 in ep_ssend with tag 9$"], True, "1h")

# Nothing is wrong: it ends, and no cycle is seen.
for after in ("50ms", "1h"):
    done = subprocess.run(launcher + ["2", program, "fine"], env=dict(os.environ, EP_WATCHDOG=after, EP_TEST_T="2"),
                          capture_output=True, text=True, timeout=PATIENCE)
    check(f"fine, {after}: ends well", done.returncode == 0 and not cycles(done.stderr.split("\n")), done.stderr)
sys.exit(failed)
