#!/usr/bin/env python3
"""Makes channel.csv: drag and momentum of the layer on a plate on the floor of a channel whose lid slips, over Blasius'.

The boundary layer's equations, u u_x + v u_y = -p_x + u_yy/Re, marched implicitly along a plate of length 1 from Blasius'
profile at x = 0.02, where p_x is what keeps the flux through the channel: no closure and no displacement thickness, unlike
Thwaites' method, which the law uses. Steps are first order: two numbers of them are extrapolated.
"""
import math
import os

LAYERS, STEPS, START, STATION = 160, 98, 0.02, 0.75


def blasius(etas):
    f, g, h, eta, step, found = 0.0, 0.0, 0.332057, 0.0, 2e-3, []
    for wanted in etas:
        while eta < min(wanted, 12):
            fm, gm, hm = f + 0.5 * step * g, g + 0.5 * step * h, h - 0.25 * step * f * h
            f, g, h, eta = f + step * gm, g + step * hm, h - 0.5 * step * fm * hm, eta + step
        found.append(g)
    return found


def solve(a, b, c, d):
    """Two right hand sides of one tridiagonal system."""
    n = len(b)
    for i in range(1, n):
        w = a[i] / b[i - 1]
        b[i] -= w * c[i - 1]
        for r in d:
            r[i] -= w * r[i - 1]
    for r in d:
        r[n - 1] /= b[n - 1]
        for i in range(n - 2, -1, -1):
            r[i] = (r[i] - c[i] * r[i + 1]) / b[i]


def march(reynolds, height, steps):
    n, thin = LAYERS, 6 / math.sqrt(reynolds)  # half of the layers lie within the layer at the end
    grow = (height / thin) ** (2 / n)
    y = [thin * (0.1 + 1.8 * i / n) * 2 * i / n if i <= n // 2 else thin * grow ** (i - n / 2) for i in range(n + 1)]
    flux = lambda u: sum(0.5 * (u[i] + u[i + 1]) * (y[i + 1] - y[i]) for i in range(n))
    u = blasius([v / math.sqrt(START / reynolds) for v in y])
    scale = height / flux(u)
    u = [scale * v for v in u]
    x, momentum, total = START, 0, 0.664115 * math.sqrt(START / reynolds)
    dx = (1 - START) / steps
    for step in range(1, steps + 1):
        new = list(u)
        for _ in range(12):
            a, b, c, d = [0.0] * (n + 1), [1.0] * (n + 1), [0.0] * (n + 1), [[0.0] * (n + 1), [0.0] * (n + 1)]
            v = 0.0
            for i in range(1, n):
                below, above = y[i] - y[i - 1], y[i + 1] - y[i]
                both = below + above
                v -= 0.5 * (new[i] - u[i] + new[i - 1] - u[i - 1]) / dx * below
                low, high = 2 / (reynolds * below * both), 2 / (reynolds * above * both)
                a[i] = -v * above / (below * both) - low
                c[i] = v * below / (above * both) - high
                b[i] = new[i] / dx + low + high + v * (above - below) / (below * above)
                d[0][i], d[1][i] = new[i] * u[i] / dx, -1.0
            a[n] = -1.0  # no shear at the lid
            solve(a, b, c, d)
            slope = (height - flux(d[0])) / flux(d[1])
            new = [p + slope * q for p, q in zip(*d)]
        u, x, before = new, x + dx, momentum
        total += dx * (u[1] * y[2] / y[1] - u[2] * y[1] / y[2]) / (y[2] - y[1]) / reynolds
        momentum = flux([v * (u[n] - v) for v in u])
        if x - dx < STATION <= x:
            there = before + (momentum - before) * (STATION - x + dx) / dx
    return total / (0.664115 / math.sqrt(reynolds)), there / (0.664115 * math.sqrt(STATION / reynolds))


def ratios(reynolds, height):
    return [2 * fine - coarse for fine, coarse in zip(march(reynolds, height, 2 * STEPS), march(reynolds, height, STEPS))]


with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "channel.csv"), "w", encoding="utf-8") as file:
    file.write("# LAW: drag of a plate on the floor of a channel, and momentum thickness times (u_e/U)^2 at 0.75 of it.\n"
               "# SOURCE: the boundary layer's equations, by channel.py.\n"
               "# UNITS: both over Blasius'; height of the channel over the plate's length.\n")
    file.write("reynolds,height,drag,momentum\n")
    for reynolds in (400, 4000):
        for height in (1, 1.5, 3):
            file.write("%g,%g,%.4f,%.4f\n" % ((reynolds, height) + tuple(ratios(reynolds, height))))
