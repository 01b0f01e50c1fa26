"""What the page of a running survey says of it: how it stands, how many have answered, and what is still to be done."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from deniable.intake.doors import Doors
from deniable.intake.phases import Phase, survey_phase
from deniable.intake.storage.rows import OPEN, Standing, SurveyRow
from deniable.pages.front.survey_entry import STATES
from deniable.pages.zones import local_moment
from deniable.protocol.say import Phrase, Statement
from deniable.protocol.surveys.periods import ONCE
from deniable.surveys.label import span
from deniable.surveys.manipulation import MADE_UP
from deniable.surveys.survey import Survey

USUAL_PEOPLE: Final = 100
SPARE_CODES: Final = 5
DURING: Final = {"day": Statement("in_a_day"), "week": Statement("in_a_week"), "month": Statement("in_a_month")}


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
    made_up: Phrase
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
    def may_delete(self) -> bool:
        """Whether it can be deleted: it is over, or nobody ever answered it."""
        return not self.standings or (
            self.doors.is_over(self.now) and not any(standing.is_open for standing in self.standings)
        )

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
    def is_complete(self) -> bool:
        """Whether everybody has answered whom it is meant for."""
        return self.survey.population is not None and self.answers >= self.survey.population

    @property
    def may_be_final(self) -> bool:
        """Whether there are enough answers for a result, and more would still be taken."""
        return self.survey.period == ONCE and self.answers >= self.survey.minimum and self.is_counting

    @property
    def is_counting(self) -> bool:
        """Whether answers are still taken, if only late ones."""
        return any(each.state == OPEN for each in self.standings)

    @property
    def answers(self) -> int:
        """How many answers have come."""
        return sum(standing.answers for standing in self.standings)

    @property
    def state(self) -> Statement:
        """How the survey stands, with the moment at which that changes."""
        if self.is_planned:
            return Statement("opens_on", moment=self._moment(self.doors.begins))
        if self.is_asking:
            ends = self.doors.ends
            if ends == math.inf:
                return Statement("open_until_you_close_it")
            return Statement("open_until", moment=self._moment(ends))
        phase, late = survey_phase(self.doors, self.standings, self.now), self._counted_until
        if phase is Phase.GRACE and late:
            return Statement("until_state_moment", state=STATES[phase], moment=self._moment(late))
        return STATES[phase]

    @property
    def counted(self) -> Statement:
        """How many have answered, of how many people whom the survey is meant for, if it says."""
        meant = self.survey.population
        if meant is not None:
            return Statement("of_planned_answers", came=self.answers, planned=meant)
        if not self.answers:
            return Statement("no_answer_yet")
        return Statement("answers_count", count=self.answers)

    @property
    def needed(self) -> Statement:
        """Below how many answers no result is shown."""
        if self.survey.period == "once":
            return Statement("no_result_below_answers_count", count=self.survey.minimum)
        return Statement(
            "no_result_below_answers_count_during", count=self.survey.minimum, during=DURING[self.survey.period]
        )

    @property
    def every(self) -> Statement:
        """How often people may be asked."""
        return Statement("every", every=Statement(f"every_{self.survey.period}"))

    @property
    def who(self) -> Statement:
        """Who can answer."""
        if self.row.invited:
            return Statement("only_people_with_a_code")
        return Statement("anybody_with_the_link_can")

    @property
    def announced_end(self) -> Phrase:
        """When it was to end, of a survey that was closed by hand before; else empty."""
        return self._moment(self.doors.announced) if self.doors.is_cut else ""

    @property
    def closing(self) -> Statement:
        """When it ends by itself, for whoever wants to end it earlier."""
        if self.doors.ends == math.inf:
            return Statement("close_it_now")
        return Statement("close_it_before", moment=self._moment(self.doors.ends))

    @property
    def grace(self) -> Statement:
        """How long answers that are on their way are counted after the end."""
        return Statement("span", span=span(self.survey.grace))

    @property
    def _counted_until(self) -> float | None:
        """Until when late answers are counted, of the period that ends last."""
        late = [self.doors.shuts(each.period) for each in self.standings]
        return max((moment for moment in late if self.now < moment < math.inf), default=None)

    def _moment(self, seconds: float) -> Statement:
        return Statement(
            "moment_moment", moment=local_moment(datetime.datetime.fromtimestamp(seconds, datetime.UTC), self.zone)
        )


def made_up_words(survey: Survey) -> Phrase:
    """What made-up answers can do to the question that they move most."""
    shifts = [each for each in survey.manipulation(MADE_UP).shifts.values() if each.moved]
    worst = max(shifts, key=lambda each: each.shift, default=None)
    if worst is None:
        return ""
    return Statement("could_move_by_up_to", what=worst.what, amount=worst.moved)
