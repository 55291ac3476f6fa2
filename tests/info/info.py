#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""info.py EP_INFO SOURCE LAUNCHER...: what ep_info prints, against the tables of SOURCE/src/base and the MPI it is run with."""
import json
import os
import pathlib
import re
import subprocess
import sys

ep_info, source, launcher = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
failed = 0


def check(what, ok, shown=""):
    global failed
    print(("ok      " if ok else "not ok  ") + what)
    if not ok:
        failed = 1
        print(shown)


def run(*args, status=0, before=(), **env):
    clean = {k: v for k, v in os.environ.items() if not re.match(r"EP_|CRT_|EPRUN$|OMP_EXTERNAL", k)}
    done = subprocess.run([*before, ep_info, *args], env={**clean, **env}, capture_output=True, text=True, timeout=100)
    check(f"ep_info {' '.join(args)}: status {status}", done.returncode == status, done.stdout + done.stderr)
    return done


def as_json(*args, **more):
    """Also by the checker that everybody has."""
    out = run("--json", *args, **more).stdout
    tool = subprocess.run([sys.executable, "-m", "json.tool"], input=out, capture_output=True, text=True)
    check(f"ep_info --json {' '.join(args)}: JSON", tool.returncode == 0, tool.stderr + out)
    return json.loads(out) if tool.returncode == 0 else {}


def names(table, kinds):
    """First words of the entries of a .def file, and how they are called in their field."""
    text = re.sub(r"/\*.*?\*/", "", (source / "src/base" / table).read_text(), flags=re.S)
    return sorted(re.findall(rf"^(?:{kinds})\((?:[a-z_]+, )?\"?([A-Za-z_]+)\"?,", text, re.M))


settings = names("settings.def", "NUMBER|CHOICE|DURATION|GIVEN|TEXT")
counters = sorted(re.findall(r"^COUNTER\((\w+),", (source / "src/base/counters.def").read_text(), re.M))
check("the tables are read", len(settings) > 12 and len(counters) > 20 and "EP_WAIT" in settings)

# Everything.
all_ = as_json()
check("sections", list(all_) == ["version", "mpi", "limits", "settings", "counters"], all_)
check("version", re.search(rf"version: '{all_['version']}'", (source / "meson.build").read_text()), all_["version"])
check("all settings, sorted", [s["name"] for s in all_["settings"]] == settings, all_["settings"])
check("all counters, sorted", [c["name"] for c in all_["counters"]] == counters, all_["counters"])
check("standard", float(all_["mpi"]["standard"]) >= 3.0 and len(all_["mpi"]["library"]) > 3, all_["mpi"])
check("thread level", re.fullmatch(r"MPI_THREAD_(SINGLE|FUNNELED|SERIALIZED|MULTIPLE)", all_["mpi"]["thread_level"]), all_["mpi"])
check("one process", all_["mpi"]["processes"] == 1)
for s in all_["settings"]:
    check(f"{s['name']}: default", s["from"] == "default" and s["value"] == s["default"] and s["range"] and s["meaning"], s)
for c in all_["counters"]:
    check(f"{c['name']}: texts", c["kind"] in ("count", "level", "peak") and c["unit"] and c["meaning"], c)
tags = all_["limits"]["tags"]
for t in tags:
    check(f"tags with {t['endpoints_per_process']} endpoints", t["largest"] == 2 ** t["bits"] - 1 >= 32767, t)
check("more endpoints, fewer tags, more communicators", all(
    a["endpoints_per_process"] < b["endpoints_per_process"] and a["bits"] >= b["bits"] and
    a["mpi_communicators"] <= b["mpi_communicators"] for a, b in zip(tags, tags[1:])), tags)
lane = all_["limits"]["one_lane"]["value"]
check("endpoints of one lane", all((t["endpoints_per_process"] <= lane) == (t["mpi_communicators"] == 1) for t in tags), tags)

# As text: the same entries.
text = run().stdout
for name in settings + counters:
    check(f"{name} in the text", re.search(rf"^  {name}\b", text, re.M), text)
check("no long lines", all(len(line) <= 110 for line in text.split("\n") if "library" not in line))

# Present values.
one = as_json("EP_EAGER", EP_EAGER="7")
check("from the environment", (one["value"], one["default"], one["from"]) == (7, 65536, "environment"), one)
one = as_json("EP_WAIT", EP_WAIT="sleep")
check("a choice", (one["value"], one["default"], one["from"]) == ("sleep", "auto", "environment"), one)
one = as_json("EP_WAIT", EP_WAIT="slow")
check("not possible", (one["value"], one["from"]) == ("auto", "default: what the environment says is not possible"), one)
one = as_json("EP_MPIRUN", EP_MPIRUN='a "b" \\ c')
check("quoted", (one["value"], one["from"]) == ('a "b" \\ c', "environment"), one)

# One thing, and nothing else.
check("a setting", run("ep_eager").stdout.startswith("  EP_EAGER = 65536 (default)\n"))
check("a counter", run("sent_near").stdout.startswith("  sent_near (count, messages)\n"))
check("a section", run("counters").stdout.startswith("Counters of each endpoint"))
check("a section as JSON", [c["name"] for c in as_json("counters")] == counters)
check("limits", as_json("limits")["tags"] == tags)
check("unknown", "no_such" in run("no_such", status=1).stderr)
check("two names", "usage" in run("mpi", "limits", status=2).stderr)
check("unknown option", "usage" in run("--jason", status=2).stderr)
check("help", "usage" in run("--help").stdout)

# Under mpirun process 0 alone prints.
both = as_json(before=[*launcher, "2"])
check("two processes", both.get("mpi", {}).get("processes") == 2, both)
sys.exit(failed)
