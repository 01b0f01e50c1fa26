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
"""Each of them as a place between 0 and 1."""


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
    def made_up(self, question: Q, first: float, rng: np.random.Generator) -> Sequence[Any]:
        """A hundred people's answers: the first as frequent as asked, of the others the earlier more frequent."""

    @abstractmethod
    def made(self, question: DraftQuestion, name: str) -> Q:
        """The question that was typed; refused with the reason if it is none."""

    @abstractmethod
    def typed(self, question: Q, before: DraftQuestion) -> DraftQuestion:
        """A question as its author would have typed it; what it does not say stays as it was before."""

    @abstractmethod
    def sent(self, question: Q, parts: Sequence[Part], words: QuestionWords) -> SentAnswer:
        """What may be sent of an answer, by the parts of the survey that ask about this question alone."""

    @abstractmethod
    def brief(self, question: DraftQuestion) -> Phrase:
        """The answers that were typed, in a line."""

    def faults(self, question: DraftQuestion) -> dict[str, Statement]:
        """What is wrong with what was typed, by field, in the words that stand beside the fields."""
        return {}

    def compares_with(self, question: Q, other: Question) -> bool:
        """Whether results of another question, of the same kind, can be set beside those of this one."""
        return False

    def refused(self, question: DraftQuestion) -> Statement | None:
        """Why what was typed is no question, as a sentence; nothing if it is one."""
        try:
            self.made(question, "question")
        except DenialError as error:
            return reason_of(error)
        return None


def reason_of(error: DenialError) -> Statement:
    """Why something is refused, as a sentence that stands by itself."""
    said = error.message
    if isinstance(said, Statement) and said.key == "of_question":
        said = said.values["error"]
    return Statement("error_sentence", error=said)


def spread(share: float) -> NDArray[np.bool_]:
    """Who of a hundred people holds an answer of this share."""
    return share > CROWD_QUANTILES


def faults_of_answers(kind: PageKind[Any], question: DraftQuestion) -> dict[str, Statement]:
    """What is wrong with the answers to choose from."""
    answers = question.written
    if len(answers) < 2:
        return {"answers": Statement("write_at_least_two_answers")}
    if twice := next((label for place, label in enumerate(answers) if label in answers[:place]), None):
        return {"answers": Statement("stands_there_twice_each", answer=twice[:80])}
    said = kind.refused(question.with_everybody)
    return {"answers": said} if said else {}
