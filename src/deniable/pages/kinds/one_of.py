"""Questions with one answer among labels."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np

from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.page_kind import CROWD_QUANTILES, PageKind, faults_of_answers
from deniable.pages.kinds.sent_answer import FittingShares, SentAnswer, most_telling, parts_note
from deniable.protocol.questions.one_of import OneOf
from deniable.protocol.questions.question import Question, QuestionWords
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.arms import Part


class OneOfPage(PageKind[OneOf]):
    """One label is the answer."""

    title = Statement("one_answer")
    hint = Statement("yes_or_no_one_of_a_list")
    fields = "answers"
    preview = "one"

    def to_question(self, question: DraftQuestion, name: str) -> OneOf:
        """A question from the answers of a draft, with that of those who do not want to say, protected as chosen."""
        silence = question.silent if question.silence else None
        sensitive = tuple(label for label in question.labels if label in question.chosen)
        partly = sensitive if question.protected == "some" else None
        blocks = question.blocks if question.protected == "blocks" else None
        return OneOf(name, question.labels, partly, blocks, None, question.wording, silence, question.only_if)

    def to_draft(self, question: OneOf, before: DraftQuestion) -> DraftQuestion:
        """A draft with the answers of a question; if they are those of before, what is protected stays too."""
        answers = tuple(str(label) for label in question.labels if label != question.no_answer)
        same = before.kind == question.kind and answers == before.written
        draft = replace(
            before,
            wording=question.wording or before.wording,
            kind=question.kind,
            answers=answers,
            silence=question.no_answer is not None,
            silent=before.silent if question.no_answer is None else str(question.no_answer),
            protected=before.protected if same else "everybody",
        )
        if question.sensitive is not None and draft.protected != "some":
            return replace(draft, protected="some", chosen=tuple(map(str, question.sensitive)))
        return draft

    def sent_answer(self, question: OneOf, parts: Sequence[Part], words: QuestionWords) -> SentAnswer:
        """How many people send a report that fits their answer, where reports fit answers one by one."""
        telling = most_telling(parts)
        fitting = None if telling is None else FittingShares.of("fits", *telling)
        return SentAnswer(fitting, parts=parts_note("parts_answer", len(parts)))

    def brief(self, question: DraftQuestion) -> Phrase:
        return Statement("one_answer_of", count=len(question.labels))

    def faults(self, question: DraftQuestion) -> dict[str, Statement]:
        return faults_of_answers(self, question)

    def example(self, question: OneOf) -> str:
        """The first label."""
        return str(question.labels[0])

    def made_up_answers(self, question: OneOf, first: float, rng: np.random.Generator) -> Sequence[Hashable]:
        """One label each: the others share what the first leaves, by 1/2, 1/3, 1/4, ..."""
        others = 1 / np.arange(2.0, len(question.labels) + 1)
        bounds = first + (1 - first) * np.cumsum(others) / others.sum()
        places = rng.permutation(np.searchsorted([first, *bounds[:-1]], CROWD_QUANTILES, side="right"))
        return [question.labels[place] for place in places.tolist()]

    def compares_with(self, question: OneOf, other: Question) -> bool:
        """The labels are the same."""
        return list(other.choices) == list(question.labels)
