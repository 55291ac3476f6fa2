# SPDX-License-Identifier: BSD-3-Clause
"""Compilers and launchers: given by options, else beside epbench, else in PATH."""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

from . import Failed

PURPOSE = {
    "mpicc": "C compiler for processes (mpicc)",
    "mpicxx": "C++ compiler for processes (as mpicc is called)",
    "mpirun": "launcher of processes, for both sides (mpirun)",
    "epcc": "C compiler for endpoints (epcc)",
    "epcxx": "C++ compiler for endpoints (as epcc is called)",
    "eprun": "launcher of endpoints (eprun)",
}
NAME = {"epcxx": "epc++"}


def cxx_of(cc):
    """mpicc.openmpi -> mpicxx.openmpi, /opt/bin/epcc -> /opt/bin/epc++: what a C compiler's brother is called."""
    folder, name = os.path.split(cc)
    return os.path.join(folder, name.replace("epcc", "epc++").replace("mpicc", "mpicxx"))


def locate(command):
    """The words of a command whose first is an absolute path; None if there is no such program."""
    words = shlex.split(command)
    if not words:
        return None
    beside = pathlib.Path(sys.argv[0]).resolve().parent / words[0]
    first = str(beside) if os.sep not in words[0] and os.access(beside, os.X_OK) else shutil.which(words[0])
    return [os.path.abspath(first)] + words[1:] if first else None


class Box:
    """words(tool): the command as words. What is not used need not be there."""

    def __init__(self, commands):
        self.commands = commands
        self.found = {tool: locate(command) for tool, command in commands.items()}

    def words(self, tool):
        if self.found[tool] is None:
            raise Failed(f"there is no '{self.commands[tool]}'; say which by --{tool}", 2)
        return self.found[tool]

    def has(self, *tools):
        return all(self.found[tool] for tool in tools)


def find(options):
    given = {tool: getattr(options, tool) for tool in PURPOSE}
    commands = {tool: command or NAME.get(tool, tool) for tool, command in given.items()}
    for cc, cxx in (("mpicc", "mpicxx"), ("epcc", "epcxx")):
        if given[cc] and not given[cxx]:
            commands[cxx] = cxx_of(given[cc])
    return Box(commands)


def first_line(*words):
    """What a command says first, for the record."""
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20)
        return (done.stdout or done.stderr).strip().splitlines()[0].strip()
    except (OSError, IndexError, UnicodeDecodeError, subprocess.TimeoutExpired):
        return "unknown"


def is_open_mpi(mpirun):
    try:
        done = subprocess.run(mpirun + ["--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return "Open MPI" in done.stdout + done.stderr or "open-mpi" in done.stdout
