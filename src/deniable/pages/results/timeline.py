"""One answer's share, period after period, each by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from deniable.collector.desk import Desk, Standing
from deniable.collector.refusals import Refused
from deniable.collector.storage.store import RELEASED
from deniable.errors import DenialError
from deniable.estimation.estimate import Estimate
from deniable.estimation.table import printable
from deniable.pages.results.found import Found
from deniable.pages.results.rows import LEVELS, Axis, Span, axis_of
from deniable.pages.words import points, share_in_words, signed
from deniable.surveys.results import Results
from deniable.surveys.survey import Survey
from deniable.surveys.tally import SurveyTally

MOST_PERIODS: Final = 60


@dataclass(frozen=True)
class Moment:
    """A period: hollow while it is open, empty where too few answered."""

    period: str
    n: int
    is_open: bool
    estimate: str
    words: str
    dot: float | None
    bands: tuple[Span, ...]


@dataclass(frozen=True)
class Timeline:
    """The last periods of one answer, with what changed between the first and the last that are closed."""

    label: str
    labels: tuple[str, ...]
    axis: Axis | None
    moments: tuple[Moment, ...]
    sentence: str


def timeline(desk: Desk, found: Found, question: str, place: int) -> Timeline:
    """A question's answer over time."""
    standings = found.periods[-MOST_PERIODS:]
    estimates = [_estimate(desk, found, standing, question) for standing in standings]
    known = [estimate for estimate in estimates if estimate is not None]
    if not known or place >= len(known[-1].labels):
        return Timeline("", (), None, (), "Nothing can be shown yet: no period has enough answers.")
    bounds = [[np.asarray(each.evidence.interval(1 - level))[place] for level in LEVELS] for each in known]
    axis = axis_of(np.array([widest for widest, *_ in bounds]))
    drawn = iter(bounds)
    moments = [
        _moment(standing, estimate, place, axis, [] if estimate is None else next(drawn))
        for standing, estimate in zip(standings, estimates, strict=True)
    ]
    closed = [
        estimate
        for standing, estimate in zip(standings, estimates, strict=True)
        if estimate is not None and standing.state == RELEASED
    ]
    labels = tuple(printable(label) for label in known[-1].labels)
    return Timeline(labels[place], labels, axis, tuple(moments), _change(closed, place, labels[place]))


def _estimate(desk: Desk, found: Found, standing: Standing, question: str) -> Estimate | None:
    try:
        read = SurveyTally.from_bytes(desk.tally(found.row, standing.period)[0], Survey)
        return Results(read.document, read)[question]
    except (Refused, DenialError):  # too few answered
        return None


def _moment(standing: Standing, estimate: Estimate | None, place: int, axis: Axis, bounds: list[object]) -> Moment:
    is_open = standing.state != RELEASED
    if estimate is None:
        return Moment(standing.period, 0, is_open, "", "too few answers", None, ())
    spans = [(axis.place(float(low)), axis.place(float(high))) for low, high in np.asarray(bounds)]
    bands = tuple(Span(low, round(high - low, 3)) for low, high in spans)
    words = share_in_words(*estimate.interval()[place].tolist())
    share = float(estimate.unbiased[place])
    return Moment(standing.period, estimate.n, is_open, points(share), words, axis.place(share), bands)


def _change(closed: list[Estimate], place: int, label: str) -> str:
    """What is known of the change from the first to the last closed period."""
    if len(closed) < 2:
        return "Changes are shown once two periods are closed."
    low, high = closed[0].difference(closed[-1]).interval()[place].tolist()
    if low <= 0 <= high:
        span = f"{signed(low)} to {signed(high)} points"
        return f"No change of “{label}” can be seen between the first and the last period ({span})."
    verb = "rose" if low > 0 else "fell"
    least, most = sorted((abs(low), abs(high)))
    return f"“{label}” {verb} by {points(least)} to {points(most)} points between the first and the last period."
