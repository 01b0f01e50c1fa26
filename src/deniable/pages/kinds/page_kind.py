"""The companion of a kind of question on pages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.sent_answer import SentAnswer
from deniable.pages.results.result_kind import ResultKind
from deniable.pages.results.shares import ShareResult
from deniable.protocol.errors import DenialError
from deniable.protocol.questions.question import Question, QuestionWords
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.arms import Part

Q = TypeVar("Q", bound=Question)
CROWD: Final = 100
"""How many made-up people there are; they are repeated as often as is needed."""
CROWD_QUANTILES: Final = (np.arange(CROWD) + 0.5) / CROWD
"""The share of them before each one and half of that one, as a number between 0 and 1."""


class PageKind(ABC, Generic[Q]):
    """What pages say and show of questions of one kind. It holds nothing: the question is always given."""

    caution: ClassVar[Statement | None] = None
    """What readers of a result must know of the kind."""
    has_shares: ClassVar[bool] = True
    """Whether a result shows the shares of answers, which all pictures of a page set side by side."""
    result: ClassVar[ResultKind[Any]] = ShareResult()
    """How its results are shown."""
    title: ClassVar[Statement]
    """What the builder calls it."""
    hint: ClassVar[Statement]
    """What authors read beneath its title."""
    fields: ClassVar[str]
    """The fields that the builder shows beside the wording: the name of a template; "nothing" if there are none."""
    preview: ClassVar[str]
    """How the builder shows what people will see: the name of a template."""

    @abstractmethod
    def example(self, question: Q) -> Any:
        """An answer as a program would give it."""

    @abstractmethod
    def made_up_answers(self, question: Q, first: float, rng: np.random.Generator) -> Sequence[Any]:
        """The answers of a hundred made-up people: the first has the share ``first``, the others ever less."""

    @abstractmethod
    def to_question(self, question: DraftQuestion, name: str) -> Q:
        """The question that a draft plans, by this name; refused with the reason if it cannot be."""

    @abstractmethod
    def to_draft(self, question: Q, before: DraftQuestion) -> DraftQuestion:
        """A question as its author would have typed it; what it does not say stays as in the draft before."""

    @abstractmethod
    def sent_answer(self, question: Q, parts: Sequence[Part], words: QuestionWords) -> SentAnswer:
        """What a device may send of an answer, by the parts of the survey that ask about this question alone."""

    @abstractmethod
    def brief(self, question: DraftQuestion) -> Phrase:
        """The answers that were typed, in a line."""

    def choices(self, question: DraftQuestion) -> tuple[str, ...] | None:
        """The answers to choose from; None where there is no such list."""
        return question.labels if self.fields == "answers" else None

    def texts(self, question: DraftQuestion) -> tuple[str, ...]:
        """What people read of it besides its wording."""
        return self.choices(question) or ()

    def faults(self, question: DraftQuestion) -> dict[str, Statement]:
        """What is wrong with what was typed, by field, in the words that stand beside the fields."""
        return {}

    def compares_with(self, question: Q, other: Question) -> bool:
        """Whether results of another question, of the same kind, can be set beside those of this one."""
        return False

    def refusal(self, question: DraftQuestion) -> Statement | None:
        """Why what was typed is no question, as a sentence; nothing if it is one."""
        try:
            self.to_question(question, "question")
        except DenialError as error:
            return reason_of(error)
        return None


def reason_of(error: DenialError) -> Statement:
    """Why something is refused, as a sentence that stands by itself."""
    reason = error.message
    if isinstance(reason, Statement) and reason.key == "of_question":
        reason = reason.values["error"]
    return Statement("error_sentence", error=reason)


def has_answer(share: float) -> NDArray[np.bool_]:
    """Of each of a hundred people, whether they have an answer that has this share."""
    return share > CROWD_QUANTILES


def faults_of_answers(kind: PageKind[Any], question: DraftQuestion) -> dict[str, Statement]:
    """What is wrong with the answers to choose from."""
    answers = question.written
    if len(answers) < 2:
        return {"answers": Statement("write_at_least_two_answers")}
    if twice := next((label for place, label in enumerate(answers) if label in answers[:place]), None):
        return {"answers": Statement("stands_there_twice_each", answer=twice[:80])}
    reason = kind.refusal(question.with_everybody)
    return {"answers": reason} if reason else {}
