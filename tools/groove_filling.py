"""How much of the grooves below a drop is filled with liquid.

    python3 tools/groove_filling.py DIR [FRAME]

Of every solid of the run that is a height field with ridges across x: the volume of liquid below the tops of the ridges
over the volume of the grooves there, under the drop that is above it. 0: the drop rests on the ridges (Cassie and
Baxter), 1: it fills the grooves (Wenzel). FRAME counts from 0; the last if it is left out.
"""
import math
import os
import re
import sys

from frames import frames_of, read_frame


def numbers(text):
    return [float(n) for n in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)]


def height_fields(path):
    with open(path) as file:
        text = file.read()
    spacing = float(re.search(r"^spacing: (\S+)", text, re.M).group(1))
    fields = []
    for name, shape in re.findall(r"- name: (\S+)\n\s+shape: (\{height.*)", text):
        shift = re.search(r"translate: \[([^\]]*)\]", shape)
        ridges = [dict(re.findall(r"(\w+): ([^,}]+)", r)) for r in re.findall(r"\{(profile[^}]*)\}", shape)]
        fields.append({"name": name, "min": numbers(re.search(r"min: \[([^\]]*)\]", shape).group(1)),
                       "max": numbers(re.search(r"max: \[([^\]]*)\]", shape).group(1)),
                       "level": float(re.search(r"level: ([^,}]+)", shape).group(1)), "ridges": ridges,
                       "shift": numbers(shift.group(1)) if shift else [0, 0, 0]})
    return spacing, fields


def height(field, x):
    z = field["level"] + field["shift"][2]
    for r in field["ridges"]:
        phase = (x - field["shift"][0] - float(r["shift"])) / float(r["period"])
        if r["profile"] == "sinusoidal":
            z += 0.5 * float(r["height"]) * (1 + math.cos(2 * math.pi * phase))
        elif (phase + 0.5 * float(r["width"])) % 1 < float(r["width"]):
            z += float(r["height"])
    return z


def filling(field, spacing, places):
    """Of the columns, a spacing wide, that have liquid above the tops."""
    top = field["level"] + field["shift"][2] + sum(float(r["height"]) for r in field["ridges"])
    low, high = field["min"][0] + field["shift"][0], field["max"][0] + field["shift"][0]
    below, covered = {}, set()
    for i in range(0, len(places), 3):
        x, y, z = places[i:i + 3]
        if not low <= x <= high:
            continue
        column = (math.floor(x / spacing), math.floor(y / spacing))
        if z < top:
            below[column] = below.get(column, 0) + 1
        elif z < top + 1.5 * spacing:
            covered.add(column)
    # Gaps between particles are covered too.
    covered = {c for c in covered if sum((c[0] + i, c[1] + j) in covered for i in (-1, 0, 1) for j in (-1, 0, 1)) >= 4}
    groove = 0.0
    for column in covered:
        middle = [height(field, (column[0] + (k + 0.5) / 8) * spacing) for k in range(8)]
        groove += sum(top - z for z in middle) / 8 * spacing ** 2
    liquid = sum(n for column, n in below.items() if column in covered) * spacing ** 3
    share = liquid / groove if groove > 0 else float("nan")
    return share, sum(below.values()), len(covered) * spacing ** 2


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    spacing, fields = height_fields(os.path.join(sys.argv[1], "run.yaml"))
    frame = frames_of(sys.argv[1])[int(sys.argv[2]) if len(sys.argv) == 3 else -1]
    places = read_frame(frame)["Points"]
    for field in fields:
        share, count, area = filling(field, spacing, places)
        print("%-10s %.2f of the grooves filled, under %.3g mm2; %d particles are below the tops" % (
            field["name"], share, 1e6 * area, count))


main()
