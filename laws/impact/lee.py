#!/usr/bin/env python3
"""Appends to the header of lee.csv the largest spread after Lee et al. (2016)."""
import math
import os

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lee.csv")
lines = open(PATH, encoding="utf-8").read().splitlines()
header = lines[: lines.index("We,Re,angle,spread") + 1]
rows = []
for angle in (60, 90, 120):
    c = math.cos(math.radians(angle))
    # A cap with the ball's volume: 4 R^3 = r^3 (2 + c)(1 - c)^2, its foot r sin(angle).
    rest = (4 / ((2 + c) * (1 - c) ** 2)) ** (1 / 3) * math.sin(math.radians(angle))
    for we in (10, 20, 40):
        for re in (200, 1000, 2000):
            moved = re**0.2 * we**0.5 / (7.6 + we**0.5)
            rows.append("%g,%g,%g,%.6f" % (we, re, angle, math.hypot(moved, rest)))
open(PATH, "w", encoding="utf-8").write("\n".join(header + rows) + "\n")
