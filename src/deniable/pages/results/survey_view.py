"""The result of a whole survey as its page shows it: a section for each question, and once what holds of all."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from deniable.pages.results.about import AboutRow, about
from deniable.pages.results.caution import Caution
from deniable.pages.results.cautions import cautions
from deniable.pages.results.made_up import MADE_UP, OPEN_TO_ALL
from deniable.pages.results.period_view import KEPT, PeriodView
from deniable.pages.results.selection import FEW, Selection
from deniable.pages.results.view import QuestionView, axis_of_shares, view
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase

LOCKS: Final = tuple(threading.Lock() for _ in range(16))
"""Of two who ask for the same at once the second waits for the first, rather than work it out too."""


@dataclass(frozen=True)
class SurveyView:
    """The questions on a page, what to beware of, and what the survey is."""

    sections: Sequence[QuestionView]
    cautions: Sequence[Caution]
    about: Sequence[AboutRow]

    @property
    def has_shares(self) -> bool:
        """Whether shares of answers are drawn, which all have one axis."""
        return any(each.chart is not None and each.numbers is None for each in self.sections)

    @property
    def is_open_to_all(self) -> bool:
        """Whether it is cautioned against answers that anybody could make up."""
        return any(each.head == OPEN_TO_ALL for each in self.cautions)


@dataclass(frozen=True)
class _ReadPeriod:
    """A period as it was read, with all on which it depends what is said of its questions."""

    tally: bytes
    only: frozenset[str] | None
    is_open: bool
    is_invited: bool
    until: Phrase
    cut: Phrase
    gaps: bool
    zoomed: bool
    found: PeriodView = field(compare=False)


def survey_view(found: PeriodView, zoomed: bool = False) -> SurveyView:
    """All questions, of long lists the largest answers."""
    state = (found.is_open, found.row.invited, found.until, found.cut, found.gaps, zoomed)
    kept = _ReadPeriod(found.tally, found.only, *state, found)
    with LOCKS[hash(kept) % len(LOCKS)]:
        told = sections(kept)
    return SurveyView(*told, about(found))


@lru_cache(maxsize=KEPT)
def sections(kept: _ReadPeriod) -> tuple[Sequence[QuestionView], Sequence[Caution]]:
    """The questions and what to beware of, worked out once for all who read them."""
    found, wanted = kept.found, Selection(most=FEW, zoomed=kept.zoomed)
    axis = axis_of_shares(found, found.questions, wanted)
    return _with_cautions(found, [view(found, each, wanted, axis=axis) for each in found.questions])


def one_question(
    found: PeriodView, question: Question, wanted: Selection, asked: tuple[str, str] | None, made: float = MADE_UP
) -> SurveyView:
    """One question alone, as its reader wants it."""
    axis = axis_of_shares(found, [question], wanted)
    return SurveyView(*_with_cautions(found, [view(found, question, wanted, asked, axis)], made), about(found))


def _with_cautions(
    found: PeriodView, views: Sequence[QuestionView], made: float = MADE_UP
) -> tuple[Sequence[QuestionView], Sequence[Caution]]:
    assert found.results is not None
    read = [(each.name, found.results[each.name]) for each in views if not each.missing]
    return views, cautions(found, read, made) if read else []
