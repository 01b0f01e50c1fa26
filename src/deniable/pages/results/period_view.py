"""What there is to read of a survey's period: its state, how many answered, and the results if they may be seen."""

from __future__ import annotations

import datetime
import math
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final

from deniable.collector.collector import Collector
from deniable.collector.desk import Desk
from deniable.estimation.estimate import Estimate
from deniable.intake.clock import DAY
from deniable.intake.doors import Doors
from deniable.intake.phases import Phase, period_phase, survey_phase
from deniable.intake.refusals import UNKNOWN, Refused
from deniable.intake.storage.rows import Standing, SurveyRow
from deniable.pages.json_values import finite
from deniable.pages.moments import day, moment_of
from deniable.pages.results.period_words import dates_between, period_words
from deniable.protocol.errors import ParameterError
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.results import Results
from deniable.surveys.survey import Survey
from deniable.surveys.tally import SurveyTally

MOST_PERIODS: Final = 60
"""So many periods are shown in a row, the last ones."""
KEPT: Final = 2 * MOST_PERIODS
"""So many results are kept; of more, those that were read longest ago are computed again."""
STATES: Final = {
    Phase.PLANNED: Statement("planned"),
    Phase.WAITING: Statement("waiting_for_the_first"),
    Phase.OPEN: Statement("open"),
    Phase.GRACE: Statement("closed_waiting_for_late"),
    Phase.CLOSING: Statement("closing"),
    Phase.RELEASED: Statement("closed_heading"),
    Phase.WITHHELD: Statement("withheld"),
    Phase.JOINED: Statement("joined_to_the_next_period"),
    Phase.UNANSWERED: Statement("closed_unanswered"),
    Phase.DAMAGED: Statement("damaged"),
}
"""How a period stands, in words."""
READING: Final = threading.Lock()
"""Held while a tally is read, so that of two readers who come at once the second finds what the first has read."""


@dataclass(frozen=True)
class PeriodView:
    """A period of a survey as its readers may see it."""

    row: SurveyRow
    survey: Survey
    period: str
    """Empty while nobody has answered."""
    periods: Sequence[Standing]
    phase: Phase
    n: int = 0
    results: Results | None = None
    """None while fewer than ``minimum`` people have answered, and if they never do."""
    tally: bytes = b""
    gaps: bool = False
    """Whether answers may be missing, since the storage was restored from a copy."""
    until: Phrase = ""
    """Of a period that has ended, until when answers that were on their way are still counted."""
    came: int = 0
    """How many answers have come, counted or not: for those who may know the exact number."""
    cut: Phrase = ""
    """Of a period that was closed by hand before the announced end, when, and how long before."""
    deleted: Phrase = ""
    """Of a period that nothing is shown of, on which day its answers are deleted."""
    only: frozenset[str] | None = None
    """The names of the questions that its reader may see; None if all."""

    def to_json(self, content: Mapping[str, Any]) -> Any:
        """What a page says of it, and of which result, as JSON has it."""
        about = {"survey": self.row.name, "digest": self.row.digest, "period": self.period, "state": self.state}
        return finite({**about, "provisional": self.is_open, **content})

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions that its reader may see."""
        return tuple(each for each in self.survey.questions if self.only is None or each.name in self.only)

    def with_only(self, only: frozenset[str]) -> PeriodView:
        """The view for somebody who may see these questions alone; refused if it has none of them."""
        results = None if self.results is None else read_some(self.tally, only)
        view = replace(self, only=only, results=results)
        if not view.questions:
            raise Refused(UNKNOWN)
        return view

    @property
    def is_open(self) -> bool:
        """Whether what is seen is provisional."""
        return self.phase.is_provisional

    @property
    def state(self) -> Statement:
        """The phase in words."""
        return STATES[self.phase]

    @property
    def title(self) -> str:
        """What the survey is called."""
        return self.survey.title or self.survey.name

    @property
    def when(self) -> Phrase:
        """From which day to which the period reaches, as far as the survey says."""
        return dates_between(self.survey, self.period, self.period) if self.period else ""

    @property
    def ended_on(self) -> Phrase:
        """On which day the survey was closed by hand; empty if it was not."""
        return "" if self.row.ended is None else day_in_words(self.row.ended)

    def named(self, period: str, *, short: bool = False) -> Phrase:
        """A period of this survey in words."""
        return period_words(self.survey, period, short=short)


def find(collector: Collector[Any], desk: Desk, row: SurveyRow, period: str | None) -> PeriodView:
    """The view of the period that is asked for: unless named, the last one with a result, or else the last."""
    survey, doors, now = collector.form(row).survey, collector.doors(row), collector.now()
    standings, standing, visible = desk.result(row, period)
    if standing is None:
        return PeriodView(row, survey, "", (), survey_phase(doors, (), now))
    phase = period_phase(doors, standing, now)
    until = until_of(doors, standing.period, now) if phase is Phase.GRACE else ""
    view = PeriodView(
        row, survey, standing.period, standings, phase, gaps=standing.gaps, until=until, came=standing.answers,
        cut=cut_of(doors, standing.period),
    )  # fmt: skip
    if visible is None:  # how many are too few is told once it is for ever
        if phase is not Phase.WITHHELD:
            return view
        return replace(view, n=standing.answers, deleted=day_in_words(doors.discards(standing.period)))
    results = read(visible.tally, survey)
    return replace(view, n=results.n, results=results, tally=visible.tally)


def until_of(doors: Doors, period: str, now: float) -> Phrase:
    """Until when late answers of a period that has ended are counted; empty of one that goes on, or is over."""
    if not doors.span(period).ends <= now < doors.shuts(period):
        return ""
    shuts = datetime.datetime.fromtimestamp(doors.shuts(period), datetime.UTC)
    return Statement("moment_moment", moment=moment_of(shuts))


def cut_of(doors: Doors, period: str) -> Phrase:
    """When a period was closed by hand, and how long before the end that people were told; empty if it was not."""
    if doors.ended is None or not doors.is_cut or doors.span(period).ends != doors.ended:
        return ""
    days = math.floor((doors.announced - doors.ended) / DAY)
    day = day_in_words(doors.ended)
    if not days:
        return Statement("on_less_than_a_day_before", day=day)
    return Statement("on_days_before_the_announced", day=day, count=days)


def day_in_words(moment: float) -> Statement:
    """The day of a moment, by universal time."""
    return Statement("day", day=day(datetime.datetime.fromtimestamp(moment, datetime.UTC)))


@dataclass(frozen=True, eq=False, repr=False)
class VisibleResults(Results):
    """The results of the questions in ``only``; the others are as if nobody had asked them."""

    only: frozenset[str] = frozenset()

    @classmethod
    def of(cls, whole: Results, only: frozenset[str]) -> VisibleResults:
        """Some questions of results, which are worked out once for all who read them."""
        visible = cls(whole.document, whole.tally, whole.decoder, whole.candidates, only)
        vars(visible).update(_estimates=whole._estimates)
        return visible

    def __getitem__(self, name: str) -> Estimate:
        if name not in self.only:
            raise ParameterError(f"a question must be one that this reader may see, got {name!r}")
        return super().__getitem__(name)

    def __iter__(self) -> Iterator[str]:
        return (name for name in super().__iter__() if name in self.only)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(frozen=True)
class _StoredTally:
    """A tally as it is stored, and of which survey, if that is known."""

    tally: bytes
    of: Survey | type[Survey] = field(compare=False)


def read(tally: bytes, of: Survey | type[Survey] = Survey) -> Results:
    """The results of a tally, the same for all pages that show it: to find words that nobody listed takes seconds."""
    with READING:
        return _read(_StoredTally(tally, of))


@lru_cache(maxsize=KEPT)
def _read(stored: _StoredTally) -> Results:
    counted = SurveyTally.from_bytes(stored.tally, stored.of)
    return Results(counted.document, counted)


@lru_cache(maxsize=KEPT)
def read_some(tally: bytes, only: frozenset[str]) -> Results:
    """The results of some questions of a tally."""
    return VisibleResults.of(read(tally), only)
