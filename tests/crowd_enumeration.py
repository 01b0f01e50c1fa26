"""Crowds by enumeration: what their mixed reports tell, from the exact channel and the definition alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, permutations

Row = tuple[Fraction, ...]
Histogram = tuple[int, ...]
Told = dict[Histogram, Fraction]
"""The chance of each histogram of reports."""


def told(rows: Sequence[Row]) -> Told:
    """The chance of every histogram of reports from people with these rows."""
    found: Told = {(0,) * len(rows[0]): Fraction(1)}
    for row in rows:
        found = _with_one_more(found, row)
    return found


def _with_one_more(known: Mapping[Histogram, Fraction], row: Row) -> Told:
    added: Counter[Histogram] = Counter()
    for histogram, chance in known.items():
        for report, own in enumerate(row):
            if own:
                added[(*histogram[:report], histogram[report] + 1, *histogram[report + 1 :])] += chance * own
    return dict(added)


def delta(above: Mapping[Histogram, Fraction], below: Mapping[Histogram, Fraction], t: Fraction) -> Fraction:
    """By its definition: how much likelier a set of histograms may be than t times as likely as it would have been."""
    return sum((max(chance - t * below.get(each, 0), Fraction(0)) for each, chance in above.items()), Fraction(0))


@lru_cache(maxsize=64)
def crowds(rows: tuple[Row, ...], people: int) -> tuple[tuple[Told, ...], ...]:
    """For every choice of the other people's answers what is told with each answer of one more."""
    others = combinations_with_replacement(rows, people - 1)
    return tuple(tuple(_with_one_more(known, row) for row in rows) for known in map(told, others))


def enumerated(rows: tuple[Row, ...], people: int, t: Fraction) -> Fraction:
    """The true delta: the largest over both answers of one person and the answers of all the others."""
    return max(delta(*pair, t) for own in crowds(rows, people) for pair in permutations(own, 2))


def response(labels: int, odds: int) -> tuple[Row, ...]:
    """Randomized response with whole odds."""
    total = odds + labels - 1
    return tuple(tuple(Fraction(odds if x == y else 1, total) for y in range(labels)) for x in range(labels))


def factors(most: int) -> Iterator[Fraction]:
    """Some odds to ask delta at, up to what each report promises."""
    yield from (Fraction(1), Fraction(9, 8), Fraction(3, 2), Fraction(2), Fraction(most + 1, 2))
