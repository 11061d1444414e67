#!/usr/bin/env python3
"""The laws at sizes that take seconds, as a test: what docs/laws_quick.jsonl says was measured must come out again.

    quick_laws.py DEW                 measures every quick case again and compares; exit status 1 where one is off
    quick_laws.py DEW --method M      those of one method
    quick_laws.py DEW --measure       puts what is measured now into docs/laws_quick.jsonl in place of what was
    quick_laws.py DEW --measure --add "METHOD LAW KEY=VALUE ..."   a case more

Each row of docs/laws_quick.jsonl is what `dew laws --json` prints, with the "settings" (of `--set`) of its case. An
error may be off what was measured by the row's "scatter", but not beyond the law's own target, unless the row is a known
miss ("pass": false; so is one that misses with its spread added). The scatter is three times the spread of seven runs
whose density differs by parts in a million, which changes nothing but rounding, and at least a fifth of the target:
other processors and compilers round differently. (Three runs were too few: the spread of some cases came out a third of
what another machine showed.) A case warns of nothing (docs/watching.md) but of what its rows name under "warns".
"""
import argparse
import json
import math
import os
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
RECORD = os.path.join(ROOT, "docs", "laws_quick.jsonl")
KEYS = ("law", "quantity", "case", "method")
DENSITIES = tuple("density=%.3f" % (1000 + k / 1000) for k in (-3, -2, -1, 1, 2, 3))


def read_record():
    if not os.path.exists(RECORD):
        return []
    with open(RECORD, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def run(dew, case, more=()):
    """What `dew laws` measures of a case (method, law, settings), by figure."""
    method, law, settings = case
    command = [dew, "laws", "--quiet", "--json", "--threads", "1", "--method", method, "--law", law]
    for setting in settings.split() + list(more):
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s\nfailed: %s" % (done.stderr, " ".join(command)))
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    watched = [r for r in rows if r["law"] == "watch" and r["warned"]]
    if any(r["pass"] for r in watched):
        sys.exit("%s by %s (%s) warns of what it meets" % (law, method, settings))
    warned = sorted(r["quantity"] for r in watched)
    figures = [r for r in rows if r.get("quantity") and r["pass"] is not None and r["law"] == law]
    return {tuple(r[k] for k in KEYS): r for r in figures}, warned


def case_of(row):
    return row["method"], row["law"], row["settings"]


def measure(dew, case):
    """Rows of a case for the record."""
    both = [run(dew, case)] + [run(dew, case, (density,)) for density in DENSITIES]
    runs, warned = [found for found, _ in both], sorted(set(sum((w for _, w in both), [])))
    rows = []
    for key, row in runs[0].items():
        errors = [r[key]["error"] for r in runs]
        spread = max(errors) - min(errors) if None not in errors else 0
        row["pass"] = row["pass"] and None not in errors and max(map(abs, errors)) + spread <= row["target"]
        if warned:
            row["warns"] = warned
        row["settings"], row["scatter"] = case[2], float("%.3g" % max(3 * spread, row["target"] / 5))
        rows.append(row)
        print("%-44s error %11.4g, scatter %9.3g, target %9.3g%s" % (" ".join(case[:2] + key[1:3]),
              math.nan if row["error"] is None else row["error"], row["scatter"], row["target"],
              "" if row["pass"] else "  a miss"), flush=True)
    return rows


def band(row):
    least, most = row["error"] - row["scatter"], row["error"] + row["scatter"]
    return (max(least, -row["target"]), min(most, row["target"])) if row["pass"] else (least, most)


def check(dew, case, rows):
    """How many of a case's figures came out right and how many did not."""
    (found, warned), failed = run(dew, case), 0
    news = [w for w in warned if w not in rows[0].get("warns", [])]
    if news:
        failed += 1
        print("%s by %s (%s): warns of %s, and did not before" % (case[1], case[0], case[2], ", ".join(news)))
    for row in rows:
        now = found.get(tuple(row[k] for k in KEYS), {}).get("error")
        least, most = band(row)
        if now is not None and least <= now <= most:
            continue
        failed += 1
        print("%s by %s (%s): %s %s: error %s is not within %.4g .. %.4g" % (row["law"], row["method"], row["settings"],
              row["quantity"], row["case"], now, least, most))
    return len(rows) + 1 - failed, failed


def main():
    parser = argparse.ArgumentParser(description="The laws at sizes that take seconds, as a test.")
    parser.add_argument("dew")
    parser.add_argument("--method")
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--add", action="append", default=[], metavar='"METHOD LAW KEY=VALUE ..."')
    wanted = parser.parse_args()
    record = read_record()
    cases = list(dict.fromkeys(map(case_of, record)))
    cases = [c for c in cases if wanted.method in (None, c[0])]
    if wanted.measure:
        added = [tuple(text.split(None, 2)) for text in wanted.add]
        cases = added or cases
        rows = [r for case in cases for r in measure(wanted.dew, case)]
        kept = [r for r in record if case_of(r) not in cases]
        with open(RECORD, "w", encoding="utf-8") as file:
            for r in kept + rows:
                file.write(json.dumps(r, ensure_ascii=False) + "\n")
        return 0
    counts = [check(wanted.dew, case, [r for r in record if case_of(r) == case]) for case in cases]
    passed, failed = sum(c[0] for c in counts), sum(c[1] for c in counts)
    print("[  PASSED  ] %d test(s).\n[  FAILED  ] %d test(s)." % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
