#!/usr/bin/env python3
"""Finds how much liquid under the plates' (tube's) edge swings with the columns: the length to add to them.

Flow without viscosity from the outside below the edge to the inside: Laplace's equation for its potential in half of the
tank, lengths over w as in law.c (edge 0.6 above the floor, plates 0.5 thick; tank's half width 2, of the tube that of a
disc of its area). With unit speed inside, the drop of potential is inside + outside (A_in/A_out) + this length, for lengths
of the columns from the edge. By successive over-relaxation on square cells; the edge's corner makes the error first order in
their size, so two grids are extrapolated.
"""
import math

EDGE, HALF, OUTER, COLUMN = 0.6, 0.5, 1.0, 1.5


def length(cells, is_round, wall):
    nx, ny, up = round(wall * cells), round((EDGE + COLUMN) * cells), round(EDGE * cells)
    inner, outer = round(HALF * cells), round(OUTER * cells)
    wall = nx / cells
    free = [[j < up or i < inner or i >= outer for i in range(nx)] for j in range(ny)]
    area = [(2 * math.pi * i / cells if is_round else 1) / cells for i in range(nx + 1)]  # of faces across, over their height
    top = [(math.pi * (2 * i + 1) / cells**2 if is_round else 1 / cells) for i in range(nx)]
    inside = sum(top[:inner])
    ratio = inside / sum(top[outer:nx])
    p = [[0.0] * nx for _ in range(ny)]
    links = []
    for j in range(ny):
        for i in range(nx):
            if not free[j][i]:
                continue
            near = []
            if i > 0 and free[j][i - 1]:
                near.append((j, i - 1, area[i] * cells))
            if i + 1 < nx and free[j][i + 1]:
                near.append((j, i + 1, area[i + 1] * cells))
            if j > 0 and free[j - 1][i]:
                near.append((j - 1, i, top[i] * cells))
            if j + 1 < ny and free[j + 1][i]:
                near.append((j + 1, i, top[i] * cells))
            source = 0.0
            if j == ny - 1:  # what leaves inside comes in outside
                source = top[i] * (-1 if i < inner else ratio)
            links.append((j, i, near, source, sum(n[2] for n in near)))
    factor = 2 / (1 + math.pi / (2 * ny))
    for _ in range(40 * cells):
        for j, i, near, source, total in links:
            p[j][i] += factor * ((source + sum(k * p[b][a] for b, a, k in near)) / total - p[j][i])
    high = sum(top[i] * p[-1][i] for i in range(outer, nx)) / sum(top[outer:nx]) + 0.5 * ratio / cells
    low = sum(top[i] * p[-1][i] for i in range(inner)) / inside - 0.5 / cells
    return high - low - COLUMN * (1 + ratio)


for name, is_round, wall in (("plates", False, 2), ("tube", True, 3 / math.sqrt(math.pi))):
    coarse, fine = length(10, is_round, wall), length(20, is_round, wall)
    print("%s: %.3f (20 cells a width: %.3f, 10: %.3f)" % (name, 2 * fine - coarse, fine, coarse))
