#!/usr/bin/env python3
"""Counts, over all frames of a run, the particles whose centre lies inside of a solid, by the closed meshes of solids
that stand beside the frames.

    tools/count_inside.py DIR

Planes and solids that the scene does not show have no closed mesh and are not counted.
"""

import collections
import os
import re
import sys

import frames

CELL = 1 / 64  # of a mesh's width, for the columns that hold its triangles


def columns_of(points, corners):
    """The triangles over each cell of x and y, and the box of the mesh; None if an edge is open."""
    edges = collections.Counter()
    for t in range(0, len(corners), 3):
        a, b, c = corners[t:t + 3]
        for edge in ((a, b), (b, c), (c, a)):
            edges[edge] += 1
    if not edges or any(edges[(b, a)] != count for (a, b), count in edges.items()):
        return None
    low = [min(points[axis::3]) for axis in range(3)]
    high = [max(points[axis::3]) for axis in range(3)]
    size = max(high[0] - low[0], high[1] - low[1]) * CELL
    cells = collections.defaultdict(list)
    for t in range(0, len(corners), 3):
        triangle = [tuple(points[3 * k:3 * k + 3]) for k in corners[t:t + 3]]
        span = [[int((f(p[axis] for p in triangle) - low[axis]) / size) for f in (min, max)] for axis in (0, 1)]
        for i in range(span[0][0], span[0][1] + 1):
            for j in range(span[1][0], span[1][1] + 1):
                cells[i, j].append(triangle)
    return low, high, size, cells


def is_inside(x, mesh):
    """Whether a ray up from x crosses the mesh an odd number of times."""
    low, high, size, cells = mesh
    if any(not low[axis] < x[axis] < high[axis] for axis in range(3)):
        return False
    inside = False
    for a, b, c in cells.get((int((x[0] - low[0]) / size), int((x[1] - low[1]) / size)), ()):
        whole = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if whole == 0:
            continue
        v = ((x[0] - a[0]) * (c[1] - a[1]) - (x[1] - a[1]) * (c[0] - a[0])) / whole
        w = ((b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0])) / whole
        if v >= 0 and w >= 0 and v + w < 1:
            inside ^= a[2] + v * (b[2] - a[2]) + w * (c[2] - a[2]) > x[2]
    return inside


def series(folder, name):
    """The files of each time of a collection, by the words that stand for the time."""
    files = collections.defaultdict(list)
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return files
    with open(path) as file:
        for time, data in re.findall(r'timestep="([^"]*)"[^>]*file="([^"]*)"', file.read()):
            files[time].append(os.path.join(folder, data))
    return files


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    count = collections.Counter()
    seen = collections.Counter()
    meshes = {}  # by file: a solid at rest has one for all frames
    solids = series(sys.argv[1], "solids.pvd")
    for time, (liquid,) in series(sys.argv[1], "particles.pvd").items():
        points = frames.read_frame(liquid)["Points"]
        for solid in solids[time]:
            if solid not in meshes:
                arrays = frames.read_frame(solid)
                meshes[solid] = columns_of(arrays["Points"], arrays.get("connectivity", []))
            if meshes[solid] is None:
                continue
            name = re.sub(r"_\d+\.vtp$", "", os.path.basename(solid))
            seen[name] += 1
            for i in range(0, len(points), 3):
                count[name] += is_inside(points[i:i + 3], meshes[solid])
    for name in sorted(seen):
        print("%s: %d particles inside, of all in %d frames" % (name, count[name], seen[name]))


if __name__ == "__main__":
    main()
