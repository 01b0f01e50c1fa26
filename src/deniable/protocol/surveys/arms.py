"""Arms: what one device is asked to report, and how likely a device draws the arm."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from ..canonical import Spec
from ..checks import check_int
from ..errors import ParameterError
from ..privacy.guarantees import LDP, Guarantee
from ..questions.pair import Pair
from ..questions.path import Path
from ..questions.question import Encoder, Question
from .rounds import RoundLevels

MOST_WEIGHT = 1 << 32
"""The sum of all weights stays below this: a device draws its arm with one 64-bit word, rarely two."""


class Shape(Protocol):
    """What a part needs to know of how reports are stored."""

    @property
    def cells(self) -> int:
        """How many counts a tally of them has."""
        ...


class Reporter(Protocol):
    """What a part needs to know of its mechanism: a device and the library have classes of their own for it."""

    @property
    def name(self) -> str:
        """The name by which specs know it."""
        ...

    @property
    def domain(self) -> Any:
        """The values that it randomizes."""
        ...

    @property
    def guarantee(self) -> Guarantee:
        """What one report promises."""
        ...

    @property
    def layout(self) -> Shape:
        """How its reports are stored."""
        ...

    def spec(self) -> Spec:
        """All of it as plain values."""
        ...


@dataclass(frozen=True, init=False)
class Part(ABC):
    """One report of an arm: about which questions, what of their answers, and through which mechanism."""

    questions: tuple[Question, ...]
    encoder: Encoder
    mechanism: Reporter

    def __init__(
        self, questions: Question | Sequence[Question], mechanism: Reporter, encoder: Encoder | None = None
    ) -> None:
        about = tuple(questions) if isinstance(questions, Sequence) else (questions,)
        chosen = encoder or _usual_encoder(about)
        chosen.check(about, mechanism.domain)
        vars(self).update(questions=about, encoder=chosen, mechanism=mechanism)
        self._check_carried()
        self._check_ways()
        if len(about) == 1:
            self._check_protected(about[0])
        elif self.crossed:
            self._check_crossed()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the questions that its report is about."""
        return tuple(question.name for question in self.questions)

    @property
    def estimable(self) -> tuple[str, ...]:
        """The names of those whose answers can be estimated from it; others only decide which of these are asked."""
        return tuple(question.name for question in self.encoder.estimable(self.questions))

    @property
    def crossed(self) -> list[tuple[str, str]]:
        """The pairs of questions of which it tells a table: each with the last one, if everybody is asked that."""
        *others, last = self.encoder.estimable(self.questions)
        return [(each.name, last.name) for each in others if last.only_if is None]

    @property
    @abstractmethod
    def width(self) -> int:
        """The bytes that its report takes."""

    @property
    @abstractmethod
    def treats_alike(self) -> bool:
        """Whether its mechanism treats all pairs of labels alike, so that two questions can be crossed by it."""

    @property
    @abstractmethod
    def rounds(self) -> RoundLevels | None:
        """Of reports that are remembered the levels of one round, of all and of a life; None of others."""

    @property
    def promised(self) -> Guarantee:
        """The guarantee of its report; of reports that are remembered that of a life of them, charged once."""
        return self.mechanism.guarantee if self.rounds is None else LDP(1.0).at(self.rounds.life)

    @property
    def shows_changed_labels(self) -> bool:
        """Whether whoever links the rounds of one device sees which labels of a list changed."""
        return self.rounds is not None and self.mechanism.guarantee.by_label

    def to_json(self) -> Spec:
        """The part as a document holds it."""
        return {"questions": list(self.names), "encoder": self.encoder.to_json(), "spec": self.mechanism.spec()}

    def _check_carried(self) -> None:
        """Refuse a guarantee of the values that would not be true of the answers: labels would say it of these."""
        if not self.encoder.carries(self.mechanism.guarantee):
            raise ParameterError(
                f"the encoder {self.encoder.kind!r} must have a mechanism under plain LDP, got one under "
                f"{self.mechanism.guarantee}"
            )

    def _check_ways(self) -> None:
        """Refuse a report of a question that only some are asked which does not tell of those who were not."""
        asked_some = [question.name for question in self.questions if question.only_if is not None]
        if asked_some and not self.encoder.tells_asked:
            raise ParameterError(
                f"question {asked_some[0]!r} must be reported with the questions that lead to it, by the encoder "
                f"'path', got {self.encoder.kind!r}"
            )

    def _check_protected(self, question: Question) -> None:
        """Refuse a mechanism that leaves open what a question with one answer says is to be protected."""
        if not question.is_kept_by(self.mechanism.guarantee):
            raise ParameterError(
                f"the mechanism must protect what question {question.name!r} says is to be protected, got "
                f"{self.mechanism.guarantee}"
            )

    def _check_crossed(self) -> None:
        """Refuse a mechanism by whose reports two questions cannot be crossed."""
        if not self.treats_alike:
            raise ParameterError(
                "crossed questions must be reported by a mechanism that treats all pairs of labels alike, such as "
                f"RandomizedResponse or Subset, got {self.mechanism.name}"
            )


def _usual_encoder(questions: Sequence[Question]) -> Encoder:
    """The encoder that tells of all the questions."""
    if any(question.only_if is not None for question in questions):
        return Path()
    return Pair() if len(questions) == 2 else questions[0].plain_encoder


P = TypeVar("P", bound=Part)


@dataclass(frozen=True, init=False)
class Arm(Generic[P]):
    """Reports that a device is asked for together, drawn with the chance ``weight`` over the weights of all arms.

    In a document it is numbered by its place, from 0.
    """

    parts: tuple[P, ...]
    weight: int

    def __init__(self, parts: P | Iterable[P], weight: int = 1) -> None:
        listed: tuple[P, ...] = (parts,) if isinstance(parts, Part) else tuple(parts)
        if not listed or not all(isinstance(part, Part) for part in listed):
            got = ", ".join(sorted({type(part).__name__ for part in listed})) or "none"
            raise ParameterError(f"an arm must have at least one part, and nothing else, got {got}")
        _check_apart(listed)
        vars(self).update(parts=listed, weight=check_int("weight", weight, 1, MOST_WEIGHT - 1))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the questions that it reports on."""
        return tuple(dict.fromkeys(name for part in self.parts for name in part.names))

    @property
    def width(self) -> int:
        """The bytes that all its reports take."""
        return sum(part.width for part in self.parts)

    @property
    def rounds(self) -> RoundLevels | None:
        """The levels of its parts together; None unless their reports are remembered."""
        return RoundLevels.together(part.rounds for part in self.parts)

    def to_json(self) -> Spec:
        """The arm as a document holds it."""
        return {"weight": self.weight, "parts": [part.to_json() for part in self.parts]}


def _check_apart(parts: Sequence[Part]) -> None:
    """Refuse an arm that asks a question twice, but for different labels of a checklist."""
    reports = [(name, part.encoder.single) for part in parts for name in part.estimable]
    twice = [
        name
        for name, label in reports
        if reports.count((name, label)) > 1 or (label is not None and (name, None) in reports)
    ]
    if twice:
        raise ParameterError(f"an arm must ask each question once, got {twice[0]!r} twice; ask it in another arm")
