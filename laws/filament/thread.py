#!/usr/bin/env python3
"""How a uniform thread of Oldroyd's liquid thins between ends of a given pressure: what the set-up of the law is chosen by.

    gamma/R - p_end = 3 mu e + G (b_zz - b_rr) + rho (e' + e^2) L^2/2,    R' = -e R/2,
    b_zz' = 2 e b_zz - (b_zz - 1)/lambda,    b_rr' = -e b_rr - (b_rr - 1)/lambda

In R_0, gamma, rho. Prints the rate -R'/R times 3 lambda at radii from 10 to 4 of 12 spacings, its mean between them and
when they are reached, in lambda.

    python3 thread.py
"""
import math

HALF_LENGTH, ACROSS, WIDEST, THINNEST = 3, 12, 10, 4


def slope(y, modulus, lam, oh, end):
    r, bz, br, e = y
    pull = 1 / r - end - 3 * oh * e - modulus * (bz - br)
    return (-e * r / 2, 2 * e * bz - (bz - 1) / lam, -e * br - (br - 1) / lam, 2 * pull / HALF_LENGTH**2 - e * e)


def thin(modulus, lam, oh, end, longest=20):
    """Radii (spacings), times (lambda) and rates (1/(3 lambda)) as they come, by Runge and Kutta."""
    y, t, dt, seen = (1, 1, 1, 0), 0, 1e-3 * lam, []
    given = (modulus, lam, oh, end)
    while y[0] > THINNEST / ACROSS and t < longest * lam:
        seen.append((ACROSS * y[0], t / lam, 1.5 * y[3] * lam))
        a = slope(y, *given)
        b = slope([u + dt / 2 * k for u, k in zip(y, a)], *given)
        c = slope([u + dt / 2 * k for u, k in zip(y, b)], *given)
        d = slope([u + dt * k for u, k in zip(y, c)], *given)
        y = tuple(u + dt / 6 * (k + 2 * m + 2 * n + o) for u, k, m, n, o in zip(y, a, b, c, d))
        t += dt
    return seen


def main():
    print("G R_0/gamma, De, p_end: rate at 10, 8, 6, 5, 4 spacings; mean; from and to, lambda")
    for modulus, lam, end in (0.3, 2, 0), (0.5, 1.5, 0), (0.5, 1.5, 2 / 2.3), (0.1, 2, 0):
        seen = thin(modulus, lam, 0.3, end)
        if seen[-1][0] > THINNEST + 0.1:
            print("%.1f, %.1f, %.2f: ends at %.1f spacings" % (modulus, lam, end, seen[-1][0]))
            continue
        at = [min(seen, key=lambda s: abs(s[0] - r)) for r in (WIDEST, 8, 6, 5, THINNEST)]
        mean = 3 * math.log(WIDEST / THINNEST) / (at[-1][1] - at[0][1])
        print("%.1f, %.1f, %.2f: %s; %.2f; %.2f, %.2f" % (modulus, lam, end, ", ".join("%.2f" % s[2] for s in at), mean,
                                                          at[0][1], at[-1][1]))


if __name__ == "__main__":
    main()
