"""What is shown of changes: two results side by side, and the periods of a question in a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from deniable.estimation.change import QuestionChange
from deniable.estimation.words import quoted
from deniable.pages.results.rows import Axis
from deniable.protocol.say import Phrase, Statement

IN_HUNDRED: Final = Statement("people_in_100")
MOST_DATES: Final = 12
"""So many columns of a timeline have a date beneath them at most."""


@dataclass(frozen=True)
class Change:
    """A label with both shares and their difference in points, or a mean or quantile in its units."""

    label: str
    first: Phrase
    second: Phrase
    difference: Phrase
    words: Phrase


@dataclass(frozen=True)
class Comparison:
    """What the second result has more or less of than the first."""

    finding: Statement
    """What surely differs, named by the titles of both; or that nothing does."""
    sentence: Statement
    test: Statement | None
    rows: tuple[Change, ...]
    titles: tuple[str, str]
    """What the two results are called."""
    of_number: bool = False
    """Whether rows are what is told of a number, and not shares of answers."""


def than_in(titles: tuple[str, str], are_weeks: bool = False) -> Statement:
    """Where there is more or less of something, and than where.

    >>> english(than_in(("North", "South")))
    'in “South” than in “North”'
    >>> english(than_in(("week of 3 August 2026", "week of 10 August 2026"), are_weeks=True))
    'in the week of 10 August 2026 than in the week of 3 August 2026'
    """
    first, second = titles
    if are_weeks:
        return Statement("in_the_than_in_the", second=second, first=first)
    return Statement("in_than_in", second=quoted(second), first=quoted(first))


@dataclass(frozen=True)
class Measurement:
    """A share, or a number in its units, with its 95% interval, and in words what is known, or why nothing is."""

    value: float | None
    low: float | None
    high: float | None
    words: Statement | str

    @classmethod
    def nothing(cls, why: Statement) -> Measurement:
        """Nothing is known."""
        return cls(None, None, None, why)


@dataclass(frozen=True)
class PeriodColumn:
    """A period, and where it stands across the picture, in per cent; ``tick`` is its date below."""

    period: str
    words: Phrase
    tick: Phrase
    date: Phrase
    """The same with its month in any case."""
    x: float
    n: int
    """How many told of the question; 0 where there is no result."""
    is_open: bool


@dataclass(frozen=True)
class PeriodPoint:
    """An answer in a period; places are in per cent from the top, None where nothing is known."""

    estimate: Phrase
    measured: Measurement
    dot: float | None = None
    top: float | None = None
    bottom: float | None = None


@dataclass(frozen=True)
class SpanBand:
    """Periods taken together: from which column to which, and the interval of what all their answers say."""

    x: float
    width: float
    top: float
    height: float
    middle: float


@dataclass(frozen=True)
class AnswerLine:
    """An answer, or a number's mean or quantile, over all periods; ``way`` is that of its change."""

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
