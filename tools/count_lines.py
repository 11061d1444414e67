"""Counts lines of C that are neither blank nor comment alone, in the files of a folder (src, if none is named) that git
knows: the sum, then by room. A method is a room of its own.

    python3 tools/count_lines.py [FOLDER]
"""
import collections
import re
import subprocess
import sys

# Strings come first, so that what looks like a comment within one stays.
STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\])*\'|/\*.*?\*/|//[^\n]*', re.S)


def count(path):
    with open(path, encoding="utf-8") as file:
        text = STRING_OR_COMMENT.sub(lambda found: found[0] if found[0][0] in "\"'" else " ", file.read())
    return sum(bool(line.strip()) for line in text.split("\n"))


def room(path):
    parts = path.split("/")
    return "/".join(parts[1:3]) if parts[1] == "methods" else parts[1]


folder = sys.argv[1] if len(sys.argv) > 1 else "src"
lines = collections.Counter()
for path in subprocess.check_output(["git", "ls-files", folder], text=True).split():
    if path.endswith((".c", ".h")):
        lines[room(path)] += count(path)
print(sum(lines.values()))
for name, number in lines.most_common():
    print(f"{number:6} {name}")
