"""A question over time in plain values: its periods in a row, and what changed from the first to the last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from deniable.estimation.change import QuestionChange
from deniable.estimation.export import csv_text
from deniable.pages.results.result_kind import Measurement
from deniable.pages.results.rows import Axis
from deniable.pages.results.shares import IN_HUNDRED
from deniable.protocol.say import Phrase, Statement, english

MOST_DATES: Final = 12
"""So many columns of a timeline have a date beneath them at most."""


@dataclass(frozen=True)
class PeriodColumn:
    """A period, and where it stands across the picture, in per cent; ``tick`` is its date below."""

    period: str
    words: Phrase
    tick: Phrase
    date: Phrase
    """``tick`` with its month in any case."""
    x: float
    n: int
    """How many people reported on the question; 0 where there is no result."""
    is_open: bool


@dataclass(frozen=True)
class PeriodPoint:
    """An answer in a period: its dot and the ends of its line in per cent from the top, None where nothing is known."""

    measured: Measurement
    dot: float | None = None
    top: float | None = None
    bottom: float | None = None


@dataclass(frozen=True)
class SpanBand:
    """Periods taken together: where they lie across the picture, and how far down the interval of all their answers is.

    All in per cent of the picture; ``middle`` is how far down the estimate is.
    """

    x: float
    width: float
    top: float
    height: float
    middle: float


@dataclass(frozen=True)
class AnswerLine:
    """An answer, or a number's mean or quantile, over all periods; ``place`` is its number among all, from 0.

    ``words`` say what changed, and ``way`` is 1 if it rose, -1 if it fell, else 0; ``bands`` are the spans compared.
    """

    place: int
    label: Phrase
    words: Phrase
    way: int
    points: tuple[PeriodPoint, ...]
    bands: tuple[SpanBand, ...]


@dataclass(frozen=True)
class Timeline:
    """The periods of a question in a row, with what changed from the first ones to the last ones that are closed."""

    sentence: Statement
    dates: Statement | None = None
    """Which days are compared, and what is to be said of the other answers."""
    change: QuestionChange | None = None
    spans: tuple[int, int] = (1, 1)
    """How many periods at the beginning are compared with how many at the end."""
    most: int = 0
    """How many periods are closed."""
    labels: tuple[Phrase, ...] = ()
    axis: Axis | None = None
    columns: tuple[PeriodColumn, ...] = ()
    lines: tuple[AnswerLine, ...] = ()
    """Those that are drawn small."""
    chosen: AnswerLine | None = None
    rest: Statement | None = None
    """What is said of those that are not drawn."""
    unit: Phrase = IN_HUNDRED
    give_or_take: Phrase = ""
    """How far one period alone can be read."""

    @property
    def dated(self) -> tuple[tuple[PeriodColumn, Phrase], ...]:
        """The columns with a date beneath them, of many periods some, whose dates then say their month."""
        step = (len(self.columns) - 1) // MOST_DATES + 1
        return tuple((each, each.tick if step == 1 else each.date) for each in self.columns[::step])


def timeline_data(timeline: Timeline) -> dict[str, Any]:
    """A timeline for programs: what changed of all answers, and the periods of those that are drawn."""
    drawn = {each.label: each for each in (*timeline.lines, *([timeline.chosen] if timeline.chosen else []))}
    periods = [
        {
            "period": column.period, "name": column.words, "open": column.is_open, "n": column.n or None,
            "answers": [{"label": name, **each.points[place].measured.to_dict()} for name, each in drawn.items()],
        }
        for place, column in enumerate(timeline.columns)
    ]  # fmt: skip
    change = (
        None
        if timeline.change is None
        else {**timeline.change.to_dict(), "spans": [*timeline.spans], "dates": timeline.dates}
    )
    return {"unit": timeline.unit, "sentence": timeline.sentence, "change": change, "periods": periods}


def timeline_csv(timeline: Timeline) -> str:
    """A row for each period of each answer that is drawn, with what is known of it."""
    rows = [{**period, **answer} for period in timeline_data(timeline)["periods"] for answer in period["answers"]]
    names = ("period", "name", "open", "n", "label", "value", "low", "high", "words")
    return csv_text({name: [_in_english(row[name]) for row in rows] for name in names}, ("label", "words"))


def _in_english(value: Any) -> Any:
    return english(value) if isinstance(value, Statement) else value
