"""The result of a whole survey as its page shows it: a section for each question, and once what holds of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deniable.pages.results.about import AboutRow, about
from deniable.pages.results.cautions import Caution, cautions
from deniable.pages.results.period_view import PeriodView
from deniable.pages.results.selection import FEW, Selection
from deniable.pages.results.view import QuestionView, view
from deniable.protocol.questions.question import Question


@dataclass(frozen=True)
class SurveyView:
    """The questions on a page, what to beware of, and what the survey is."""

    sections: Sequence[QuestionView]
    cautions: Sequence[Caution]
    about: Sequence[AboutRow]


def survey_view(found: PeriodView) -> SurveyView:
    """All questions, of long lists the largest answers."""
    return _shown(found, [view(found, each, Selection(most=FEW)) for each in found.questions])


def one_question(found: PeriodView, question: Question, wanted: Selection, asked: tuple[str, str] | None) -> SurveyView:
    """One question alone, as its reader wants it."""
    return _shown(found, [view(found, question, wanted, asked)])


def _shown(found: PeriodView, sections: Sequence[QuestionView]) -> SurveyView:
    assert found.results is not None
    read = [(each.name, found.results[each.name]) for each in sections if not each.missing]
    return SurveyView(sections, cautions(found, read) if read else [], about(found))
