"""Writes chosen_tables.txt: tables whose leading error vanishes or is small, and whose error is large all the same.

For p entries onto Z_q and an interpolation of some order, with K the kernel of the table (1, 0, ..., 0), a linear
programme asks for entries |f| <= (q - 1)/2 that make the error at entry 0 largest for an angle of t steps,
  sum_d f(d) K(t - d) - f(0),
while the coefficient of t^(order + 1) is at most `leading` (of half a step) at every entry. Entries are rounded to
integers. Needs numpy and scipy. A line: p q order t, then the entries.
"""

import numpy as np
from scipy.optimize import linprog


def kernel(p: int, order: int) -> np.ndarray:
    """c_j of the table (1, 0, ..., 0)."""
    c = np.zeros(2 * p + 1)
    for j in range(p):
        c[j] = (1 if j == 0 else 2) * (p - j) / p**2
    middle = {1: 0, 2: p // 2, 3: p - 1}[order]
    for i in range(1, middle + 1):
        x = i / p
        weight = 2 * x * (1 - x) / p if order == 2 else 2 * x * (1 - x) * (2 - x) / (3 * p)
        if order == 2 and 2 * i == p:
            weight = x * (1 - x) / p
        c[i] += weight
        c[p - i] -= weight / 2
        c[p + i] -= weight / 2
    return c


def chosen(p: int, q: int, order: int, t: float, leading: float) -> np.ndarray:
    c, j, d = kernel(p, order), np.arange(2 * p + 1), np.arange(p)
    n = order + 1
    factorial = np.prod(np.arange(1, n + 1))
    at = np.array([np.sum(c * np.cos(2 * np.pi * j * (t - k) / p)) for k in d])
    first = np.array(
        [2 * np.sum(c * ((2j * np.pi * j / p) ** n * np.exp(-2j * np.pi * j * k / p)).real) / factorial for k in d]
    )
    rows = np.array([first[(d - m) % p] for m in d])
    objective = at - (d == 0)
    limit = np.full(2 * p, leading)
    bounds = [(-(q // 2), (q - 1) // 2)] * p
    found = linprog(-objective, A_ub=np.vstack([rows, -rows]), b_ub=limit, bounds=bounds, method="highs")
    assert found.success, found.message
    return np.rint(found.x).astype(int) % q


if __name__ == "__main__":
    with open("chosen_tables.txt", "w") as file:
        for p, q, order, t, leading in [
            (16, 16, 1, 0.3, 2.0),
            (16, 256, 1, 0.2, 20.0),
            (16, 16, 2, 0.3, 1.0),
            (16, 4096, 2, 0.1, 100.0),
            (32, 4096, 3, 0.1, 100.0),
            (64, 64, 1, 0.2, 2.0),
            (256, 256, 1, 0.15, 30.0),
            (256, 512, 1, 0.147, 34.0),
            (512, 512, 1, 0.1, 60.0),
        ]:
            table = chosen(p, q, order, t, leading)
            file.write(f"{p} {q} {order} {t} " + " ".join(map(str, table)) + "\n")
