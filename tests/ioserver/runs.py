#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""runs.py SCENARIO: whole runs of examples/ioserver, also such that go wrong.

The environment names the programs: IOSERVER, IOSERVER_MPI (the same on MPI alone; may be empty), MAKE_DATA,
SAME_RECORDS, and MPIRUN with its options up to -n. What is right is what 1+1 writes: one client, one server, one
process.
"""
import filecmp
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = {"steps": 1, "days": 4, "by_clients": 8, "thirds": 3, "surface": 2}  # steps of a record
STEPS = 24
failures = []


def check(condition, *text):
    if not condition:
        print("not ok:", *text, flush=True)
        failures.append(text)


def processes(layout):
    """of a layout as the program takes it"""
    return sum(int(entry.split("x")[0]) if "x" in entry else 1 for entry in layout.split(","))


class Run:
    """One run of the program: its status, what it said, and the folder of its files."""

    def __init__(self, layout, *options, fmt="cdf5", program="IOSERVER", out=None):
        Run.count = getattr(Run, "count", 0) + 1
        self.name = " ".join((program, layout, fmt) + options)
        self.out = out or os.path.join(tmp, "run%d" % Run.count)
        command = os.environ["MPIRUN"].split() + [
            str(processes(layout)), os.environ[program], "--layout", layout, "--format", fmt, "--data", tmp,
            "--output", self.out, *options, os.path.join(HERE, "run.xml")]
        done = subprocess.run(command, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=150 * int(os.environ.get("PATIENCE", "1")))
        self.status, self.table, self.said = done.returncode, done.stdout, done.stderr
        print(self.name, "->", self.status, flush=True)

    def number(self, pattern):
        """The number that the pattern's group finds in the table."""
        found = re.search(pattern, self.table)
        check(found, self.name, "no", pattern, "in", self.table, self.said)
        return float(found.group(1)) if found else -1

    def succeeded(self):
        check(self.status == 0, self.name, "status", self.status, self.table, self.said)
        return self

    def path(self, name):
        return os.path.join(self.out, name + ".nc")

    def records(self, name, right):
        """How many records the file has, which must be as in the right one."""
        done = subprocess.run([os.environ["SAME_RECORDS"], self.path(name), right.path(name)], text=True,
                              stdout=subprocess.PIPE)
        check(done.returncode == 0, self.name, name, done.stdout.strip())
        return int(done.stdout) if done.returncode == 0 else -1

    def has_bytes_of(self, right):
        self.succeeded()
        for name in FILES:
            check(os.path.exists(self.path(name)) and filecmp.cmp(self.path(name), right.path(name), shallow=False),
                  self.name, name, "differs")

    def has_values_of(self, right, steps=STEPS):
        for name, every in FILES.items():
            got = self.records(name, right)
            check(got == steps // every, self.name, name, got, "records after", steps, "steps")


def reference():
    run = Run("1+1").succeeded()
    for name, every in FILES.items():
        check(run.records(name, run) == STEPS // every, name, "records")
    return run


def layouts():
    """All layouts and both formats have the same values, and so has the program on MPI alone."""
    right = reference()
    for layout in ["6+2", "2x3+1", "2x3+0,0+2", "1+0,0+1", "2+6", "0+2,5+1", "3+0,0+1,2+2"]:
        Run(layout).has_bytes_of(right)
    for layout in ["4+0", "2x2+0", "1+0,3+0"]:  # clients that write themselves
        Run(layout).has_bytes_of(right)
    for layout in ["6+2", "2x3+1", "2x2+0"]:
        Run(layout, fmt="netcdf4").succeeded().has_values_of(right)
    if os.environ.get("IOSERVER_MPI"):
        Run("3x1+0,2x0+1", program="IOSERVER_MPI").has_bytes_of(right)
        Run("3x1+0", program="IOSERVER_MPI").has_bytes_of(right)


def many():
    """More clients, and more servers, than cores."""
    right = reference()
    for layout in ["14+2", "2x10+2", "2x7+0,0+4", "5+18"]:
        Run(layout).has_bytes_of(right)


def slow_server():
    """Servers that are slower than the clients: nothing is lost, and memory is what it is without that."""
    right = reference()
    for layout in ["4+1", "2x3+1", "4+0,0+2"]:
        usual = Run(layout)
        slow = Run(layout, "--slow-server", "20", "--buffers", "2")
        slow.has_bytes_of(right)
        check(slow.number(r"clients waited (\d+) times") > 0, slow.name, "no client waited")
        memory = r"buffers +([0-9.]+) MB"
        check(abs(2 * slow.number(memory) - usual.number(memory)) < 0.21, slow.name, "buffers", slow.table)


def client_ends():
    """A client ends early: what all had given is written, all end, and say why."""
    right = reference()
    for layout, client, step in [("6+2", 3, 7), ("6+2", 0, 1), ("2x3+1", 5, 16), ("2x3+1", 0, 9), ("2x2+0,0+2", 1, 12),
                                 ("2x2+0,0+2", 2, 1), ("1+1", 0, 5), ("8+1", 4, 23), ("6+2", 1, 24),
                                 # servers that have nothing of the client's neighbours, and such without rows
                                 ("8+4", 0, 7), ("8+0,0+5", 7, 10), ("2+20", 1, 7)]:
        for fmt in "cdf5", "netcdf4":
            run = Run(layout, "--end-client", "%d@%d" % (client, step), fmt=fmt)
            check(run.status == 1, run.name, "status", run.status, run.table, run.said)
            check("client %d ended after step %d: told to by --end-client" % (client, step) in run.said, run.name,
                  run.said)
            steps = int(run.number(r"(\d+) of 24 steps"))
            # A client may be behind by as many steps as there are clients between it and the one that ends.
            check(step - 8 <= steps <= step and steps >= 0, run.name, steps, "steps")
            run.has_values_of(right, steps)


def small_disk(size):
    """A folder that holds no more than size bytes, or None where this user may not mount one."""
    folder = tempfile.mkdtemp(dir=tmp)
    mount = ["mount", "-t", "tmpfs", "-o", "size=%d" % size, "none", folder]
    if subprocess.run(mount, stderr=subprocess.DEVNULL).returncode:
        return None
    disks.append(folder)
    return folder


def ends_told(run, right, why):
    check(run.status == 1, run.name, "status", run.status, run.table, run.said)
    check(re.search(r"ioserver: .*\.nc: .*" + why, run.said), run.name, run.said)
    for name in FILES:
        if os.path.exists(run.path(name)):
            run.records(name, right)


def full_disk():
    """No room for all records: the clients are told, all end, what was complete is readable."""
    right = reference()
    whole = sum(os.path.getsize(right.path(name)) for name in FILES)
    for layout in "4+2", "2x2+1", "2x2+0,0+2", "2x2+0":
        for fmt in "cdf5", "netcdf4":
            for share in 0.3, 0.6:
                folder = small_disk(int(whole * share))
                if not folder:
                    print("no small disk may be mounted here")
                    sys.exit(77)
                ends_told(Run(layout, fmt=fmt, out=folder), right, "No space left on device")


def no_folder():
    """Files that cannot be made."""
    plain = os.path.join(tmp, "plain")
    open(plain, "w").close()
    taken = os.path.join(tmp, "taken")
    os.makedirs(os.path.join(taken, "days.nc"))
    for layout in "3+2", "2x2+1":
        for fmt in "cdf5", "netcdf4":
            for out, why in (plain, "Not a directory"), (taken, "Is a directory"):
                run = Run(layout, fmt=fmt, out=out)
                check(run.status == 1 and why in run.said, run.name, out, run.status, run.said)


def idle():
    """Servers without work sleep: they take no core from others."""
    for layout in "2+1", "1+0,0+1", "2x1+1":
        run = Run(layout, "--slow-client", "100", "--steps", "8").succeeded()
        check(run.number(r"CPU time ([0-9.]+) %") < 50, run.name, run.table)


def mistakes():
    """Wrong options and definitions: status 2 and one line."""
    for options, text in [
            (["--layout", "3+1"], "is no layout of these processes"), (["--layout", "2x1"], "is no layout"),
            (["--layout", "0+1,0+1"], "is no layout"), (["--layout", "1+1,0+0"], "without endpoints"),
            (["--format", "grib"], "netcdf4 or cdf5"), (["--steps", "0"], "no positive number"),
            (["--end-client", "3"], "CLIENT@STEP"), (["--layout", "2x1+0", "--end-client", "0@1"], "cannot end alone"),
            (["--end-client", "2@3"], "no such client"), (["--end-client", "1@25"], "no such step"),
            (["--end-client", "1@0"], "CLIENT@STEP"), (["--coarsen", "1000"], "leaves fewer than two points"),
            (["--layout", "2x400+1"], "more clients than the grid has"), (["--data", "/nowhere"], "No such file"),
            (["--layot", "1+1"], "--help")]:
        run = Run("1+1,1+1", *options)
        check(run.status != 0 and text in run.said, run.name, run.status, run.said)


tmp, disks = None, []


def main():
    global tmp
    with tempfile.TemporaryDirectory() as tmp:
        subprocess.run([os.environ["MAKE_DATA"], tmp], check=True)
        try:
            globals()[sys.argv[1]]()
        finally:
            for folder in disks:
                subprocess.run(["umount", folder])
    print(Run.count, "runs,", len(failures), "wrong")
    sys.exit(bool(failures))


main()
