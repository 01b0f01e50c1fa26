"""A collector: an intake that reads what it takes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Generic

from deniable.collector.answer_form import AnswerForm
from deniable.collector.checking import seal, set_aside
from deniable.intake import clock
from deniable.intake.intake import Intake, Settle, Slot
from deniable.intake.storage.rows import SurveyRow
from deniable.intake.storage.store import Store
from deniable.intake.writer import within
from deniable.surveys.survey import Survey


class Collector(Intake[Slot, AnswerForm], Generic[Slot]):
    """Takes uploads, and looks at what an earlier release stored; safe to call from any thread."""

    def __init__(
        self, store: Callable[[], Store], settle: Settle[Slot], steady: Callable[[], float] = clock.steady
    ) -> None:
        super().__init__(store, settle, form_of, steady)

    def _opened(self) -> Store:
        store = super()._opened()
        for survey, batch, what in seal(partial(within, store), self.form, store.now()):
            if what:
                within(store, set_aside(survey, batch, what))
        return store


def form_of(row: SurveyRow) -> AnswerForm:
    """The form of a survey's answers."""
    return AnswerForm.of(Survey.from_stored(row.document))
