"""Two labels of one question: whether their shares can be told apart, by an interval of their difference."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from deniable.arrays import Vector
from deniable.estimation.census_evidence import CensusEvidence
from deniable.estimation.estimate import Estimate
from deniable.estimation.evidence import SupportEvidence
from deniable.estimation.laws.support_law import SupportLaw
from deniable.estimation.saying import LEVEL, quoted
from deniable.estimation.simplex import project
from deniable.estimation.sources import WeighedEvidence
from deniable.estimation.words import outward
from deniable.mechanisms.registry import from_spec_bytes
from deniable.theory.risk.joint_support import JointSupport


@dataclass(frozen=True)
class Apart:
    """Two labels of one question: whether their shares can be told apart."""

    first: str
    second: str
    low: float
    high: float

    @property
    def words(self) -> str:
        """The verdict."""
        if self.low > 0:
            return f"More people answer {self.first} than {self.second}: by {_by(self.low, self.high)} points."
        if self.high < 0:
            return f"More people answer {self.second} than {self.first}: by {_by(-self.high, -self.low)} points."
        return f"{self.first} and {self.second} cannot be told apart."


def apart(estimate: Estimate, first: int, second: int) -> Apart:
    """Two labels that were chosen before looking: limits of both, added with the correlation of their errors.

    So the limits stay exact for each label, as in Zou and Donner's method of 2008, which is Newcombe's for correlated
    shares. Where the correlation is not known it counts as -1, so that the interval is too wide and never too short.
    """
    share = np.asarray(estimate.unbiased)[[first, second]]
    (low, other_low), (high, other_high) = estimate.evidence.interval(1 - LEVEL)[[first, second]].T
    joint = _correlation(estimate, first, second)
    down, up = (
        _added(share[0] - low, other_high - share[1], joint),
        _added(high - share[0], share[1] - other_low, joint),
    )
    gap = share[0] - share[1]
    ends = np.clip([gap - down, gap + up], -1, 1) if np.isfinite(gap) else np.array([-1, 1])
    return Apart(quoted(estimate, first), quoted(estimate, second), float(ends[0]), float(ends[1]))


def _added(one: float, other: float, correlation: float) -> float:
    """How far the difference of two shares reaches if each reaches so far by itself."""
    return math.sqrt(max(one * one + other * other - 2 * correlation * one * other, 0.0))


def _correlation(estimate: Estimate, first: int, second: int) -> float:
    """How the errors of two shares go together; -1, the worst for their difference, where it is not known."""
    weights = np.zeros(len(estimate.labels))
    weights[[first, second]] = 1, -1
    errors = np.asarray(estimate.stderr)[[first, second]]
    variance = _variance(estimate, weights)
    if variance is None or not (errors.all() and np.isfinite(errors).all()):
        return -1.0
    return float(np.clip((errors @ errors - variance) / (2 * errors.prod()), -1, 1))


def _variance(estimate: Estimate, weights: Vector) -> float | None:
    """The variance of a weighted sum of shares; None of lists, whose labels people hold together as they like."""
    evidence = estimate.evidence
    if not estimate.adds_up:
        return None
    if isinstance(evidence, CensusEvidence):
        drawn = _variance(replace(estimate, decoded=estimate.decoded._replace(evidence=evidence.plain)), weights)
        return None if drawn is None else evidence.less(drawn, weights)
    if isinstance(evidence, WeighedEvidence):
        parts = zip(evidence.sources, evidence.weights, strict=True)
        return float(sum(source.sums((weights @ matrix)[None]).variances[0] for source, matrix in parts))
    if not isinstance(evidence, SupportEvidence):
        return None
    law = from_spec_bytes(estimate.spec_bytes).law
    if not (isinstance(law, SupportLaw) and law.symmetric and (law.closed or law.permanent is None)):
        return None
    joint = JointSupport.of(law.support, law.labels, law.closed)
    return float(joint.variances(weights[None], project(evidence.unbiased()))[0] / evidence.n)


def _by(low: float, high: float) -> str:
    """A positive difference in points, rounded outward."""
    least, most = (round(100 * end) for end in outward(low, high, 100))
    return f"less than {most}" if least == 0 else f"{least} to {most}"
