"""Runs of whole numbers as labels: a number's index is its distance from the first, so that no table is needed."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from deniable.arrays import Indices

LARGEST = 1 << 62
"""Beyond this, sums of labels would not fit 64 bits."""


def run_of(names: Sequence[Hashable]) -> range | None:
    """The run that labels are, one after the other; None where they are anything else.

    >>> run_of([7, 8, 9]), run_of([7, 9]), run_of([False, True])
    (range(7, 10), None, None)
    """
    if isinstance(names, range):
        return names if names.step == 1 else None
    first = names[0]
    if type(first) is not int or abs(first) >= LARGEST or any(type(name) is not int for name in names):
        return None
    run = range(first, first + len(names))
    return run if all(name == place for name, place in zip(names, run, strict=True)) else None


def places_within(values: list[int], run: range) -> Indices:
    """Integers as indices of a run; one that 64 bits do not hold is beyond all labels."""
    try:
        return places_of(np.array(values, np.int64), run)
    except OverflowError:
        return np.array([min(max(value, run.start - 1), run.stop) - run.start for value in values], np.int64)


def places_of(values: Indices, run: range) -> Indices:
    """Numbers as indices of a run, beyond it where they are none; a difference must not wrap round into the run."""
    if not run.start:
        return values
    return np.clip(values, run.start - 1, run.stop) - run.start
