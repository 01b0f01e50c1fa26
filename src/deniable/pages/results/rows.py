"""The rows of a result: each label with its share and bands, and in words; a line that a reader draws at a share."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from deniable.arrays import Matrix
from deniable.estimation.estimate import Estimate
from deniable.estimation.table import printable
from deniable.estimation.words import as_typed, base_of, give_or_take, points, share_in_words
from deniable.pages.results.selection import Paging
from deniable.protocol.say import Figure, Phrase, Statement

LEVELS: Final = (0.95, 0.8, 0.5)
"""The levels of the bands, the widest first."""
UNKNOWN: Final = Statement("nothing_can_be_said_word")
STEPS: Final = (0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5)
MOST_TICKS: Final = 6
NEAR: Final = 0.5
"""So far below 0, in steps of the axis, an axis goes on without a number."""
FARTHEST: Final = 3.0
"""How far from 0 something is drawn at most, in shares."""
USUAL_LINE: Final = 0.1
"""The share at which the line is unless a reader moves it."""
FEWEST_WITH_LINE: Final = 6
"""Of fewer labels nobody needs to count which lie above the line."""


@dataclass(frozen=True)
class Span:
    """A stretch of the axis: where it begins and how wide it is, in per cent of the whole."""

    start: float
    width: float


@dataclass(frozen=True)
class Row:
    """A label with its ``share`` and the ends of its 95% interval, as parts of 1, and what is said of them.

    ``dot`` and ``bands``, the widest first, are in per cent of the axis; ``rank`` says how far up among all it may be.
    """

    label: Phrase
    estimate: str
    value: str
    """The estimate as it stands beside its dot, without what chance makes of its last digits."""
    take: Phrase
    """Give or take so many points."""
    words: Phrase
    dot: float | None
    bands: tuple[Span, ...]
    rank: Phrase
    low: float
    high: float
    share: float
    verdict: Phrase = ""
    """On which side of a line it surely lies, where a reader drew one."""


@dataclass(frozen=True)
class Axis:
    """What the places of a picture mean: shares, or numbers in their unit, from ``low`` to ``high``.

    ``ticks`` are names with their places, and ``zero`` is the place of 0, in per cent of the width.
    """

    low: float
    high: float
    ticks: tuple[tuple[str, float], ...]
    zero: float
    mark: float | None = None
    """Where a reader drew a line, in per cent of the width."""

    def place(self, share: float) -> float:
        """Where a share is, in per cent of the width."""
        return round(100 * (min(max(share, self.low), self.high) - self.low) / (self.high - self.low), 3)


HUNDRED: Final = Axis(0.0, 1.0, tuple((Figure(f"{each}"), float(each)) for each in range(0, 101, 20)), 0.0)
"""The axis of all shares, so that pictures can be compared down a page, and from one page to the next."""


class ShareLine(NamedTuple):
    """Which of so many labels surely lie ``above`` a share, and which ``below`` it, all at once."""

    share: float
    total: int
    above: frozenset[Hashable]
    below: frozenset[Hashable]
    is_drawn: bool
    """Whether the reader asked for it, so that it is what the page is about."""

    @property
    def written(self) -> Figure:
        """The share, in people of a hundred."""
        return as_typed(self.share)

    @property
    def sentence(self) -> Statement:
        """How many lie above it."""
        return Statement("are_surely_above", above=len(self.above), total=self.total, share=self.written)

    @property
    def rest(self) -> Statement:
        """How many lie below it, and of how many it cannot be told."""
        below = len(self.below)
        left = self.total - len(self.above) - below
        return Statement("surely_below_and_not_told", share=self.written, below=below, left=left)

    def verdict(self, label: Hashable) -> Phrase:
        """On which side a label lies."""
        if label in self.above:
            return Statement("surely")
        return Statement("surely_not") if label in self.below else Statement("cannot_be_told")


def share_line(estimate: Estimate, above: float | None) -> ShareLine | None:
    """The line that a reader drew, or the usual one, which only says how many; none of few labels."""
    if len(estimate.labels) < FEWEST_WITH_LINE and above is None:
        return None
    share = USUAL_LINE if above is None else above
    higher, lower = (frozenset(ask(share)) for ask in (estimate.surely_above, estimate.surely_below))
    return ShareLine(share, len(estimate.labels), higher, lower, above is not None)


@dataclass(frozen=True)
class Chart:
    """Some rows on one axis; ``simultaneous`` intervals hold for all labels of the question at once."""

    axis: Axis
    rows: tuple[Row, ...]
    simultaneous: bool
    total: int
    """How many labels the question has, shown or not."""
    rest: Phrase = ""
    """What is said of the labels that are left out, all at once; empty if none are."""
    unshown: int = 0
    """How many more were found than are shown."""
    paging: Paging | None = None
    """Where the rows stand in a list that is too long for one page."""
    line: ShareLine | None = None
    """How many of all labels surely lie above a share, or below it; None of few labels."""


def chart(
    estimate: Estimate,
    places: Sequence[int],
    simultaneous: bool = False,
    among: Sequence[int] | None = None,
    axis: Axis = HUNDRED,
) -> Chart:
    """The rows of the labels at these places, in this order.

    ``among`` are the places of the list of which these are a page: all its shares are said in people of as many.
    """
    bands = [estimate.unclipped(level, simultaneous) for level in (LEVELS[:1] if simultaneous else LEVELS)]
    ranked = estimate.ranks(LEVELS[0]) if simultaneous else None
    bounds = estimate.interval(LEVELS[0]) if ranked is None else ranked.bounds
    base = base_of(float(np.nanmax(bounds[list(places if among is None else among)], initial=0.0)))
    ranks = [""] * len(estimate.labels) if ranked is None else ranked.statements
    errors = estimate.stderr

    def row(place: int) -> Row:
        share, label, rank = float(estimate.unbiased[place]), printable(estimate.labels[place]), ranks[place]
        drawn, (low, high) = [each[place].tolist() for each in bands], bounds[place].tolist()
        if not np.isfinite([share, *drawn[0], errors[place]]).all():
            return Row(label, "", "", "", UNKNOWN, None, (), rank, 0.0, 1.0, share)
        take, words = give_or_take(share, *drawn[0]), share_in_words(low, high, base)
        return Row(
            label, points(share), beside_dot(share, base), take, words, axis.place(share), spans(axis, drawn),
            rank, low, high, share,
        )  # fmt: skip

    return Chart(axis, tuple(map(row, places)), simultaneous, len(estimate.labels))


def share_chart(label: Phrase, share: float, bounds: Sequence[tuple[float, float]]) -> Chart:
    """One share by itself, with its bounds at each of the levels."""
    low, high = bounds[0]
    row = Row(
        label, points(share), points(share, 0), give_or_take(share, low, high), share_in_words(low, high),
        HUNDRED.place(share), spans(HUNDRED, bounds), "", low, high, share,
    )  # fmt: skip
    return Chart(HUNDRED, (row,), False, 1)


def spans(axis: Axis, bounds: Sequence[Any]) -> tuple[Span, ...]:
    """Where intervals lie on the axis."""
    ends = [(axis.place(float(low)), axis.place(float(high))) for low, high in bounds]
    return tuple(Span(start, round(end - start, 3)) for start, end in ends)


def axis_of(bounds: Matrix) -> Axis:
    """An axis of shares between round numbers, with room for all bounds and for 0."""
    known = bounds[np.isfinite(bounds).all(axis=1)]
    low = max(min(0.0, float(known[:, 0].min(initial=0.0))), -FARTHEST)
    high = min(max(0.01, float(known[:, 1].max(initial=0.01))), FARTHEST)
    step = next((step for step in STEPS if (high - low) / step <= MOST_TICKS), 1.0)
    near = low > -NEAR * step  # what reaches a little below 0 needs no number there
    first, last = 0 if near else math.floor(round(low / step, 9)), math.ceil(round(high / step, 9))
    axis = Axis(low if near else first * step, last * step, (), 0.0)
    digits = 0 if step >= 0.01 else 1 if step >= 0.001 else 2
    ticks = tuple(
        (points(number * step, digits if number else 0), axis.place(number * step)) for number in range(first, last + 1)
    )
    return Axis(axis.low, axis.high, ticks, axis.place(0))


def beside_dot(share: float, base: int) -> Figure:
    """A share as it stands beside its dot: in whole people of a hundred, or with decimals where all are of more."""
    return points(share, len(f"{base}") - 3)
