"""What is shown of a number, in plain values: facts, and a histogram of upright columns with its quarters beneath."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.numbers.number_saying import value_of
from deniable.estimation.saying import LEVEL
from deniable.estimation.words import fixed, magnitude, share_in_words, with_unit
from deniable.pages.results.rows import Chart, Span, axis_of
from deniable.protocol.say import Figure, Phrase, Statement

MOST_TICKS: Final = 7
QUARTERS: Final = {0.25: Statement("n1_in_4"), 0.5: Statement("half"), 0.75: Statement("n3_in_4")}
NARROW: Final = 0.9
"""The part of its place that a column takes."""
Down = Callable[[float], float]
"""Where a share is, in per cent from the top."""


@dataclass(frozen=True)
class Column:
    """A bin. Places are in per cent of the picture, from the left and from the top.

    At its ``middle`` from the left are the ``dot`` of its estimate and the upright ``line`` of its interval.
    """

    label: str
    words: str
    x: float
    width: float
    top: float
    height: float
    middle: float
    dot: float
    line: Span


@dataclass(frozen=True)
class Quarter:
    """A quartile beneath the columns: its name, its estimate's place in per cent from the left, and its interval."""

    name: Phrase
    place: float
    line: Span


@dataclass(frozen=True)
class Histogram:
    """Columns over the numbers asked, and ``said``, each in words; ``zero`` is how far down a share of 0 is.

    ``levels`` are shares that are named, each with how far down it is; ``numbers`` those on the axis, from the left.
    """

    columns: tuple[Column, ...]
    per: Phrase
    """For how wide a stretch people are counted."""
    levels: tuple[tuple[str, float], ...]
    numbers: tuple[tuple[str, float], ...]
    zero: float
    quarters: tuple[Quarter, ...]
    median: Phrase
    said: tuple[Phrase, ...]


@dataclass(frozen=True)
class Fact:
    """One number that is told: what it is, and between which numbers it lies."""

    name: Phrase
    estimate: Phrase
    words: Phrase


@dataclass(frozen=True)
class RangeShare:
    """The share of people between two numbers that a reader asked for; ``fault`` says why there is none."""

    low: str
    high: str
    chart: Chart | None = None
    fault: Phrase = ""


@dataclass(frozen=True)
class NumbersView:
    """All that is shown of a number."""

    quantiles: Sequence[Fact]
    facts: Sequence[Fact]
    """The mean, and how far people differ."""
    about: Phrase
    """What to know of the bounds and of how finely numbers are told apart."""
    histogram: Histogram | None
    asked: RangeShare | None


def histogram(estimate: Distribution) -> Histogram | None:
    """The bins of the estimate, if it has any.

    Heights are people for as wide a stretch as most bins are: a wider bin of as many people is lower.
    """
    if not len(estimate.labels):
        return None
    edges, usual = estimate.edges, _usual_width(estimate.edges)
    widths = np.diff(edges) / usual
    shares, bounds = estimate.unbiased / widths, estimate.interval(LEVEL) / widths[:, None]
    low = min(0.0, float(shares.min()))
    axis = axis_of(np.column_stack([np.zeros(len(shares)), np.maximum(bounds[:, 1], shares)]))
    ticks = [(label, float(label) / 100) for label, _ in axis.ticks if label[0].isdigit()]

    def down(share: float) -> float:
        return round(100 * (axis.high - share) / (axis.high - low), 2)

    words = [share_in_words(*each) for each in estimate.interval(LEVEL).tolist()]
    return Histogram(
        tuple(_columns(estimate, words, _places(edges, edges), shares, bounds, down)),
        with_unit(fixed(usual, 0 if usual == int(usual) else 2), estimate.counted_in),
        tuple((Figure(label), down(share)) for label, share in ticks),
        tuple(_numbers(estimate, edges)),
        down(0.0),
        tuple(_quarters(estimate, edges)),
        Statement("half_are_at_or_below", number=value_of(estimate, estimate.quantile(0.5))),
        tuple(
            Statement("label_share", label=str(label), share=share)
            for label, share in zip(estimate.labels, words, strict=True)
        ),
    )


def _columns(
    estimate: Distribution, words: Sequence[Phrase], places: Vector, shares: Vector, bounds: Matrix, down: Down
) -> Iterator[Column]:
    """A column for each bin, with a dot at its estimate and a line over its interval."""
    rows = zip(estimate.labels, words, places[:-1], np.diff(places), shares, bounds, strict=True)
    for label, in_words, start, width, share, (least, most) in rows:
        inner = width * NARROW
        top, zero, ends = down(max(float(share), 0.0)), down(0.0), (down(float(most)), down(float(least)))
        yield Column(
            str(label), in_words, _round(start + (width - inner) / 2), _round(inner), top, _round(zero - top),
            _round(start + width / 2), down(float(share)), Span(ends[0], _round(ends[1] - ends[0])),
        )  # fmt: skip


def _quarters(estimate: Distribution, edges: Vector) -> Iterator[Quarter]:
    for share, name in QUARTERS.items():
        quantity = estimate.quantile(share)
        place, low, high = _places(edges, np.array([quantity.value, *quantity.interval(LEVEL)])).tolist()
        yield Quarter(name, _round(place), Span(_round(low), _round(high - low)))


def _numbers(estimate: Distribution, edges: Vector) -> Iterator[tuple[str, float]]:
    """Round numbers of the scale for the axis, of dates the quarters of it, each with its place from the left."""
    scale = estimate.scale
    if scale.dated:
        steps = [round(scale.steps * part) for part in (0, 0.25, 0.5, 0.75, 1)]
    else:
        spacing = round_up(float(scale.steps * scale.step) / MOST_TICKS) / float(scale.step)
        first = -(float(scale.low) / float(scale.step)) % spacing
        steps = [round(place) for place in np.arange(first, scale.steps + 1e-9, max(spacing, 1.0))]
    for place in dict.fromkeys(steps):
        yield Figure(scale.shown(place)), _round(float(_places(edges, np.array([scale.value(place)]))[0]))


def round_up(width: float, leading: Sequence[float] = (1, 2, 2.5, 5, 10)) -> float:
    """The next round number, of those that lead a power of ten, that is at least so large."""
    power = 10.0 ** magnitude(width)
    return next(each * power for each in leading if each * power >= width * (1 - 1e-9))


def _usual_width(edges: Vector) -> float:
    """How wide most bins are."""
    return float(Counter(np.diff(edges).round(9).tolist()).most_common(1)[0][0])


def _places(edges: Vector, values: Vector) -> Vector:
    """Where numbers are between the first and the last edge, in per cent."""
    return np.asarray(100 * (values - edges[0]) / (edges[-1] - edges[0]), np.float64)


def _round(number: float) -> float:
    return round(float(number), 2)
