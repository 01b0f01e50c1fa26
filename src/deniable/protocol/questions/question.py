"""What all questions of a survey share, and what all encoders do, by which an answer becomes a value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from ..canonical import Spec
from ..errors import DenialError, LabelError, ParameterError
from ..privacy.guarantees import LDP, Guarantee
from ..python_values import python_value, stranger
from ..say import Statement
from ..words import Words
from .only_if import OnlyIf

Source = Callable[[], Words]
"""Makes the words of one draw: on a device new ones each time."""
Chances = Sequence["tuple[Any, Fraction]"]
"""Values, each with its exact probability."""


class QuestionWords(NamedTuple):
    """What people read of a question, in one of the languages of its survey."""

    wording: str
    labels: tuple[Hashable, ...] = ()
    """Its labels, in their order."""
    unit: str = ""
    heading: str = ""
    """What stands above it and others like it."""

    def to_json(self) -> Spec:
        """The words as a translation holds them: those that there are."""
        labels = {"labels": list(self.labels)} if self.labels else {}
        others = {"unit": self.unit, "heading": self.heading}
        return {"wording": self.wording, **labels, **{name: text for name, text in others.items() if text}}


class Question(ABC):
    """A question of a survey: its name, its words for people, and which answers it takes."""

    kind: ClassVar[str]
    """Its kind, in the document."""
    remembers: ClassVar[bool] = True
    """Whether its reports may be remembered."""
    own_words: ClassVar[bool] = False
    """Whether it is answered in one's own words."""
    can_branch: ClassVar[bool] = False
    """Whether another question may follow from its answer, and it from that of another."""
    name: str
    """What it is called, in the document and in tables."""
    wording: str
    """The question as people read it."""
    only_if: OnlyIf | None = None
    """After which answers it is asked; None of one that everybody is asked."""

    @property
    @abstractmethod
    def values(self) -> Any:
        """The values that answers may be: a domain, lists, texts or a scale of numbers."""

    @property
    @abstractmethod
    def plain_encoder(self) -> Encoder:
        """The encoder that reports the answer as it is."""

    @property
    def words(self) -> QuestionWords:
        """What people read of it, in the language that its author wrote it in."""
        return QuestionWords(self.wording)

    @property
    def choices(self) -> Sequence[Hashable]:
        """The labels of which one is the answer; none of other kinds."""
        return ()

    @property
    def pair_labels(self) -> Sequence[Hashable]:
        """What a pair of crossed questions holds of it; none if it cannot be crossed."""
        return ()

    def pair_label(self, answer: Any, source: Source) -> Any:
        """Which of the pair labels stands for an answer; of some kinds it is drawn."""
        return answer

    def pair_chances(self, answer: Any) -> Chances:
        """The pair labels that may stand for an answer, each with its probability."""
        return [(answer, Fraction(1))]

    @property
    def skip_answer(self) -> Any:
        """The answer that stands for none; None where one must answer."""
        return None

    @property
    def limit(self) -> str:
        """What answers must be beyond being values, in words that follow "must be"; empty if nothing."""
        return ""

    def is_beyond(self, answer: Any) -> bool:
        """Whether a value breaks the limit."""
        return False

    def is_covered(self, value: Any) -> bool:
        """Whether the promise is about a value: about every answer, and of some kinds about more."""
        return not self.is_beyond(value)

    @abstractmethod
    def check(self, answer: Any) -> None:
        """Raise a LabelError that names the question, and never the answer, if it is not one."""

    def encoder_input(self, answer: Any) -> Any:
        """A checked answer as encoders take it: a value of Python's own."""
        return python_value(answer)

    def guarantee(self, epsilon: float) -> Guarantee:
        """What a mechanism for the answer must promise at a level: plain LDP, unless told otherwise."""
        return LDP(epsilon)

    def is_kept_by(self, promised: Guarantee) -> bool:
        """Whether a guarantee protects what the question says is to be protected."""
        return True

    def to_json(self) -> Spec:
        """The question as a document holds it."""
        branch = {} if self.only_if is None else {"only_if": self.only_if.to_json()}
        return {"kind": self.kind, "name": self.name, "wording": self.wording, **branch}

    @classmethod
    @abstractmethod
    def from_json(cls, written: Mapping[str, Any]) -> Self:
        """The question that ``to_json`` wrote."""

    def _settle(self, **fields: Any) -> None:
        """Set the fields of a question, which are frozen from then on."""
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def _refused(self, wanted: str, answer: Any, unlike: str = "") -> LabelError:
        return LabelError(f"the answer to {self.name!r} must be {wanted}, got {stranger(answer)}{unlike}")


Q = TypeVar("Q", bound=Question)


class Encoder(ABC):
    """What is reported of the answers to a part's questions; that to a number is its place on the scale."""

    kind: ClassVar[str]
    is_drawn: ClassVar[bool] = False
    """Whether chance decides which value stands for an answer."""
    tells_asked: ClassVar[bool] = False
    """Whether its values say which questions were asked."""

    @property
    def single(self) -> Hashable:
        """The one label of a checklist that its value is about; None if it is about the whole answer."""
        return None

    @abstractmethod
    def check(self, questions: Sequence[Question], values: Any) -> None:
        """Raise an error unless the questions have such answers, and the mechanism such values."""

    def of(self, answers: Sequence[Any]) -> Any:
        """The value that follows from one person's answers: the answer as it is, unless told otherwise."""
        return answers[0]

    def value(self, questions: Sequence[Question], answers: Sequence[Any], source: Source) -> Any:
        """The value of one person's answers, which have been checked; some encoders draw it."""
        return self.of(answers)

    def estimable(self, questions: Sequence[Question]) -> Sequence[Question]:
        """The questions whose answers a value says: all that it is about, unless told otherwise."""
        return questions

    def answers_in(self, questions: Sequence[Question], value: Any) -> dict[str, Any]:
        """The answers that a value says, by question: None of one that was not asked."""
        return {questions[0].name: value}

    def chances(self, questions: Sequence[Question], answers: Sequence[Any]) -> Chances:
        """The values that the answers may become."""
        return [(self.of(answers), Fraction(1))]

    def carries(self, guarantee: Guarantee) -> bool:
        """Whether what a guarantee says of the values is as true when it is said of the answers.

        Where several answers become one value, or one answer one of several values, plain LDP alone.
        """
        return guarantee.alike

    def to_json(self) -> Spec:
        """The encoder as a document holds it."""
        return {"kind": self.kind}

    def _only(self, questions: Sequence[Question], kind: type[Q]) -> Q:
        """The only question, of the kind that the encoder is for."""
        if len(questions) != 1 or not isinstance(questions[0], kind):
            got = ", ".join(question.kind for question in questions)
            raise ParameterError(f"the encoder {self.kind!r} must be of one question of kind {kind.kind}, got {got}")
        return questions[0]

    def _same(self, wanted: Any, values: Any) -> None:
        if wanted != values:
            raise ParameterError(f"the encoder {self.kind!r} must have a mechanism over {wanted!r}, got {values!r}")


class AsItIs(Encoder):
    """The base of encoders whose values are the answers themselves."""

    def carries(self, guarantee: Guarantee) -> bool:
        """Every guarantee."""
        return True


@contextmanager
def about(name: str) -> Iterator[None]:
    """Say in an error which question it is about."""
    try:
        yield
    except DenialError as error:
        raise type(error)(Statement("of_question", name=repr(name), error=error.message)) from error
