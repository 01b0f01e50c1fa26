"""jiang2018, App. A: all channels of one bit as a map, where they keep the level, and where the optimum lies."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from deniable.arrays import Matrix
from deniable.theory.informed.baselines import channel_loss, lip_level
from deniable.theory.informed.optimum import optimal
from studies.jiang2018.tables import BITS, bits
from studies.store import DIGITS
from studies.study import Row, Table, rows_with

PRIORS = (0.3, 0.1)
"""The formula keeps its level for the first prior, but not for the second."""
LEVEL = 1.0
STEPS = 50
"""Points on each side of the map."""
PAPER, OPTIMUM = "the paper's formula", "optimum"


def contour(_seed: int, p: float, epsilon: float, steps: int) -> list[Row]:
    """The appendix' figure: over q0 = Pr(1|0) and q1 = Pr(0|1) the variance of the posterior mean, eq. 43."""
    sides = [step / steps for step in range(steps + 1)]
    return [{"p": p, "epsilon": epsilon, **_told(p, q0, q1)} for q0 in sides for q1 in sides]


def corners(_seed: int, p: float, epsilon: float) -> list[Row]:
    """Thm 2's pair and the true optimum, each with the pair that mirrors it."""
    rows: list[Row] = []
    for rule, (q0, q1) in ((PAPER, (p * np.exp(-epsilon), (1 - p) * np.exp(-epsilon))), (OPTIMUM, best(p, epsilon))):
        rows += [
            {"p": p, "epsilon": epsilon, "rule": rule, **_told(p, *map(float, pair))}
            for pair in ((q0, q1), (1 - q0, 1 - q1))
        ]
    return rows


def best(p: float, epsilon: float) -> tuple[float, float]:
    """The optimum's q0 and q1, where report 1 is the one that is likelier from a 1."""
    channel = optimal(bits(p), epsilon, BITS).matrix
    channel = channel[:, np.argsort(channel[1] / channel[0])]
    return float(channel[0, 1]), float(channel[1, 0])


def _told(p: float, q0: float, q1: float) -> Row:
    """A row for a channel: the part of a bit's variance that its reports explain, and its level."""
    channel = np.array([[1 - q0, q0], [q1, 1 - q1]])
    told = p * (1 - p) - channel_loss(bits(p), channel, BITS)
    return {"q0": q0, "q1": q1, "variance": told, "level": lip_level(bits(p), channel)}


def mapped(rows: Table, name: str, p: float) -> tuple[list[float], Matrix]:
    """One column as a square, q0 up and q1 across, with the places of its sides."""
    own = rows_with(rows, p=p)
    sides = sorted({row["q0"] for row in own})
    return sides, np.array([row[name] for row in own], np.float64).reshape(len(sides), len(sides))


def region(corners: Table, p: float) -> list[tuple[float, float]]:
    """The corners (q0, q1) of the channels that keep the level: both optima, and both constant reports."""
    here, mirrored = ((row["q0"], row["q1"]) for row in rows_with(corners, p=p, rule=OPTIMUM))
    return [(0.0, 1.0), here, (1.0, 0.0), mirrored]


def asymmetry(square: Matrix) -> float:
    """The largest difference between a map and its mirror image about the middle.

    >>> asymmetry(np.array([[1.0, 2.0], [2.0, 1.5]]))
    0.5
    """
    with np.errstate(invalid="ignore"):
        apart = np.nanmax(np.abs(square - square[::-1, ::-1]))  # on the sides both levels are infinite
    return round(float(apart), DIGITS)


def rises(square: Matrix) -> int:
    """Steps to a larger q0 or q1 below the diagonal q0 + q1 = 1 on which the variance does not fall.

    >>> rises(np.array([[3.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 2.0]]))
    0
    """
    return int(sum(_rising(line) for lines in (square, square.T) for line in lines))


def _rising(line: Sequence[float]) -> int:
    """Up to the first 0, which is where a report tells nothing."""
    known = list(line[: int(np.argmin(line)) + 1])
    return sum(after >= before for before, after in pairwise(known))
