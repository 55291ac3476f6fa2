# SPDX-License-Identifier: BSD-3-Clause
"""The report of a whole run in Markdown: machine, goals, each benchmark's tables and pictures."""
import facts as machine
import goals
from report import number

TITLES = {"p2p": "Point-to-point", "coll": "Collectives", "comm": "Communicators", "rma": "One-sided communication",
          "tasks": "Tasks", "apps": "Whole programs"}
QUANTITIES = [("time", "time printed"), ("wall", "wall"), ("cpu", "CPU time"), ("memory", "memory")]


def escaped(text):
    return " ".join(str(text).split()).replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;")


def table(head, rows):
    """The first column to the left, figures to the right, or all to the left if words follow."""
    def is_figure(text):
        return not text or text[0].isdigit() or text[0] in "-(+<"
    numeric = [i > 0 and all(is_figure(row[i]) for row in rows) for i in range(len(head))]
    return (["| " + " | ".join(map(escaped, head)) + " |", "|" + "|".join("--:" if n else "---" for n in numeric) + "|"]
            + ["| " + " | ".join(map(escaped, row)) + " |" for row in rows] + [""])


def blocks(found):
    """A benchmark's lines, joined to paragraphs, and tables."""
    out, paragraph = [], []

    def end():
        if paragraph:
            out.extend([*paragraph, ""])
            paragraph.clear()
    for b in found:
        if "line" in b:
            if b["line"].strip():
                lists = b["line"].startswith("  ")
                paragraph.append(("- " if lists else "") + escaped(b["line"]))
            else:
                end()
        else:
            end()
            out.extend([f"**{escaped(b['title'])}**", "", *table(b["head"], b["rows"])])
    end()
    return out


def facts_section(f):
    out = [f"> **Warning:** {escaped(w)}. The times below are doubtful." for w in f["warnings"]]
    return out + ([""] if out else []) + table(["", ""], [list(pair) for pair in machine.lines(f)])


def app(content):
    """One comparison of epbench."""
    found = content["configurations"]
    keys = [(k, title) for k, title in QUANTITIES if all(k in c for c in found)]
    head = ["ranks"] + [word for k, title in keys for word in (f"{title}, {found[0][k]['unit']}", "ratio")]
    rows = []
    for c in found:
        plain = c["side"] == "mpi"
        row = [{"mpi": "Open MPI, ", "ep": "ep "}.get(c["side"], "") + c["name"]]
        for k, _ in keys:
            row += [f"{number(c[k]['median'])}/{number(c[k]['min'])}",
                    "" if plain else f"{number(c[k]['ratio'])}/{number(c[k]['ratio_of_minima'])}"]
        rows.append(row)
    title = f"{content['name']}: {content['rounds']} rounds; median/minimum; ratios to as many Open MPI processes"
    return [f"**{escaped(title)}**", "", *table(head, rows)]


def goals_section(found):
    return [goals.summary(found), "",
            "Ratios of times to what is named (at most the limit is good), medians of the rounds' ratios; in "
            "brackets the ratios of the smallest times.", "", *table(goals.HEAD, goals.table_rows(found))]


def picture(name):
    return [f"![{name}]({name})", ""] if name else []


def write(report, pictures):
    """report: what report.json has; pictures: files by benchmark, "goals" and comparison of programs. Markdown."""
    f = report["machine"]
    out = ["# Report of ./run bench all", "", *facts_section(f), "## Goals", "", *goals_section(report["goals"]),
           *picture(pictures.get("goals"))]
    for name, title in TITLES.items():
        content = report["benchmarks"].get(name)
        out += [f"## {title}", ""]
        if not content:
            out += ["Not measured.", ""]
        elif name == "apps":
            for app_name, comparison in sorted(content.items()):
                out += app(comparison) + picture(pictures.get(app_name))
        else:
            out += blocks(content["blocks"]) + picture(pictures.get(name))
    return "\n".join(out).rstrip() + "\n"
