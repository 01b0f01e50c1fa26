"""Checklists, whose answers are lists of labels."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np

from deniable.estimation.laws.lists_law import ListsLaw
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.page_kind import PageKind, faults_of_answers, spread
from deniable.pages.kinds.sent_answer import FittingShares, SentAnswer, Shares, fitting_shares, most_telling, several
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

    def made(self, question: DraftQuestion, name: str) -> AnyOf:
        return AnyOf(name, question.written, question.wording, exclusive=question.exclusive or None)

    def typed(self, question: AnyOf, before: DraftQuestion) -> DraftQuestion:
        alone = tuple(map(str, question.exclusive or ()))
        answers = tuple(map(str, question.labels))
        return replace(before, kind="any_of", answers=answers, alone=alone, protected="everybody")

    def sent(self, question: AnyOf, parts: Sequence[Part], words: QuestionWords) -> SentAnswer:
        """How many people send that a label is ticked: of those who ticked it, and of others."""
        found = most_telling(parts, _ticked)
        labels = all(isinstance(part.encoder, Has) for part in parts)
        statements = several("parts_labels" if labels else "parts_answer", len(parts))
        if found is None:
            return SentAnswer(parts=statements)
        law = found[1].mechanism.law
        key = "ticked_asked" if isinstance(law, ListsLaw) and not law.averages else "ticked"
        return SentAnswer(FittingShares.of(key, *found), parts=statements)

    def brief(self, question: DraftQuestion) -> Phrase:
        return Statement("several_of", count=len(question.written))

    def faults(self, question: DraftQuestion) -> dict[str, Statement]:
        return faults_of_answers(self, question)

    def example(self, question: AnyOf) -> list[str]:
        """The first label alone."""
        return [str(question.labels[0])]

    def made_up(self, question: AnyOf, first: float, rng: np.random.Generator) -> Sequence[list[Hashable]]:
        """A list each, which holds every label by itself as often as its share says, as far as it is then an answer."""
        shares = first / np.arange(1.0, len(question.labels) + 1)
        held = np.column_stack([rng.permutation(spread(share)) for share in shares])
        lists = [[label for label, has in zip(question.labels, row, strict=True) if has] for row in held]
        return [_answer(question, each) for each in lists]

    def compares_with(self, question: AnyOf, other: Question) -> bool:
        """The labels are the same."""
        return bool(other.values == question.values)


def _ticked(part: Part) -> Shares | None:
    """How often a report has a label as ticked: of those who ticked it and are asked for it, and of others."""
    law = part.mechanism.law
    return (law.support.g, law.support.h) if isinstance(law, ListsLaw) else fitting_shares(part)


def _answer(question: AnyOf, labels: list[Hashable]) -> list[Hashable]:
    """The list, or one that is an answer: as few labels as may be chosen, and one that stands alone by itself."""
    alone = question.exclusive or ()
    if alone and not labels:
        return [alone[0]]
    kept = [label for label in labels if label not in alone] or labels[:1]
    return kept[: question.most]
