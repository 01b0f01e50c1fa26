"""Geometric: the golden values, the certified channel, estimates by hand, the mean, coverage, and a million labels."""

from __future__ import annotations

import math
import time
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from tests.lengths import by_length
from tests.mechanisms.simulated import TARGETS

import deniable as dn
from deniable.estimation.laws.distance_law import DistanceEvidence
from deniable.protocol.mechanisms.context import MOST_ROWS
from deniable.theory.risk.geometric import ClampedNoise
from deniable.theory.risk.variance import Target

MANY = 1 << 20


def by_hand(m: dn.Geometric) -> np.ndarray[tuple[int, int], np.dtype[np.object_]]:
    """The channel from its definition: coins with odds A:B and B of A, summed over every number of steps."""
    d, a = len(m.domain), 1 / m.odds.ratio
    up = Fraction(m.odds.above, m.odds.above + m.odds.below)
    steps = [a**h * (1 - a) for h in range(d - 1)] + [a ** (d - 1)]
    found = np.full((d, d), Fraction(0), object)
    for x in range(d):
        for h, chance in enumerate(steps):
            found[x, min(x + h, d - 1)] += up * chance
            found[x, max(x - 1 - h, 0)] += (1 - up) * chance
    return found


@pytest.mark.parametrize("d", [2, 3, 4, 7])
@pytest.mark.parametrize("epsilon", [1e-6, 0.3, 1.0, 5.0])
def test_the_channel_is_the_draw_summed(d: int, epsilon: float) -> None:
    m = dn.Geometric(5, 4 + d, epsilon)
    assert (by_hand(m) == m.channel().exact).all()
    assert (by_hand(m) == m.law.chances(m.layout.every_report())).all()
    assert np.allclose([m.law.support_chances(x) for x in range(d)], m.channel().probabilities, rtol=1e-9)


@pytest.mark.parametrize("d", [2, 3, 6])
def test_every_pair_is_within_its_distance(d: int) -> None:
    """Neighbours suffice by transitivity: here all pairs of the enumerated channel, exactly."""
    m = dn.Geometric(0, d - 1, 0.5)
    rows = m.channel().exact
    for x in range(d):
        for z in range(d):
            worst = max(p / q for p, q in zip(rows[x], rows[z], strict=True))
            assert worst == m.odds.ratio ** abs(x - z)
            assert dn.LDP(1.0).at(m.guarantee.pair_level(x, z)).allows(worst)
    pairs = [[m.guarantee.pair_level(x, z) for z in range(d)] for x in range(d)]
    assert dn.Pairwise(d, pairs).holds(m.channel())
    assert m.guarantee.holds(m.channel())
    assert not dn.Distance(d, 0.4999).holds(m.channel())


def test_the_golden_variances_of_the_mean() -> None:
    """numbers.md, section 3; the scores are unbiased, and their variance is that of the enumerated channel."""
    noise = ClampedNoise(6, math.exp(-1), -math.expm1(-1))
    assert noise.mean_variances[:3] == pytest.approx([1.163746, 1.581412, 1.716748], abs=5e-7)
    m = dn.Geometric(0, 5, 1.0)
    rows, scores = m.channel().probabilities, m.law.noise.mean_scores
    assert rows @ scores == pytest.approx(range(6), abs=1e-12)
    assert rows @ scores**2 - (rows @ scores) ** 2 == pytest.approx(m.law.noise.mean_variances)


@pytest.mark.parametrize("d", [2, 3, 4, 5, 9])
def test_the_inverse_and_its_squares_are_those_of_the_matrix(d: int) -> None:
    noise = dn.Geometric(0, d - 1, 0.7).law.noise
    rows = np.array([noise.row(x) for x in range(d)])
    assert noise.inverse @ rows.T == pytest.approx(np.eye(d), abs=1e-12)
    counts, weights = np.arange(1, d + 1) ** 2, np.linspace(0.1, 1, d)
    assert noise.inverted(counts) == pytest.approx(noise.inverse @ counts)
    assert noise.squared(weights) == pytest.approx(noise.inverse**2 @ weights)
    assert noise.squares_collected(weights) == pytest.approx((noise.inverse**2).T @ weights)
    assert noise.mass(weights) == pytest.approx(weights @ rows)
    assert noise.collect(weights) == pytest.approx(rows @ weights)


def test_information_by_sums_is_that_by_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    noise = dn.Geometric(0, 300, 0.2).law.noise
    by_pairs = noise.information()
    monkeypatch.setattr("deniable.theory.risk.geometric.DENSE", 0)
    assert noise.information() == pytest.approx(by_pairs, rel=1e-12)


@pytest.mark.parametrize("d", [2, 4, 5, 9])
def test_intervals_cover(d: int) -> None:
    """In each of many crowds of 500; the number of misses at 90% is below its 1e-7 quantile of chance."""
    m, crowds, n = dn.Geometric(0, d - 1, 0.8), by_length(400, 4000), 500
    truth = np.arange(1, d + 1) ** 2 / (np.arange(1, d + 1) ** 2).sum()
    generator, missed = np.random.default_rng(d), {target: np.zeros(d) for target in TARGETS}
    for _ in range(crowds):
        people = generator.multinomial(n, truth)
        found = m.estimate(m.draw_tally(people, generator), "unbiased")
        for target, held in zip(TARGETS, (truth, people / n), strict=True):
            low, high = found.interval(0.9, target=target).T
            missed[target] += (held < low) | (held > high)
    for target in TARGETS:
        assert missed[target].max() <= stats.binom.isf(1e-7, crowds, 0.1), target
        assert missed[target].sum() > 0, target


def test_intervals_are_not_wide() -> None:
    """Of many people hardly wider than normal ones, a quarter beside an end; of the sample more."""
    m = dn.Geometric(0, 19, 0.5)
    estimate = m.estimate(m.draw_tally([50_000] * 20, np.random.default_rng(1)), "unbiased")
    assert isinstance(estimate.evidence, DistanceEvidence)
    limits: dict[Target, tuple[float, float]] = {"population": (1.02, 1.27), "sample": (1.8, 1.9)}
    for target, (middle, most) in limits.items():
        low, high = estimate.evidence.interval(0.05, target).T
        normal = 2 * 1.96 * estimate.evidence.stderr(target)
        wider = (high - low) / normal
        assert np.median(wider) < middle, target
        assert 0.99 < wider.min() <= wider.max() < most, target


def test_the_mean_has_its_variance_and_its_intervals() -> None:
    """400 crowds: the mean's spread is within 5 standard errors of theory (chance 1e-6), and 95% of intervals cover."""
    m, crowds = dn.Geometric(18, 30, 0.4), 400
    people = np.array([0, 50, 0, 300, 200, 0, 0, 100, 0, 0, 0, 50, 300])
    truth = 18 + people @ np.arange(13) / people.sum()
    generator = np.random.default_rng(3)
    found = [m.mean(m.draw_tally(people, generator)) for _ in range(crowds)]
    errors = np.array([each.value for each in found]) - truth
    variance = people @ m.law.noise.mean_variances / people.sum() ** 2
    assert abs(errors.mean()) < 5 * math.sqrt(variance / crowds)
    assert errors.var() / variance == pytest.approx(1, abs=5 * math.sqrt(2 / crowds))
    covered = sum(low <= truth <= high for low, high in (each.interval(0.95) for each in found))
    assert covered >= 0.95 * crowds - 4


@pytest.mark.parametrize(("high", "level"), [(30, 0.3), (5, 1.5), (100, 3.0)])
@pytest.mark.parametrize("n", [60, 499, 500])
def test_the_mean_s_interval_is_about_as_wide_as_its_error_says(high: int, level: float, n: int) -> None:
    """At any number of people; and of 200 intervals as many hold as chance lets hold if each does at 94%."""
    m, rng = dn.Geometric(0, high, level), np.random.default_rng(n)
    even = np.full(high + 1, 1 / (high + 1))
    found = [m.mean(m.draw_tally(rng.multinomial(n, even), rng)) for _ in range(200)]
    ends = np.array([each.interval(0.95) for each in found])
    assert np.diff(ends).mean() == pytest.approx(2 * 1.96 * np.mean([each.stderr for each in found]), rel=0.12)
    assert ((ends[:, 0] <= high / 2) & (high / 2 <= ends[:, 1])).sum() >= stats.binom.ppf(1e-9, 200, 0.94)


def test_a_mean_is_of_numbers() -> None:
    m = dn.Geometric.of(["never", "rarely", "often"], 1.0)
    with pytest.raises(dn.ParameterError, match="a mean must be of whole numbers"):
        m.mean(m.privatize_many(["never"], seed=1))


def test_a_million_numbers() -> None:
    """No matrix: each of these takes seconds at most, and the spec is a line."""
    m = dn.Geometric(-4, MANY - 5, 1e-3)
    assert len(m.spec_bytes) < 110
    assert m.guarantee.pair_level(0, MANY - 1) == 1048.575
    assert dn.audit(m).holds
    people = np.zeros(MANY, np.int64)
    people[1000:2000] = 1000
    started = time.process_time()
    tally = m.draw_tally(people, np.random.default_rng(1))
    estimate = m.estimate(tally, "unbiased")
    assert estimate.frequencies.sum() == pytest.approx(1)
    assert m.mean(tally).value == pytest.approx(1495.5, abs=5 * m.mean(tally).stderr)
    assert time.process_time() - started < 20
    assert m.domain.index(7) == 11
    assert m.layout.check([m.privatize(7)]) < MANY


def test_far_numbers_are_drawn_as_they_are_counted() -> None:
    """The means of 200,000 reports from four values, drawn one by one: within 5 standard errors of theory."""
    m, n = dn.Geometric(0, 40, 0.1), 200_000
    scores, variances = m.law.noise.mean_scores, m.law.noise.mean_variances
    for x in (0, 1, 20, 40):
        drawn = scores[m.privatize_many(np.full(n, x), seed=x)]
        assert abs(drawn.mean() - x) < 5 * math.sqrt(variances[x] / n)


@pytest.mark.parametrize(
    ("low", "high", "epsilon", "message"),
    [
        (5, 5, 1.0, "high must be above low"),
        (5, 4, 1.0, "high must be above low"),
        (0, MANY, 1.0, "at most 1048576 labels"),
        (0.5, 4, 1.0, "low must be an int"),
        (0, 5, 0.0, "epsilon_per_unit must"),
        (0, 1 << 53, 1.0, "high must be at most"),
    ],
)
def test_what_is_no_scale_is_refused(low: int, high: int, epsilon: float, message: str) -> None:
    with pytest.raises(dn.DenialError, match=message):
        dn.Geometric(low, high, epsilon)


def test_a_spec_of_too_many_labels_is_refused() -> None:
    for domain in (MOST_ROWS + 1, {"low": 1, "high": MOST_ROWS + 1}):
        with pytest.raises(dn.FormatError, match=f"must hold at most {MOST_ROWS} labels"):
            dn.from_spec({"version": 1, "mechanism": "Geometric", "domain": domain, "epsilon_per_unit": 1.0})


def test_channels_of_many_labels_are_not_written_out() -> None:
    m = dn.Geometric(0, 200, 0.1)
    with pytest.raises(dn.CapacityError, match="at most 128 labels"):
        m.channel()
    assert dn.audit(m).method == "closed form"
    assert dn.audit_sampling(m, 5000, seed=4).holds


def test_a_crowd_hides_it_as_the_sheet_says() -> None:
    """crowd.md 2: of all pairs of numbers the levels of three crowds; of numbers too many to list by their promise."""
    levels = [dn.crowd.level(dn.Geometric(0, 5, 0.5), people) for people in (10**3, 10**4, 10**6)]
    assert levels == pytest.approx([0.474642, 0.136967, 0.0114365], rel=1e-3)
    assert dn.crowd.level(dn.Geometric(0, 199, 0.01), 1) == pytest.approx(1.99)
    with pytest.raises(dn.ParameterError, match="got Geometric; take one that promises a level for any two values"):
        dn.crowd.level(dn.Geometric(0, 199, 4.0), 1000)
