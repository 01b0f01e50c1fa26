"""Crowds by enumeration: what their mixed reports tell, from the exact channel and the definition alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, permutations
from typing import Any

Chance = Any
"""A Fraction; a float where Fractions would have too many digits."""
Row = tuple[Chance, ...]
Histogram = tuple[int, ...]
Told = dict[Histogram, Chance]
"""The chance of each histogram of reports."""


def told(rows: Sequence[Row]) -> Told:
    """The chance of every histogram of reports from people with these rows."""
    found: Told = {(0,) * len(rows[0]): 1}
    for row in rows:
        found = _with_one_more(found, row)
    return found


def _with_one_more(known: Mapping[Histogram, Chance], row: Row) -> Told:
    added: defaultdict[Histogram, Chance] = defaultdict(int)
    for histogram, chance in known.items():
        for report, own in enumerate(row):
            if own:
                added[(*histogram[:report], histogram[report] + 1, *histogram[report + 1 :])] += chance * own
    return dict(added)


def delta(above: Mapping[Histogram, Chance], below: Mapping[Histogram, Chance], t: Chance) -> Chance:
    """By its definition: how much likelier a set of histograms may be than t times as likely as it would have been."""
    return sum(max(chance - t * below.get(each, 0), 0) for each, chance in above.items())


@lru_cache(maxsize=64)
def crowds(rows: tuple[Row, ...], people: int) -> tuple[tuple[Told, ...], ...]:
    """For every choice of the other people's answers what is told with each answer of one more."""
    others = combinations_with_replacement(rows, people - 1)
    return tuple(tuple(_with_one_more(known, row) for row in rows) for known in map(told, others))


def enumerated(rows: tuple[Row, ...], people: int, t: Chance) -> Chance:
    """The true delta: the largest over both answers of one person and the answers of all the others."""
    return max(delta(*pair, t) for own in crowds(rows, people) for pair in permutations(own, 2))


def response(labels: int, odds: int) -> tuple[Row, ...]:
    """Randomized response with whole odds."""
    total = odds + labels - 1
    return tuple(tuple(Fraction(odds if x == y else 1, total) for y in range(labels)) for x in range(labels))


def factors(most: int) -> Iterator[Fraction]:
    """Some odds to ask delta at, up to what each report promises."""
    yield from (Fraction(1), Fraction(9, 8), Fraction(3, 2), Fraction(2), Fraction(most + 1, 2))
