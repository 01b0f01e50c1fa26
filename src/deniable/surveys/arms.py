"""Arms: what one device is asked to report, and how likely a device draws the arm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deniable.arrays import Indices
from deniable.estimation.laws.support_law import SupportLaw
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import from_spec
from deniable.mechanisms.repeat.linked import lifetime
from deniable.mechanisms.repeat.remembered import Remembered
from deniable.privacy.entropy import Entropy
from deniable.protocol.checks import check_int
from deniable.protocol.errors import FormatError, ParameterError
from deniable.protocol.privacy.composition import protects
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.protocol.surveys.numbers import Number
from deniable.protocol.surveys.one_of import OneOf
from deniable.protocol.surveys.question import Question
from deniable.protocol.surveys.questions import AnyOf
from deniable.surveys.encoders import Block, Has, Label, Listed, Pair, Whole, encoder_from_json
from deniable.surveys.encoding import Encoder

MOST_WEIGHT = 1 << 32
"""The sum of all weights stays below this: a device draws its arm with one 64-bit word, rarely two."""
PLAIN: Mapping[type, Encoder] = {OneOf: Label(), AnyOf: Listed(), Number: Block(1)}
"""The encoder that reports the answer as it is, for each kind of question; texts are reported whole."""


@dataclass(frozen=True, init=False)
class Part:
    """One report of an arm: about which questions, what of their answers, and through which mechanism.

    >>> import deniable as dn
    >>> Part(dn.OneOf("late", ["yes", "no"]), dn.RandomizedResponse(["yes", "no"], 1.0)).encoder
    Label()
    """

    questions: tuple[Question, ...]
    encoder: Encoder
    mechanism: Mechanism

    def __init__(
        self, questions: Question | Sequence[Question], mechanism: Mechanism, encoder: Encoder | None = None
    ) -> None:
        about = tuple(questions) if isinstance(questions, Sequence) else (questions,)
        if not isinstance(mechanism, Mechanism):
            raise ParameterError(f"a part's mechanism must be one of deniable's, got {type(mechanism).__name__}")
        chosen = encoder or (Pair() if len(about) == 2 else PLAIN.get(type(about[0]), Whole()))
        chosen.check(about, mechanism.domain)
        _check_carried(chosen, mechanism)
        check = _check_crossed if len(about) > 1 else _check_protected
        check(about, mechanism)
        for name, value in {"questions": about, "encoder": chosen, "mechanism": mechanism}.items():
            object.__setattr__(self, name, value)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the questions."""
        return tuple(question.name for question in self.questions)

    @property
    def promised(self) -> Guarantee:
        """The guarantee of its report; of reports that are remembered that of a life of them, charged once."""
        return lifetime(self.mechanism) if isinstance(self.mechanism, Remembered) else self.mechanism.guarantee

    def answers(self, columns: Mapping[str, Any]) -> list[Any]:
        """The answers to the part's questions, of one person or as columns."""
        return [columns[name] for name in self.names]

    def index(self, answers: Mapping[str, Any], entropy: Entropy) -> Indices:
        """The index of the value of one person's answers, as a column of one."""
        values: Any = self.mechanism.domain
        found: Indices = values.one(self.encoder.value(self.questions, self.answers(answers), entropy))
        return found

    def indices(self, columns: Mapping[str, Any], entropy: Entropy) -> Indices:
        """The indices of the values of columns of answers."""
        return self.encoder.column(self.questions, self.answers(columns), self.mechanism.domain, entropy)

    def to_json(self) -> dict[str, Any]:
        """The part as a document holds it."""
        return {"questions": list(self.names), "encoder": self.encoder.to_json(), "spec": self.mechanism.spec()}


def _check_carried(encoder: Encoder, mechanism: Mechanism) -> None:
    """Refuse a guarantee of the values that would not be true of the answers: labels would say it of these."""
    if not encoder.carries(mechanism.guarantee):
        raise ParameterError(
            f"the encoder {encoder.kind!r} must have a mechanism under plain LDP, got one under {mechanism.guarantee}"
        )


def _check_protected(questions: Sequence[Question], mechanism: Mechanism) -> None:
    """Refuse a mechanism that leaves open what a question with one answer says is to be protected."""
    for question in questions:
        if isinstance(question, OneOf) and not protects(mechanism.guarantee, question.guarantee(1.0)):
            raise ParameterError(
                f"the mechanism must protect what question {question.name!r} says is to be protected, got "
                f"{mechanism.guarantee}"
            )


def _check_crossed(questions: Sequence[Question], mechanism: Mechanism) -> None:
    """Refuse a mechanism by whose reports two questions cannot be crossed."""
    if not treats_alike(mechanism):
        raise ParameterError(
            "crossed questions must be reported by a mechanism that treats all pairs of labels alike, such as "
            f"RandomizedResponse or Subset, got {mechanism.name}"
        )


@dataclass(frozen=True, init=False)
class Arm:
    """A choice of reports that one device answers together; ``weight`` in the sum of weights draw it.

    In a document it is numbered by its place, from 0.
    """

    parts: tuple[Part, ...]
    weight: int

    def __init__(self, parts: Part | Iterable[Part], weight: int = 1) -> None:
        listed = (parts,) if isinstance(parts, Part) else tuple(parts)
        if not listed or not all(isinstance(part, Part) for part in listed):
            raise ParameterError("an arm must have at least one part, and nothing else, got others")
        _check_apart(listed)
        object.__setattr__(self, "parts", listed)
        object.__setattr__(self, "weight", check_int("weight", weight, 1, MOST_WEIGHT - 1))

    def to_json(self) -> dict[str, Any]:
        """The arm as a document holds it."""
        return {"weight": self.weight, "parts": [part.to_json() for part in self.parts]}


def _check_apart(parts: Sequence[Part]) -> None:
    """Refuse an arm that asks a question twice, but for different labels of a checklist."""
    asked = [(name, part.encoder if isinstance(part.encoder, Has) else None) for part in parts for name in part.names]
    whole = {name for name, encoder in asked if encoder is None}
    twice = [name for name, encoder in asked if asked.count((name, encoder)) > 1 or (encoder and name in whole)]
    if twice:
        raise ParameterError(f"an arm must ask each question once, got {twice[0]!r} twice; ask it in another arm")


def treats_alike(mechanism: Mechanism) -> bool:
    """Whether a mechanism treats all pairs of labels alike, so that it is known how their shares vary together."""
    return isinstance(mechanism.law, SupportLaw) and mechanism.law.symmetric


def arm_from_json(written: Any, questions: Mapping[str, Question]) -> Arm:
    """The arm that a document holds."""
    return Arm([_part_from_json(part, questions) for part in written["parts"]], written["weight"])


def _part_from_json(written: Any, questions: Mapping[str, Question]) -> Part:
    names = written["questions"]
    if not isinstance(names, list) or not all(isinstance(name, str) and name in questions for name in names):
        raise FormatError("a part must be about questions of its survey, got one about others")
    about = [questions[name] for name in names]
    return Part(about, from_spec(written["spec"]), encoder_from_json(written["encoder"]))
