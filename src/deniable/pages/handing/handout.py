"""What people are handed, in a language: who asks what, until when, what is promised, and where to answer."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from markupsafe import Markup

from deniable.estimation.table import printable
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.pages.dots import DotFigure, dots, full_dots, of_hundred
from deniable.pages.handing.codes import short_address
from deniable.pages.languages import marked
from deniable.pages.zones import local_moment
from deniable.protocol.fields import read_time
from deniable.protocol.say import Language, Statement
from deniable.protocol.surveys.protection import Protection
from deniable.protocol.surveys.translations import SurveyWords
from deniable.surveys.survey import Survey

MERGE_FIELD: Final = "«link»"
"""Where the column ``link`` of a list takes its place in a message."""


@dataclass(frozen=True)
class Handout:
    """What posters, letters, cards and messages say. All that is promised follows from the survey."""

    say: Language
    survey: Survey
    tag: str | None
    """The language of the author's texts; None if the survey does not say it."""
    zone: datetime.tzinfo
    now: datetime.datetime
    invited: bool
    """Whether nobody answers without a code."""
    link: str
    """Where it is answered, by anybody or by who also has a code."""
    short: str
    """Where it is answered, short enough to be typed."""

    @cached_property
    def headline(self) -> str:
        """The question, if it is the only one; else the title."""
        wordings = [each.wording for each in self._words.questions.values()]
        return (wordings[0] if len(wordings) == 1 else "") or self.title

    @property
    def title(self) -> str:
        """What the survey is called."""
        return self._words.title or self.survey.name

    @cached_property
    def _words(self) -> SurveyWords:
        return self.survey.texts(self.tag)

    @property
    def asker(self) -> str:
        """Who asks; empty if nobody is named."""
        return marked(self.say.code)("hand_asks", owner=self.survey.owner) if self.survey.owner else ""

    @property
    def terms(self) -> str:
        """How many questions, and until when."""
        return ", ".join([self.say("hand_questions", count=len(self.survey.questions)), *self.times])

    @property
    def times(self) -> list[str]:
        """From when to when it is asked, as far as that is known."""
        moments = (("hand_from", self._opens_later(self.survey.opens)), ("hand_until", self.survey.closes))
        return [self.say(key, moment=self.moment(written)) for key, written in moments if written]

    def moment(self, written: str) -> Statement:
        """A moment of the document on the author's clock."""
        return local_moment(read_time(written), self.zone)

    def _opens_later(self, opens: str | None) -> str | None:
        """When it opens, unless it has by now."""
        return opens if opens and read_time(opens) > self.now else None

    @cached_property
    def promise(self) -> str:
        """What is sent, in two sentences."""
        mixes = self.say("hand_mixes", count=len(self.survey.questions))
        return f"{mixes} {self.say(Protection.of(self.survey).hint)}"

    @cached_property
    def guess(self) -> str:
        """How sure somebody can become."""
        return self.say("as_it_stands", said=Protection.of(self.survey).guess())

    @property
    def minimum(self) -> str:
        """Below how many answers nothing is shown."""
        return self.say("hand_minimum", count=self.survey.minimum)

    @property
    def once(self) -> str:
        """What a code is good for."""
        repeated = self.survey.repeat != "once"
        often = Statement(f"every_{self.survey.period}" if repeated else "hand_once")
        return self.say("hand_code", often=often)

    @cached_property
    def picture(self) -> DotFigure | None:
        """How many with one of two answers send the other; None of surveys of other kinds."""
        parts = [part for arm in self.survey.arms for part in arm.parts]
        if len(parts) != 1 or not isinstance(parts[0].mechanism, RandomizedResponse):
            return None
        return self._dots(parts[0].mechanism)

    def _dots(self, mechanism: RandomizedResponse) -> DotFigure | None:
        """The picture of a question with two answers; None of more."""
        labels = [printable(label) for words in self._words.questions.values() for label in words.labels]
        if len(labels) != 2:
            return None
        share = float(mechanism.channel().exact[1][0])
        statement = Statement("hand_same", own=labels[0], other=labels[1], fitting=of_hundred(share))
        return DotFigure(Markup(marked(self.say.code)(statement)), dots(full_dots(share), self.say(statement)))

    # --- to be sent -------------------------------------------------------------------------------------------------

    @property
    def message(self) -> str:
        """A message to send to people; of invited ones with a field that mail merge fills."""
        where = self.say("hand_own", link=MERGE_FIELD) if self.invited else self.link
        return "\n\n".join(filter(None, (self._head, f"{self.promise} {self.guess}".strip(), self.minimum, where)))

    @property
    def reminder(self) -> str:
        """A reminder, which goes to all alike."""
        where = self.say("hand_given") if self.invited else self.link
        return "\n\n".join((self._head, self.say("hand_reminder"), where))

    @property
    def _head(self) -> str:
        """Who asks what, how many questions there are, and until when: what messages begin with."""
        asks = self.say("hand_asks", owner=self.survey.owner) if self.survey.owner else ""
        return "\n".join((f"{asks}: {self.headline}" if asks else self.headline, self.terms))


def handout_at(
    base: str,
    survey: Survey,
    say: Language,
    tag: str | None,
    zone: datetime.tzinfo,
    now: datetime.datetime,
    *,
    invited: bool,
) -> Handout:
    """What people are handed who reach the collector at an address."""
    short = short_address(base, survey.digest)
    return Handout(say, survey, tag, zone, now, invited, f"{base}/q/{survey.digest}", short)
