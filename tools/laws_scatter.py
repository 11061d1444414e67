#!/usr/bin/env python3
"""How far errors scatter over fillings of the liquid, and whether they grow at a finer spacing.

    laws_scatter.py DEW [--fillings N] [--keep FILE] [options of `dew laws`: --group trials --method sph ...]
    laws_scatter.py --from FILE...          judges lines that `dew laws --json` wrote before

Each law is measured with fillings 0 to N - 1 (default 3), and at --level fine with filling 0. The table has a line for each
figure and case: its errors' mean and scatter (largest less least) over the fillings, the error at the fine level, and what
is wrong with it:

    loose     the scatter is larger than the target: whether it is met is chance, and the target must not be so tight
    flips     met with one filling, missed with another
    grows     the fine level's error is larger than any filling's, by more than the scatter and a tenth of the target
"""
import argparse
import json
import math
import subprocess
import sys

KEYS = ("law", "quantity", "case", "method", "resolution")


def measure(dew, options, fillings, keep):
    lines = []
    for extra in [["--filling", str(n)] for n in range(fillings)] + [["--level", "fine"]]:
        done = subprocess.run([dew, "laws", "--quiet", "--json"] + extra + options, stdout=subprocess.PIPE, text=True)
        if done.returncode > 1:
            sys.exit(done.returncode)
        lines += done.stdout.splitlines()
        print("measured: %s" % " ".join(extra), file=sys.stderr, flush=True)
    if keep:
        with open(keep, "a", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
    return lines


def size(row, error):
    return math.inf if error is None else abs(error)


def judge(rows):
    """The table's cells of one figure and case, by its rows."""
    normal = {r["filling"]: r for r in rows if r["level"] == "normal"}
    fine = next((r for r in rows if r["level"] == "fine"), None)
    errors = [r["error"] for r in normal.values()]
    target, is_told = rows[0]["target"], errors and None not in errors
    scatter = max(errors) - min(errors) if is_told else math.nan
    wrong = []
    if len(normal) > 1 and (not is_told and errors.count(None) < len(errors) or is_told and scatter > target > 0):
        wrong.append("loose")
    if len({r["pass"] for r in normal.values()}) > 1:
        wrong.append("flips")
    if fine and errors:
        worst = max(size(r, r["error"]) for r in normal.values())
        slack = 0.1 * target + (scatter if is_told else 0)
        if size(fine, fine["error"]) > worst + slack:
            wrong.append("grows")
    percent = rows[0]["error_kind"] == "relative"
    show = lambda x: "none" if x is None or not math.isfinite(x) else ("%+.2f %%" % (100 * x) if percent else "%.3g" % x)
    mean = sum(errors) / len(errors) if is_told else None
    return [show(mean), show(scatter).lstrip("+") if len(normal) > 1 else "", show(fine["error"]) if fine else "",
            show(target).lstrip("+"), ", ".join(wrong)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dew", nargs="?")
    parser.add_argument("--fillings", type=int, default=3)
    parser.add_argument("--keep")
    parser.add_argument("--from", dest="files", nargs="+")
    wanted, options = parser.parse_known_args()
    if wanted.files:
        lines = [line for path in wanted.files for line in open(path, encoding="utf-8")]
    elif wanted.dew:
        lines = measure(wanted.dew, options, wanted.fillings, wanted.keep)
    else:
        parser.error("name the program, or --from FILE")
    figures = {}
    for row in map(json.loads, lines):
        if row["quantity"] and row["pass"] is not None:  # not n/a
            figures.setdefault(tuple(row[k] for k in KEYS), {})[(row["level"], row["filling"])] = row
    print("| law | method | figure | error | scatter | fine | target | |\n" + "|---" * 8 + "|")
    counts = {"loose": 0, "flips": 0, "grows": 0}
    for key, rows in figures.items():
        cells = judge(list(rows.values()))
        for word in counts:
            counts[word] += word in cells[-1]
        name = " ".join(k for k in key[1:3] if k)
        print("| `%s` | %s | %s | %s |" % (key[0], key[3], name, " | ".join(cells)))
    print("\n%d figures: %d scatter more than their target, %d are met by chance, %d grow at the fine level." %
          (len(figures), counts["loose"], counts["flips"], counts["grows"]))


main()
