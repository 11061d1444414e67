#!/usr/bin/env python3
"""Which law notices which number: every number of a method's code a quarter less and a quarter more.

    vary_numbers.py METHOD [NAME ...]

Numbers are the lines `#define NAME value` of src/methods/METHOD, all of them or those named. For each, the program is built anew in a folder of its own, and the quick laws of the method
(docs/laws_quick.jsonl) are measured: a figure notices a number where its error moves by more than its scatter. A number
that none notices is either not needed or asks for a law.
"""
import argparse
import collections
import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
DEFINED = re.compile(r"^(#define (\w+) \(?(?:\(real\))?)([0-9.]+(?:e-?[0-9]+)?)(\)?\s*)$", re.M)


def quick_laws():
    spec = importlib.util.spec_from_file_location("quick_laws", os.path.join(ROOT, "tools", "quick_laws.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def numbers_of(method):
    """(file, name, value) of each number that the code of a method defines."""
    found = []
    for path in sorted(glob.glob(os.path.join(ROOT, "src", "methods", method, "**", "*.[ch]"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            found += [(os.path.relpath(path, ROOT), m.group(2), float(m.group(3))) for m in DEFINED.finditer(file.read())]
    return found


def program_with(folder, where, name, value):
    """Builds a copy of the project in which a number has another value; None where that does not compile."""
    path = os.path.join(folder, where)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    changed = DEFINED.sub(lambda m: m.group(1) + "%.9g" % value + m.group(4) if m.group(2) == name else m.group(0), text)
    with open(path, "w", encoding="utf-8") as file:
        file.write(changed)
    build = os.path.join(folder, "build")
    if not os.path.exists(build):
        subprocess.run(["meson", "setup", build, folder], check=True, capture_output=True)
    done = subprocess.run(["ninja", "-C", build, "dew"], capture_output=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return os.path.join(build, "dew") if done.returncode == 0 else None


def noticed(quick, dew, method, record):
    """The figures that moved by more than their scatter, the one that moved most first; and how many there are."""
    moved = collections.Counter()
    for case in dict.fromkeys(map(quick.case_of, record)):
        try:
            found = quick.run(dew, case)[0]
        except SystemExit:  # the run failed: that is noticed, too
            moved["%s: the run failed" % case[1]] = float("inf")
            continue
        for row in record:
            if quick.case_of(row) != case or row["error"] is None:
                continue
            now = found.get(tuple(row[k] for k in quick.KEYS), {}).get("error")
            change = float("inf") if now is None else abs(now - row["error"])
            by = change / row["scatter"] if row["scatter"] else float("inf")
            if change > row["scatter"]:
                moved["%s %s %s" % (row["law"], row["quantity"], row["case"])] = by
    return moved.most_common()


def main():
    parser = argparse.ArgumentParser(description="Which law notices which number of a method.")
    parser.add_argument("method")
    parser.add_argument("names", nargs="*", metavar="NAME")
    wanted = parser.parse_args()
    quick = quick_laws()
    record = [r for r in quick.read_record() if r["method"] == wanted.method]
    numbers = [n for n in numbers_of(wanted.method) if not wanted.names or n[1] in wanted.names]
    missing = set(wanted.names) - {n[1] for n in numbers}
    if not record or not numbers or missing:
        sys.exit("%s: %s" % (wanted.method, "no number %s in its code" % ", ".join(sorted(missing)) if missing else
                             "no quick laws or no numbers of such a method"))
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "dew")
        tracked = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], check=True, capture_output=True).stdout
        for path in tracked.decode().split("\0"):
            if path and os.path.exists(os.path.join(ROOT, path)):
                os.makedirs(os.path.join(copy, os.path.dirname(path)), exist_ok=True)
                shutil.copy2(os.path.join(ROOT, path), os.path.join(copy, path))
        print("| number, file | value | a quarter less | a quarter more |\n|---|---|---|---|")
        for where, name, value in numbers:
            cells = []
            for factor in (0.75, 1.25):
                dew = program_with(copy, where, name, factor * value)
                moved = noticed(quick, dew, wanted.method, record) if dew else [("it does not compile", float("inf"))]
                worst = ", ".join("%s (%.1f)" % m for m in moved[:2])
                cells.append("%d: %s" % (len(moved), worst) if moved else "nothing")
            print("| `%s`, %s | %g | %s |" % (name, os.path.basename(where), value, " | ".join(cells)), flush=True)


if __name__ == "__main__":
    main()
