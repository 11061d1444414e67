#!/usr/bin/env python3
"""Puts what `dew laws` measured into the documents: the table in README.md, the contact angles in src/methods/pbf/README.md.

    dew laws --json > laws.txt
    dew laws --law oscillation --resolution medium --json >> laws.txt
    python3 tools/laws_table.py laws.txt
"""
import json
import os
import sys

HEAD = ["| law | what | particles | measured | theory | error | target | met | CPU s |", "|---|---|---|---|---|---|---|---|---|"]


def met(good):
    return "yes" if good else "**no**"


def row(r):
    unit = "" if r["unit"] == "1" else " " + r["unit"]
    if r["theory"] != 0:
        measured, error, target = "%.4g" % r["measured"], "%+.1f %%" % (100 * r["error"]), "%g %%" % (100 * r["target"])
    else:
        measured, error, target = "%.2g" % r["measured"], "%.2g" % r["error"], "%g" % r["target"]
    return "| %s | %s | %d | %s%s | %.4g%s | %s | %s | %s | %.1f |" % (
        r["law"], (r["quantity"] + " " + r["case"]).strip(), r["particles"], measured, unit, r["theory"], unit, error,
        target, met(r["pass"]), r["cpu_seconds"])


def angle_row(rows):
    """The worst of all angles on one kind of solid."""
    worst = max(rows, key=lambda r: abs(r["error"]))
    return "| %s | on a %s, %g to %g°; worst: %s | %d | %.1f° | %g° | %+.1f° | %g° | %s | %.1f |" % (
        worst["law"], worst["quantity"], min(r["theory"] for r in rows), max(r["theory"] for r in rows),
        worst["case"].replace(" deg", "°"), worst["particles"], worst["measured"], worst["theory"], worst["error"],
        worst["target"], met(all(r["pass"] for r in rows)), sum(r["cpu_seconds"] for r in rows))


def laws_table(rows):
    lines, laws = list(HEAD), []
    for r in rows:
        if r["law"] not in laws:
            laws.append(r["law"])
    for law in laws:
        of_law = [r for r in rows if r["law"] == law]
        if law != "contact_angle":
            lines += [row(r) for r in of_law]
            continue
        for solid in dict.fromkeys(r["quantity"] for r in of_law):
            lines.append(angle_row([r for r in of_law if r["quantity"] == solid]))
    return lines


def angles_table(rows):
    found = {(r["theory"], r["quantity"], r["case"].split("from ")[1]): r["measured"]
             for r in rows if r["law"] == "contact_angle"}
    kinds = list(dict.fromkeys(k[1:] for k in found))
    lines = ["| set | " + " | ".join("%s, from %s" % k for k in kinds) + " |", "|---" * (len(kinds) + 1) + "|"]
    for angle in sorted({k[0] for k in found}):
        lines.append("| %g | " % angle + " | ".join("%.1f" % found[(angle,) + k] for k in kinds) + " |")
    return lines


def replace(path, lines):
    """Puts the lines between the marks <!-- laws --> and <!-- end -->."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    begin, end = "<!-- laws -->\n", "<!-- end -->"
    before, rest = text.split(begin)
    after = rest.split(end, 1)[1]
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + begin + "\n".join(lines) + "\n" + end + after)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    rows = []
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            rows += [json.loads(line) for line in file if line.strip()]
    rows = [r for r in rows if r["measured"] is not None]
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    replace(os.path.join(root, "README.md"), laws_table(rows))
    replace(os.path.join(root, "src/methods/pbf/README.md"), angles_table(rows))


main()
