"""The statements of a mechanism's label, each judged by its exact channel; no guarantee is looked at."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from deniable.audit.answer_ratios import AnswerRatios
from deniable.audit.promise_judges import OPEN, PROMISES
from deniable.audit.truth import (
    UNJUDGED,
    Judge,
    JudgedStatement,
    Truth,
    bounded,
    judge_belief,
    judged,
    true_if,
    unjudged,
)
from deniable.estimation.laws.support_law import SupportLaw
from deniable.mechanisms.facts import hundred_stated
from deniable.mechanisms.label import MechanismLabel
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.repeat.linked import answers_kept, enrolled_reports
from deniable.mechanisms.repeat.remembered import Remembered
from deniable.protocol.errors import CapacityError, ParameterError
from deniable.protocol.privacy.guarantees import check_inputs
from deniable.protocol.privacy.rows import Ratio

MOST_COMPARED = 1 << 16
"""The most pairs of answers, times reports, that are compared."""


@dataclass(frozen=True)
class MechanismChannel:
    """The ratios between answers that a mechanism realises: of one report (``once``), and of all that one person sends.

    The latter are those of the ``permanent`` report, from which all are made; without one they are those of one report.
    """

    mechanism: Mechanism
    once: AnswerRatios
    permanent: AnswerRatios

    @classmethod
    def of(cls, mechanism: Mechanism) -> MechanismChannel:
        """Enumerate a mechanism; one with too many answers or reports is refused."""
        size, prior = mechanism.domain.size, getattr(mechanism.guarantee, "prior", None)
        if size is None or size**2 * mechanism.layout.outputs > MOST_COMPARED:
            raise CapacityError("a mechanism must have few answers and reports to judge what is said of them, got more")
        check_inputs(mechanism.channel().rows.check(), mechanism.domain.every())
        once = AnswerRatios.of(mechanism.channel(), prior)
        permanent = AnswerRatios.of(mechanism.permanent.channel()) if isinstance(mechanism, Remembered) else once
        return cls(mechanism, once, permanent)

    @property
    def is_remembered(self) -> bool:
        """Whether a permanent report is sent again and again."""
        return isinstance(self.mechanism, Remembered)

    @cached_property
    def life(self) -> Ratio | None:
        """The largest ratio of a life of answers; None where reports are not remembered."""
        return life_of(self.mechanism) if isinstance(self.mechanism, Remembered) else None

    @cached_property
    def fits(self) -> tuple[Fraction, Fraction] | None:
        """How often a report fits its sender's answer, and how often another one; None if that depends on which."""
        law, rows = self.mechanism.law, self.once.rows[0].listed()
        if not isinstance(law, SupportLaw):
            return None
        fitting = law.supports(self.mechanism.layout.every_report()).T.tolist()
        shares = [[Fraction(sum(w for w, fit in zip(row, fits, strict=True) if fit), sum(row)) for fits in fitting]
                  for row in rows]  # fmt: skip
        own = {shares[x][x] for x in range(len(shares))}
        other = {shares[x][z] for x, z in self.once.pairs()}
        return (own.pop(), other.pop()) if len(own) == len(other) == 1 else None


def life_of(mechanism: Remembered) -> Ratio:
    """The largest ratio of a life of answers: each answer that a device can need has a permanent report of its own."""
    channel = mechanism.permanent.channel()
    worst: Ratio | None = channel.rows.worst_ratio()
    if keeps_labels(mechanism):
        answers = AnswerRatios.of(channel)
        worst = answers.worst(answers.differ_in_one)
    return math.inf if worst is None or worst == math.inf else Fraction(worst) ** answers_kept(mechanism)


def keeps_labels(mechanism: Remembered) -> bool:
    """Whether what is kept of a list are answers about each of its labels, one report each."""
    return enrolled_reports(mechanism) < answers_kept(mechanism)


def judged_mechanism(mechanism: Mechanism) -> tuple[JudgedStatement, ...]:
    """Every statement of a mechanism's label with its verdict; none of a mechanism that is too large to enumerate."""
    statements = MechanismLabel(mechanism).statements
    try:
        return judged(MechanismChannel.of(mechanism), statements, JUDGES)
    except CapacityError:
        return ()
    except ParameterError:  # of rows that are no channel nothing is true
        return tuple(JudgedStatement(statement, holds=False) for statement in statements)


def of_one_report(judge: Judge[AnswerRatios]) -> Judge[MechanismChannel]:
    """A judge of a mechanism, from a judge of the ratios of one report."""
    return lambda realised, values: judge(realised.once, values)


def _belief_protected(answers: AnswerRatios, values: Mapping[str, Any]) -> Truth | None:
    hidden = answers.hidden
    return judge_belief(answers.worst(lambda x, z: x in hidden and z not in hidden), values, falls=False)


def _fit(realised: MechanismChannel, _: Mapping[str, Any]) -> Truth | None:
    if realised.fits is None:
        return None
    own, other = (hundred_stated(float(share)) for share in realised.fits)
    return {"own": own, "other": other}


def _claimed(realised: MechanismChannel, values: Mapping[str, Any]) -> Truth | None:
    """What the guarantee's name promises; one of an average makes no other statement, so that it is judged itself."""
    promise, guarantee = values["promise"], realised.mechanism.guarantee
    if isinstance(promise, str):
        return true_if(promise == str(guarantee) and guarantee.holds(realised.mechanism))
    return PROMISES["claimed"](realised.once, values)


def _bits(realised: MechanismChannel, _: Mapping[str, Any]) -> Truth:
    """How many of the bits of a stored report are ever set."""
    reports = realised.mechanism.layout.every_report()
    ever = np.bitwise_or.reduce(reports, axis=0)
    return {"count": int(np.bitwise_count(ever).sum())}


JUDGES: Mapping[str, Judge[MechanismChannel]] = {
    **UNJUDGED,
    **{key: of_one_report(judge) for key, judge in {**PROMISES, **OPEN}.items()},
    "claimed": _claimed,
    "changed_one": lambda realised, _: true_if(realised.once.never_certain()),
    "changed_part": unjudged,  # less than "changed_one"; what is promised has statements, and judges, of its own
    "belief_answer": of_one_report(lambda answers, values: judge_belief(answers.worst(), values)),
    "belief_protected": of_one_report(_belief_protected),
    "belief_grouped": of_one_report(lambda answers, values: judge_belief(answers.worst(answers.grouped), values)),
    "belief_near": of_one_report(lambda answers, values: judge_belief(answers.worst(answers.apart(1)), values)),
    "belief_item": of_one_report(lambda answers, values: judge_belief(answers.worst(answers.differ_in_one), values)),
    "belief_item_held": of_one_report(
        lambda answers, values: judge_belief(answers.worst(answers.has_one_more), values, falls=False)
    ),
    "round_answer": of_one_report(lambda answers, _: bounded(level=answers.worst())),
    "round_belief": of_one_report(lambda answers, values: judge_belief(answers.worst(), values)),
    "unchanged_answer": lambda realised, _: bounded(level=realised.permanent.worst()),
    "life": lambda realised, _: bounded(level=realised.life),
    "life_belief": lambda realised, values: judge_belief(realised.life, values),
    "fit": _fit,
    "bits": _bits,
    "again": lambda realised, _: true_if(not realised.is_remembered),
    "changes": lambda realised, _: true_if(realised.is_remembered),
    "changed_labels": lambda realised, _: true_if(isinstance(m := realised.mechanism, Remembered) and keeps_labels(m)),
}
"""How each statement is judged, by key."""
