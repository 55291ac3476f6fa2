# SPDX-License-Identifier: BSD-3-Clause
"""facts.py BUILD_DIR ROUNDS MS: what the figures of a run depend on besides the programs, as JSON. Run before it.

Nothing here fails where a machine does not tell something: it is "unknown" then.
"""
import datetime
import glob
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

UNKNOWN = "unknown"
BUSY = 0.1  # of all CPUs' time, taken by others: from here on figures are doubtful
WATCHED = 2.0  # seconds of looking for others


def read(path):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def output_of(*words):
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=30, check=True,
                              stdin=subprocess.DEVNULL).stdout
    except (OSError, subprocess.SubprocessError):
        return ""


def first_line(*words):
    return next(iter(output_of(*words).splitlines()), UNKNOWN).strip()


def field_of_cpu(name):
    found = (line.split(":", 1) for line in read("/proc/cpuinfo").splitlines() if line.startswith(name))
    return next((value.strip() for _, value in found), "")


def cores():
    """Cores that may be used; the hardware threads of one count once."""
    folder = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"
    return len({read(folder.format(cpu)) or str(cpu) for cpu in os.sched_getaffinity(0)})


def caches():
    """Of the first CPU that may be used: ["L1 data 32K", ...], with the CPUs that share each."""
    cpu, found = min(os.sched_getaffinity(0)), []
    for folder in sorted(glob.glob(f"/sys/devices/system/cpu/cpu{cpu}/cache/index*")):
        level, kind, size, shared = (read(f"{folder}/{name}") for name in ("level", "type", "size", "shared_cpu_list"))
        if size:
            kind = "" if kind == "Unified" else f" {kind.lower()}"
            found.append(f"L{level}{kind} {size} (CPUs {shared or '?'})")
    return found or [line.strip() for line in output_of("lstopo-no-graphics", "--only", "cache").splitlines()]


def mpi_versions():
    """Of the MPI that is measured, and of what else is installed."""
    found = {"measured": first_line("mpirun", "--version")}
    for name, words in (("Open MPI", ("mpirun.openmpi", "--version")), ("MPICH", ("mpichversion",))):
        line = first_line(*words)
        found[name] = " ".join(line.split()) if line != UNKNOWN else "not installed"
    return found


def compiler(build):
    """What the build was made with."""
    try:
        c = json.loads(read(f"{build}/meson-info/intro-compilers.json"))["host"]["c"]
        return c["full_version"]
    except (ValueError, KeyError, TypeError):
        return first_line("mpicc", "--version")


def options(build):
    try:
        of = {o["name"]: o["value"] for o in json.loads(read(f"{build}/meson-info/intro-buildoptions.json"))}
        return f"buildtype={of['buildtype']} optimization={of['optimization']} c_args={' '.join(of['c_args'])}".strip()
    except (ValueError, KeyError, TypeError):
        return UNKNOWN


def commit():
    here = str(pathlib.Path(__file__).parent)
    name = first_line("git", "-C", here, "rev-parse", "--short=12", "HEAD")
    changed = output_of("git", "-C", here, "status", "--porcelain", "--untracked-files=no").strip()
    return name + (" and changes that are not committed" if changed else "")


def settings(build):
    """Settings of ep that are not at their defaults, and what is set for MPI and OpenMP."""
    try:
        listed = json.loads(output_of(f"{build}/src/info/ep_info", "--json"))["settings"]
        found = {s["name"]: str(s["value"]) for s in listed if s["from"] != "default"}
    except (ValueError, KeyError, TypeError):
        found = {}
    return found | {k: v for k, v in sorted(os.environ.items())
                    if k.startswith(("EP_", "CRT_", "OMP_", "GOMP_", "OMPI_MCA_"))}


def cpu_times():
    """(busy, stolen, all) of all CPUs so far, in ticks."""
    line = read("/proc/stat").split("\n", 1)[0].split()[1:9]
    if len(line) < 8:
        return 0, 0, 0
    user, nice, system, idle, iowait, irq, softirq, steal = (int(x) for x in line)
    return user + nice + system + irq + softirq + steal, steal, user + nice + system + idle + iowait + irq + softirq + steal


def share(before, after):
    """(busy, stolen) between two looks, as parts of all time."""
    busy, stolen, total = (b - a for a, b in zip(before, after))
    return (busy / total, stolen / total) if total > 0 else (0.0, 0.0)


def warnings(f):
    found = []
    if f["load_before"] > 0.3 * f["cpus"] and f["busy_before"] > BUSY / 2:
        found.append(f"load {f['load_before']:.2f} before the start: others were at work")
    if f["busy_before"] > BUSY:
        found.append(f"{100 * f['busy_before']:.0f} % of the CPUs were busy before anything was started")
    if f["stolen_before"] > 0.02:
        found.append(f"the hypervisor took {100 * f['stolen_before']:.0f} % of the time before the start")
    if f["cpus"] < 2:
        found.append("one CPU only: all ranks share it, figures say little")
    return found


def collect(build, rounds, ms):
    """Load and times first: what is asked later makes load itself."""
    load = float(os.environ.get("BENCH_LOAD") or os.getloadavg()[0])  # BENCH_LOAD: before ep was built
    start = cpu_times()
    time.sleep(WATCHED)
    busy, stolen = share(start, cpu_times())
    f = {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "commit": commit(),
        "cpu": field_of_cpu("model name") or platform.machine(),
        "virtual": "hypervisor" in field_of_cpu("flags").split(),
        "cpus": len(os.sched_getaffinity(0)),
        "cores": cores(),
        "caches": caches(),
        "memory_bytes": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
        "kernel": platform.release(),
        "libc": " ".join(platform.libc_ver()),
        "mpi": mpi_versions(),
        "compiler": compiler(build),
        "options": options(build),
        "settings": settings(build),
        "rounds": rounds,
        "ms_per_cell": ms,
        "load_before": load,
        "busy_before": busy,
        "stolen_before": stolen,
        "ticks": cpu_times(),
    }
    return f | {"warnings": warnings(f)}


def lines(f):
    """For people: (what, value)."""
    def percent(x):
        return f"{100 * x:.1f} %"
    found = [
        ("date", f["date"]), ("commit", f["commit"]),
        ("CPU", f"{f['cpu']}, {f['cores']} cores, {f['cpus']} CPUs" + (", virtual machine" if f["virtual"] else "")),
        ("caches", ", ".join(f["caches"]) or UNKNOWN), ("memory", f"{f['memory_bytes'] / (1 << 30):.1f} GiB"),
        ("kernel, libc", f"{f['kernel']}, {f['libc']}"), ("MPI measured", f["mpi"]["measured"]),
        ("installed", ", ".join(f"{k}: {v}" for k, v in f["mpi"].items() if k != "measured")),
        ("compiler", f"{f['compiler']}; {f['options']}"),
        ("settings", ", ".join(f"{k}={v}" for k, v in f["settings"].items()) or "all at their defaults"),
        ("rounds", f"{f['rounds']} at most, about {f['ms_per_cell']} ms measured per cell and round"),
        ("load before", f"{f['load_before']:.2f}; {percent(f['busy_before'])} of the CPUs busy, "
                        f"{percent(f['stolen_before'])} taken by the hypervisor"),
    ]
    if "seconds" in f:
        found.append(("took", f"{f['seconds']} s; {percent(f['stolen'])} of the time taken by the hypervisor"))
    return found


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    facts = collect(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
    for text in facts["warnings"]:
        print(f"bench: WARNING: {text}", file=sys.stderr)
    json.dump(facts, sys.stdout, indent=1)
