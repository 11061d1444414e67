#!/usr/bin/env python3
"""The table of laws/trials/README.md, between its marks, from `dew laws --group trials --list --json`.

    trials_table.py DEW FILE [--check]

--check changes nothing and fails where something would change."""
import json
import subprocess
import sys


def tolerance(row):
    kind, target = row["error_kind"], row["target"]
    if target == 0:
        return "exactly"
    return "%g %%" % (100 * target) if kind == "relative" else "%g" % target


def table(dew):
    done = subprocess.run([dew, "laws", "--group", "trials", "--list", "--json"], capture_output=True, text=True, check=True)
    lines = ["| trial | figure | right | unit | give or take | when, why, source | fault | needs |", "|---" * 8 + "|"]
    last = None
    for row in map(json.loads, done.stdout.splitlines()):
        name = row["law"][len("trial_"):].replace("_", "-")
        needs = row["needs"] + (", one of: " + row["needs_one_of"] if row["needs_one_of"] else "")
        lines.append("| %s | %s | %s | %s | %s | %s | %s | %s |" % (
            "`%s`: %s" % (name, row["title"]) if name != last else "", row["quantity"],
            "as at rest" if row["right"] is None else "%g" % row["right"], "" if row["unit"] == "1" else row["unit"],
            tolerance(row), row["sentence"], row["fault"], needs if name != last else ""))
        last = name
    return "\n".join(lines) + "\n"


def main():
    dew, path = sys.argv[1:3]
    begin, end = "<!-- trials -->\n", "<!-- end -->"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    before, rest = text.split(begin, 1)
    new = before + begin + table(dew) + end + rest.split(end, 1)[1]
    if "--check" in sys.argv[3:]:
        sys.exit(None if new == text else "%s is not what trials_table.py makes of `dew laws --list`" % path)
    with open(path, "w", encoding="utf-8") as file:
        file.write(new)


main()
