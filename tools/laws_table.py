#!/usr/bin/env python3
"""Puts what `dew laws` measured into the documents: how many figures each method meets in README.md, the matrix of laws and
methods in docs/figures.md, the trials met in laws/trials/README.md, and each method's contact angles in
src/methods/METHOD/calibration.md, where that has a place for them.

    dew laws --method pbf --json > new.jsonl
    python3 tools/laws_table.py --add new.jsonl     docs/laws.jsonl gets the lines, in place of all that it has of these laws
    python3 tools/laws_table.py                     the documents anew

A line of the matrix is a law's figure, a cell the worst case of a method at the finest resolution in the file: its error
against its target; a figure is met where all its cases are. Below are each method's misses, the worst first. Of lines that say
the same of the same run the last one counts; what was measured with --level or --filling does not.
"""
import json
import math
import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
RECORD = os.path.join(ROOT, "docs", "laws.jsonl")
RESOLUTIONS = ["coarse", "medium", "fine"]
GROUPS = ["statics", "waves", "walls", "threads", "jets", "heat", "conservation", "trials"]
METHODS = ["pbf", "ddr", "sph", "mpm", "mps"]  # their order; others follow


def lines_of(path):
    """The objects of a file that `dew laws --json` wrote."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                r = json.loads(line)
                r["law"], r["method"]
            except (ValueError, KeyError, TypeError):
                sys.exit("%s:%d: not a line that `dew laws --json` wrote" % (path, number))
            yield r


def read(path):
    """The lines of the file, the last one of each kind."""
    found = {}
    for r in lines_of(path):
        found[(r.get("quantity"), r.get("case"), r["law"], *run_of(r))] = r
    return [r for r in found.values() if r.get("level", "normal") == "normal" and r.get("filling", 0) == 0]


def run_of(r):
    """What a line was measured in: lines of the same run are replaced together. A watch's case is the law that it watched."""
    law = r["case"] if r["law"] == "watch" else r["law"]
    return law, r.get("method"), r.get("resolution"), r.get("level", "normal"), r.get("filling", 0)


def add(paths):
    """Puts the lines of the files into the record, in place of what it has of the same runs; a law that failed leaves it."""
    new = [r for path in paths for r in lines_of(path)]
    runs = {run_of(r) for r in new if r.get("quantity")}
    by_law = {}  # laws stay in their order
    for r in lines_of(RECORD):
        of_law = by_law.setdefault(r["law"], [])
        if run_of(r) not in runs:
            of_law.append(r)
    for r in new:
        if run_of(r) in runs:
            by_law.setdefault(r["law"], []).append(r)
    with open(RECORD, "w", encoding="utf-8") as file:
        for of_law in by_law.values():
            file.writelines(json.dumps(r) + "\n" for r in of_law)


def kind_of(r):
    return r.get("error_kind") or ("degrees" if r["unit"] == "deg" else "absolute" if r["theory"] == 0 else "relative")


def size(value, kind, sign):
    """An error or a target as people write it."""
    if kind == "relative":
        return ("%+.1f %%" if sign else "%g %%") % (100 * value)
    if kind == "degrees":
        return ("%+.1f°" if sign else "%g°") % value
    return ("%.1e" % value if 0 < abs(value) < 1e-3 else "%.2g" % value) if sign else "%g" % value


def ratio(r):
    """|error| over target: more than 1 misses it."""
    if r["error"] is None:
        return math.inf
    return abs(r["error"]) / r["target"] if r["target"] else (0 if r["error"] == 0 else math.inf)


def cell(rows, absent, failed):
    if not rows:
        return "n/a" if absent else "**failed**" if failed else ""
    finest = max(RESOLUTIONS.index(r["resolution"]) for r in rows)
    rows = [r for r in rows if RESOLUTIONS.index(r["resolution"]) == finest]
    worst = max(rows, key=ratio)
    error = "none" if worst["error"] is None else size(worst["error"], kind_of(worst), True)
    text = "%s / %s" % (error, size(worst["target"], kind_of(worst), False))
    passed = sum(r["pass"] for r in rows)
    if passed < len(rows):
        text = "**" + text + "**"
        if worst["law"] == "watch":  # its cases are laws
            text += " by `%s`" % worst["case"]
        if len(rows) > 1:
            text += " (%d of %d met)" % (passed, len(rows))
    return text + (", " + RESOLUTIONS[finest] if finest else "")


def figures(rows, methods):
    """Lines of the matrix: one for each figure of each law."""
    lines = []
    for law in dict.fromkeys(r["law"] for r in rows):
        of_law = [r for r in rows if r["law"] == law]
        absent = {r["method"] for r in of_law if not r.get("quantity") and r["pass"] is None}
        failed = {r["method"] for r in of_law if not r.get("quantity") and r["pass"] is False}
        name = "`%s`" % law
        for figure in dict.fromkeys(r.get("quantity") for r in of_law):
            if figure is None and any(r.get("quantity") for r in of_law):
                continue
            of_figure = [r for r in of_law if r.get("quantity") == figure and figure]
            lacks = absent | {r["method"] for r in of_figure if r["pass"] is None}
            cells = [cell([r for r in of_figure if r["pass"] is not None and r["method"] == m], m in lacks, m in failed)
                     for m in methods]
            lines.append("| %s | %s | %s |" % (name, figure or "", " | ".join(cells)))
            name = ""
    return lines


def misses(rows):
    """A method's figures beyond their targets, the worst first: each by its worst case."""
    worst = {}
    for r in rows:
        key = (r["law"], r.get("quantity"))
        if r["pass"] is False and (key not in worst or ratio(r) > ratio(worst[key])):
            worst[key] = r
    names = []
    for r in sorted(worst.values(), key=lambda r: -ratio(r)):
        what = "`%s` %s" % (r["law"], r.get("quantity") or "(failed)")
        if math.isfinite(ratio(r)):
            what += " (%.3g times)" % ratio(r)
        elif r.get("quantity"):
            what += " (none)" if r["error"] is None else " (not 0)"
        names.append(what)
    return names


def methods_of(rows):
    return sorted(dict.fromkeys(r["method"] for r in rows), key=lambda m: METHODS.index(m) if m in METHODS else 99)


def groups_of(rows):
    return sorted(dict.fromkeys(r.get("group") for r in rows), key=lambda g: GROUPS.index(g) if g in GROUPS else 99)


def matrix(rows):
    """A line for each figure of each law; below, each method's misses."""
    methods = methods_of(rows)
    lines = ["| law | figure | " + " | ".join("`%s`" % m for m in methods) + " |", "|---|---|" + "---|" * len(methods)]
    for group in groups_of(rows):
        lines.append("| **%s** | |%s" % (group or "others", " |" * len(methods)))
        lines += figures([r for r in rows if r.get("group") == group], methods)
    for m in methods:
        missed = misses([r for r in rows if r["method"] == m])
        if missed:
            lines += ["", "`%s` misses, the worst first (error over target): %s." % (m, "; ".join(missed))]
    return lines


def met_of(rows):
    """How many figures of the rows are met, and how many there are; a trial counts as one."""
    found = {}
    for r in rows:
        if r["pass"] is not None:
            key = (r["law"], None if r.get("group") == "trials" else r.get("quantity"))
            found.setdefault(key, []).append(r["pass"])
    return sum(map(all, found.values())), len(found)


def summary(rows):
    """A line for each group, a cell for each method: how many figures it meets; below, its worst misses."""
    methods = methods_of(rows)
    lines = ["| figures met | " + " | ".join("`%s`" % m for m in methods) + " |", "|---" * (1 + len(methods)) + "|"]
    for group in groups_of(rows):
        counts = [met_of([r for r in rows if r["method"] == m and r.get("group") == group]) for m in methods]
        name = "[first scenes](laws/trials/README.md), whole" if group == "trials" else group
        lines.append("| %s | %s |" % (name, " | ".join("%d of %d" % c if c[1] else "" for c in counts)))
    for m in methods:
        missed = misses([r for r in rows if r["method"] == m])
        if missed:
            lines += ["", "`%s` misses most: %s." % (m, "; ".join(missed[:5]))]
    return lines


def angles(rows):
    """Measured angles: a line for each that was set, a column for each solid and side."""
    found = {}
    for r in rows:
        _, _, label = (r["case"] or "").partition(", ")  # others are means of angles, or lengths
        if r["law"] == "contact_angle" and label and r["measured"] is not None and r["resolution"] == "coarse":
            found[(r["theory"], r["quantity"], label)] = r["measured"]
    if not found:
        return None
    kinds = list(dict.fromkeys(k[1:] for k in found))
    lines = ["| set | " + " | ".join("%s, %s" % k for k in kinds) + " |", "|---" * (len(kinds) + 1) + "|"]
    for angle in sorted({k[0] for k in found}):
        cells = ["%.1f" % found[(angle,) + k] if (angle,) + k in found else "" for k in kinds]
        lines.append("| %g | " % angle + " | ".join(cells) + " |")
    return lines


def is_trial_met(rows):
    """Of the rows of one trial by one method; None: it cannot do it, or has not been measured."""
    if not any(r["pass"] is not None for r in rows):
        return None
    return all(r["pass"] for r in rows)


def trials(rows):
    """A line for each trial, a cell for each method: how many of its figures are met, and the CPU time."""
    rows = [r for r in rows if r.get("group") == "trials" and r["resolution"] == "coarse"]
    if not rows:
        return None
    methods = methods_of(rows)
    lines = ["| trial | " + " | ".join("`%s`" % m for m in methods) + " |", "|---" * (1 + len(methods)) + "|"]
    met, judged, seconds = ({m: 0 for m in methods} for _ in range(3))
    for law in dict.fromkeys(r["law"] for r in rows):
        cells = []
        for m in methods:
            own = [r for r in rows if r["law"] == law and r["method"] == m]
            figures = [r for r in own if r.get("quantity")]
            passed, is_met = sum(r["pass"] for r in figures), is_trial_met(own)
            took = max([r["cpu_seconds"] for r in figures], default=0)
            if is_met is not None:
                met[m], judged[m], seconds[m] = met[m] + is_met, judged[m] + 1, seconds[m] + took
                silent = any(not r["pass"] and r.get("warned") is False for r in figures)
                cells.append("%s%s, %.1f s" % ("met" if is_met else "**%d of %d**" % (passed, len(own)), " silent" if silent else "", took))
            else:
                cells.append("n/a" if own else "")
        lines.append("| `%s` | %s |" % (law[len("trial_"):].replace("_", "-"), " | ".join(cells)))
    lines.append("| all | " + " | ".join("%d of %d, %.0f s" % (met[m], judged[m], seconds[m]) for m in methods) + " |")
    return lines


def replace(path, lines):
    """Puts the lines between the marks <!-- laws --> and <!-- end -->; False where the file has none."""
    if not os.path.exists(path):
        return False
    with open(path, encoding="utf-8") as file:
        text = file.read()
    begin, end = "<!-- laws -->\n", "<!-- end -->"
    if begin not in text or end not in text.split(begin, 1)[1]:
        return False
    before, rest = text.split(begin, 1)
    after = rest.split(end, 1)[1]
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + begin + "\n".join(lines) + "\n" + end + after)
    return True


def main():
    if any(a in ("-h", "--help") for a in sys.argv[1:]):
        sys.exit(__doc__)
    if sys.argv[1:2] == ["--add"]:
        return add(sys.argv[2:])
    rows = read(sys.argv[1] if len(sys.argv) > 1 else RECORD)
    if not rows:
        sys.exit("no results: `dew laws --json` writes them")
    for name, lines in ((("README.md",), summary(rows)), (("docs", "figures.md"), matrix(rows))):
        if not replace(os.path.join(ROOT, *name), lines):
            sys.exit("%s has no place for the table: it needs the lines <!-- laws --> and <!-- end -->" % os.path.join(*name))
    if trials(rows):
        replace(os.path.join(ROOT, "laws", "trials", "README.md"), trials(rows))
    for m in methods_of(rows):
        lines = angles([r for r in rows if r["method"] == m])
        if lines:
            replace(os.path.join(ROOT, "src", "methods", m, "calibration.md"), lines)


main()
