"""Simulated error against theory, for every mechanism and decoder.

Each comparison is Student's t at a two-sided false-alarm rate of 1e-8; there are fewer than 80 of them.

The unbiased decoder's law is exact. For the decoders that bend it to the simplex the theory is its
Gaussian limit: the people's histogram plus normal noise of the exact variances, correlated as the family's reports
are (they support a fixed number of ``length`` symbols, or independent ones), decoded alike. For the likelihood it is
the inverse Fisher information, where the truth lies inside the simplex, and elsewhere the Gaussian limit again.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

import deniable as dn
from deniable.engines.simulate import simulate_tally
from deniable.estimation.simplex import normalize, project
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import PLAIN

Vector = npt.NDArray[np.float64]

FALSE_ALARM = 1e-8
SETTINGS = {(16, 1.0, 10_000): 300, (256, 1.0, 100_000): 40, (1024, 3.0, 100_000): 20}
"""Surveys simulated at each (labels, epsilon, people)."""
DECODERS = {"normalized": normalize, "projected": project}


def make_truth(d: int) -> Vector:
    """A bent line: some labels twice as common as the mean, the last ones rare."""
    weights = np.linspace(2, 0, d) + 0.1
    return np.asarray(weights / weights.sum())


def make(name: str, d: int, epsilon: float) -> Mechanism:
    if name == "Channel":
        return dn.RandomizedResponse(d, epsilon).channel()
    mechanism: Mechanism = PLAIN[name](d, epsilon)
    return mechanism


def agree(errors: list[float], others: list[float]) -> bool:
    """Welch's test finds no difference of means; one other value stands for an exact mean."""
    if len(others) == 1:
        return bool(stats.ttest_1samp(errors, others[0]).pvalue > FALSE_ALARM)
    return bool(stats.ttest_ind(errors, others, equal_var=False).pvalue > FALSE_ALARM)


def length(m: Mechanism) -> int | None:
    """Over how many symbols the supports of a report add up to a fixed number."""
    if isinstance(m, dn.Cyclic):
        return m.design.length
    return len(m.domain) if isinstance(m, dn.Subset | dn.RandomizedResponse | dn.Channel) else None


def gaussian_estimates(m: Mechanism, truth: Vector, n: int, surveys: int) -> list[Vector]:
    """Unbiased estimates drawn from their Gaussian limit."""
    rng, d = np.random.default_rng(17), len(truth)
    fixed = length(m)
    drawn = []
    for theta in rng.multinomial(n, truth, surveys) / n:
        variance = m.evidence(_expected(m, theta, n)).stderr("sample") ** 2
        z = rng.standard_normal(fixed or d)
        if fixed:
            z = (z - z.mean()) * math.sqrt(fixed / (fixed - 1))
        drawn.append(theta + np.sqrt(variance) * z[:d])
    return drawn


def _expected(m: Mechanism, theta: Vector, n: int) -> dn.Tally:
    """A tally of these people, only for the standard errors at their histogram."""
    values = np.repeat(np.arange(len(theta)), np.rint(theta * n).astype(int))
    return m.tally(m.privatize_many(values, seed=99))


@pytest.mark.parametrize(("d", "epsilon", "n"), SETTINGS)
@pytest.mark.parametrize("name", [*PLAIN, "Channel"])
def test_error_of_every_decoder(name: str, d: int, epsilon: float, n: int) -> None:
    if name == "Channel" and d > 256:
        d, n = 256, 100_000  # a written-out channel has at most 2^18 cells
    surveys = SETTINGS[16, 1.0, 10_000] if d == 16 else SETTINGS[256, 1.0, 100_000] if d == 256 else 20
    m, truth = make(name, d, epsilon), make_truth(d)
    tallies = [simulate_tally(m, truth, n, seed) for seed in range(surveys)]
    unbiased = [m.evidence(tally).unbiased() for tally in tallies]
    squared = [float(((e - truth) ** 2).sum()) for e in unbiased]
    assert agree(squared, [m.risk(n, "l2", truth)])
    if name != "Hadamard":
        absolute = [float(np.abs(e - truth).sum()) for e in unbiased]
        assert agree(absolute, [m.risk(n, "l1", truth)])
    limit = gaussian_estimates(m, truth, n, surveys)
    for decoder, decode in DECODERS.items():
        ours = [float(((m.estimate(tally, decoder).frequencies - truth) ** 2).sum()) for tally in tallies]
        theirs = [float(((decode(e) - truth) ** 2).sum()) for e in limit]
        assert agree(ours, theirs), (decoder, np.mean(ours), np.mean(theirs))


def test_a_planted_error_is_noticed() -> None:
    """Declared power: an estimator with 5% too much variance is caught over 200 surveys at (256, 1, 1e4)."""
    m, truth, n = dn.Subset(256, 1.0), make_truth(256), 10_000
    noisy = [m.evidence(simulate_tally(m, truth, n, seed)).unbiased() - truth for seed in range(200)]
    squared = [1.05 * float((e**2).sum()) for e in noisy]
    assert not agree(squared, [m.risk(n, "l2", truth)])


@pytest.mark.parametrize("name", [*PLAIN, "Channel"])
def test_likelihood_reaches_the_fisher_information(name: str) -> None:
    """Inside the simplex the error is the inverse information's trace: 120 surveys of 50,000, eight labels."""
    m, n = make(name, 8, 1.5), 50_000
    truth = make_truth(8) * 0.8 + 0.025
    rows = m.channel().probabilities
    score = (rows[:-1] - rows[-1]) / np.sqrt(truth @ rows)
    covariance = np.linalg.inv(score @ score.T) / n
    expected = float(np.trace(covariance) + covariance.sum())
    errors = []
    for seed in range(120):
        found = dn.simulate(m, truth, n, seed, "likelihood").frequencies
        errors.append(float(((found - truth) ** 2).sum()))
    assert agree(errors, [expected]), (np.mean(errors), expected)


@pytest.mark.parametrize(("d", "epsilon", "n"), SETTINGS)
@pytest.mark.parametrize("name", PLAIN)
def test_likelihood_at_the_edge(name: str, d: int, epsilon: float, n: int) -> None:
    """Where constraints bind there is no formula: its error is near the projection's Gaussian limit, 0.6 to 1.4."""
    m, truth = make(name, d, epsilon), make_truth(d)
    surveys = 30 if d == 16 else 4
    found = [dn.simulate(m, truth, n, seed, "likelihood").frequencies for seed in range(surveys)]
    ours = np.mean([((p - truth) ** 2).sum() for p in found])
    theirs = np.mean([((project(e) - truth) ** 2).sum() for e in gaussian_estimates(m, truth, n, 10 * surveys)])
    assert 0.6 * theirs < ours < 1.4 * theirs
