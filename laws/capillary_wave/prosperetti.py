#!/usr/bin/env python3
"""Makes prosperetti.csv: amplitude in time of a standing wave on a deep pool, let go from rest.

Prosperetti, "Motion of two superposed viscous fluids", Phys. Fluids 24 (1981) 1217, eq. 22, for one fluid (beta = 0,
u0 = 0), in units of omega0^2 = g k + gamma k^3/rho, with epsilon = nu k^2/omega0:

    a(t)/a0 = 4 e^2/(8 e^2 + 1) erfc(sqrt(e t)) + sum over i of z_i/Z_i w_i(t)/(z_i^2 - e)
    w_i(t) = exp((z_i^2 - e) t) erfc(z_i sqrt(t)),  Z_i = product over j != i of (z_j - z_i)

z_i the roots of z^4 + 2 e z^2 + 4 e^(3/2) z + e^2 + 1 = 0.
"""
import os

import numpy
from scipy.special import erfc, wofz


def amplitude(e, t):
    roots = numpy.roots([1, 0, 2 * e, 4 * e**1.5, e * e + 1])
    value = 4 * e * e / (8 * e * e + 1) * erfc(numpy.sqrt(e * t)) + 0j
    for i, z in enumerate(roots):
        product = numpy.prod([other - z for j, other in enumerate(roots) if j != i])
        value += z / product / (z * z - e) * numpy.exp(-e * t) * wofz(1j * z * numpy.sqrt(t))
    return value.real


with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "prosperetti.csv"), "w", encoding="utf-8") as file:
    file.write("# LAW: standing wave on a deep pool, let go from rest, amplitude over that at the start.\n")
    file.write("# SOURCE: Prosperetti, Phys. Fluids 24 (1981) 1217, eq. 22 for one fluid; made by prosperetti.py.\n")
    file.write("# UNITS: time in 1/omega0, omega0^2 = g k + gamma k^3/rho; epsilon = nu k^2/omega0.\n")
    file.write("epsilon,time,amplitude\n")
    for epsilon in (0.01, 0.05, 0.2):
        for time in numpy.arange(0.5, 20.25, 0.5):
            file.write("%g,%g,%.8f\n" % (epsilon, time, amplitude(epsilon, time)))
