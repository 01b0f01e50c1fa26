"""Arms: what one device is asked to report, and how likely a device draws the arm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..canonical import Spec
from ..checks import check_int
from ..errors import FormatError, ParameterError
from ..mechanisms.mechanism import Mechanism
from ..mechanisms.plain import OptimizedUnary, RandomizedResponse, Rappor, Subset
from ..mechanisms.registry import mechanism_of
from ..mechanisms.remembered import Remembered
from ..privacy.composition import protects
from ..privacy.guarantees import Guarantee
from .encoders import Has, read_encoder
from .encoding import Chances, Encoder, Source
from .one_of import OneOf
from .question import Question

MOST_WEIGHT = 1 << 32
"""The sum of all weights stays below this."""
CROSSED = (RandomizedResponse, Subset, OptimizedUnary, Rappor)
"""The mechanisms that treat all pairs of labels alike, by whose reports two questions can be crossed."""


class Part:
    """One report of an arm: about which questions, what of their answers, and through which mechanism."""

    def __init__(self, questions: tuple[Question, ...], encoder: Encoder, mechanism: Mechanism) -> None:
        encoder.check(questions, mechanism.domain)
        if not encoder.carries(mechanism.guarantee):
            raise ParameterError(
                f"the encoder {encoder.kind!r} must have a mechanism under plain LDP, got one under "
                f"{mechanism.guarantee}"
            )
        self.questions = questions
        self.encoder = encoder
        self.mechanism = mechanism
        self._check_protected()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the questions."""
        return tuple(question.name for question in self.questions)

    @property
    def promised(self) -> Guarantee:
        """The guarantee of its report; of reports that are remembered that of a life of them, charged once."""
        return self.mechanism.life if isinstance(self.mechanism, Remembered) else self.mechanism.guarantee

    def value(self, answers: Mapping[str, Any], source: Source) -> Any:
        """The value that is randomized, of one person's answers by question."""
        return self.encoder.value(self.questions, [answers[name] for name in self.names], source)

    def chances(self, answers: Mapping[str, Any]) -> Chances:
        """The values that one person's answers may become."""
        return self.encoder.chances(self.questions, [answers[name] for name in self.names])

    def to_json(self) -> Spec:
        """The part as a document holds it."""
        return {"questions": list(self.names), "encoder": self.encoder.to_json(), "spec": self.mechanism.spec()}

    def _check_protected(self) -> None:
        """Refuse a mechanism that leaves open what is to be protected, or cannot cross two questions."""
        promise = self.mechanism.guarantee
        if len(self.questions) > 1:
            own = self.mechanism.ever if isinstance(self.mechanism, Remembered) else self.mechanism
            if not isinstance(own, CROSSED):
                raise ParameterError(
                    "crossed questions must be reported by a mechanism that treats all pairs of labels alike, such as "
                    f"RandomizedResponse or Subset, got {self.mechanism.name}"
                )
        elif isinstance(self.questions[0], OneOf) and not protects(promise, self.questions[0].guarantee(1.0)):
            raise ParameterError(
                f"the mechanism must protect what question {self.questions[0].name!r} says is to be protected, "
                f"got {promise}"
            )


class Arm:
    """A choice of reports that one device answers together; ``weight`` in the sum of weights draw it."""

    def __init__(self, parts: Sequence[Part], weight: Any) -> None:
        if not parts:
            raise ParameterError("an arm must have at least one part, got none")
        _check_apart(parts)
        self.parts = tuple(parts)
        self.weight = check_int("weight", weight, 1, MOST_WEIGHT - 1)

    def to_json(self) -> Spec:
        """The arm as a document holds it."""
        return {"weight": self.weight, "parts": [part.to_json() for part in self.parts]}

    @property
    def width(self) -> int:
        """The bytes that all its reports take."""
        return sum(part.mechanism.layout.width for part in self.parts)


def read_arm(written: Any, questions: Mapping[str, Question]) -> Arm:
    """The arm that a document holds."""
    return Arm([_part(part, questions) for part in written["parts"]], written["weight"])


def _part(written: Any, questions: Mapping[str, Question]) -> Part:
    names = written["questions"]
    if not isinstance(names, list) or not names or not all(isinstance(n, str) and n in questions for n in names):
        raise FormatError("a part must be about questions of its survey, got one about others")
    about = tuple(questions[name] for name in names)
    return Part(about, read_encoder(written["encoder"]), mechanism_of(written["spec"]))


def _check_apart(parts: Sequence[Part]) -> None:
    """Refuse an arm that asks a question twice, but for different labels of a checklist."""
    asked = [(name, _label_of(part)) for part in parts for name in part.names]
    whole = {name for name, label in asked if label is None}
    if len(set(asked)) < len(asked) or any(label is not None and name in whole for name, label in asked):
        raise ParameterError("an arm must ask each question once, got one twice; ask it in another arm")


def _label_of(part: Part) -> Any:
    return part.encoder.label if isinstance(part.encoder, Has) else None
