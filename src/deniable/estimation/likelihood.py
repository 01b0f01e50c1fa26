"""Likelihood: the distribution that makes what was seen likeliest, and the mean under a prior.

A channel enters as two maps. ``forward(p)`` is the probability of every message under the distribution p, up to one
factor a message; ``backward(w)`` is sum_y Q(y|x) w_y with the same factors. What follows from p alone:

- ratio(p) = backward(counts / (n forward(p))) is the gradient of the mean log-likelihood, and sum_x p_x ratio_x = 1;
- expectation and maximization (EM) is p <- p ratio(p);
- the likelihood is concave, so no distribution exceeds p by more than max_x ratio_x(p) - 1 nats a person. That is
  the certificate with which the search stops.

EM is a gradient step in the metric diag(p), right where reports are values without noise. Noise makes it far too
short for rare labels: at d = 1000 and epsilon = 1 it needs thousands of steps, extrapolated (SQUAREM) or not. A
symmetric mechanism's curvature is close to 1/(p_x + c), c the noise in units of a frequency, so the step here is
taken in the metric diag(p + c) onto the simplex: c = 0 is EM, c = infinity the projected gradient. Some twenty steps
reach 1e-10. Where a channel is far from symmetric, and small, Newton steps take over: the quadratic model is
maximized over the simplex by non-negative least squares (Wang 2007). A step that would lower the likelihood is
shortened until it does not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy import optimize

from deniable.arrays import Counts, Vector
from deniable.errors import ParameterError
from deniable.estimation.simplex import project
from deniable.theory.risk.support import Support

Map: TypeAlias = Callable[[Vector], Vector]

TOLERANCE = 1e-10
"""Nats a person: negligible beside sampling error up to 1e9 people."""
STEPS = 30
"""Steps before every other one is Newton's, where it can be."""
LABELS, CELLS = 500, 1 << 20
"""The most labels, and labels times seen messages, for which a Newton step takes well under a second."""
LONGEST, SHORTEST = 1e4, 1e-4
"""How far a step's length may leave 1."""
ROUNDING = 1e-14
"""A loss of likelihood that is only rounding."""


def response_likelihood(counts: Counts, ratio: float) -> Vector:
    """Maximum likelihood for k-ary randomized response with odds ``ratio`` (re-derived).

    p_i = max(0, T_i / lam - 1/M) with M = ratio - 1 and lam = (sum of the top s) / (1 + s/M), for the largest s whose
    last label stays above 0. It is the unbiased estimate where that is a distribution. Biased towards the edge: rare
    labels tend to exactly 0.

    >>> response_likelihood(np.array([50, 30, 15, 5, 0]), np.e).round(8).tolist()
    [0.77049418, 0.22950582, 0.0, 0.0, 0.0]
    """
    _check_some(counts)
    bonus = ratio - 1
    values = counts.astype(np.float64)
    descending = np.sort(values)[::-1]
    top, s = np.cumsum(descending), np.arange(1, len(counts) + 1)
    # T/lam > 1/M, multiplied out so that a small M cancels nothing: T M + (T s - top) > 0
    kept = np.flatnonzero(descending * bonus + (descending * s - top) > 0)[-1]
    share = np.maximum(values * bonus + (values * s[kept] - top[kept]), 0.0)
    return np.asarray(share / share.sum())


@dataclass(frozen=True, slots=True, eq=False)
class Maximum:
    """A point of (nearly) greatest likelihood; no distribution exceeds it by more than ``gap`` nats a person."""

    point: Vector
    gap: float
    iterations: int
    converged: bool


def maximum_likelihood(
    counts: Counts,
    forward: Map,
    backward: Map,
    d: int,
    tolerance: float = TOLERANCE,
    iterations: int = 1000,
) -> Maximum:
    """The distribution of ``d`` labels under which the counted messages are likeliest.

    Biased towards the edge: rare labels tend to exactly 0. Consistent and efficient as the number of people grows.

    >>> keep = np.array([[0.75, 0.25], [0.25, 0.75]])
    >>> maximum_likelihood(np.array([60, 40]), lambda p: p @ keep, lambda w: keep @ w, 2).point.round(6).tolist()
    [0.7, 0.3]
    """
    ascent = _Ascent(counts, forward, backward, d)
    small = d <= LABELS and d * len(ascent.shares) <= CELLS
    done = 0
    while ascent.gap > tolerance and done < iterations:
        if small and done >= STEPS and done % 2 == 0:
            ascent.newton_step()
        else:
            ascent.step()
        done += 1
    return Maximum(ascent.p, ascent.gap, done, ascent.gap <= tolerance)


class _Ascent:
    """The search's state: the point, its messages' probabilities and its gradient."""

    def __init__(self, counts: Counts, forward: Map, backward: Map, d: int) -> None:
        _check_some(counts)
        self.seen = counts > 0
        self.shares = counts[self.seen] / counts.sum()
        self.forward, self.backward = forward, backward
        self.length = 1.0
        self._move(np.full(d, 1 / d))
        self.noise = self._noise(d)

    def _move(self, p: Vector) -> None:
        self.p, self.chances = p, self.forward(p)[self.seen]
        if not self.chances.min() > 0:
            raise ParameterError("counts must be of messages that some label can send, got others")
        weights = np.zeros(len(self.seen))
        weights[self.seen] = self.shares / self.chances
        self.ratio = self.backward(weights)
        self.gap = max(float(self.ratio.max()) - 1, 0.0)

    def _noise(self, d: int) -> float:
        """c, from the mean curvature at the uniform point, 1/(1/d + c), along signs that fit no channel's pattern."""
        signs = np.where(np.random.default_rng(d).random(d) < 0.5, -1.0, 1.0)
        signs[0] = -signs[-1]  # not all alike
        signs -= signs.mean()
        change = (self.forward(self.p + signs / (2 * d))[self.seen] - self.chances) / self.chances
        curvature = float(self.shares @ change**2) * 4 * d * d
        noise = float(signs @ signs) / curvature - 1 / d if curvature > 0 else 1.0
        return max(noise, 1e-3 / d)  # above 0: a label that fell to 0 can come back

    def step(self) -> None:
        """A step in the metric diag(p + c), as long as the last two suggest."""
        metric, slope, before = self.p + self.noise, self.ratio, self.p
        self._towards(project(self.p + self.length * metric * (slope - 1), metric))
        self._lengthen(self.p - before, slope - self.ratio, metric)

    def newton_step(self) -> None:
        """Towards the simplex's maximum of log x ~ (x - 1) - (x - 1)^2 / 2 in each message's relative chance x.

        That is the least |P q| over distributions q, and Dax's (1990) row of ones gives it up to scale.
        """
        relative = np.stack([self.forward(vertex)[self.seen] for vertex in np.eye(len(self.p))]) / self.chances
        rows = np.vstack([((relative - 2) * np.sqrt(self.shares)).T, np.ones(len(self.p))])
        try:
            scaled, _ = optimize.nnls(rows, np.append(np.zeros(len(self.shares)), 1.0), maxiter=30 * len(self.p))
        except RuntimeError:  # it gives up on tables that are singular to rounding
            self.step()
            return
        self._towards(scaled / scaled.sum())

    def _towards(self, target: Vector) -> None:
        way = target - self.p
        relative = self.forward(target)[self.seen] / self.chances - 1
        self._move(self.p + _line_search(self.shares, relative, float((self.ratio - 1) @ way)) * way)

    def _lengthen(self, moved: Vector, fell: Vector, metric: Vector) -> None:
        """Barzilai and Borwein's length: the metric's curvature along the last step over the measured one."""
        curvature = float(moved @ fell)
        length = float(moved @ (moved / metric)) / curvature if curvature > 0 else 1.0
        self.length = min(max(length, SHORTEST), LONGEST)


def _line_search(shares: Vector, relative: Vector, rise: float) -> float:
    """A share of the way where the likelihood is not lower and not steeply falling; it starts with the slope ``rise``.

    Its slope after a share is rise - share * sum shares relative^2 / (1 + share relative): nothing cancels.
    """
    share = 1.0
    while share > ROUNDING:
        reached = 1 + share * relative
        if reached.min() > 0:
            bend = share * float(shares @ (relative**2 / reached))
            if bend <= 1.5 * rise and float(shares @ np.log(reached)) >= -ROUNDING:
                break
            share *= min(max(rise / bend, 0.1), 0.5)
        else:
            share *= 0.5
    return share


def composite_likelihood(counts: Counts, n: int, support: Support) -> Vector:
    """The distribution that maximizes sum_j f_j ln m_j + (n - f_j) ln(1 - m_j), m_j = h + gap p_j.

    This is not the likelihood of the reports. It takes the label counts f_j as if they were independent, for which
    bits came together in a report is lost once they are added up. It is consistent, and close to the likelihood
    where reports are independent bits; pass the reports themselves where the last drop counts. Biased towards the
    edge, as the likelihood is.

    >>> composite_likelihood(np.array([60, 40, 0]), 100, Support(0.75, 0.25, 0.5)).round(6).tolist()
    [0.7, 0.3, 0.0]
    """
    distinct, where, copies = np.unique(counts, return_inverse=True, return_counts=True)
    f = distinct.astype(np.float64)
    h, top = support.h, min(support.g, 1 - 2.0**-53)

    def excess(multiplier: float) -> float:
        return float(copies @ _raised(f, n, h, multiplier)) / support.gap - 1

    highest = float(((f - n * h) / (h * (1 - h))).max())
    lowest = float(((f - n * top) / (top * (1 - top))).min())
    multiplier = optimize.brentq(excess, lowest - n, highest + n, xtol=1e-14 * n, rtol=1e-14, maxiter=1000)
    raised = _raised(f, n, h, float(multiplier))[where]
    return np.asarray(raised / raised.sum())


def _raised(f: Vector, n: int, h: float, multiplier: float) -> Vector:
    """The m - h >= 0 where the slope (f - n m) / (m (1 - m)) equals the multiplier; 0 where it is below that at h.

    In x = m - h: multiplier x^2 - b x + r = 0. Each branch adds numbers of one sign.
    """
    r = np.maximum(f - n * h - multiplier * h * (1 - h), 0.0)
    b = n + multiplier * (1 - 2 * h)
    root = np.sqrt(np.maximum(b * b - 4 * multiplier * r, 0.0))
    if b > 0:
        return np.asarray(2 * r / (b + root))
    return np.where(r > 0, (b - root) / (2 * multiplier), 0.0)


def posterior_mean(counts: Counts, forward: Map, backward: Map, prior: Vector) -> Vector:
    """The mean, over the people, of what each one's report says of their value under the prior: one EM step from it.

    Biased towards the prior, and never freed from it by more people; a label of prior 0 stays at 0.

    >>> keep, prior = np.array([[0.75, 0.25], [0.25, 0.75]]), np.array([0.5, 0.5])
    >>> posterior_mean(np.array([60, 40]), lambda p: p @ keep, lambda w: keep @ w, prior).round(9).tolist()
    [0.55, 0.45]
    """
    _check_some(counts)
    seen = counts > 0
    chances = forward(prior)[seen]
    if not chances.min() > 0:
        raise ParameterError("prior must allow every message that was counted, got one that rules some out")
    weights = np.zeros(len(counts))
    weights[seen] = counts[seen] / counts.sum() / chances
    mean = prior * backward(weights)
    return np.asarray(mean / mean.sum())


def _check_some(counts: Counts) -> None:
    if counts.sum() == 0:
        raise ParameterError("counts must hold at least one message, got none")
