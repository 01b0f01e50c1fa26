"""What the page of a running survey says of it: how it stands, how many have answered, and what is still to be done."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from deniable.collector.doors import Doors
from deniable.collector.phases import Phase, survey_phase
from deniable.collector.storage.rows import Standing, SurveyRow
from deniable.pages.label_terms import span
from deniable.pages.zones import local_moment
from deniable.protocol.fields import read_time
from deniable.protocol.say import english
from deniable.surveys.survey import Survey

USUAL_PEOPLE: Final = 100
SPARE_CODES: Final = 5
MADE_UP: Final = 0.01
"""The share of made-up answers of which it is said what they can do."""


@dataclass(frozen=True)
class RunView:
    """A survey as its author finds it while it runs."""

    row: SurveyRow
    survey: Survey
    doors: Doors
    standings: Sequence[Standing]
    now: float
    zone: datetime.tzinfo
    codes: int
    """How many codes have been made for people."""
    made_up: str
    """What made-up answers can do; empty where each person has a code."""

    @property
    def is_planned(self) -> bool:
        """Whether it is still to open."""
        return self.now < self.doors.begins and self.is_asking

    @property
    def is_asking(self) -> bool:
        """Whether people can still be asked, now or later."""
        return self.now < self.doors.ends

    @property
    def may_invite(self) -> bool:
        """Whether codes can be made: only who has one answers then, so nobody may have answered without."""
        return self.row.invited or not self.answers

    @property
    def missing_codes(self) -> int:
        """For how many people codes are probably wanted now: for all that have none yet, or as spare ones."""
        if not self.codes:
            return self.survey.population or USUAL_PEOPLE
        return max((self.survey.population or 0) - self.codes, 0) or SPARE_CODES

    @property
    def has_too_many_codes(self) -> bool:
        """Whether more codes were made than there are people."""
        return self.survey.population is not None and self.codes > self.survey.population

    @property
    def answers(self) -> int:
        """How many answers have come."""
        return sum(standing.answers for standing in self.standings)

    @property
    def state(self) -> str:
        """How it stands, with the moment at which that changes."""
        if self.is_planned:
            return f"Opens on {self._moment(self.doors.begins)}"
        if self.is_asking:
            ends = self.doors.ends
            return "Open until you close it" if ends == math.inf else f"Open until {self._moment(ends)}"
        phase, late = survey_phase(self.doors, self.standings, self.now), self._counted_until
        return f"{phase.value} until {self._moment(late)}" if phase is Phase.GRACE and late else phase.value

    @property
    def counted(self) -> str:
        """How many have answered, of how many that it is meant for."""
        meant, word = self.survey.population, "answer" if self.answers == 1 else "answers"
        if meant is not None:
            return f"{self.answers:,} of {meant:,} planned answers"
        return f"{self.answers:,} {word}" if self.answers else "no answer yet"

    @property
    def needed(self) -> str:
        """Below how many answers no result is shown."""
        each = "" if self.survey.period == "once" else f" in a {self.survey.period}"
        return f"no result below {self.survey.minimum:,} answers{each}"

    @property
    def who(self) -> str:
        """Who can answer."""
        return "Only people with a code can answer" if self.row.invited else "Anybody with the link can answer"

    @property
    def announced_end(self) -> str:
        """When it was to end, of a survey that was closed by hand before; else empty."""
        closes, ended = self.survey.closes, self.doors.ended
        announced = math.inf if closes is None else read_time(closes).timestamp()
        is_early = ended is not None and ended < announced < math.inf
        return self._moment(announced) if is_early else ""

    @property
    def closing(self) -> str:
        """When it ends by itself, for whoever wants to end it earlier."""
        return "" if self.doors.ends == math.inf else f"before {self._moment(self.doors.ends)}"

    @property
    def grace(self) -> str:
        """How long answers that are on their way are counted after the end."""
        return english(span(self.survey.grace))

    @property
    def _counted_until(self) -> float | None:
        """Until when late answers are counted, of the period that ends last."""
        late = [self.doors.shuts(each.period) for each in self.standings]
        return max((moment for moment in late if self.now < moment < math.inf), default=None)

    def _moment(self, seconds: float) -> str:
        return english(local_moment(datetime.datetime.fromtimestamp(seconds, datetime.UTC), self.zone))


def made_up_words(survey: Survey) -> str:
    """What made-up answers can do to the question that they move most."""
    shifts = [each for each in survey.manipulation(MADE_UP).shifts.values() if each.moved]
    worst = max(shifts, key=lambda each: each.shift, default=None)
    return "" if worst is None else f"{worst.what} could move by up to {worst.moved}"
