# SPDX-License-Identifier: BSD-3-Clause
"""What the figures depend on besides the program."""
import datetime
import os
import platform

from . import tools


def cpu_model():
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as info:
            return next(line.split(":", 1)[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def memory_bytes():
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def cores():
    """Cores that this process may use; two hardware threads of one count once."""
    found = set()
    for cpu in os.sched_getaffinity(0):
        try:
            with open(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list", encoding="ascii") as f:
                found.add(f.read().strip())
        except OSError:
            found.add(str(cpu))
    return len(found)


def facts(box):
    """Before anything runs, as the load is that of others."""
    def version(tool):
        return tools.first_line(*box.words(tool), "--version") if box.has(tool) else "unknown"
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "cpu": cpu_model(),
        "cpus": len(os.sched_getaffinity(0)),
        "cores": cores(),
        "memory_bytes": memory_bytes(),
        "kernel": platform.release(),
        "mpi": version("mpirun"),
        "ep": version("eprun"),
        "compiler": version("mpicc"),
        "load": os.getloadavg()[0],
        "settings": {k: v for k, v in sorted(os.environ.items()) if k.startswith(("EP_", "OMPI_MCA_", "MPICH_"))},
    }
