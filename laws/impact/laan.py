#!/usr/bin/env python3
"""Appends to the header of laan.csv the largest spread after Laan et al. (2014), eq. 4."""
import os

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "laan.csv")
lines = open(PATH, encoding="utf-8").read().splitlines()
header = lines[: lines.index("We,Re,spread") + 1]
rows = []
for we in (10, 20, 30, 40):
    for re in (200, 500, 1000, 2000):
        root = (we * re**-0.4) ** 0.5
        rows.append("%g,%g,%.6f" % (we, re, re**0.2 * root / (1.24 + root)))
open(PATH, "w", encoding="utf-8").write("\n".join(header + rows) + "\n")
