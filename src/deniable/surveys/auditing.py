"""The proof of a survey's promise: from the exact channels of its parts, over all pairs of joint answers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from deniable.audit.exact import Certificate, audit
from deniable.errors import CapacityError
from deniable.estimation.table import Table
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.repeat.linked import lifetime
from deniable.mechanisms.repeat.remembered import Remembered
from deniable.privacy.composition import local_level
from deniable.privacy.decimals import added
from deniable.privacy.guarantees import LDP, Guarantee, level, within
from deniable.privacy.matrix import Ratio
from deniable.surveys.arms import Arm, Part
from deniable.surveys.document import Document
from deniable.surveys.questions import Question
from deniable.values.domain import Domain
from deniable.values.values import Answerable

MOST_PAIRS = 1 << 18
"""The most pairs of joint answers of an arm, times its parts, that are enumerated."""


@dataclass(frozen=True, slots=True)
class ArmCertificate:
    """What was found for one arm: the largest proven level, whether the claim holds, and how it was found."""

    questions: tuple[str, ...]
    claimed: float
    epsilon: float
    holds: bool
    listed: bool

    @property
    def method(self) -> str:
        """How the level was found, in words."""
        return "every pair of joint answers" if self.listed else "certificates of the parts"


@dataclass(frozen=True, slots=True)
class SurveyCertificate:
    """The result of an audit of a survey, arm by arm.

    ``epsilon`` is the largest level between two joint answers that the promise bounds; infinite if none was proven.
    """

    survey: str
    arms: tuple[ArmCertificate, ...]

    @property
    def claimed(self) -> float:
        """The promised level of whole answers; infinite where something is not protected."""
        return max(arm.claimed for arm in self.arms)

    @property
    def epsilon(self) -> float:
        """An upper bound on the level that is realised, over the dearest arm."""
        return max(arm.epsilon for arm in self.arms)

    @property
    def holds(self) -> bool:
        """Whether the promise of every arm is proven."""
        return all(arm.holds for arm in self.arms)

    def to_dict(self) -> dict[str, Any]:
        """The certificate as plain values for JSON."""
        arms = [
            {"questions": list(arm.questions), "claimed": arm.claimed, "epsilon": arm.epsilon, "holds": arm.holds,
             "method": arm.method}
            for arm in self.arms
        ]  # fmt: skip
        about = {"survey": self.survey, "claimed": self.claimed, "epsilon": self.epsilon, "holds": self.holds}
        return {**about, "arms": arms}

    def table(self) -> Table:
        """A row for each arm."""
        rows = [
            (f"{number}", ", ".join(arm.questions), f"{arm.claimed:.12g}", f"{arm.epsilon:.12g}",
             "holds" if arm.holds else "DOES NOT HOLD", arm.method)
            for number, arm in enumerate(self.arms)
        ]  # fmt: skip
        verdict = "holds" if self.holds else "DOES NOT HOLD"
        headings = ("arm", "questions", "claimed epsilon", "realised, at most", "the claim", "found by")
        return Table(f"{self.survey}: the promise {verdict}", headings, rows)

    def __str__(self) -> str:
        return str(self.table())

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def audit_survey(document: Document) -> SurveyCertificate:
    """Prove or refute the promise of every arm in exact arithmetic."""
    return SurveyCertificate(document.name, tuple(map(_audited, document.arms)))


def _audited(arm: Arm) -> ArmCertificate:
    questions = tuple({question.name: question for part in arm.parts for question in part.questions}.values())
    if any(isinstance(part.mechanism, Remembered) for part in arm.parts):
        return _lifelong(arm, questions)
    try:
        return _enumerated(arm, questions)
    except CapacityError:
        return _certified(arm, questions)


def _lifelong(arm: Arm, questions: Sequence[Question]) -> ArmCertificate:
    """A life of remembered reports: each permanent report is proven, and there is one for each cell."""
    kept = [part.mechanism for part in arm.parts if isinstance(part.mechanism, Remembered)]
    proofs = [(audit(m.permanent), lifetime(m).epsilon) for m in kept]
    claimed = added(*(level for _, level in proofs))
    realised = math.fsum(proof.epsilon * level / proof.claimed for proof, level in proofs)
    holds = all(proof.holds for proof, _ in proofs) and all(audit(m).holds for m in kept)
    return ArmCertificate(tuple(q.name for q in questions), claimed, realised, holds, listed=False)


def _enumerated(arm: Arm, questions: Sequence[Question]) -> ArmCertificate:
    """Of two joint answers the ratios of the parts multiply, and must be within the sum of their levels."""
    answers = list(_joint_answers(questions, len(arm.parts)))
    parts = [_Ratios.of(part) for part in arm.parts]
    values = [[_value(part, answer) for answer in answers] for part in arm.parts]
    places = [[told.values.index(value) for value in column] for told, column in zip(parts, values, strict=True)]
    holds, worst, claimed = True, 0.0, 0.0
    for pair in {tuple((column[x], column[z]) for column in places) for x in range(len(answers))
                 for z in range(len(answers))}:  # fmt: skip
        bound = added(*(told.level(*at) for told, at in zip(parts, pair, strict=True)))
        ratio = _product(told.ratio(*at) for told, at in zip(parts, pair, strict=True))
        claimed = max(claimed, bound)
        if bound < math.inf:
            holds, worst = holds and within(ratio, bound), max(worst, level(ratio))
    return ArmCertificate(tuple(q.name for q in questions), claimed, worst, holds, listed=True)


def _value(part: Part, answer: dict[str, Any]) -> Any:
    """The value of a joint answer; refused where one is drawn, which can only mix the rows of the part's channel."""
    (value, chance), *more = part.encoder.chances(part.questions, part.answers(answer))
    if more or chance < 1:
        raise CapacityError("values that are drawn cannot be enumerated")
    return value


def _joint_answers(questions: Sequence[Question], parts: int) -> Iterator[dict[str, Any]]:
    """Every joint answer to some questions; refused if there are too many pairs of them."""
    if math.prod(_size(question.values) for question in questions) ** 2 * parts > MOST_PAIRS:
        raise CapacityError("joint answers must be fewer to be enumerated")
    every = [list(question.values.every()) for question in questions]
    names = [question.name for question in questions]
    return (dict(zip(names, answer, strict=True)) for answer in itertools.product(*every))


def _size(values: Answerable) -> int:
    if values.size is None:
        raise CapacityError("answers in one's own words cannot be enumerated")
    return values.size


@dataclass(frozen=True)
class _Ratios:
    """The worst ratio between any two values of a part, exactly, and the level that its guarantee allows."""

    mechanism: Mechanism
    values: Domain
    ratios: Sequence[Sequence[Ratio]]

    @classmethod
    def of(cls, part: Part) -> _Ratios:
        channel = part.mechanism.channel()
        rows, each = channel.rows.check(), range(len(channel.domain))
        return cls(part.mechanism, channel.domain, [[rows.worst_ratio([x], [z]) for z in each] for x in each])

    def ratio(self, value: int, other: int) -> Ratio:
        return self.ratios[value][other]

    def level(self, value: int, other: int) -> float:
        return 0.0 if value == other else self.mechanism.guarantee.pair_level(value, other)


def _product(ratios: Iterator[Ratio]) -> Ratio:
    found: Ratio = Fraction(1)
    for ratio in ratios:
        if isinstance(ratio, float):
            return math.inf
        found = found * ratio
    return found


def _certified(arm: Arm, questions: Sequence[Question]) -> ArmCertificate:
    """The certificates of the parts, whose levels add up."""
    proofs = [(audit(part.mechanism), part.mechanism.guarantee) for part in arm.parts]
    claimed = added(*(local_level(guarantee) for _, guarantee in proofs))
    realised = math.fsum(_realised(proof, guarantee) for proof, guarantee in proofs)
    holds = all(proof.holds for proof, _ in proofs)
    return ArmCertificate(tuple(q.name for q in questions), claimed, realised, holds, listed=False)


def _realised(proof: Certificate, guarantee: Guarantee) -> float:
    """The level between any two values: found for plain LDP, of other guarantees what they imply if they hold."""
    if isinstance(guarantee, LDP):
        return proof.epsilon
    return local_level(guarantee) if proof.holds else math.inf
