"""Who is asked what: shares of the people for each choice of reports, and arms whose weights make them so."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from deniable.surveys.arms import Arm, Part


class Lot(NamedTuple):
    """Reports that some of the people are asked for together, and which share of them that is."""

    parts: tuple[Part, ...]
    share: Fraction


Unit = Sequence[Lot]
"""Choices of which each person gets one; the shares add up to 1."""


def evenly(parts: Sequence[Part]) -> Unit:
    """One part each, as many people for one as for another."""
    return [Lot((part,), Fraction(1, len(parts))) for part in parts]


def mixed(units: Sequence[Unit], weights: Sequence[int]) -> Unit:
    """Each person gets one unit, in proportion to these weights, and one choice of it."""
    total = sum(weights)
    return [
        Lot(each.parts, each.share * Fraction(weight, total))
        for unit, weight in zip(units, weights, strict=True)
        for each in unit
    ]


def coupled(units: Sequence[Unit]) -> Unit:
    """Each person gets one choice of every unit.

    Choices are set side by side, as on rulers of one length: with every cut on any of them begins another choice of
    all, so that there are hardly more than the units have by themselves. How choices meet tells nothing of answers.
    """
    cuts = sorted({cut for unit in units for cut in itertools.accumulate(each.share for each in unit)})
    return [
        Lot(tuple(part for unit in units for part in _at(unit, start)), end - start)
        for start, end in itertools.pairwise([Fraction(0), *cuts])
    ]


def _at(unit: Unit, place: Fraction) -> tuple[Part, ...]:
    """The parts of the choice that covers a place between 0 and 1."""
    ends = itertools.accumulate(each.share for each in unit)
    return next(each.parts for each, end in zip(unit, ends, strict=True) if place < end)


def arms_of(unit: Unit) -> tuple[Arm, ...]:
    """The arms of all choices, with whole weights as small as they can be."""
    return tuple(_arms(unit))


def _arms(unit: Unit) -> Iterator[Arm]:
    common = math.lcm(*(each.share.denominator for each in unit))
    whole = [int(each.share * common) for each in unit]
    least = math.gcd(*whole)
    for each, weight in zip(unit, whole, strict=True):
        yield Arm(each.parts, weight // least)
