"""Maximum likelihood: the distribution under which the reports are likeliest; and the posterior mean under a prior.

A channel is given as two maps. ``forward(p)`` is the probability of every message under the distribution p, up to one
factor per message; ``backward(w)`` is sum_y Q(y|x) w_y with the same factors. These are enough for:

- ratio(p) = backward(counts / (n forward(p))) is the gradient of the mean log-likelihood, and sum_x p_x ratio_x = 1;
- expectation maximization (EM) is p <- p ratio(p);
- the likelihood is concave, so no distribution exceeds p by more than max_x ratio_x(p) - 1 nats per person. That is
  the certificate with which the search stops.

EM is a gradient step in the metric diag(p), which is right for reports without noise. With noise it is far too short
for rare labels: at d = 1000 and epsilon = 1 it needs thousands of steps, even when extrapolated (SQUAREM). A symmetric
mechanism's curvature is close to 1/(p_x + c), c the noise in units of a frequency, so the step here is taken in the
metric diag(p + c) onto the simplex: c = 0 is EM, c = infinity the projected gradient. Some twenty steps reach 1e-10. If
a channel is small and far from symmetric, Newton steps take over: the quadratic model is maximized over the simplex by
non-negative least squares (Wang 2007). A step that would lower the likelihood is shortened until it does not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from deniable.arrays import Counts, Vector
from deniable.estimation.simplex import project
from deniable.protocol.errors import ParameterError
from deniable.theory.risk.support import Support
from deniable.theory.risk.variance import Map

TOLERANCE = 1e-10
"""The gap in nats per person at which the search stops: negligible beside sampling error up to 1e9 people."""
STEPS = 30
"""Steps after which every other step is a Newton step, if the channel is small enough."""
LABELS, CELLS = 500, 1 << 20
"""The most labels, and labels times seen messages, for which a Newton step takes well under a second."""
LONGEST, SHORTEST = 1e4, 1e-4
"""The range of a step's length around 1."""
ROUNDING = 1e-14
"""A loss of likelihood that counts as rounding."""


def response_likelihood(counts: Counts, ratio: float) -> Vector:
    """Maximum likelihood for k-ary randomized response with odds ``ratio`` (re-derived).

    p_i = max(0, T_i / lam - 1/M) with M = ratio - 1 and lam = (sum of the top s) / (1 + s/M), for the largest s whose
    last label stays above 0. It equals the unbiased estimate if that is a distribution. Biased towards the edge: rare
    labels tend to exactly 0.

    >>> response_likelihood(np.array([50, 30, 15, 5, 0]), np.e).round(8).tolist()
    [0.77049418, 0.22950582, 0.0, 0.0, 0.0]
    """
    _check_some(counts)
    excess = ratio - 1
    values = counts.astype(np.float64)
    descending = np.sort(values)[::-1]
    top, s = np.cumsum(descending), np.arange(1, len(counts) + 1)
    # T/lam > 1/M, multiplied out so that a small M cancels nothing: T M + (T s - top) > 0
    last = np.flatnonzero(descending * excess + (descending * s - top) > 0)[-1]
    share = np.maximum(values * excess + (values * s[last] - top[last]), 0.0)
    return np.asarray(share / share.sum())


@dataclass(frozen=True, slots=True, eq=False)
class Maximum:
    """A point of (nearly) greatest likelihood; no distribution exceeds it by more than ``gap`` nats per person."""

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
    """The distribution over ``d`` labels under which the counted messages are likeliest.

    Biased towards the edge: rare labels tend to exactly 0. Consistent and efficient as the number of people grows.

    >>> keep = np.array([[0.75, 0.25], [0.25, 0.75]])
    >>> maximum_likelihood(np.array([60, 40]), lambda p: p @ keep, lambda w: keep @ w, 2).point.round(6).tolist()
    [0.7, 0.3]
    """
    ascent = Ascent(counts, forward, backward, d)
    small = d <= LABELS and d * len(ascent.shares) <= CELLS
    rounds = 0
    while ascent.gap > tolerance and rounds < iterations:
        if small and rounds >= STEPS and rounds % 2 == 0:
            ascent.newton_step()
        else:
            ascent.step()
        rounds += 1
    return Maximum(ascent.p, ascent.gap, rounds, ascent.gap <= tolerance)


class Ascent:
    """The search for the maximum: the current point p, its messages' probabilities and the gradient ``ratio``.

    Steps have a ``length`` in the metric diag(p + ``noise``); only messages that were ``seen`` count, by their shares.
    """

    def __init__(self, counts: Counts, forward: Map, backward: Map, d: int) -> None:
        _check_some(counts)
        self.seen = counts > 0
        self.shares = counts[self.seen] / counts.sum()
        self.forward, self.backward = forward, backward
        self.length = 1.0
        self._move(np.full(d, 1 / d))
        self.noise = self._noise(d)

    def _move(self, p: Vector) -> None:
        """Make p the current point."""
        self.p, self.chances = p, self.forward(p)[self.seen]
        if not self.chances.min() > 0:
            raise ParameterError("counts must be of messages that some label can send, got some of others")
        weights = np.zeros(len(self.seen))
        weights[self.seen] = self.shares / self.chances
        self.ratio = self.backward(weights)
        self.gap = max(float(self.ratio.max()) - 1, 0.0)

    def _noise(self, d: int) -> float:
        """The noise c, from the mean curvature 1/(1/d + c) at the uniform point along a pattern of random signs."""
        signs = np.where(np.random.default_rng(d).random(d) < 0.5, -1.0, 1.0)
        signs[0] = -signs[-1]  # not all equal
        signs -= signs.mean()
        change = (self.forward(self.p + signs / (2 * d))[self.seen] - self.chances) / self.chances
        curvature = float(self.shares @ change**2) * 4 * d * d
        noise = float(signs @ signs) / curvature - 1 / d if curvature > 0 else 1.0
        return max(noise, 1e-3 / d)  # above 0, so that a label that fell to 0 can come back

    def step(self) -> None:
        """A step in the metric diag(p + c), with a length from the last two steps."""
        metric, slope, before = self.p + self.noise, self.ratio, self.p
        self._towards(project(self.p + self.length * metric * (slope - 1), metric))
        self._lengthen(self.p - before, slope - self.ratio, metric)

    def newton_step(self) -> None:
        """A Newton step, towards the maximum on the simplex of the quadratic model of the likelihood.

        The model is log x ~ (x - 1) - (x - 1)^2 / 2 in each message's relative probability x. Its maximum is the least
        |P q| over distributions q, which nonnegative least squares with Dax's (1990) row of ones gives up to scale.
        """
        relative = np.stack([self.forward(vertex)[self.seen] for vertex in np.eye(len(self.p))]) / self.chances
        rows = np.vstack([((relative - 2) * np.sqrt(self.shares)).T, np.ones(len(self.p))])
        try:
            scaled, _ = scipy.optimize.nnls(rows, np.append(np.zeros(len(self.shares)), 1.0), maxiter=30 * len(self.p))
        except RuntimeError:  # raised for tables that are singular up to rounding
            self.step()
            return
        self._towards(scaled / scaled.sum())

    def _towards(self, target: Vector) -> None:
        """Move to the target, or part of the way if the likelihood would be lower there."""
        step = target - self.p
        relative = self.forward(target)[self.seen] / self.chances - 1
        self._move(self.p + _line_search(self.shares, relative, float((self.ratio - 1) @ step)) * step)

    def _lengthen(self, move: Vector, slope_fall: Vector, metric: Vector) -> None:
        """Update the step length by Barzilai and Borwein: the metric's curvature divided by the one just measured."""
        curvature = float(move @ slope_fall)
        length = float(move @ (move / metric)) / curvature if curvature > 0 else 1.0
        self.length = min(max(length, SHORTEST), LONGEST)


def _line_search(shares: Vector, relative: Vector, rise: float) -> float:
    """The share of a step where the likelihood is not lower and not falling steeply; it starts with the slope ``rise``.

    Its slope after a share is rise - share * sum shares relative^2 / (1 + share relative), without cancellation.
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

    This is not the likelihood of the reports. It treats the label counts f_j as independent, because a tally no longer
    says which bits came together in a report. It is consistent, and close to the likelihood if reports are independent
    bits; pass the reports themselves to get all their information. Biased towards the edge, like the likelihood.

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
    multiplier = scipy.optimize.brentq(excess, lowest - n, highest + n, xtol=1e-14 * n, rtol=1e-14, maxiter=1000)
    raised = _raised(f, n, h, float(multiplier))[where]
    return np.asarray(raised / raised.sum())


def _raised(f: Vector, n: int, h: float, multiplier: float) -> Vector:
    """The m - h >= 0 where the slope (f - n m) / (m (1 - m)) equals the multiplier; 0 if it is below that already at h.

    In x = m - h: multiplier x^2 - b x + r = 0. Each branch adds numbers of one sign.
    """
    r = np.maximum(f - n * h - multiplier * h * (1 - h), 0.0)
    b = n + multiplier * (1 - 2 * h)
    root = np.sqrt(np.maximum(b * b - 4 * multiplier * r, 0.0))
    if b > 0:
        return np.asarray(2 * r / (b + root))
    return np.where(r > 0, (b - root) / (2 * multiplier), 0.0)


def posterior_mean(counts: Counts, forward: Map, backward: Map, prior: Vector) -> Vector:
    """The mean over all people of the posterior of their value given their report: one EM step from the prior.

    Biased towards the prior, also with many people; a label of prior 0 stays at 0.

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
