"""A survey in the list of all: what it found, how many answered, and how it stands."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from deniable.intake.doors import Doors
from deniable.intake.phases import Phase, survey_phase
from deniable.intake.storage.rows import Standing, SurveyRow
from deniable.pages.front.dates import Calendar
from deniable.pages.results import period_view
from deniable.pages.results.headlines import Finding, HeadlineKey
from deniable.protocol.say import Statement
from deniable.protocol.surveys.periods import ONCE, calendar_bounds
from deniable.surveys.survey import Survey

STATES: Final = {**period_view.STATES, Phase.WAITING: Statement("open")}


@dataclass(frozen=True)
class SurveyEntry:
    """A survey as whoever reads the list may see it."""

    row: SurveyRow
    survey: Survey
    doors: Doors
    standings: Sequence[Standing]
    calendar: Calendar
    only: frozenset[str] | None = None
    """The names of the questions that whoever reads the list may see of it; None if all."""
    may_count: bool = False
    """Whether who reads the list may know how many came, of a survey of which nothing is shown too."""

    @property
    def title(self) -> str:
        """What it is called."""
        return self.survey.title or self.row.name

    @property
    def phase(self) -> Phase:
        """How far it has come."""
        return survey_phase(self.doors, self.standings, self.calendar.now)

    @property
    def key(self) -> HeadlineKey | None:
        """What its finding is about; None while there is none."""
        key = HeadlineKey.of(self.standings)
        return None if key is None else key._replace(only=self.only)

    @property
    def shown(self) -> int:
        """How many answers are in what readers see."""
        return sum(each.shown for each in self.standings)

    @property
    def came(self) -> int | None:
        """Of a survey with too few answers, of which nothing is shown any more, how many came."""
        return self._most if self.phase in (Phase.WITHHELD, Phase.UNANSWERED) else None

    @property
    def last(self) -> Standing | None:
        """Of a survey that asks again and again the last period with a result: its finding is what is listed."""
        shown = [each for each in self.standings if each.shown]
        return shown[-1] if shown and self.survey.period != ONCE else None

    @property
    def of_period(self) -> Statement | None:
        """Of how many answers the finding is, or of which period, and how many answered in all."""
        if self.counted > self.shown:
            return Statement("result_of_count", count=self.shown)
        begins = None if self.last is None else calendar_bounds(self.survey, self.last.period)[0]
        if begins is None:
            return None
        day = self.calendar.day(begins.date())
        if self.survey.period == "week":
            return Statement("week_of_in_all", day=day, count=self.shown)
        if self.survey.period == "month":
            day = Statement("month_year", month=Statement(f"month_{begins.month}"), year=str(begins.year))
        return Statement("in_all_day_count", day=day, count=self.shown)

    @property
    def counted(self) -> int:
        """Of a survey that is asked once how many answers have come, if a result is shown and the reader may know."""
        is_known = self.may_count and self.shown and self.survey.period == ONCE
        return self._most if is_known else 0

    @property
    def _most(self) -> int:
        """How many answers came in the period in which most did."""
        return max((each.answers for each in self.standings), default=0)

    @property
    def answers(self) -> Statement:
        """How many have answered, as far as readers are told: of several periods in the last one."""
        if self.last is not None:
            return Statement("count_alone", count=self.last.shown)
        if self.counted > self.shown:
            return Statement("count_alone", count=self.counted)
        if self.shown or self.phase in (Phase.PLANNED, Phase.WAITING, Phase.DAMAGED):
            return Statement("count_alone", count=self.shown)
        if self.came is None and not self.may_count:
            return Statement("fewer_than", minimum=self.survey.minimum)
        return Statement("of_came_minimum", came=self._most, minimum=self.survey.minimum)

    @property
    def state(self) -> Statement:
        """How it stands, in words."""
        return Statement("closed_early") if self.is_early else STATES[self.phase]

    @property
    def is_early(self) -> bool:
        """Whether it was closed by hand before the end that people were told, and has a result all the same."""
        return self.doors.is_cut and self.phase in (Phase.GRACE, Phase.CLOSING, Phase.RELEASED)

    @property
    def first(self) -> datetime.date:
        """The day from which it asks: the one that it says, or else the one on which it was opened."""
        begins = self.doors.begins
        return datetime.date.fromisoformat(self.row.day) if begins == -math.inf else self.calendar.date(begins)

    @property
    def dates(self) -> Statement:
        """From when to when it asks."""
        return self.calendar.span(self.first, self.doors.ends)

    @property
    def silence(self) -> Statement | None:
        """Why there is no finding; None where there is one."""
        if self.phase is Phase.PLANNED:
            return Statement("nothing_yet_it_opens_on", day=self.calendar.day(self.first))
        if self.phase is Phase.WAITING:
            crowd = self.survey.crowd
            if crowd is not None:
                return Statement("nothing_handed_over_yet", least=crowd.least)
            return Statement("nobody_has_answered_yet")
        if self.phase is Phase.UNANSWERED:
            return Statement("nobody_answered")
        if self.shown:
            return None
        if self.phase is Phase.DAMAGED:
            return Statement("no_result_it_is_damaged")
        if self.phase is Phase.WITHHELD:
            return Statement("withheld_fewer_than_answers", minimum=self.survey.minimum)
        return Statement("nothing_yet_fewer_than_answers", minimum=self.survey.minimum)

    def to_dict(self, finding: Finding | None) -> dict[str, object]:
        """The entry and its finding for programs."""
        return {
            "name": self.row.name,
            "digest": self.row.digest,
            "title": self.title,
            "phase": self.phase.key,
            "state": self.phase.value,
            "answers": self.shown,
            "period": None if self.last is None else {"name": self.last.period, "answers": self.last.shown},
            "came": self.came,
            "minimum": self.survey.minimum,
            "since": self.row.day,
            "closed_early": self.is_early,
            "away": self.row.away,
            "headline": "" if finding is None else finding.sentence,
        }
