"""One person's squared error under each rule of jiang2018: by formula, and in simulated reports."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from deniable.arrays import Indices, Matrix, Vector
from deniable.mechanisms.mechanism import draw_column
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.mechanisms.prior.informed_response import InformedResponse
from deniable.privacy.entropy import Entropy
from deniable.theory.informed.baselines import (
    channel_loss,
    ldp_loss,
    paper_feasible,
    paper_level,
    paper_loss,
    posteriors,
)
from deniable.theory.informed.optimum import optimal
from studies.study import Row

LOSSES = ("no_report", "ldp", "ldp_twice", "paper", "lip", "lip_bound")


def losses(prior: Any, epsilon: float, values: Any = None) -> dict[str, float]:
    """Squared errors of one person: the prior alone, k-ary response, the paper's formula, and our optimum.

    ``feasible`` says whether the formula's channel keeps the level, ``leak`` its true level.
    """
    found = optimal(prior, epsilon, values)
    return {
        "no_report": channel_loss(prior, np.ones((len(prior), 1)), values),
        "ldp": ldp_loss(prior, epsilon, values),
        "ldp_twice": ldp_loss(prior, 2 * epsilon, values),
        "paper": paper_loss(prior, epsilon, values),
        "lip": found.loss,
        "lip_bound": found.bound,
        "feasible": float(paper_feasible(prior, epsilon)),
        "leak": paper_level(prior, epsilon),
    }


def response_loss(epsilon: float) -> float:
    """t/(t-1)^2, the noise of randomized response of one bit, decoded without a prior; t = e^epsilon.

    >>> round(response_loss(1.0) ** 0.5, 4)
    0.9595
    """
    return math.exp(epsilon) / math.expm1(epsilon) ** 2


def optimized_unary_loss(p: float, epsilon: float) -> float:
    """4t/(t-1)^2 + p: the squared error of a bit with share ``p`` under optimized unary encoding."""
    return 4 * response_loss(epsilon) + p


def symmetric_unary_loss(epsilon: float) -> float:
    """sqrt(t)/(sqrt(t)-1)^2: the squared error of a bit of any share under symmetric unary encoding (RAPPOR)."""
    return response_loss(epsilon / 2)


def histogram_unary_loss(d: int, epsilon: float) -> float:
    """4dt/(t-1)^2 + 1: the squared error of optimized unary encoding, summed over ``d`` labels."""
    return 4 * d * response_loss(epsilon) + 1


def rooted(people: Sequence[Mapping[str, Any]]) -> Row:
    """Roots of the mean squared errors of several people; the share whose formula is feasible, and the largest leak."""
    errors: Row = {name: math.sqrt(np.mean([each[name] for each in people])) for name in LOSSES}
    feasible = float(np.mean([each["feasible"] for each in people]))
    return {**errors, "feasible": feasible, "leak": float(max(each["leak"] for each in people))}


def makers(prior: Vector, epsilon: float, goal: str) -> dict[str, RandomizedResponse | InformedResponse]:
    """The mechanisms whose reports are drawn; the labels are 0 to d - 1."""
    d = len(prior)
    return {"ldp": RandomizedResponse(d, epsilon), "lip": InformedResponse(d, prior, epsilon, goal)}


@dataclass(frozen=True)
class Reader:
    """A curator who reads the reports of a mechanism with a prior, for goals [labels, goals]."""

    mechanism: RandomizedResponse | InformedResponse
    prior: Vector
    goals: Matrix

    @cached_property
    def guesses(self) -> Matrix:
        """The posterior means of the goals, for each report."""
        return np.asarray(posteriors(self.prior, self.mechanism.channel().probabilities) @ self.goals)

    def draw(self, held: Indices, entropy: Entropy) -> Indices:
        """A report for each person."""
        return self.mechanism.layout.report_index(draw_column(self.mechanism, held, entropy))

    def joint(self, held: Indices, entropy: Entropy) -> Matrix:
        """How many people held each label (a row) and sent each report (a column)."""
        shape = len(self.goals), len(self.guesses)
        pairs = held * shape[1] + self.draw(held, entropy)
        return np.bincount(pairs, minlength=math.prod(shape)).reshape(shape).astype(np.float64)

    def person(self, joint: Matrix) -> tuple[float, float]:
        """The root mean squared error of a person's goals, and its standard error."""
        squares = (self.goals**2).sum(axis=1)[:, None] - 2 * self.goals @ self.guesses.T + (self.guesses**2).sum(axis=1)
        return root_mean(squares, joint)

    def total_miss(self, joint: Matrix) -> float:
        """The squared error of the sums over all people, per person."""
        missed = joint.sum(axis=1) @ self.goals - joint.sum(axis=0) @ self.guesses
        return float(missed @ missed / joint.sum())


def root_mean(squares: Matrix, weights: Matrix | None = None) -> tuple[float, float]:
    """The root of a mean of squares, and its standard error."""
    shares = np.full(squares.shape, 1 / squares.size) if weights is None else weights / weights.sum()
    people = squares.size if weights is None else weights.sum()
    mean = float((shares * squares).sum())
    spread = float((shares * (squares - mean) ** 2).sum())
    return math.sqrt(mean), math.sqrt(spread / people) / (2 * math.sqrt(mean))
