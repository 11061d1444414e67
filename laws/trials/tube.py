#!/usr/bin/env python3
"""How far water has risen in the tube of tube.yaml, by the equation of laws/capillary_rise/law.c (Bosanquet 1923).

A tube of radius R ends in the tank, 2 mm of it wet at the start; the columns inside (x) and outside (y) are told from its mouth,
what swings below it is 0.83 mm (inertia.py of that law, with EDGE = OUTER = 5/6 and a tank of 4.17 R). What comes in by a mouth
that stands free brings no momentum along the tube (Borda 1766). Prints the mean rise from 30 to 40 ms.
"""
import math

TENSION, DENSITY, VISCOSITY, GRAVITY = 72.8e-3, 998, 1e-3, 9.81
RADIUS, OUTER, TANK, BELOW, WET = 1.2e-3, 2e-3, 10e-3, 0.83e-3, 2e-3

inside = math.pi * RADIUS**2
outside = TANK**2 - math.pi * OUTER**2
ratio = inside / outside
pull = TENSION * math.cos(math.radians(30)) / DENSITY * 2 * math.pi
drive = pull * (RADIUS / inside - OUTER / outside)
brake = 8 * VISCOSITY / DENSITY / RADIUS**2


def acceleration(x, speed):
    y = WET - ratio * (x - WET)
    inertia = (1 - ratio**2) * speed**2
    return (drive + GRAVITY * (y - x) - brake * x * speed - inertia) / (x + ratio * y + BELOW)


x, speed, step, levels = WET, 0.0, 1e-5, []
for n in range(4000):
    half = speed + 0.5 * step * acceleration(x, speed)
    rate = acceleration(x + 0.5 * step * speed, half)
    x, speed = x + step * half, speed + step * rate
    if n >= 3000:
        levels.append(x - WET)
print("%.2f mm" % (1e3 * sum(levels) / len(levels)))
