"""Who is asked what: shares of the people for each choice of reports, and arms whose weights make them so."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from deniable.surveys.arms import Arm, Part


class Lot(NamedTuple):
    """Reports that a share of the people are asked for together."""

    parts: tuple[Part, ...]
    share: Fraction


Allocation = Sequence[Lot]
"""Lots of which each person gets one; the shares add up to 1."""


def in_equal_shares(parts: Sequence[Part]) -> Allocation:
    """One part each, as many people for one as for another."""
    return [Lot((part,), Fraction(1, len(parts))) for part in parts]


def drawn_by_weight(allocations: Sequence[Allocation], weights: Sequence[int]) -> Allocation:
    """Each person is asked by one allocation, drawn in proportion to these weights, and gets one lot of it."""
    total = sum(weights)
    return [
        Lot(lot.parts, lot.share * Fraction(weight, total))
        for allocation, weight in zip(allocations, weights, strict=True)
        for lot in allocation
    ]


def side_by_side(allocations: Sequence[Allocation]) -> Allocation:
    """Each person gets one lot of every allocation.

    Lots are set side by side, as on rulers of one length: with every cut on any of them begins another lot of all, so
    that there are hardly more than the allocations have by themselves. How lots meet tells nothing of answers.
    """
    cuts = sorted({cut for allocation in allocations for cut in itertools.accumulate(lot.share for lot in allocation)})
    return [
        Lot(tuple(part for allocation in allocations for part in _parts_at(allocation, start)), end - start)
        for start, end in itertools.pairwise([Fraction(0), *cuts])
    ]


def _parts_at(allocation: Allocation, place: Fraction) -> tuple[Part, ...]:
    """The parts of the lot that covers a place between 0 and 1."""
    ends = itertools.accumulate(lot.share for lot in allocation)
    return next(lot.parts for lot, end in zip(allocation, ends, strict=True) if place < end)


def arms_of(allocation: Allocation) -> tuple[Arm, ...]:
    """An arm for each lot, with whole weights as small as they can be."""
    common = math.lcm(*(lot.share.denominator for lot in allocation))
    weights = [int(lot.share * common) for lot in allocation]
    divisor = math.gcd(*weights)
    return tuple(Arm(lot.parts, weight // divisor) for lot, weight in zip(allocation, weights, strict=True))
