"""Intervals: coverage by enumerating the laws, and where great counts take over from exact tails."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats
from tests.lengths import by_length

from deniable.estimation.binomial import clopper_pearson
from deniable.estimation.intervals import (
    EXACT_VARIANCE,
    Worth,
    holders,
    landed_holders,
    mean_of_values,
    mean_worths,
    two_binomials,
)
from deniable.kernels.tails import least_holders

Matrix = npt.NDArray[np.float64]
SLACK = 1e-12  # rounding of a bound that equals the truth


def chances(n: int, chance: float) -> Matrix:
    """The law of a binomial draw."""
    return np.asarray(stats.binom.pmf(np.arange(n + 1), n, chance), np.float64)


def coverage(bounds: Matrix, truth: float, law: Matrix) -> float:
    """The chance that the bounds [outcomes, 2] hold the truth."""
    holds = (bounds[:, 0] <= truth + SLACK) & (truth - SLACK <= bounds[:, 1])
    return float(law[holds].sum())


def wald(counts: npt.NDArray[np.int64], n: int, alpha: float) -> Matrix:
    """The textbook interval, which is too narrow."""
    share = counts / n
    reach = stats.norm.isf(alpha / 2) * np.sqrt(share * (1 - share) / n)
    return np.stack([share - reach, share + reach], axis=1)


@pytest.mark.parametrize(("interval", "valid"), [(clopper_pearson, True), (wald, False)])
@pytest.mark.parametrize("alpha", [0.05, 0.3])
@pytest.mark.parametrize("n", [1, 7, 50])
def test_coverage_of_binomial_intervals(
    interval: Callable[[npt.NDArray[np.int64], int, float], Matrix], valid: bool, n: int, alpha: float
) -> None:
    """Clopper-Pearson holds its level at every chance; the planted textbook interval is caught."""
    counts = np.arange(n + 1)
    bounds = interval(counts, n, alpha)
    worst = min(coverage(bounds, m, stats.binom.pmf(counts, n, m)) for m in np.linspace(0.001, 0.999, 331))
    assert (worst >= 1 - alpha - 1e-12) == valid


def test_clopper_pearson_by_beta_quantiles() -> None:
    f, n = np.array([0, 3, 3, 10**9, 499_000_000]), 10**9
    expected = np.array([[stats.beta.ppf(0.005, k, n - k + 1), stats.beta.isf(0.005, k + 1, n - k)] for k in f])
    expected[0, 0], expected[3, 1] = 0, 1
    assert np.allclose(clopper_pearson(f, n, 0.01), expected, rtol=1e-9, atol=0)


def test_every_label_may_have_its_own_number() -> None:
    f, n = np.array([3, 0, 3, 5, 0]), np.array([10, 10, 4, 5, 0])
    each = np.concatenate([clopper_pearson(f[j : j + 1], int(n[j]), 0.1) for j in range(5)])
    assert clopper_pearson(f, n, 0.1).tolist() == each.tolist()
    assert each[4].tolist() == [0, 1]
    each = np.concatenate([holders(f[j : j + 1], int(n[j]), 0.8, 0.3, 0.1) for j in range(5)])
    assert holders(f, n, 0.8, 0.3, 0.1).tolist() == each.tolist()


LAWS = [(0.75, 0.25), (0.9, 0.05), (0.5, 0.49), (1.0, 0.2), (0.6, 0.0), (0.999999, 1e-6)]


@pytest.mark.parametrize(("g", "h"), LAWS)
@pytest.mark.parametrize("alpha", [0.05, 0.4])
@pytest.mark.parametrize("n", [1, 2, 50])
def test_coverage_of_fixed_people(n: int, alpha: float, g: float, h: float) -> None:
    counts = np.arange(n + 1)
    bounds = two_binomials(counts, n, g, h, alpha)
    assert (bounds[:, 0] <= bounds[:, 1]).all()
    assert bounds.min() >= 0
    assert bounds.max() <= 1
    for x in range(n + 1):
        law = np.convolve(chances(x, g), chances(n - x, h))
        assert coverage(bounds, x / n, law) >= 1 - alpha - 1e-9


def test_fixed_people_leave_less_doubt_than_a_population() -> None:
    f = np.arange(200, 801, 50)
    fixed = np.diff(two_binomials(f, 1000, 0.9, 0.1, 0.05))
    drawn = np.diff((clopper_pearson(f, 1000, 0.05) - 0.1) / 0.8)
    assert (fixed < 0.85 * drawn).all()


@pytest.mark.parametrize(
    ("n", "g", "h"),
    [(60_000, 0.75, 0.25), (2 * 10**6, 0.5, 0.006), (10**7, 0.9, 0.0011), (10**5, 0.99, 0.12), (10**9, 0.5, 1.05e-5)],
)
@pytest.mark.parametrize("error", [0.3, 0.025, 1e-4, 1e-8, 1e-11])
def test_great_counts_are_conservative(n: int, g: float, h: float, error: float) -> None:
    """Just beyond the border the score's bounds contain the exact ones and are hardly wider."""
    f = np.unique((n * h + np.linspace(-300, 40_000, 200)).astype(np.int64))
    share = np.clip((f / n - h) / (g - h), 0, 1)
    variance = n * (share * g * (1 - g) + (1 - share) * h * (1 - h))
    f = f[(variance > EXACT_VARIANCE) & (f <= n)]
    assert len(f) >= 10
    people = np.full(len(f), n)
    low, high = holders(f, n, g, h, 2 * error).T
    exact_low = least_holders(f, people, g, 1 - g, h, 1 - h, error, low.astype(np.int64))
    mirrored = least_holders(n - f, people, 1 - h, h, 1 - g, g, error, (n - high).astype(np.int64))
    exact_high = n - mirrored
    assert (low <= exact_low).all()
    assert (high >= exact_high).all()
    width = exact_high - exact_low
    inside = (exact_low > 0) & (exact_high < n) & (width > 0)
    assert ((high - low)[inside] <= 1.03 * width[inside]).all()


def signs(n: int, plus: float, minus: float) -> Matrix:
    """The law [plus, minus] of n reports that are +, - or neither."""
    law = np.zeros((n + 1, n + 1))
    for within in range(n + 1):
        k = np.arange(within + 1)
        chance = plus / (plus + minus)
        law[k, within - k] = stats.binom.pmf(within, n, min(plus + minus, 1)) * stats.binom.pmf(k, within, chance)
    return law


def together(one: Matrix, other: Matrix) -> Matrix:
    """The law of the sum of two independent pairs."""
    size = len(one) + len(other) - 1
    product = np.fft.rfft2(one, (size, size)) * np.fft.rfft2(other, (size, size))
    return np.asarray(np.fft.irfft2(product, (size, size)))


@pytest.mark.parametrize(
    ("t", "parts", "n"), [(20.0, 2, 40), (20.0, 4, 40), (200.0, 16, 30), (1.2, 2, 25), (3.0, 2, 1)]
)
def test_coverage_of_holders_that_land_elsewhere(t: float, parts: int, n: int) -> None:
    total = t + 2 * parts - 1
    plus, minus = (cell.ravel() for cell in np.indices((n + 1, n + 1)))
    possible = plus + minus <= n
    plus, minus = plus[possible], minus[possible]
    gain, landing = (t - 1) / (2 * (t + 1)), (t + 1) / total
    bounds = landed_holders(plus, plus + minus, n, gain, landing, 0.1)
    for y in sorted({0, 1, n // 10, n // 2, n}):
        for mates in {0, (n - y) // 2, n - y}:
            own = together(signs(y, t / total, 1 / total), signs(mates, landing / 2, landing / 2))
            law = together(own, signs(n - y - mates, 1 / total, 1 / total)).ravel()[possible]
            assert coverage(bounds, y, law) >= 0.9 - 1e-9


def test_coverage_of_great_landings() -> None:
    """60,000 draws: the observed coverage lies below 0.947 with a chance under 1e-6 if it is 0.95 (here: above)."""
    draw, draws, t, parts, n = np.random.default_rng(7), 60_000, 20.0, 4, 400_000
    total = t + 2 * parts - 1
    gain, landing, y, mates = (t - 1) / (2 * (t + 1)), (t + 1) / total, 30_000, 70_000
    own = draw.binomial(y, landing, draws)
    others = draw.binomial(mates, landing, draws) + draw.binomial(n - y - mates, 2 / total, draws)
    plus = draw.binomial(own, 0.5 + gain) + draw.binomial(others, 0.5)
    low, high = landed_holders(plus, own + others, n, gain, landing, 0.05).T
    missed = np.mean((low > y) | (high < y))
    assert missed < 0.053
    assert missed > 0.03  # and it is not much too wide


def test_a_million_labels_take_seconds() -> None:
    draw, d, n = np.random.default_rng(1), 10**6, 10**9
    weights = 1 / np.arange(1, d + 1)
    people = draw.multinomial(n, weights / weights.sum())
    f = draw.binomial(people, 0.5) + draw.binomial(n - people, 1e-5)
    start = time.process_time()
    low, high = two_binomials(f, n, 0.5, 1e-5, 0.05).T
    assert time.process_time() - start < 10
    covered = np.mean((low <= people / n) & (people / n <= high))
    assert 0.945 < covered < 0.96


# --- the mean of three values ---------------------------------------------------------------------------------------


def of_three(
    worth: Worth, inside: float, mean: float, n: int, alpha: float, narrow: float = 1.0
) -> tuple[float, float]:
    """What the intervals cover, summed up over every outcome, and how wide they are beside normal ones on average."""
    own = (mean - worth.outside - (worth.other - worth.outside) * inside) / (worth.own - worth.other)
    covered, reach = 0.0, 0.0
    for people in np.flatnonzero(chances(n, inside) > 1e-12).tolist():
        counts = np.arange(people + 1)
        law = stats.binom.pmf(counts, people, own / inside) * stats.binom.pmf(people, n, inside)
        found = (worth.own * counts + worth.other * (people - counts) + worth.outside * (n - people)) / n
        bounds, valid = mean_worths(worth, found, np.full(len(counts), people), n, alpha)
        assert valid[law > 1e-6].all()
        half = np.diff(bounds)[:, 0] / 2
        middle = bounds.mean(axis=1)
        narrowed = np.stack([middle - narrow * half, middle + narrow * half], axis=1)
        covered += coverage(narrowed, mean, law)
        reach += float(law @ half)
    squares = worth.own**2 * own + worth.other**2 * (inside - own) + worth.outside**2 * (1 - inside)
    return covered, reach / (stats.norm.isf(alpha / 2) * np.sqrt((squares - mean**2) / n))


THREE = [
    (Worth(1.5, -0.5, 0.0), 0.5, 0.0),  # as within a block: h is 1/4, the gap 1/2; nobody holds the label
    (Worth(1.5, -0.5, 0.0), 0.5, 0.3),
    (Worth(9 / 7, -1 / 7, 0.0), 0.4, 0.4),  # everybody in the block does
    (Worth(5.5, -4.5, 0.0), 0.9, 0.05),
    (Worth(2.16, -2.16, 0.0), 0.5, 0.0),  # signs, of two blocks at level 1
    (Worth(2.16, -2.16, 0.0), 0.5, 0.5),
    (Worth(2.16, -2.16, 0.0), 0.4, 0.1),
    (Worth(2.68, -0.74, 0.0), 0.6, 0.2),  # near a label on a scale
    (Worth(2.0, -1.0, 0.25), 0.6, 0.1),  # as where others name their labels: outside is worth something too
    (Worth(2.0, -1.0, -0.25), 0.6, 0.2),
]
SIDES = list(itertools.product((400, 1000), (0.5, 0.05, 1e-4)))
FEW = [[(400, 0.05), (1000, 0.5)], [(1000, 0.05), (400, 1e-4)]]
"""What `make test` looks at for one law, and for the next."""


@pytest.mark.soak
@pytest.mark.parametrize(
    ("worth", "inside", "mean", "n", "alpha"),
    [(*law, *side) for place, law in enumerate(THREE) for side in by_length(FEW[place % 2], SIDES)],
)
def test_means_of_three_values_are_covered_and_hardly_wider_than_they_must_be(
    worth: Worth, inside: float, mean: float, n: int, alpha: float
) -> None:
    covered, wide = of_three(worth, inside, mean, n, alpha)
    assert covered >= 1 - alpha
    if alpha == 0.05:
        assert wide < (1.16 if n == 1000 else 1.25)
        assert of_three(worth, inside, mean, n, alpha, narrow=0.8)[0] < 1 - alpha


# --- the mean of any values -----------------------------------------------------------------------------------------


def every_three(n: int) -> Matrix:
    """Every histogram of n terms that have three values."""
    first, second = np.meshgrid(np.arange(n + 1), np.arange(n + 1))
    counts = np.stack([first, second, n - first - second], axis=-1).reshape(-1, 3)
    return counts[counts[:, 2] >= 0]


TERMS = list(itertools.product((20, 60), ((0.0, 0.5, 1.0), (0.0, 0.1, 1.0), (0.0, 0.97, 1.0)), (0.5, 0.05, 1e-5)))


@pytest.mark.soak
@pytest.mark.parametrize(("n", "values", "alpha"), by_length(TERMS[::5], TERMS))
def test_means_of_any_values_are_covered(n: int, values: tuple[float, ...], alpha: float) -> None:
    """Summed up over every histogram, also where the highest value is rare; the planted half as wide is caught."""
    outcomes, row = every_three(n), np.array([values])
    bounds = np.array([mean_of_values(row, counts, n, alpha)[0] for counts in outcomes])
    middle, half = bounds.mean(axis=1, keepdims=True), np.diff(bounds, axis=1) / 2
    narrow = np.hstack([middle - half / 2, middle + half / 2])
    worst = []
    for often, rest in itertools.product((0.01, 0.05, 0.1, 0.2, 0.4, 0.7, 0.98), (0.0, 0.03, 0.3, 0.9)):
        law = np.array([(1 - often) * (1 - rest), (1 - often) * rest, often])
        weights = stats.multinomial.pmf(outcomes, n, law)
        mean = float(law @ row[0])
        assert coverage(bounds, mean, weights) >= 1 - alpha
        worst.append(coverage(narrow, mean, weights))
    assert min(worst) < 1 - alpha


@pytest.mark.parametrize("alpha", [0.3, 0.05, 1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("n", [200, 10**6])
def test_means_of_rare_values_are_covered(n: int, alpha: float) -> None:
    """From 1 to 60 of the highest value expected: the tails that differ most from normal ones."""
    counts = np.arange(min(n, 400) + 1)
    row = np.array([[0.0, 0.5, 1.0]])
    bounds = np.array([mean_of_values(row, np.array([n - k, 0, k]), n, alpha)[0] for k in counts.tolist()])
    for mean in np.linspace(1, 60, 60) / n:
        law = stats.binom.pmf(counts, n, mean)
        assert law[bounds[:, 0] > mean + SLACK].sum() <= alpha / 2
        assert law[bounds[:, 1] < mean - SLACK].sum() <= alpha / 2


def test_means_of_any_values_come_near_the_normal_bounds() -> None:
    """Within a tenth from ten thousand terms on; before, twice as wide where Bentkus's bounds are three times."""
    row, law = np.array([[0.0, 0.3, 0.9, 1.0]]), np.array([0.5, 0.3, 0.15, 0.05])
    spread = np.sqrt(row[0] ** 2 @ law - (row[0] @ law) ** 2)
    for n, most in ((100, 1.4), (1000, 1.2), (10_000, 1.1), (1_000_000, 1.03)):
        low, high = mean_of_values(row, np.rint(n * law).astype(np.int64), n, 0.05)[0]
        assert 1 < (high - low) / (2 * 1.96 * spread / np.sqrt(n)) < most
