# SPDX-License-Identifier: BSD-3-Clause
"""The processes of a run, as /proc shows them: who they are, what memory they use, how to end them."""
import ctypes
import os
import signal
import time

PR_SET_CHILD_SUBREAPER = 36
# How launchers tell a process its rank.
RANK = (b"OMPI_COMM_WORLD_RANK=", b"PMI_RANK=", b"PMIX_RANK=")


def adopt_orphans():
    """Processes whose parent has ended become ours: none escapes from being counted and ended."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants(root):
    """All processes below root, zombies included."""
    children = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as f:
                # The command, in parentheses, may contain anything.
                parent = int(f.read().rpartition(b")")[2].split()[1])
        except (OSError, IndexError, ValueError):
            continue  # it has just ended
        children.setdefault(parent, []).append(int(name))
    found, more = [], [root]
    while more:
        below = children.get(more.pop(), [])
        found += below
        more += below
    return found


def end_all():
    """End everything below this process: a moment to end by itself (launchers end their ranks), then no choice."""
    for sig, patience in ((signal.SIGTERM, 1.0), (signal.SIGKILL, 10.0)):
        for pid in descendants(os.getpid()):
            try:
                os.kill(pid, sig)
            except ProcessLookupError:
                pass
        limit = time.monotonic() + patience
        while time.monotonic() < limit:
            try:
                if os.waitpid(-1, os.WNOHANG)[0] == 0:
                    time.sleep(0.01)
            except ChildProcessError:
                return


def pss(pid):
    """Bytes of memory of a process; what it shares with n others counts 1/n. 0 if it has ended."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as f:
            for line in f:
                if line.startswith(b"Pss:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return 0


def is_rank(pid):
    try:
        with open(f"/proc/{pid}/environ", "rb") as f:
            words = f.read().split(b"\0")
    except OSError:
        return False
    return any(word.startswith(RANK) for word in words)


class Peak:
    """The largest sums seen of memory: of the whole job, and of its ranks without the launcher."""

    def __init__(self):
        self.job = self.ranks = self.samples = 0

    def sample(self):
        sizes = {pid: pss(pid) for pid in descendants(os.getpid())}
        ranks = sum(size for pid, size in sizes.items() if is_rank(pid))
        job = sum(sizes.values())
        self.samples += 1
        self.job = max(self.job, job)
        # A process without a launcher is all there is.
        self.ranks = max(self.ranks, ranks or job)
