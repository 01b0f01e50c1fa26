"""The blankets of an exact channel: of all pairs of its answers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from deniable.arrays import Vector
from deniable.theory.crowd.blanket import Blanket

MOST_LISTED = 64
"""Up to so many answers all pairs are looked at; of more only the odds and what all reports have in common."""


def of_channel(rows: Sequence[Sequence[int]]) -> tuple[Blanket, ...]:
    """The different blankets of the pairs of answers of a channel, whose rows of weights have one total.

    Empty where nothing hides some report: it can come of some answers, but not of every one. An answer beside itself
    is among them, for where it is one of several reports, another may be what differs.
    """
    columns = [column for column in zip(*rows, strict=True) if max(column)]
    if any(min(column) == 0 for column in columns):
        return ()
    total, least = sum(rows[0]), list(map(min, columns))
    if len(rows) > MOST_LISTED:
        odds = max(Fraction(max(column), min(column)) for column in columns)
        return (Blanket.generic(odds, Fraction(sum(least), total)),)
    density = np.array([[weight / low for weight in column] for column, low in zip(columns, least, strict=True)]).T
    mass = np.array([low / total for low in least])
    pairs = (_pair(density[x], density[z], mass) for x, z in product(range(len(rows)), repeat=2))
    return tuple({np.stack([each.u, each.v, each.mass]).tobytes(): each for each in pairs}.values())


def _pair(above: Vector, below: Vector, mass: Vector) -> Blanket:
    """The blanket of two answers, its atoms in an order that depends on nothing else."""
    order = np.lexsort((mass, below, above))
    return Blanket(above[order], below[order], mass[order])
