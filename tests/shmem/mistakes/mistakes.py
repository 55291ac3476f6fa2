#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mistakes.py LAYOUT...: each mistake of calls.c ends the job with a message that names the call, the PE and the argument. EPSHCC and EPRUN are the commands; a layout is PxT.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# mistake: (call, what its message says[, settings of the environment])
MISTAKES = {
    "put_private": ("shmem_long_put", "dest .*not symmetric"),
    "put_malloc": ("shmem_long_p", "dest .*not symmetric"),
    "get_private": ("shmem_long_get", "source .*not symmetric"),
    "g_null": ("shmem_long_g", "source .*not symmetric"),
    "beyond_heap": ("shmem_putmem", "dest .*1099511627776 bytes"),
    "iput_private": ("shmem_long_iput", "dest .*not symmetric"),
    "atomic_private": ("shmem_long_atomic_inc", "not symmetric"),
    "signal_private": ("shmem_long_put_signal", "sig_addr .*not symmetric"),
    "wait_private": ("shmem_long_wait_until", "ivar .*not symmetric"),
    "lock_private": ("shmem_set_lock", "lock .*not symmetric"),
    "put_freed": ("shmem_long_p", "dest .*freed", "EP_CHECK=1"),
    "pe_large": ("shmem_long_p", "pe is 4"),
    "pe_negative": ("shmem_long_atomic_fetch_add", "pe is -1"),
    "pe_of_team": ("shmem_ctx_long_p", "pe is 3"),
    "stride_zero": ("shmem_long_iget", "sst is 0"),
    "cmp_none": ("shmem_long_wait_until", "cmp is 77"),
    "cmp_none_test": ("shmem_long_test", "cmp is 0"),
    "sig_op_none": ("shmem_long_put_signal", "sig_op is 99"),
    "root_large": ("shmem_long_broadcast", "PE_root is 4"),
    "ctx_destroyed": ("shmem_ctx_long_p", "ctx"),
    "ctx_invalid": ("shmem_ctx_long_p", "ctx"),
    "team_invalid": ("shmem_team_sync", "team"),
    "team_destroyed": ("shmem_team_sync", "team"),
    "sizes_differ": ("shmem_malloc", "(100 bytes.*200 bytes|200 bytes.*100 bytes)"),
    "kinds_differ": ("shmem_(malloc|free)", "shmem_malloc.*shmem_free|shmem_free.*shmem_malloc|mismatched"),
    "free_twice": ("shmem_free", "freed"),
    "free_inside": ("shmem_free", "8 bytes behind"),
    "free_static": ("shmem_free", "static"),
    "free_private": ("shmem_free", "not in the symmetric heap"),
    "realloc_freed": ("shmem_realloc", "freed"),
    "align_odd": ("shmem_align", "24.*power of two"),
    "lock_twice": ("shmem_set_lock", "has the lock"),
    "unlock_others": ("shmem_clear_lock", "does not have the lock"),
    "unlock_held": ("shmem_clear_lock", "does not have the lock"),
    "lock_twice_awaited": ("shmem_set_lock", "has the lock"),
    "init_twice": ("shmem_init", "before"),
    "after_finalize": ("shmem_long_p", "shmem_finalize"),
    "before_init": ("shmem_long_p", "not called shmem_init"),
    "my_pe_before_init": ("shmem_my_pe", "not called shmem_init"),
    "malloc_before_init": ("shmem_malloc", "not called shmem_init"),
    "level_none": ("shmem_init_thread", "requested is 1234"),
}
BY_ONE = re.compile(r"^(?!(sizes_differ|kinds_differ|root_large|team_destroyed|free_|realloc_|align_|after_|before_|my_pe_|malloc_"
                    r"|level_))")


def run(program, layout, name, settings=""):
    processes, endpoints = layout.split("x")
    command = [os.environ["EPRUN"], "-n", processes, "-t", endpoints, program, name]
    env = dict(os.environ, **dict(part.split("=") for part in settings.split()))
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60,
                          env=env)
    return done.returncode, done.stdout


def fault(program, layout, name):
    """What is wrong with how the program fails; empty: nothing."""
    call, says, *settings = MISTAKES[name]
    try:
        status, text = run(program, layout, name, *settings)
    except subprocess.TimeoutExpired:
        return "hangs"
    if status == 0 or "lived on" in text:
        return "goes on"
    if status > 128:
        return f"is killed ({status}): {text[:400]}"
    lines = [line for line in text.splitlines() if re.search(rf"\b{call}\b", line)]
    if not any(re.search(says, line) for line in lines):
        return f"does not name {call} and {says}: {text[:600]}"
    if BY_ONE.search(name) and not any(re.search(says, line) and re.search(r"\b(PE|rank|endpoint) 2\b", line) for line in lines):
        return f"does not say that it was PE 2: {text[:600]}"
    return ""


def main(layouts):
    source = pathlib.Path(__file__).with_name("calls.c")
    known = set(re.findall(r'\{"(\w+)", \w+, [01]\}', source.read_text())) | set(re.findall(r'name, "(\w+)"', source.read_text()))
    failures = [f"no such mistake in one of calls.c and mistakes.py: {name}" for name in sorted(known ^ set(MISTAKES))]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        program = pathlib.Path(folder, "calls")
        subprocess.run([os.environ["EPSHCC"], "-w", "-O0", "-g", source, "-o", program], check=True)
        for layout in layouts:
            if run(program, layout, "none") != (0, "lived on\n"):
                failures.append(f"{layout}: fails without a mistake")
            results = pool.map(lambda name, at=layout: (name, fault(program, at, name)), MISTAKES)
            failures += [f"{name} {layout}: {wrong}" for name, wrong in results if wrong]
    print("\n".join(failures + [f"{len(MISTAKES)} mistakes, {len(failures)} not told as they must be"]))
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
