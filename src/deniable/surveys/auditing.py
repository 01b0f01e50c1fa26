"""The proof of a survey's promise: from the exact channels of its parts, over all pairs of joint answers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from deniable.audit.exact import Certificate, audit
from deniable.estimation.table import Table
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.repeat.remembered import Remembered
from deniable.protocol.errors import CapacityError
from deniable.protocol.privacy.guarantees import LDP, Guarantee
from deniable.protocol.privacy.levels import added
from deniable.protocol.privacy.rows import Ratio, level, within_sum
from deniable.protocol.questions.question import Question
from deniable.surveys.arms import Arm, Part
from deniable.surveys.document import Document
from deniable.surveys.lifelong import Proof, lifelong
from deniable.surveys.realised import joint_answers, product
from deniable.surveys.statement_audit import JudgedStatement, judged
from deniable.values.domain import Domain

MOST_PAIRS = 1 << 18
"""The most pairs of joint answers of an arm, times its parts, that are enumerated."""


ANSWER, ROUND, LIFE = "one answer", "one round", "all that a device ever sends"
"""What a claim may be about."""
PAIRS, PARTS = "every pair of joint answers", "certificates of the parts"
"""How a level may be found."""


@dataclass(frozen=True, slots=True)
class ArmCertificate:
    """What was found for one arm: the largest proven level, whether the claim holds, and how it was found.

    ``span`` is what the claim is about: one answer, or, where reports are remembered, one round or a life of them.
    ``promise`` names the guarantee of each report, whose levels add up to what is claimed.
    """

    number: int
    questions: tuple[str, ...]
    span: str
    promise: str
    claimed: float
    epsilon: float
    holds: bool
    listed: bool

    @property
    def about(self) -> str:
        """The arm and what of it, in words."""
        named = f"arm {self.number}: {', '.join(self.questions)}"
        return named if self.span == ANSWER else f"{named}, {self.span}"

    @property
    def method(self) -> str:
        """How the level was found, in words."""
        return PAIRS if self.listed else PARTS


@dataclass(frozen=True, slots=True)
class SurveyCertificate:
    """The result of an audit of a survey, arm by arm, and of every statement of its label.

    ``epsilon`` is the largest level between two joint answers that the promise bounds; infinite if none was proven.
    ``statements`` is empty for a survey with too many joint answers to judge what is said of them.
    """

    survey: str
    arms: tuple[ArmCertificate, ...]
    statements: tuple[JudgedStatement, ...] = ()

    @property
    def claimed(self) -> float:
        """The promised level of whole answers, or of a life of them; infinite where something is not protected."""
        return max(arm.claimed for arm in self.arms)

    @property
    def epsilon(self) -> float:
        """An upper bound on the level that is realised, over the dearest arm."""
        return max(arm.epsilon for arm in self.arms)

    @property
    def holds(self) -> bool:
        """Whether the promise of every arm is proven, and every statement that was judged is true."""
        return all(arm.holds for arm in self.arms) and all(each.holds for each in self.statements)

    @property
    def spans(self) -> dict[str, tuple[float, float]]:
        """The claimed and the realised level of whatever claims are about, over the dearest arm of each."""
        spans = dict.fromkeys(arm.span for arm in self.arms)
        own = {span: [arm for arm in self.arms if arm.span == span] for span in spans}
        return {span: (max(a.claimed for a in arms), max(a.epsilon for a in arms)) for span, arms in own.items()}

    def to_dict(self) -> dict[str, Any]:
        """The certificate as plain values for JSON."""
        arms = [
            {"arm": arm.number, "questions": list(arm.questions), "span": arm.span, "promise": arm.promise,
             "claimed": arm.claimed, "epsilon": arm.epsilon, "holds": arm.holds, "method": arm.method}
            for arm in self.arms
        ]  # fmt: skip
        about = {"survey": self.survey, "claimed": self.claimed, "epsilon": self.epsilon, "holds": self.holds}
        spans = [
            {"span": span, "claimed": claimed, "epsilon": epsilon} for span, (claimed, epsilon) in self.spans.items()
        ]
        said = [{"statement": each.statement.key, "holds": each.holds} for each in self.statements]
        return {**about, "spans": spans, "arms": arms, "statements": said}

    def table(self) -> Table:
        """A row for each claim."""
        rows = [
            (arm.about, arm.promise, f"{arm.claimed:.12g}", f"{arm.epsilon:.12g}",
             "holds" if arm.holds else "DOES NOT HOLD", arm.method)
            for arm in self.arms
        ]  # fmt: skip
        verdict = "holds" if self.holds else "DOES NOT HOLD"
        headings = ("what", "is promised", "claimed epsilon", "realised, at most", "the claim", "found by")
        return Table(f"{self.survey}: the promise {verdict}", headings, rows, [self._of_label()])

    def _of_label(self) -> str:
        """What was found of the label, in a sentence."""
        false = [each.statement.key for each in self.statements if not each.holds]
        if false:
            return f"Of the label's {len(self.statements)} statements these are false: {', '.join(false)}."
        if not self.statements:
            return "There are too many joint answers to judge each statement of the label."
        return f"All {len(self.statements)} statements of the label are true of every pair of joint answers."

    def __str__(self) -> str:
        return str(self.table())

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def audit_survey(document: Document) -> SurveyCertificate:
    """Prove or refute the promise of every arm in exact arithmetic."""
    arms = tuple(proof for number, arm in enumerate(document.arms) for proof in _audited(number, arm))
    try:
        return SurveyCertificate(document.name, arms, judged(document))
    except CapacityError:
        return SurveyCertificate(document.name, arms)


def _audited(number: int, arm: Arm) -> Iterator[ArmCertificate]:
    """One certificate for an arm; where reports are remembered one for a round of them and one for a life."""
    questions = tuple({question.name: question for part in arm.parts for question in part.questions}.values())
    names = tuple(question.name for question in questions)
    remembered = any(isinstance(part.mechanism, Remembered) for part in arm.parts)
    proof = _one_answer(arm, questions)
    yield ArmCertificate(
        number, names, ROUND if remembered else ANSWER, promised(arm, lambda part: part.mechanism.guarantee), *proof
    )
    if remembered:
        yield ArmCertificate(
            number, names, LIFE, promised(arm, lambda part: part.promised), *lifelong([p.mechanism for p in arm.parts])
        )


def promised(arm: Arm, guarantee_of: Callable[[Part], Guarantee]) -> str:
    """The guarantees of the reports of an arm, and, where there are several, about which questions each is."""
    if len(arm.parts) == 1:
        return str(guarantee_of(arm.parts[0]))
    reports = Counter((str(guarantee_of(part)), part.names) for part in arm.parts)
    return " + ".join(
        f"{guarantee} about {' and '.join(names)}{f' ({times} times)' if times > 1 else ''}"
        for (guarantee, names), times in reports.items()
    )


def _one_answer(arm: Arm, questions: Sequence[Question]) -> Proof:
    """Over all pairs of joint answers, or, where these are too many, from the certificates of the parts."""
    try:
        return _enumerated(arm, questions)
    except CapacityError:
        return _certified(arm)


def _enumerated(arm: Arm, questions: Sequence[Question]) -> Proof:
    """Of two joint answers the ratios of the parts multiply, and must be within the sum of their levels."""
    answers = list(joint_answers(questions, MOST_PAIRS / len(arm.parts)))
    parts = [_Ratios.of(part) for part in arm.parts]
    values = [[_value(part, answer) for answer in answers] for part in arm.parts]
    places = [[told.values.index(value) for value in column] for told, column in zip(parts, values, strict=True)]
    holds, worst, claimed = True, 0.0, 0.0
    for pair in {tuple((column[x], column[z]) for column in places) for x in range(len(answers))
                 for z in range(len(answers))}:  # fmt: skip
        bound = added(*(told.level(*at) for told, at in zip(parts, pair, strict=True)))
        ratio = product(told.ratio(*at) for told, at in zip(parts, pair, strict=True))
        claimed = max(claimed, bound)
        if bound < math.inf:
            holds, worst = holds and within_sum(ratio, bound), max(worst, level(ratio))
    return Proof(claimed, worst, holds, listed=True)


def _value(part: Part, answer: dict[str, Any]) -> Any:
    """The value of a joint answer; refused where one is drawn, which can only mix the rows of the part's channel."""
    (value, chance), *more = part.encoder.chances(part.questions, part.answers(answer))
    if more or chance < 1:
        raise CapacityError("values that are drawn cannot be enumerated")
    return value


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


def _certified(arm: Arm) -> Proof:
    """The certificates of the parts, whose levels add up."""
    proofs = [(audit(part.mechanism), part.mechanism.guarantee) for part in arm.parts]
    claimed = added(*(guarantee.plain for _, guarantee in proofs))
    realised = math.fsum(_realised(proof, guarantee) for proof, guarantee in proofs)
    holds = all(proof.holds for proof, _ in proofs)
    return Proof(claimed, realised, holds, listed=False)


def _realised(proof: Certificate, guarantee: Guarantee) -> float:
    """The level between any two values: found for plain LDP, of other guarantees what they imply if they hold."""
    if isinstance(guarantee, LDP):
        return proof.epsilon
    return guarantee.plain if proof.holds else math.inf
