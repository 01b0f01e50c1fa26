"""One answer's share, period after period, each by itself."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from deniable.arrays import Matrix
from deniable.collector.desk import Desk
from deniable.collector.storage.rows import RELEASED, Standing, VisibleTally
from deniable.estimation.estimate import Estimate
from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.table import printable
from deniable.estimation.words import outward, points, share_in_words, signed
from deniable.pages.results.changes import Measurement, Moment, Timeline
from deniable.pages.results.number_change import number_line
from deniable.pages.results.period_view import MOST_PERIODS, PeriodView, read
from deniable.pages.results.rows import LEVELS, Axis, Span, axis_of
from deniable.protocol.errors import DenialError


def timeline(desk: Desk, found: PeriodView, question: str, place: int) -> Timeline:
    """A question's answer over time."""
    standings = found.periods[-MOST_PERIODS:]
    tallies = desk.tallies([each.number for each in standings])
    return line_of([(each, _estimate(tallies.get(each.number), question)) for each in standings], place)


def line_of(told: Sequence[tuple[Standing, Estimate | None]], place: int) -> Timeline:
    """Periods with what was read of them. The place is that of a label of the last; others may have other labels."""
    numbers = [(standing, found) for standing, found in told if isinstance(found, Distribution | None)]
    if len(numbers) == len(told) and any(found is not None for _, found in numbers):
        return number_line(numbers, place)
    known = [estimate for _, estimate in told if estimate is not None]
    if not known or place >= len(known[-1].labels):
        return Timeline("", (), None, (), "Nothing can be shown yet: no period has enough answers.")
    label, labels = known[-1].labels[place], tuple(printable(label) for label in known[-1].labels)
    bounds = [_bounds(estimate, label) for _, estimate in told]
    axis = axis_of(np.array([levels[0] for levels in bounds if len(levels)]))
    moments = [_moment(*each, label, axis, levels) for each, levels in zip(told, bounds, strict=True)]
    closed = [(each.period, estimate) for each, estimate in told if estimate is not None and each.state == RELEASED]
    return Timeline(labels[place], labels, axis, tuple(moments), _change(closed, label))


def _place(estimate: Estimate, label: Hashable) -> int | None:
    """Where a label is; of texts that were discovered each period has its own."""
    return next((place for place, each in enumerate(estimate.labels) if each == label), None)


def _bounds(estimate: Estimate | None, label: Hashable) -> Matrix:
    """The label's bounds [levels, 2]; without rows where nothing is known of it."""
    place = None if estimate is None else _place(estimate, label)
    if estimate is None or place is None:
        return np.empty((0, 2))
    return np.array([estimate.evidence.interval(1 - level)[place] for level in LEVELS])


def _estimate(visible: VisibleTally | None, question: str) -> Estimate | None:
    try:
        return None if visible is None else read(visible.tally)[question]
    except DenialError:  # too few were asked
        return None


def _moment(standing: Standing, estimate: Estimate | None, label: Hashable, axis: Axis, bounds: Matrix) -> Moment:
    is_open = standing.is_open
    if estimate is None:
        return Moment(standing.period, 0, is_open, "", Measurement.nothing("too few answers"), None, ())
    place = _place(estimate, label)
    if place is None:
        return Moment(standing.period, estimate.n, is_open, "", Measurement.nothing("did not stand out"), None, ())
    spans = [(axis.place(float(low)), axis.place(float(high))) for low, high in bounds]
    bands = tuple(Span(low, round(high - low, 3)) for low, high in spans)
    low, high = estimate.interval()[place].tolist()
    share = float(estimate.unbiased[place])
    told = Measurement(share, low, high, share_in_words(low, high))
    return Moment(standing.period, estimate.n, is_open, points(share), told, axis.place(share), bands)


def _change(closed: list[tuple[str, Estimate]], label: Hashable) -> str:
    """What is known of the change from the first to the last closed period."""
    if len(closed) < 2:
        return "Changes are shown once two periods are closed."
    (begun, first), (ended, last) = closed[0], closed[-1]
    if list(first.labels) != list(last.labels):
        return f"Changes are not tested: other texts stood out in {begun} than in {ended}."
    low, high = outward(*first.difference(last).interval()[list(last.labels).index(label)].tolist())
    if low <= 0 <= high:
        span = f"{signed(low)} to {signed(high)} points"
        return f"No change of “{printable(label)}” can be seen between {begun} and {ended} ({span})."
    verb, (least, most) = ("rose", (low, high)) if low > 0 else ("fell", (-high, -low))
    span = f"{points(least)} to {points(most)} points"
    return f"“{printable(label)}” {verb} by {span} between {begun} and {ended}."
