"""Risks of Hadamard response with B parts of b outputs (acharya2019's plain baseline), t = A/B the odds.

With D = 2B - 1 + t, a label's signed count has scale D/(t-1) and is non-zero with probability
(2 + (t-1) p(part))/D, so n Var = (D/(t-1))^2 (2 + (t-1) p(part))/D - p_x^2.
"""

from __future__ import annotations

import math

import numpy as np

from deniable.theory.arguments import Vector


def _part_share(p: Vector, size: int) -> Vector:
    """For each label, the probability of its part: labels fill the parts in order, size - 1 each."""
    part = np.arange(len(p)) // (size - 1)
    shares = np.zeros(part[-1] + 1)
    np.add.at(shares, part, p)
    return shares[part]


def variance_population(odds: float, parts: int, size: int, n: int, p: Vector) -> Vector:
    """Per label, against p."""
    total, excess = 2 * parts - 1 + odds, odds - 1
    return (total / excess**2 * (2 + excess * _part_share(p, size)) - p**2) / n


def variance_sample(odds: float, parts: int, size: int, n: int, theta: Vector) -> Vector:
    """Per label, against the sampled people's histogram: the mean of the variances given each value."""
    total, excess = 2 * parts - 1 + odds, odds - 1
    return (total / excess**2 * (2 + excess * _part_share(theta, size)) - theta) / n


def worst_truth(odds: float, parts: int, size: int, d: int) -> Vector:
    """Where the l2 risk against p is largest: it is c.p - |p|^2 with c constant on full parts and less on the last.

    The maximum is p = (c - lam)/2, cut at 0: two levels that differ by half of c's step.
    """
    full, rest = divmod(d, size - 1)
    held, left = (full * (size - 1), rest) if full else (d, 0)
    step = (2 * parts - 1 + odds) / (odds - 1) * (size - 1 - left) / 2
    low = max(0.0, (1 - held * step) / d) if left else 0.0
    p = np.full(d, low)
    p[:held] = (1 - left * low) / held
    return p


def worst_sample_l2(odds: float, parts: int, size: int, n: int, d: int) -> float:
    """The largest l2 risk against the sampled people: all of them in a full part."""
    total, excess = 2 * parts - 1 + odds, odds - 1
    return (total / excess**2 * (2 * d + excess * min(size - 1, d)) - 1) / n


def best_parts(d: int, epsilon: float) -> tuple[int, int]:
    """The power of two B of least l2 risk at the uniform truth, and its part's outputs b = 2^ceil(log2(d/B + 1)).

    >>> best_parts(100, 3.0)
    (8, 16)
    """
    odds = math.exp(epsilon)
    choices = [1 << i for i in range(d.bit_length() + 1) if 1 << i < 2 * d]
    parts = min(choices, key=lambda b: _uniform_l2(odds, b, size_of_part(d, b), d))
    return parts, size_of_part(d, parts)


def size_of_part(d: int, parts: int) -> int:
    """The least power of two above the labels of a part: row 0 serves none."""
    return 1 << (-(-d // parts)).bit_length()


def _uniform_l2(odds: float, parts: int, size: int, d: int) -> float:
    """N times the l2 risk at the uniform truth: whole parts, and one that may hold fewer labels."""
    total, excess = 2 * parts - 1 + odds, odds - 1
    whole, rest = divmod(d, size - 1)
    squares = (whole * (size - 1) ** 2 + rest**2) / d
    return total / excess**2 * (2 * d + excess * squares) - 1 / d
