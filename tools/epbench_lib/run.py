# SPDX-License-Identifier: BSD-3-Clause
"""One run of one command line: time, CPU time, memory if asked, and an end in any case."""
import dataclasses
import os
import signal
import subprocess
import time

from . import Failed, tail, tree

SAMPLE_SECONDS = 0.01


@dataclasses.dataclass
class Run:
    wall: float
    cpu: float           # user and system, of the whole job
    peak: tree.Peak      # None: not measured


class Late(Exception):
    pass


def on_alarm(_number, _frame):
    raise Late


def cpu_of(usage):
    return usage.ru_utime + usage.ru_stime


def wait_for(pid, peak):
    """Status and CPU time of pid and of all that it has waited for; samples memory meanwhile if asked."""
    while peak:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            return status, cpu_of(usage)
        peak.sample()
        time.sleep(SAMPLE_SECONDS)
    _, status, usage = os.wait4(pid, 0)
    return status, cpu_of(usage)


def collect_rest():
    """CPU time of processes that the launcher did not wait for; those that stay are ended."""
    cpu, limit = 0.0, time.monotonic() + 2
    try:
        while time.monotonic() < limit:
            done, _, usage = os.wait4(-1, os.WNOHANG)
            if done:
                cpu += cpu_of(usage)
            else:
                time.sleep(0.005)
    except ChildProcessError:
        return cpu
    tree.end_all()
    return cpu


def in_words(status):
    if os.WIFSIGNALED(status):
        return f"was ended by signal {os.WTERMSIG(status)} ({signal.Signals(os.WTERMSIG(status)).name})"
    return f"ended with status {os.WEXITSTATUS(status)}"


def failed(words, how, out, err):
    return Failed(f"{how}: {' '.join(words)}\n"
                  f"  its output ends with\n{tail(out)}  its error output ends with\n{tail(err)}")


def run(words, cwd, stem, timeout, peak=None):
    """Output goes to the files stem.out and stem.err."""
    out, err = f"{stem}.out", f"{stem}.err"
    signal.signal(signal.SIGALRM, on_alarm)
    signal.setitimer(signal.ITIMER_REAL, timeout)
    try:
        with open(out, "wb") as o, open(err, "wb") as e:
            began = time.perf_counter()
            process = subprocess.Popen(words, cwd=cwd, stdin=subprocess.DEVNULL, stdout=o, stderr=e,
                                       start_new_session=True)
        status, cpu = wait_for(process.pid, peak)
        wall = time.perf_counter() - began
        process.returncode = 0  # it has been waited for
    except Late:
        tree.end_all()
        raise failed(words, f"did not end within {timeout:g} s and was stopped", out, err) from None
    except OSError as e:
        raise Failed(f"cannot start {words[0]}: {e.strerror}") from None
    except KeyboardInterrupt:
        tree.end_all()
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    cpu += collect_rest()
    if status != 0:
        raise failed(words, in_words(status), out, err)
    return Run(wall, cpu, peak)
