#!/usr/bin/env python3
"""Makes aperiodic.csv: rate at which the mode n = 2 of a free drop of high viscosity dies, without swinging.

Chandrasekhar, Hydrodynamic and Hydromagnetic Stability (1961), section 98, eq. 280: motion as exp(-s t) where, with
x^2 = s R^2/nu, alpha^2 = omega_n R^2/nu, omega_n^2 = n (n - 1)(n + 2) gamma/(rho R^3), Q = j_{n+1}(x)/j_n(x),

    alpha^4/x^4 = 2 (n^2 - 1)/(x^2 - 2 x Q) - 1 + 2 n (n - 1)/x^2 (1 - (n + 1) Q/(x/2 - Q)).

The form is held against the complex roots of lamb_viscous_exact.csv (Oh up to 0.2), then followed to the slower of the
two real roots, and its limit against n (n + 2)(2 n + 1)/(2 (2 n^2 + 4 n + 3)) gamma/(mu R), 20/19 for n = 2.

In two dimensions, of a disc, with omega_n^2 = n (n^2 - 1) gamma/(rho R^3), Q = J_{n+1}(x)/J_n(x):

    alpha^4/x^4 = 2 n (n - 1)/(x^2 - 2 x Q) (1 - 2 n Q/x) - 1 + 2 n (n - 1)/x^2,

from a stream function (A r^n + B J_n(x r/R)) sin(n phi), no shear at r = R, and p - 2 mu du_r/dr = gamma (n^2 - 1)/R^2
times the surface's shift there, which grows as u_r; its limit is n/2 gamma/(mu R).
"""
import os

import mpmath

mpmath.mp.dps = 40
HERE = os.path.dirname(os.path.abspath(__file__))
N = 2


def miss(dim, x, oh):
    """Of the equation, in units R = rho = gamma = 1: nu = oh; times x^4."""
    order = N + mpmath.mpf(dim - 2) / 2
    q = mpmath.besselj(order + 1, x) / mpmath.besselj(order, x)
    if dim == 2:
        right = 2 * N * (N - 1) / (x * x - 2 * x * q) * (1 - 2 * N * q / x) - 1 + 2 * N * (N - 1) / x**2
        return mpmath.mpf(N * (N * N - 1)) / mpmath.mpf(oh) ** 2 - right * x**4
    right = 2 * (N * N - 1) / (x * x - 2 * x * q) - 1 + 2 * N * (N - 1) / x**2 * (1 - (N + 1) * q / (x / 2 - q))
    return mpmath.mpf(N * (N - 1) * (N + 2)) / mpmath.mpf(oh) ** 2 - right * x**4


def check_reference(dim):
    rows = 0
    for line in open(os.path.join(HERE, "..", "oscillation", "lamb_viscous_exact.csv"), encoding="utf-8"):
        cells = line.split(",")
        if cells[:2] != [str(dim), str(N)] or float(cells[2]) < 0.005:
            continue
        oh, omega, beta = (mpmath.mpf(c) for c in cells[2:5])
        x = mpmath.findroot(lambda z: miss(dim, z, oh), mpmath.sqrt((beta + 1j * omega) / oh))
        s = x * x * oh
        assert abs(s.real - beta) < 1e-6 and abs(abs(s.imag) - omega) < 1e-6, (oh, s, beta, omega)
        rows += 1
    assert rows > 4


with open(os.path.join(HERE, "aperiodic.csv"), "w", encoding="utf-8") as file:
    file.write("# LAW: slowest aperiodic decay, exp(-rate t), of the mode n = 2 of a free viscous drop (dim 3) and disc (2).\n")
    file.write("# SOURCE: Chandrasekhar (1961), sec. 98, eq. 280, and the same of a disc; made and checked by aperiodic.py.\n")
    file.write("# UNITS: rate in gamma/(mu R); Oh = mu/sqrt(rho gamma R).\n")
    file.write("dim,Oh,rate\n")
    for dim, limit in ((3, mpmath.mpf(20) / 19), (2, mpmath.mpf(1))):
        check_reference(dim)
        for oh in (0.8, 0.9, 1, 1.5, 2, 5, 10, 20, 34.5, 50, 100, 345, 1000, 3450, 10000):
            low = mpmath.sqrt(limit * mpmath.mpf(0.9) / mpmath.mpf(oh) ** 2)
            high = low
            while miss(dim, low, oh) * miss(dim, high, oh) > 0 and high < 3:  # the first change beyond the limit's root
                high *= 1.01
            if high >= 3:
                continue  # it swings
            root = mpmath.findroot(lambda z: miss(dim, z, oh), (low, high), solver="anderson", tol=1e-30)
            file.write("%d,%g,%.8f\n" % (dim, oh, root**2 * oh * oh))
