"""What a closed result can be compared with: other periods, and other surveys with the same labels or scale."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from deniable.collector.collector import Collector
from deniable.collector.desk import Desk
from deniable.collector.refusals import UNKNOWN, Refused
from deniable.collector.storage.rows import RELEASED, SurveyRow
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.results.period_view import PeriodView
from deniable.pages.results.period_words import period_words
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.survey import Survey

MOST_OFFERED: Final = 200


@dataclass(frozen=True)
class Other:
    """A closed period of this survey or of another one; ``key`` stands for it in an address."""

    key: str
    title: str
    when: Phrase
    """Its period in words; empty where it has but one."""
    row: SurveyRow
    period: str
    question: str

    @property
    def words(self) -> Phrase:
        """How it is called where it can be chosen."""
        return Statement("title_name", title=_with_period(self.title, self.when), name=self.row.name)


def others(
    collector: Collector[object], desk: Desk, found: PeriodView, question: Question, may: Callable[[SurveyRow], bool]
) -> list[Other]:
    """All that the reader may see of it, this survey's periods first, the newest survey next."""
    offered: list[Other] = []
    seen = [(row, standings) for row, standings in reversed(desk.overview().items()) if may(row)]
    for row, standings in sorted(seen, key=lambda each: each[0].digest != found.row.digest):
        survey = collector.form(row).survey
        same = same_question(survey, question)
        if same is not None:
            offered += [_other(row, survey, each.period, same) for each in standings if each.state == RELEASED]
    return [each for each in offered if (each.row.digest, each.period) != (found.row.digest, found.period)][
        :MOST_OFFERED
    ]


def chosen(offered: list[Other], wanted: str) -> Other:
    """The one that an address asks for: by its key, or by a survey's name, of which it is the last closed period."""
    named = [each for each in offered if each.row.name == wanted]
    found = next((each for each in offered if each.key == wanted), None) or max(
        named, key=lambda each: each.period, default=None
    )
    if found is None:
        raise Refused(UNKNOWN)
    return found


def titles_of(found: PeriodView, other: Other) -> tuple[Phrase, Phrase]:
    """What tells two results apart: of one survey the periods, else the titles, or the names where these are alike."""
    if other.row.digest == found.row.digest:
        return found.named(found.period), other.when
    one: Phrase = found.title
    two: Phrase = other.title
    if one == two:
        one, two = (Statement("title_name", title=one, name=row.name) for row in (found.row, other.row))
    return _with_period(one, found.named(found.period)), _with_period(two, other.when)


def _with_period(title: Phrase, when: Phrase) -> Phrase:
    """A survey's title with the period, if it has several."""
    return Statement("title_when", title=title, when=when) if when else title


def same_question(survey: Survey, question: Question) -> Question | None:
    """The question of a survey that has the same kind and labels or scale: of several that of the same name."""
    same = [
        each
        for each in survey.questions
        if each.kind == question.kind and page_kind(question).compares_with(question, each)
    ]
    return min(same, key=lambda each: each.name != question.name, default=None)


def _other(row: SurveyRow, survey: Survey, period: str, question: Question) -> Other:
    title, when = survey.title or row.name, period_words(survey, period)
    return Other(f"{row.digest[:16]}/{period}", title, when, row, period, question.name)
