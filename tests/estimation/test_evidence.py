"""Evidence of every kind: unbiased, honest standard errors, and intervals whose coverage is summed up exactly."""

from __future__ import annotations

import itertools
import math

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from deniable.estimation.binomial import clopper_pearson
from deniable.estimation.evidence import Evidence, LinearEvidence, SignedEvidence, SupportEvidence
from deniable.estimation.intervals import two_binomials
from deniable.theory.risk.support import Support
from deniable.theory.risk.variance import Target

Matrix = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
TARGETS: tuple[Target, Target] = ("population", "sample")
SLACK = 1e-9  # rounding of a bound that equals the truth


def signed_evidence(n: int, plus: Counts, minus: Counts, t: float, parts: int) -> SignedEvidence:
    """Hadamard's: a holder lands in their part with (t+1)/(t+2 parts-1), + with t/(t+1)."""
    gain, landing = t / (t + 1) - 0.5, (t + 1) / (t + 2 * parts - 1)
    return SignedEvidence(n, plus, minus, gain, landing, all_land=parts == 1)


def chances(n: int, chance: float) -> Matrix:
    """The law of a binomial draw."""
    return np.asarray(stats.binom.pmf(np.arange(n + 1), n, chance), np.float64)


def inverse(matrix: Matrix) -> Matrix:
    """The inverse, as float64."""
    return np.asarray(np.linalg.inv(matrix), np.float64)


def coverage(bounds: Matrix, truth: float, law: Matrix) -> float:
    """The chance that bounds [outcomes, 2] hold the truth."""
    holds = (bounds[:, 0] <= truth + SLACK) & (truth - SLACK <= bounds[:, 1])
    return float(law[holds].sum())


@pytest.mark.parametrize(("g", "h"), [(0.75, 0.25), (0.9, 0.1), (0.5, 0.2689), (0.3, 0.29)])
@pytest.mark.parametrize("alpha", [0.05, 0.2])
@pytest.mark.parametrize("n", [1, 50])
def test_support_intervals_cover(n: int, alpha: float, g: float, h: float) -> None:
    outcomes = np.arange(n + 1)
    evidence = SupportEvidence(n, outcomes, Support(g, h, g - h))
    drawn, fixed = (evidence.interval(alpha, target) for target in TARGETS)
    for x in range(0, n + 1, 1 if n < 10 else 5):
        p = x / n
        assert coverage(drawn, p, stats.binom.pmf(outcomes, n, h + (g - h) * p)) >= 1 - alpha - 1e-9
        law = np.convolve(chances(x, g), chances(n - x, h))
        assert coverage(fixed, p, law) >= 1 - alpha - 1e-9


def signed_law(n: int, chances: tuple[float, float]) -> Matrix:
    """Of n reports, the law of how many are + and how many -, by adding one report at a time."""
    plus, minus = chances
    law = np.zeros((n + 1, n + 1))
    law[0, 0] = 1
    for _ in range(n):
        law = (1 - plus - minus) * law + plus * np.roll(law, 1, 0) + minus * np.roll(law, 1, 1)
    return law


@pytest.mark.parametrize(("t", "parts"), [(3.0, 1), (20.0, 1), (20.0, 2), (20.0, 4), (200.0, 16), (1.1, 2)])
@pytest.mark.parametrize("n", [1, 50])
def test_signed_intervals_cover_a_population(n: int, t: float, parts: int) -> None:
    total = t + 2 * parts - 1
    plus, minus = (cell.ravel() for cell in np.indices((n + 1, n + 1)))
    possible = plus + minus <= n if parts > 1 else plus + minus == n
    plus, minus = plus[possible], minus[possible]
    bounds = signed_evidence(n, plus, minus, t, parts).interval(0.05)
    assert np.isfinite(bounds).all()
    for p, mates in itertools.product(np.linspace(0, 1, 9), [0, 0.5, 1] if parts > 1 else [1]):
        shared = (1 - p) * mates * (t + 1) / 2 + (1 - p) * (1 - mates)
        law = signed_law(n, ((p * t + shared) / total, (p + shared) / total)).ravel()[possible]
        assert coverage(bounds, p, law) >= 0.95 - 1e-9


def test_one_part_is_support_counting() -> None:
    """Every report has a sign then, so the intervals are Clopper-Pearson and the two binomials at alpha whole."""
    n, t = 60, 5.0
    plus = np.arange(n + 1)
    signed = signed_evidence(n, plus, n - plus, t, 1)
    support = SupportEvidence(n, plus, Support(t / (t + 1), 0.5, t / (t + 1) - 0.5))
    assert np.allclose(signed.unbiased(), support.unbiased())
    assert np.allclose(signed.interval(0.05), support.interval(0.05))
    assert np.allclose(signed.interval(0.05, "sample"), support.interval(0.05, "sample"))
    for target in TARGETS:
        assert np.allclose(signed.stderr(target)[30:], support.stderr(target)[30:], rtol=0.35)


def test_more_parts_cost_little() -> None:
    """Beside the normal interval, rare labels' intervals are a few percent wider; with fixed people no wider."""
    n, t, parts = 10**6, 20.0, 8
    inside = n // parts
    plus = np.array([inside // 2 + 900, inside // 2 + 3000])
    evidence = signed_evidence(n, plus, inside - plus, t, parts)
    normal = 2 * stats.norm.isf(0.025)
    limits: tuple[tuple[Target, float], ...] = (("population", 1.1), ("sample", 1.04))
    for target, most in limits:
        widths = np.diff(evidence.interval(0.05, target))[:, 0] / (normal * evidence.stderr(target))
        assert widths.min() >= 1
        assert widths.max() < most


def response(d: int, ratio: float) -> Matrix:
    return np.asarray((np.ones((d, d)) + (ratio - 1) * np.eye(d)) / (d + ratio - 1))


UNEVEN = np.array([[0.6, 0.3, 0.1], [0.2, 0.3, 0.5], [0.1, 0.8, 0.1]])
INVERSE = np.linalg.inv(UNEVEN).T


def test_two_valued_rows_are_support_counting() -> None:
    counts, ratio = np.array([31, 12, 7]), 4.0
    linear = LinearEvidence(50, counts, inverse(response(3, ratio)))
    support = SupportEvidence(50, counts, Support(ratio / 6, 1 / 6, (ratio - 1) / 6))
    for target in TARGETS:
        assert np.allclose(linear.interval(0.05, target), support.interval(0.05, target))
        assert np.allclose(linear.stderr(target), support.stderr(target), rtol=0.1)
    assert np.allclose(linear.unbiased(), support.unbiased())


def histograms(n: int, outputs: int) -> Counts:
    """Every histogram of n reports."""
    cells = np.indices((n + 1,) * (outputs - 1)).reshape(outputs - 1, -1).T
    cells = cells[cells.sum(axis=1) <= n]
    return np.column_stack([cells, n - cells.sum(axis=1)])


def histogram_law(n: int, rows: Matrix, outcomes: Counts) -> Matrix:
    """The law of the histogram of reports of people with these rows of the channel, one row a person."""
    law = np.zeros((n + 1, n + 1))
    law[0, 0] = 1
    for row in rows:
        law = row[0] * np.roll(law, 1, 0) + row[1] * np.roll(law, 1, 1) + row[2] * law
    return law[outcomes[:, 0], outcomes[:, 1]]


@pytest.mark.parametrize("channel", [UNEVEN, response(3, math.e)])
@pytest.mark.parametrize("n", [1, 12])
def test_linear_intervals_cover(n: int, channel: Matrix) -> None:
    """Also where rows have more than two values (Bentkus), for people drawn and for people fixed."""
    outcomes, turned = histograms(n, 3), inverse(channel).T
    bounds = {t: np.array([LinearEvidence(n, f, turned).interval(0.1, t) for f in outcomes]) for t in TARGETS}
    for held in histograms(n, 3)[:: 7 if n > 1 else 1]:
        fixed = histogram_law(n, np.repeat(channel, held, axis=0), outcomes)
        drawn = histogram_law(n, np.tile(held / n @ channel, (n, 1)), outcomes)
        for j in range(3):
            assert coverage(bounds["sample"][:, j], held[j] / n, fixed) >= 0.9 - 1e-9
            assert coverage(bounds["population"][:, j], held[j] / n, drawn) >= 0.9 - 1e-9


def test_a_wrong_law_is_caught() -> None:
    """Planted: intervals for a gap of 0.5 where it is 0.4 miss far too often."""
    n, outcomes = 50, np.arange(51)
    careless = SupportEvidence(n, outcomes, Support(0.75, 0.25, 0.5))
    shares = np.linspace(0, 1, 11)
    for target in TARGETS:
        bounds = careless.interval(0.05, target)
        assert min(coverage(bounds, p, stats.binom.pmf(outcomes, n, 0.25 + 0.4 * p)) for p in shares) < 0.85


def kinds(n: int, counts: Counts) -> list[Evidence]:
    """One piece of evidence of each kind from a histogram of three counts."""
    minus = n - counts
    return [
        SupportEvidence(n, counts, Support(0.75, 0.25, 0.5)),
        SupportEvidence(n, counts, Support(1 - 1e-14, 1e-14, 1 - 2e-14)),
        SupportEvidence(n, counts, Support(0.25 + 1e-7, 0.25, 1e-7)),
        signed_evidence(n, counts, minus, 2.0, 1),
        signed_evidence(n, counts, minus // 2, 17.0, 4),
        signed_evidence(n, counts * 0, counts * 0, 17.0, 4),
        SignedEvidence(n, counts, minus // 2, 0.25, 1.0, all_land=False),
        LinearEvidence(n, counts, INVERSE),
        LinearEvidence(n, counts, inverse(response(3, 1.01))),
    ]


@pytest.mark.parametrize(("n", "counts"), [(1, [1, 0, 0]), (1, [0, 0, 1]), (50, [50, 0, 0]), (10**9, [10**9, 0, 0])])
@pytest.mark.parametrize("alpha", [1e-12, 0.05, 0.999])
def test_nothing_is_ever_nan(n: int, counts: list[int], alpha: float) -> None:
    for evidence in kinds(n, np.array(counts)):
        assert np.isfinite(evidence.unbiased()).all()
        for target in TARGETS:
            stderr, bounds = evidence.stderr(target), evidence.interval(alpha, target)
            assert np.isfinite(stderr).all()
            assert stderr.min() >= 0
            assert bounds.shape == (3, 2)
            assert np.isfinite(bounds).all()
            assert (bounds[:, 0] <= bounds[:, 1]).all()


def test_standard_errors_are_the_spread_of_the_estimate() -> None:
    """With the truth as plug-in they are the exact standard deviation."""
    n, t, parts = 10**6, 20.0, 4
    total = t + 2 * parts - 1
    p, mates = 0.3, 0.2
    shared = mates * (t + 1) / 2 + (1 - p - mates)
    plus, minus = (p * t + shared) / total, (p + shared) / total
    mean, square = plus - minus, plus + minus
    evidence = signed_evidence(n, np.array([round(n * plus)]), np.array([round(n * minus)]), t, parts)
    exact = total / (t - 1) * math.sqrt((square - mean**2) / n)
    assert evidence.stderr()[0] == pytest.approx(exact, rel=1e-4)
    given = math.sqrt(exact**2 - p * (1 - p) / n)
    assert evidence.stderr("sample")[0] == pytest.approx(given, rel=1e-4)
    counts = np.rint(n * (np.array([0.5, 0.3, 0.2]) @ UNEVEN)).astype(np.int64)
    linear = LinearEvidence(n, counts, INVERSE)
    covariance = np.diag(counts / n) - np.outer(counts / n, counts / n)
    assert np.allclose(linear.stderr() ** 2, np.diag(INVERSE @ covariance @ INVERSE.T) / n)
    given_label = UNEVEN @ (INVERSE**2).T - (UNEVEN @ INVERSE.T) ** 2
    assert np.allclose(linear.stderr("sample") ** 2, np.array([0.5, 0.3, 0.2]) @ given_label / n)


def test_support_intervals_are_what_they_are_made_of() -> None:
    f, n, s = np.array([0, 13, 50]), 50, Support(0.8, 0.3, 0.5)
    evidence = SupportEvidence(n, f, s)
    assert np.allclose(evidence.interval(0.1), (clopper_pearson(f, n, 0.1) - 0.3) / 0.5)
    assert np.array_equal(evidence.interval(0.1, "sample"), two_binomials(f, n, 0.8, 0.3, 0.1))
