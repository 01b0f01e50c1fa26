"""Checklists, whose answers are lists of labels."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np

from deniable.estimation.laws.lists_law import ListsLaw
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.page_kind import PageKind, faults_of_answers, has_answer
from deniable.pages.kinds.sent_answer import FittingShares, SentAnswer, Shares, fitting_shares, most_telling, parts_note
from deniable.protocol.questions.any_of import AnyOf, Has
from deniable.protocol.questions.question import Question, QuestionWords
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.arms import Part


class AnyOfPage(PageKind[AnyOf]):
    """Any number of labels is the answer."""

    caution = Statement("people_chose_as_many")
    title = Statement("several")
    hint = Statement("tick_all_that_are_true_word")
    fields = "answers"
    preview = "several"

    def to_question(self, question: DraftQuestion, name: str) -> AnyOf:
        return AnyOf(name, question.written, question.wording, exclusive=question.exclusive or None)

    def to_draft(self, question: AnyOf, before: DraftQuestion) -> DraftQuestion:
        alone = tuple(map(str, question.exclusive or ()))
        answers = tuple(map(str, question.labels))
        return replace(before, kind="any_of", answers=answers, alone=alone, protected="everybody")

    def sent_answer(self, question: AnyOf, parts: Sequence[Part], words: QuestionWords) -> SentAnswer:
        """How many people send that a label is ticked: of those who ticked it, and of others."""
        labels = all(isinstance(part.encoder, Has) for part in parts)
        note = parts_note("parts_labels" if labels else "parts_answer", len(parts))
        telling = most_telling(parts, _ticked)
        if telling is None:
            return SentAnswer(parts=note)
        shares, part = telling
        law = part.mechanism.law
        key = "ticked_asked" if isinstance(law, ListsLaw) and not law.averages else "ticked"
        return SentAnswer(FittingShares.of(key, shares, part), parts=note)

    def brief(self, question: DraftQuestion) -> Phrase:
        return Statement("several_of", count=len(question.written))

    def faults(self, question: DraftQuestion) -> dict[str, Statement]:
        return faults_of_answers(self, question)

    def example(self, question: AnyOf) -> list[str]:
        """The first label alone."""
        return [str(question.labels[0])]

    def made_up_answers(self, question: AnyOf, first: float, rng: np.random.Generator) -> Sequence[list[Hashable]]:
        """A list each, with every label drawn by itself: the first by its share, the others by 1/2, 1/3, ... of it."""
        shares = first / np.arange(1.0, len(question.labels) + 1)
        ticked = np.column_stack([rng.permutation(has_answer(share)) for share in shares])
        lists = [[label for label, has in zip(question.labels, row, strict=True) if has] for row in ticked]
        return [_nearest_answer(question, each) for each in lists]

    def compares_with(self, question: AnyOf, other: Question) -> bool:
        """The labels are the same."""
        return bool(other.values == question.values)


def _ticked(part: Part) -> Shares | None:
    """How often a report has a label as ticked: of those who ticked it and are asked for it, and of others."""
    law = part.mechanism.law
    return (law.support.g, law.support.h) if isinstance(law, ListsLaw) else fitting_shares(part)


def _nearest_answer(question: AnyOf, labels: list[Hashable]) -> list[Hashable]:
    """The list as far as it may be chosen: at most so many labels, and none beside one that stands alone."""
    alone = question.exclusive or ()
    if alone and not labels:
        return [alone[0]]
    together = [label for label in labels if label not in alone] or labels[:1]
    return together[: question.most]
