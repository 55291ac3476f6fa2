#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Allocations fail in programs from their start: one run for each, so also while eprun and MPI_Init make endpoints and copies.

programs.py INJECT KIND PROGRAM...: INJECT is the library to be preloaded; KIND is 1x4 or 2x2 with program.c, which is
built by $EPCC and run by $EPRUN, with program.f90, built by $EPFORT, or with shmem.c, built by $EPSHCC, or crt with programs of
OpenMP. Each run must end with success and the right output, or with an error that says something. A sample of EP_ALLOC_SECONDS (15) seconds; EP_TEST_SEED repeats it; EP_ALLOC_SECONDS=all runs all."""
import collections
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

HANG = 60


def run(command, env):
    """Output and exit status, None if it hangs."""
    p = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    rc = None
    try:
        output = p.communicate(timeout=HANG)[0]
        rc = p.returncode
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        output = p.communicate()[0]
    with open(env["EP_TEST_SAID"], "r+", encoding="utf-8") as said:
        output = output.decode(errors="replace") + said.read()
        said.truncate(0)
    return output, rc


def judge(output, rc, good):
    """One of: not reached, success, error, and what must not be."""
    said = [l for l in output.splitlines() if l.strip() and not l.startswith("inject:")]
    if rc is None:
        return "HANG"
    if "WRONG" in output or rc == 99:
        return "WRONG"
    if rc == 0:
        if good not in output:
            return "WRONG"
        return "success" if "inject:" in output else "not reached"
    if rc in (-signal.SIGABRT, 134) and "ep: error: no " in output:
        return "error"  # OpenMP's calls have no way to say so, and end the program
    if rc < 0 or rc in (132, 134, 135, 136, 139) or "killed by signal" in output or "Signal:" in output:
        return "CRASH"
    return "error" if said else "SILENT"


class Case:
    def __init__(self, name, command, good, victim=None):
        self.name, self.command, self.good, self.victim = name, command, good, victim

    def environment(self, **more):
        env = dict(os.environ, EP_INJECT_SAY="1", LD_PRELOAD=inject, **more)
        if self.victim is not None:
            env["EP_INJECT_RANK"] = self.victim
        return env

    def count(self, folder):
        """Allocations of a run in which none fails."""
        name = os.path.join(folder, "count")
        output, rc = run(self.command, self.environment(EP_INJECT_N="1000000000", EP_INJECT_COUNT=name))
        if rc != 0 or self.good not in output:
            sys.exit(f"{self.name}: without failures it ends with {rc}:\n{output}")
        if not os.path.exists(name):
            return 30  # it becomes mpirun, and does not come to its end
        with open(name, encoding="ascii") as f:
            n = max(int(line) for line in f)
        os.unlink(name)
        return n

    def fail(self, n):
        output, rc = run(self.command, self.environment(EP_INJECT_N=str(n)))
        verdict = judge(output, rc, self.good)
        if verdict.isupper():
            print(f"{self.name}, allocation {n}: {verdict}, exit status {rc}\n{output}", flush=True)
        return verdict


def cases(kind, programs, folder):
    if kind == "crt":
        return [Case(os.path.basename(p), [p], "") for p in programs]
    program = os.path.join(folder, "program")
    source = os.path.abspath(programs[0])
    compiler = {"program.f90": "EPFORT", "shmem.c": "EPSHCC"}.get(os.path.basename(source), "EPCC")
    subprocess.run([os.environ[compiler], "-O1", "-o", program, source], check=True, cwd=folder)
    processes, threads = kind.split("x")
    if processes == "1":
        return [Case(kind, [os.environ["EPRUN"], "-t", threads, program], "all right")]
    command = [os.environ["EPRUN"], "-n", processes, "-t", threads, program]
    return [Case(f"{kind} in {v}", command, "all right", v) for v in ("0", "1", "none")]


def main():
    seed = int(os.environ.get("EP_TEST_SEED", time.time_ns() % 1000000))
    seconds = os.environ.get("EP_ALLOC_SECONDS") or "15"
    chance = random.Random(seed)
    print(f"EP_TEST_SEED={seed} EP_ALLOC_SECONDS={seconds}")
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["EP_TEST_SAID"] = os.path.join(folder, "said")
        with open(os.environ["EP_TEST_SAID"], "w", encoding="utf-8"):
            pass
        all_cases = cases(sys.argv[2], sys.argv[3:], folder)
        for case in all_cases:
            end = time.time() + (float("inf") if seconds == "all" else float(seconds) / len(all_cases))
            total = case.count(folder)
            order = list(range(1, total + 1))
            chance.shuffle(order)
            order.sort(key=lambda n: n != total)  # the last one, of the program's output, is always there
            sums = collections.Counter()
            for n in order:
                if time.time() > end:
                    break
                sums[case.fail(n)] += 1
            bad += sum(v for k, v in sums.items() if k.isupper())
            print(f"{case.name}: {total} allocations; " + ", ".join(f"{v} {k}" for k, v in sorted(sums.items())), flush=True)
    sys.exit(1 if bad else 0)


inject = os.path.abspath(sys.argv[1])
main()
