"""The proof of a survey's promise: from the exact channels of its parts, over all pairs of joint answers."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

from deniable.audit.claims import Claim, claims_table, verdict
from deniable.audit.exact import Certificate, proof_of
from deniable.audit.truth import JudgedStatement
from deniable.estimation.table import Table, Tabled
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.repeat.linked import lifetime
from deniable.mechanisms.repeat.remembered import Remembered
from deniable.protocol.errors import CapacityError
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.protocol.privacy.levels import added
from deniable.protocol.privacy.rows import Ratio, level_sum, within_sum
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Statement, english
from deniable.protocol.surveys.protection import Protection
from deniable.surveys.arms import Arm, Part
from deniable.surveys.document import Document
from deniable.surveys.label import Label
from deniable.surveys.realised import MOST_PAIRS, SurveyChannel, apart, joint_answers, product
from deniable.surveys.statement_audit import judged_protection, judged_survey

ANSWER, ROUND, LIFE = "one answer", "one round", "all that a device ever sends"
"""What a claim may be about."""
PAIRS, PARTS = "every pair of joint answers", "certificates of the parts"
"""How a level may be found."""
BY_PARTS = "There are too many answers or reports to list all pairs: levels are those proven of the parts."


@dataclass(frozen=True, slots=True)
class ArmCertificate:
    """What was found for one arm: the largest proven level, whether the claim holds, and how it was found.

    ``span`` is what the claim is about: one answer, or, where reports are remembered, one round or a life of them.
    ``promise`` names the guarantee of each report, whose levels add up to what is claimed. ``listed`` tells whether all
    pairs of joint answers were enumerated, and not the levels of parts added up.
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

    @property
    def claim(self) -> Claim:
        """What was found, as a row of a certificate's table."""
        return Claim(self.about, self.promise, self.claimed, self.epsilon, self.holds, self.method)


@dataclass(frozen=True, slots=True)
class SurveyCertificate(Tabled):
    """The result of an audit of a survey, arm by arm, and of every statement of its label.

    ``epsilon`` is the largest level between two joint answers that the promise bounds; infinite if none was proven.
    Where there are too many answers or reports to list all pairs (``by_parts``), ``statements`` are judged by what is
    proven of each part, and ``unjudged`` names those that are not.
    """

    survey: str
    arms: tuple[ArmCertificate, ...]
    protection: Protection
    statements: tuple[JudgedStatement, ...] = ()
    faces: tuple[JudgedStatement, ...] = ()
    """What every page and command says of the protection, judged."""
    unjudged: tuple[Statement, ...] = ()
    by_parts: bool = False

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
        return all(arm.holds for arm in self.arms) and all(each.holds for each in (*self.statements, *self.faces))

    @property
    def protected(self) -> str:
        """How strong what is promised is, in a sentence."""
        return english(self.protection.certified)

    @property
    def spans(self) -> dict[str, tuple[float, float]]:
        """The claimed and the realised level of whatever claims are about, over the dearest arm of each."""
        spans = dict.fromkeys(arm.span for arm in self.arms)
        by_span = {span: [arm for arm in self.arms if arm.span == span] for span in spans}
        return {span: (max(a.claimed for a in arms), max(a.epsilon for a in arms)) for span, arms in by_span.items()}

    def to_dict(self) -> dict[str, Any]:
        """The certificate as plain values for JSON."""
        arms = [
            {"arm": arm.number, "questions": list(arm.questions), "span": arm.span, "promise": arm.promise,
             "claimed": arm.claimed, "epsilon": arm.epsilon, "holds": arm.holds, "method": arm.method}
            for arm in self.arms
        ]  # fmt: skip
        spans = [
            {"span": span, "claimed": claimed, "epsilon": epsilon} for span, (claimed, epsilon) in self.spans.items()
        ]
        return {
            "survey": self.survey,
            "claimed": self.claimed,
            "epsilon": self.epsilon,
            "holds": self.holds,
            "protection": self.protected,
            "spans": spans,
            "arms": arms,
            "statements": [each.to_dict() for each in self.statements],
            "unjudged": [each.key for each in self.unjudged],
            "by_parts": self.by_parts,
        }

    def table(self) -> Table:
        title = f"{self.survey}: the promise {verdict(self.holds)}"
        table = claims_table(title, [arm.claim for arm in self.arms], self.statements)
        parts = [BY_PARTS] if self.by_parts else []
        keys = ", ".join(dict.fromkeys(each.key for each in self.unjudged))
        unjudged = [f"Not judged, for there are too many answers: {keys}."] if keys else []
        return replace(table, notes=[*table.notes, *parts, *unjudged, self.protected])


def audit_survey(document: Document, channel: SurveyChannel | None = None) -> SurveyCertificate:
    """Prove or refute the promise of every arm in exact arithmetic; ``channel`` is the survey's, if it is known."""
    by_name = document.by_name
    arms = tuple(each for number, arm in enumerate(document.arms) for each in _arm_certificates(number, arm, by_name))
    realised = SurveyChannel.of(document) if channel is None else channel
    statements, faces = judged_survey(realised), judged_protection(realised)
    judged = [each.statement for each in statements]
    unjudged = tuple(each for each in Label(document).statements if each not in judged)
    protection = Protection.of(document)
    return SurveyCertificate(document.name, arms, protection, statements, faces, unjudged, realised.is_by_parts)


def _arm_certificates(number: int, arm: Arm, by_name: Mapping[str, Question]) -> Iterator[ArmCertificate]:
    """One certificate for an arm; where reports are remembered one for a round of them and one for a life."""
    remembered = any(isinstance(part.mechanism, Remembered) for part in arm.parts)
    promise = promised(arm, lambda part: part.mechanism.guarantee)
    yield ArmCertificate(number, arm.names, ROUND if remembered else ANSWER, promise, *_proof_of_answer(arm, by_name))
    if remembered:
        promise = promised(arm, lambda part: part.promised)
        proof = proof_of_life([part.mechanism for part in arm.parts])
        yield ArmCertificate(number, arm.names, LIFE, promise, *proof)


def promised(arm: Arm, guarantee_of: Callable[[Part], Guarantee]) -> str:
    """The guarantees of the reports of an arm, and, where there are several, about which questions each is."""
    if len(arm.parts) == 1:
        return str(guarantee_of(arm.parts[0]))
    reports = Counter((str(guarantee_of(part)), part.names) for part in arm.parts)
    return " + ".join(
        f"{guarantee} about {' and '.join(names)}{f' ({times} times)' if times > 1 else ''}"
        for (guarantee, names), times in reports.items()
    )


def _proof_of_answer(arm: Arm, by_name: Mapping[str, Question]) -> Proof:
    """The proof for one answer to an arm, over all pairs of joint answers; by the parts where pairs are too many.

    Each part must keep its own guarantee too, which may say more than the levels between pairs that follow from it: of
    1-LIP these are 2. Parts that share no question are enumerated by themselves: their levels add up, and so do those
    that are found.
    """
    part_proofs = [(proof_of(part.mechanism), part.mechanism.guarantee) for part in arm.parts]
    try:
        proofs = [_proof_by_pairs(parts, by_name) for parts in apart(arm.parts)]
    except CapacityError:
        return _proof_by_parts(part_proofs)
    holds = all(proof.holds for proof in proofs) and all(proof.holds for proof, _ in part_proofs)
    claimed, realised = added(*(proof.claimed for proof in proofs)), math.fsum(proof.epsilon for proof in proofs)
    return Proof(claimed, realised, holds, listed=True)


def _proof_by_pairs(parts: Sequence[Part], by_name: Mapping[str, Question]) -> Proof:
    """For every pair of joint answers the product of the parts' ratios must be within the sum of their levels."""
    answers = joint_answers([by_name[name] for name in dict.fromkeys(name for part in parts for name in part.names)])
    levels = [_PartLevels(part) for part in parts]
    values = {tuple(part.value_of(answer) for part in levels) for answer in answers}
    if len(values) ** 2 * len(parts) > MOST_PAIRS:
        raise CapacityError("answers must be fewer to be compared")
    holds, worst, claimed = True, 0.0, 0.0
    for one, other in itertools.product(values, values):
        pairs = list(zip(levels, one, other, strict=True))
        bound, ratio = added(*(part.level(x, z) for part, x, z in pairs)), product(p.ratio(x, z) for p, x, z in pairs)
        claimed = max(claimed, bound)
        if bound < math.inf:
            holds, worst = holds and within_sum(ratio, bound), max(worst, level_sum(ratio))
    return Proof(claimed, worst, holds, listed=True)


class _PartLevels:
    """Of any two values of a part the worst ratio, exactly, and the level that its guarantee allows."""

    def __init__(self, part: Part) -> None:
        channel = part.mechanism.channel()
        self._part, self._rows, self._values = part, channel.rows.check(), channel.domain
        self.ratio = cache(self._ratio)

    def value_of(self, answer: Mapping[str, Any]) -> int:
        """The index of the value of a joint answer.

        Refused where the value is drawn: that mixes rows of the channel, which can only bring them closer together.
        """
        (value, chance), *others = self._part.encoder.chances(self._part.questions, self._part.answers(answer))
        if others or chance < 1:
            raise CapacityError("values that are drawn cannot be enumerated")
        return self._values.index(value)

    def _ratio(self, value: int, other: int) -> Ratio:
        return self._rows.worst_ratio([value], [other])

    def level(self, value: int, other: int) -> float:
        """What the guarantee allows."""
        return 0.0 if value == other else self._part.mechanism.guarantee.pair_level(value, other)


def _proof_by_parts(proofs: Sequence[tuple[Certificate, Guarantee]]) -> Proof:
    """What follows from the certificates of the parts, each with its guarantee: their levels add up.

    The level between any two values is the one found for plain LDP; other guarantees imply one if they hold.
    """
    claimed = added(*(guarantee.plain for _, guarantee in proofs))
    realised = math.fsum(
        proof.epsilon if guarantee.alike else guarantee.plain if proof.holds else math.inf
        for proof, guarantee in proofs
    )
    return Proof(claimed, realised, all(proof.holds for proof, _ in proofs), listed=False)


class Proof(NamedTuple):
    """What is claimed, what is realised at most, whether the claim holds, and whether all pairs were enumerated."""

    claimed: float
    epsilon: float
    holds: bool
    listed: bool


def proof_of_life(mechanisms: Sequence[Mechanism]) -> Proof:
    """The proof for all that a device ever sends: that of each permanent report, scaled to the level of a life."""
    remembered = [m for m in mechanisms if isinstance(m, Remembered)]
    proofs = [(proof_of(m.permanent), lifetime(m).epsilon) for m in remembered]
    claimed = added(*(level for _, level in proofs))
    realised = math.fsum(proof.epsilon * level / proof.claimed for proof, level in proofs)
    holds = all(proof.holds for proof, _ in proofs) and all(proof_of(m).holds for m in remembered)
    return Proof(claimed, realised, holds, listed=False)
