#!/usr/bin/env python3
"""Makes column.csv: rate at which a wave grows on a free column of liquid.

Chandrasekhar, Hydrodynamic and Hydromagnetic Stability (1961), section 111, for motion as exp(s t) with x = k a and
y^2 = x^2 + s a^2/nu:

    2 x^2 (x^2 + y^2) I1'(x)/I0(x) (1 - 2 x y/(x^2 + y^2) I1(x)/I1(y) I1'(y)/I1'(x)) - (x^4 - y^4)
        = gamma a/(rho nu^2) x (1 - x^2) I1(x)/I0(x).

Held against Rayleigh's root without viscosity and against Weber's s^2 + 3 nu k^2 s = gamma/(2 rho a^3) x^2 (1 - x^2) of
long waves.
"""
import os

import mpmath

mpmath.mp.dps = 40
HERE = os.path.dirname(os.path.abspath(__file__))
I = mpmath.besseli


def slope(x):
    return I(0, x) - I(1, x) / x


def miss(s, x, oh):
    """In units a = rho = gamma = 1: nu = oh."""
    y = mpmath.sqrt(x * x + s / oh)
    inner = 1 - 2 * x * y / (x * x + y * y) * I(1, x) / I(1, y) * slope(y) / slope(x)
    left = 2 * x * x * (x * x + y * y) * slope(x) / I(0, x) * inner - (x**4 - y**4)
    return left * oh * oh - x * (1 - x * x) * I(1, x) / I(0, x)


def rayleigh(x):
    return mpmath.sqrt(x * (1 - x * x) * I(1, x) / I(0, x))


def rate(x, oh):
    x, oh = mpmath.mpf(x), mpmath.mpf(oh)
    return mpmath.findroot(lambda s: miss(s, x, oh), (rayleigh(x) * 1e-6, rayleigh(x)), solver="anderson", tol=1e-30)


def weber(x, oh):
    x, oh = mpmath.mpf(x), mpmath.mpf(oh)
    b = 3 * oh * x * x
    return (-b + mpmath.sqrt(b * b + 2 * x * x * (1 - x * x))) / 2


assert abs(rate(0.7, 1e-6) / rayleigh(mpmath.mpf(0.7)) - 1) < 1e-4
assert abs(rate(0.05, 3) / weber(0.05, 3) - 1) < 1e-3
with open(os.path.join(HERE, "column.csv"), "w", encoding="utf-8") as file:
    file.write("# LAW: rate at which a wave grows on a free column of liquid.\n")
    file.write("# SOURCE: Chandrasekhar (1961), sec. 111; made and checked by column.py.\n")
    file.write("# UNITS: s in sqrt(gamma/(rho a^3)); Oh = mu/sqrt(rho gamma a); x = k a.\n")
    file.write("Oh,x,s\n")
    for oh in (0.001, 0.01, 0.02, 0.05, 0.1, 0.3, 1, 3, 10):
        for x in (0.2, 0.45, 0.6, 0.7, 0.9):
            file.write("%g,%g,%.8f\n" % (oh, x, rate(x, oh)))
