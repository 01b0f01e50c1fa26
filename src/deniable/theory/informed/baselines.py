"""Localized information privacy (jiang2018): the paper's channel, mechanisms to compare it with, and a wrong prior.

A channel Q is eps-LIP for a prior P when 1/t <= Q[x,y]/lam_y <= t wherever P_x > 0, with t = e^eps and lam = P Q. The
curator estimates by the posterior mean, so one person's squared error is Var(v) - Var(E[v|Y]) for numeric values v of
the labels, and 1 - sum_y lam_y |r_y|^2 for a histogram, where r_y is the posterior.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from deniable.arrays import Matrix, Vector
from deniable.checks import as_vector, check_distribution
from deniable.protocol.checks import SLACK, check_epsilon
from deniable.protocol.errors import ParameterError

ROUNDING = 1e-12
"""How far below the threshold a prior may be that differs from it only by rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Misjudged:
    """The cost of a wrong prior: ``bias`` of the mean estimate (one entry, or one per label), ``mse`` of one person."""

    bias: Vector
    mse: float


def check_prior(prior: Any) -> Vector:
    """The prior as a new array that adds up to 1; it needs at least two labels."""
    size = len(prior) if hasattr(prior, "__len__") else 0
    return check_distribution("prior", prior, max(size, 2))


def check_values(values: Any, d: int) -> Vector:
    """A finite number for each of ``d`` labels."""
    found = as_vector(values)
    numbers = np.empty(0) if found is None else found
    if numbers.shape != (d,):
        raise ParameterError(f"values must be {d} numbers, got {type(values).__name__} of shape {numbers.shape}")
    if not np.isfinite(numbers).all():
        raise ParameterError("values must be finite, got an entry that is not")
    return numbers


def check_matrix(matrix: Any, d: int) -> Matrix:
    """The channel as a float matrix [labels, reports] with ``d`` rows that add up to 1."""
    numbers = np.asarray(matrix)
    if numbers.ndim != 2 or len(numbers) != d or numbers.dtype.kind not in "iuf":
        raise ParameterError(f"matrix must be {d} rows of probabilities, got an array of shape {numbers.shape}")
    if not np.isfinite(numbers).all() or numbers.min(initial=0) < 0:
        raise ParameterError("matrix must be finite and not negative, got an entry that is not")
    sums = numbers.sum(axis=1)
    if (np.abs(sums - 1) > SLACK).any():
        raise ParameterError(
            f"matrix must have rows that add up to 1, got a sum of {sums[np.abs(sums - 1).argmax()]:.9g}"
        )
    return numbers.astype(np.float64)


def _prior_loss(prior: Vector, values: Vector | None) -> float:
    """The loss without any report: Var(v), or 1 - sum P^2 for a histogram."""
    if values is None:
        return float(prior @ (1 - prior))
    return float(prior @ (values - prior @ values) ** 2)


def lip_level(prior: Any, matrix: Any) -> float:
    """The least epsilon at which a channel is eps-LIP for a prior: the largest |log Q[x,y]/lam_y| with P_x, lam_y > 0.

    >>> round(lip_level([0.9, 0.1], [[0.75, 0.25], [0.25, 0.75]]), 6)
    1.029619
    """
    p = check_prior(prior)
    likely = check_matrix(matrix, len(p))[p > 0]
    chances = p[p > 0] @ likely
    ratios = likely[:, chances > 0] / chances[chances > 0]
    return math.inf if ratios.min() == 0 else float(np.abs(np.log(ratios)).max())


def posteriors(prior: Any, matrix: Any) -> Matrix:
    """The posterior [reports, labels] after each report; the prior for a report that cannot happen.

    >>> posteriors([0.9, 0.1], [[0.75, 0.25], [0.25, 0.75]]).round(6).tolist()
    [[0.964286, 0.035714], [0.75, 0.25]]
    """
    p = check_prior(prior)
    joint = p[:, None] * check_matrix(matrix, len(p))
    chances = joint.sum(axis=0)
    return np.asarray(np.where(chances > 0, joint / np.where(chances > 0, chances, 1), p[:, None]).T)


def channel_loss(prior: Any, matrix: Any, values: Any = None) -> float:
    """The mean squared error of the posterior mean after one report of any channel: of v(X), or of the histogram.

    >>> round(channel_loss([0.5, 0.5], [[0.75, 0.25], [0.25, 0.75]]), 6)
    0.375
    """
    p = check_prior(prior)
    channel = check_matrix(matrix, len(p))
    v = None if values is None else check_values(values, len(p))
    chances = p @ channel
    channel, chances = channel[:, chances > 0], chances[chances > 0]
    if v is not None:  # centred first, so that values far from 0 lose no digits
        return max(_prior_loss(p, v) - float(((p * (v - p @ v)) @ channel) ** 2 @ (1 / chances)), 0.0)
    shifts = channel / chances - 1
    return max(_prior_loss(p, None) - float(p**2 @ shifts**2 @ chances), 0.0)


def paper_feasible(prior: Any, epsilon: Any) -> bool:
    """Whether the paper's channel keeps its own definition: every positive prior is at least 1/(1+e^eps).

    The diagonal ratio (1-(1-P)/t)/P is at most t just where (t-1)(Pt-(1-P)) >= 0.

    >>> paper_feasible([0.5, 0.3, 0.2], 1.0), paper_feasible([0.5, 0.3, 0.2], 1.5)
    (False, True)
    """
    return not too_rare(check_prior(prior), check_epsilon(epsilon)).any()


def too_rare(prior: Vector, epsilon: float) -> npt.NDArray[np.bool_]:
    """The labels whose prior is above 0 and below 1/(1+e^eps)."""
    return (prior > 0) & (prior * (1 + math.exp(epsilon)) < 1 - ROUNDING)


def paper_channel(prior: Any, epsilon: Any, share: float = 1.0) -> Matrix:
    """The channel of jiang2018's Thm 2, 3, 5: the truth with probability 1 - 1/t, else a draw from the prior.

    ``share`` of the level is used: a little less than 1 leaves room for rounding.

    >>> paper_channel([0.5, 0.5], 1.0).round(6).tolist()
    [[0.81606, 0.18394], [0.18394, 0.81606]]
    """
    p, level = check_prior(prior), check_epsilon(epsilon)
    low = too_rare(p, level)
    if low.any():
        raise ParameterError(
            f"prior must be at least 1/(1+e^epsilon) = {1 / (1 + math.exp(level)):.6g} wherever it is not 0, "
            f"got {low.sum()} smaller: the channel would leak {paper_level(p, level):.6g} and not epsilon={level:g}"
        )
    return _as_printed(p, level * share)


def one_sided_channel(prior: Any, epsilon: Any, share: float = 1.0) -> Matrix:
    """The formula of ``paper_channel`` for every prior: the optimum under one-sided LIP, Q[x,y] >= lam_y/t.

    >>> one_sided_channel([0.9, 0.1], 1.0).round(3).tolist()
    [[0.963, 0.037], [0.331, 0.669]]
    """
    return _as_printed(check_prior(prior), check_epsilon(epsilon) * share)


def paper_level(prior: Any, epsilon: Any) -> float:
    """The LIP level that the paper's channel really has: epsilon if it is feasible, otherwise more.

    >>> round(paper_level([0.9, 0.1], 1.0), 6)
    1.900477
    """
    p, level = check_prior(prior), check_epsilon(epsilon)
    return lip_level(p, _as_printed(p, level))


def _as_printed(p: Vector, level: float) -> Matrix:
    """The formula as printed, except that labels of prior 0 report a draw from the prior, which hides them."""
    honest = -math.expm1(-level)
    matrix: Matrix = np.where(p > 0, 1 - honest, 1.0)[:, None] * p + np.diag(np.where(p > 0, honest, 0.0))
    return matrix


def paper_loss(prior: Any, epsilon: Any, values: Any = None) -> float:
    """The paper's formula (1-(1-1/t)^2) base, feasible or not: no eps-LIP channel has a smaller loss.

    It is the exact optimum under one-sided LIP, Q[x,y] >= lam_y/t.

    >>> round(paper_loss([0.9, 0.1], 1.0, [0, 1]) ** 0.5, 4)
    0.2325
    """
    p, level = check_prior(prior), check_epsilon(epsilon)
    v = None if values is None else check_values(values, len(p))
    return (1 - math.expm1(-level) ** 2) * _prior_loss(p, v)


def ldp_loss(prior: Any, epsilon: Any, values: Any = None) -> float:
    """The loss of k-ary randomized response, which is eps-LDP and so eps-LIP for every prior, with posterior means.

    >>> round(ldp_loss([0.9, 0.1], 1.0, [0, 1]) ** 0.5, 4)
    0.2863
    """
    p, level = check_prior(prior), check_epsilon(epsilon)
    other = 1 / (math.expm1(level) + len(p))
    return channel_loss(
        p, np.full((len(p), len(p)), other) + np.diag(np.full(len(p), math.expm1(level) * other)), values
    )


def misjudged(prior: Any, truth: Any, matrix: Any, values: Any = None) -> Misjudged:
    """Bias and error of posterior means computed with ``prior`` when people follow ``truth``.

    An output that is impossible under the prior leaves the prior unchanged.

    >>> wrong = misjudged([0.5, 0.5], [0.9, 0.1], [[0.75, 0.25], [0.25, 0.75]], [0, 1])
    >>> wrong.bias.round(6).tolist(), round(wrong.mse, 6)
    ([0.3], 0.1875)
    """
    p = check_prior(prior)
    true = check_distribution("truth", truth, len(p))
    channel = check_matrix(matrix, len(p))
    goal = np.eye(len(p)) if values is None else check_values(values, len(p))[:, None]
    chances = p @ channel
    lifts = np.where(chances > 0, channel / np.where(chances > 0, chances, 1), 1.0)
    guesses = (p[:, None] * lifts).T @ goal
    seen = true @ channel
    mse = (
        true @ (goal**2).sum(axis=1)
        + seen @ (guesses**2).sum(axis=1)
        - 2 * ((true[:, None] * channel).T @ goal * guesses).sum()
    )
    return Misjudged(seen @ guesses - true @ goal, float(mse))
