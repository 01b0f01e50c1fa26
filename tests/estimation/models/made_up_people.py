"""Made-up people, free of any licence: every draw is a recurrence of whole numbers, the same in every language."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

import deniable as dn

Matrix = npt.NDArray[np.float64]


def stream(seed: int) -> Iterator[float]:
    """Uniforms s/2^31 of s <- (1103515245 s + 12345) mod 2^31."""
    s = seed
    while True:
        s = (1103515245 * s + 12345) % 2**31
        yield s / 2**31


def sig(e: float) -> float:
    """The logistic curve."""
    return 1 / (1 + math.exp(-e))


def normal(u: float) -> float:
    """The normal quantile."""
    return float(special.ndtri(u))


def odds(labels: list[Any], above: int) -> dn.Channel:
    """K-ary randomized response at whole odds."""
    k = len(labels)
    rows = [[Fraction(above if i == j else 1, above + k - 1) for j in range(k)] for i in range(k)]
    return dn.Channel(labels, rows)


def people(n: int = 1200, seed: int = 12345) -> Matrix:
    """village, female, age, private z, its report at odds 3:1, open joined, open score."""
    u, rows = stream(seed), []
    for i in range(n):
        female = int(next(u) < 0.5)
        age = 20 + int(50 * next(u))
        z = int(next(u) < sig(-1.2 + 0.8 * female + 0.03 * (age - 45)))
        report = z if next(u) < 0.75 else 1 - z
        joined = int(next(u) < sig(-0.5 + 1.2 * z + 0.4 * female - 0.01 * (age - 45)))
        score = round(2 + 1.5 * z - 0.5 * female + 0.02 * (age - 45) + 2 * normal(next(u)), 3)
        rows.append((i % 40, female, age, z, report, joined, score))
    return np.array(rows, float)


def voters(n: int = 1500, seed: int = 2024, labels: int = 3, odds: int = 5) -> Matrix:
    """female, age, private label y, its report by k-RR at odds 5:1."""
    u, rows = stream(seed), []
    for _ in range(n):
        female = int(next(u) < 0.5)
        age = 20 + int(50 * next(u))
        e = np.exp([0.0, 0.4 + 0.6 * female - 0.02 * (age - 45), -0.3 - 0.5 * female + 0.04 * (age - 45)])
        y = int(np.searchsorted(np.cumsum(e / e.sum()), next(u)))
        t = next(u) * (odds + labels - 1)
        rows.append((female, age, y, y if t < odds else (y + 1 + int(t - odds)) % labels))
    return np.array(rows, float)


def drinkers(n: int = 800, seed: int = 77, top: int = 20, levels: int = 16) -> Matrix:
    """female, age, private whole number x of 0..20, its threshold report 2t + bit at odds 3:1."""
    u, rows = stream(seed), []
    for _ in range(n):
        female = int(next(u) < 0.5)
        age = 20 + int(50 * next(u))
        x = min(max(math.floor(8.5 + 2 * female + 0.1 * (age - 45) + 3 * normal(next(u))), 0), top)
        cut = int(next(u) * levels * top)
        bit = int(x * levels > cut)
        bit = bit if next(u) < 0.75 else 1 - bit
        rows.append((female, age, x, 2 * (cut // top) + bit))
    return np.array(rows, float)


def couples(n: int = 3000, seed: int = 99) -> Matrix:
    """x, private z, private y given z, their two reports at odds 3:1 each."""
    u, rows = stream(seed), []
    for _ in range(n):
        x = round(2 * next(u) - 1, 3)
        z = int(next(u) < sig(-0.4 + x))
        y = int(next(u) < sig(-1 + 1.5 * z + 0.5 * x))
        rows.append((x, z, y, z if next(u) < 0.75 else 1 - z, y if next(u) < 0.75 else 1 - y))
    return np.array(rows, float)
