#!/usr/bin/env python3
"""Makes roots.csv: frequency and damping of the mode n = 2 of a drop of one liquid in another.

Linear normal mode exp(-s t) of a drop of radius 1, density 1, tension 1 and viscosity Oh in a liquid of density r and
viscosity m Oh (Miller, Scriven 1968; Prosperetti 1980). In each liquid, with d = rho/mu,

    u_r = phi' + n (n + 1) psi/x,   u_t = (phi + psi)/x + psi',   p = s rho phi,
    phi = x^n, x^-(n+1),   psi = i_n(sqrt(-s d) x), k_n(sqrt(-s d) x)   (modified spherical Bessel functions),

and at the surface u_r, u_t and the shear stress mu (u_r/x + u_t' - u_t/x) are continuous, while the normal stress
-p + 2 mu u_r' jumps by -(n - 1)(n + 2) u_r/s. The outer liquid has no end (box 0), or ends at a ball of radius `box` that
it slips along: u_r = 0 and no shear stress there.

A drop let go at rest does not begin in its mode (Prosperetti 1980): its amplitude, found from the transform
a(s) = (1 + W)/s of the same equations, is fitted by the law's least squares over the law's span, and the last two columns
are what comes out.

Held against: the roots of a drop in nothing (lamb_viscous_exact.csv), r = m = 1e-7; Lamb's frequency of two liquids
without viscosity, n (n - 1)(n + 1)(n + 2)/(n + 1 + n r); Miller and Scriven's boundary layer, where both have viscosity."""
import os

import mpmath
from mpmath import mpc, mpf

mpmath.mp.dps = 30
HERE = os.path.dirname(os.path.abspath(__file__))
N = 2
L = N * (N + 1)
STIFF = (N - 1) * (N + 2)


def bessel(kind, k, x, scale):
    """Of k x: the modified spherical Bessel function over its value at `scale`, and its two derivatives after x."""
    def f(y):
        b = mpmath.besseli if kind == "i" else mpmath.besselk
        return b(N + mpf(1) / 2, y) / mpmath.sqrt(y), b(N + mpf(3) / 2, y) / mpmath.sqrt(y)
    value, above = f(k * x)
    unit = f(k * scale)[0]
    sign = 1 if kind == "i" else -1
    first = N * value / x + sign * k * above
    second = (L / mpf(x) ** 2 + k * k) * value - 2 * first / x
    return value / unit, first / unit, second / unit


def motion(phi, psi, x):
    """u_r, u_t, shear rate and stretch u_r' of phi and psi, each (value, first, second derivative) at x."""
    u_r = phi[1] + L * psi[0] / x
    u_t = (phi[0] + psi[0]) / x + psi[1]
    along = phi[1] / x - phi[0] / x**2 + psi[1] / x - psi[0] / x**2 + psi[2]
    return u_r, u_t, u_r / x + along - u_t / x, phi[2] + L * (psi[1] / x - psi[0] / x**2)


def power(p, x):
    x = mpf(x)
    return x**p, p * x ** (p - 1), p * (p - 1) * x ** (p - 2)


def stress_of_unit(sigma, r, m, oh, box):
    """Normal stress outside less inside of a motion exp(sigma t) with u_r = 1 at the surface."""
    none = (0, 0, 0)
    inside = (mpf(1), mpf(oh))
    outside = (mpf(r), mpf(m) * oh)
    ki, ke = mpmath.sqrt(sigma * inside[0] / inside[1]), mpmath.sqrt(sigma * outside[0] / outside[1])
    parts = [(inside, lambda x: (power(N, x), none)), (inside, lambda x: (none, bessel("i", ki, x, 1))),
             (outside, lambda x: (power(-N - 1, x), none)), (outside, lambda x: (none, bessel("k", ke, x, 1)))]
    if box:
        parts.append((outside, lambda x: (tuple(v / mpf(box) ** N for v in power(N, x)), none)))
        parts.append((outside, lambda x: (none, bessel("i", ke, x, box))))
    at = [motion(*f(1), 1) for _, f in parts]
    sign = [1 if liquid is inside else -1 for liquid, _ in parts]
    rows = [[v[0] if s > 0 else 0 for v, s in zip(at, sign)], [v[0] if s < 0 else 0 for v, s in zip(at, sign)],
            [s * v[1] for v, s in zip(at, sign)],
            [s * v[2] * liquid[1] for v, s, (liquid, _) in zip(at, sign, parts)]]
    right = [1, 1, 0, 0]
    if box:
        end = [motion(*f(mpf(box)), mpf(box)) if s < 0 else none + (0,) for (_, f), s in zip(parts, sign)]
        rows += [[v[0] for v in end], [v[2] for v in end]]
        right += [0, 0]
    x = mpmath.lu_solve(mpmath.matrix(rows), mpmath.matrix(right))
    total = mpc(0)
    for amount, v, s, (liquid, f) in zip(x, at, sign, parts):
        total -= s * amount * (liquid[0] * sigma * f(1)[0][0] + 2 * liquid[1] * v[3])
    return total


def inviscid(r, box):
    q = mpf(box) ** -(2 * N + 1) if box else mpf(0)
    outer = r * N * (1 + mpf(N + 1) / N * q) / (1 - q)
    return mpmath.sqrt(mpf(N * STIFF * (N + 1)) / (N + 1 + outer))


def root(r, m, oh, box):
    """(omega, beta), followed from the inviscid one."""
    sigma = mpc(0, inviscid(r, box))
    for k in range(1, 9):
        part = mpf(oh) * (mpf(k) / 8) ** 2
        sigma = mpmath.findroot(lambda s: stress_of_unit(s, r, m, part, box) - STIFF / s,
                                (sigma, sigma * (1 - mpf("1e-3"))), tol=1e-18)
    return sigma.imag, -sigma.real


def let_go(r, m, oh, box, t):
    """Amplitude of a drop let go at rest with amplitude 1."""
    def transform(s):
        f = stress_of_unit(s, r, m, oh, box)
        return (1 + STIFF / s / (f - STIFF / s)) / s
    return mpmath.invertlaplace(transform, t, method="dehoog", dps=15, degree=18)


def fit(times, values, omega, beta):
    """Least squares of offset + exp(-beta t)(a cos omega t + b sin omega t): Gauss-Newton, all five."""
    t0 = times[0]
    p = [mpf(0), values[0], mpf(0), mpf(omega), mpf(beta)]
    for _ in range(30):
        jacobian, miss = [], []
        for t, v in zip(times, values):
            u = t - t0
            e, c, s = mpmath.exp(-p[4] * u), mpmath.cos(p[3] * u), mpmath.sin(p[3] * u)
            miss.append(v - p[0] - e * (p[1] * c + p[2] * s))
            jacobian.append([1, e * c, e * s, e * u * (p[2] * c - p[1] * s), -u * e * (p[1] * c + p[2] * s)])
        step = mpmath.lu_solve(mpmath.matrix(jacobian), mpmath.matrix(miss))
        p = [a + b for a, b in zip(p, step)]
        if mpmath.norm(step) < 1e-12:
            break
    return p[3], p[4]


def check():
    rows = 0
    for line in open(os.path.join(HERE, "..", "oscillation", "lamb_viscous_exact.csv"), encoding="utf-8"):
        cells = line.split(",")
        if cells[:2] != ["3", str(N)] or float(cells[2]) < 0.005:
            continue
        omega, beta = root(mpf("1e-7"), mpf("1e-7"), mpf(cells[2]), 0)
        assert abs(omega - mpf(cells[3])) < 1e-5 and abs(beta - mpf(cells[4])) < 1e-5, (line, omega, beta)
        rows += 1
    assert rows > 4
    omega, beta = root(1, 1, mpf("1e-8"), 0)
    assert abs(omega / inviscid(1, 0) - 1) < 1e-4 and beta < 1e-3
    # Miller, Scriven 1968: the boundary layers' damping, (2 n + 1)^2 (omega mu_i rho_i mu_e rho_e/2)^(1/2) over
    # 2 ((n + 1) rho_i + n rho_e)((mu_i rho_i)^(1/2) + (mu_e rho_e)^(1/2)), omega less by as much.
    oh, r, m = mpf("1e-6"), mpf("1.2"), mpf(3)
    omega, beta = root(r, m, oh, 0)
    free = inviscid(r, 0)
    layer = (2 * N + 1) ** 2 * mpmath.sqrt(free * oh * m * oh * r / 2) / (
        2 * (N + 1 + N * r) * (mpmath.sqrt(oh) + mpmath.sqrt(m * oh * r)))
    assert abs(beta / layer - 1) < 0.02 and abs((free - omega) / layer - 1) < 0.02, (omega, beta, free, layer)


def main():
    import sys
    check()
    print("checked", file=sys.stderr)
    with open(os.path.join(HERE, "roots.csv"), "w", encoding="utf-8") as out:
        out.write("# LAW: mode n = 2 of a drop in another liquid, exp(-beta t) cos(omega t).\n"
                  "# SOURCE: Miller, Scriven (1968); Prosperetti (1980); made and checked by roots.py, which has the equations.\n"
                  "# UNITS: radius, density of the drop and tension 1; r, m: density and viscosity of the outer liquid over the drop's;\n"
                  "#   Oh = mu/sqrt(rho gamma R) of the drop; box: radius of the ball in which the outer liquid slips, 0: none.\n"
                  "# fit_omega, fit_beta: of a drop let go at rest, by least squares from 0.25 to 1.75 periods.\n"
                  "r,m,Oh,box,omega,beta,fit_omega,fit_beta\n")
        for r, m, oh, box in [("1.2", 1, "0.02", 0), ("1.2", 1, "0.02", "2.4814"), ("1", 1, "0.02", "2.4814"),
                              ("0.8333", 1, "0.02", "2.4814"), ("1.2", 1, "0.05", "2.4814"), ("1.2", 1, "0.1", "2.4814"),
                              ("1.2", "0.1", "0.05", "2.4814"), ("1.2", 10, "0.02", "2.4814"), ("0.1", "0.1", "0.05", "2.4814"),
                              ("1e-7", "1e-7", "0.05", 0)]:
            a = [mpf(v) for v in (r, m, oh, box)]
            omega, beta = root(*a)
            period = 2 * mpmath.pi / omega
            times = [period * (mpf("0.25") + mpf(k) / 16) for k in range(25)]
            seen = fit(times, [let_go(*a, t) for t in times], omega, beta)
            out.write(f"{r},{m},{oh},{box}," + ",".join(mpmath.nstr(v, 8) for v in (omega, beta, *seen)) + "\n")
            out.flush()
            print(r, m, oh, box, *[mpmath.nstr(v, 7) for v in (omega, beta, *seen, inviscid(a[0], a[3]))], file=sys.stderr)


if __name__ == "__main__":
    main()
