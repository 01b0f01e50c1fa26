"""Tallies drawn in aggregate have the law of tallies of real reports: enumerated where small, moments where large.

Chi-square tests fail at 1e-10 and z-scores at 7, on fixed seeds: less than 1e-7 over the whole file.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.lengths import by_length

import deniable as dn
from deniable.arrays import Counts
from deniable.checks import LARGEST_CROWD
from deniable.estimation.laws.support_law import SupportLaw
from deniable.kernels import aggregate
from deniable.mechanisms.mechanism import Mechanism, check_tally
from deniable.mechanisms.plain import subset
from deniable.mechanisms.registry import FAMILIES

pytestmark = pytest.mark.soak
FALSE_ALARM, LARGEST_Z = 1e-10, 7.0
DRAWS, MANY = by_length((600, 400), (3000, 1000))
LEAST = 10
"""Tallies expected less often are counted together."""
NORMAL = 20
"""Counts of less variance are too skewed for a z-score."""
Draw = Callable[[Counts, np.random.Generator], Counts]


@pytest.fixture(params=FAMILIES)
def name(request: pytest.FixtureRequest) -> str:
    """Every mechanism of the registry."""
    return str(request.param)


def example(name: str, d: int) -> Mechanism:
    """The example of so many labels, or as many as there can be; of three labels there are eight lists."""
    return FAMILIES[name].example(dn.Domain.of(min(d, 3) if FAMILIES[name].lists else d), 1.0)


def crowd(m: Mechanism, *people: int) -> Counts:
    """So many people of each label, for as many labels as there are; of all lists of labels but some nobody."""
    held = np.resize(np.array(people, np.int64), m.domain.every().size)
    held[len(people) :] *= m.law.adds_up
    return held


def singles(m: Mechanism) -> Counts:
    """[reports, cells]: the counts of every report there is."""
    reports = m.layout.every_report()
    return np.array([m.tally(reports[y : y + 1]).counts for y in range(m.layout.outputs)])


def exact_law(m: Mechanism, people: Counts) -> dict[tuple[int, ...], float]:
    """The probability of each tally, one person after another, from the exact channel."""
    rows, each = m.channel().probabilities, singles(m)
    law: dict[tuple[int, ...], float] = {(0,) * m.layout.cells: 1.0}
    for label in np.repeat(np.arange(len(people)), people):
        after: Counter[tuple[int, ...]] = Counter()
        for counts, chance in law.items():
            for y in np.flatnonzero(rows[label]):
                after[tuple((np.array(counts) + each[y]).tolist())] += chance * rows[label, y]
        law = dict(after)
    return law


def p_value(law: dict[tuple[int, ...], float], people: Counts, draw: Draw, seed: int = 1) -> float:
    """Chi-square of drawn tallies against their law; 0 for a tally that cannot be."""
    generator = np.random.default_rng(seed)
    seen = Counter(tuple(draw(people, generator).tolist()) for _ in range(DRAWS))
    if set(seen) - set(law):
        return 0.0
    order = sorted(law, key=law.__getitem__)
    expected, found = np.array([DRAWS * law[t] for t in order]), np.array([seen[t] for t in order])
    rare = max(np.searchsorted(expected, LEAST), np.searchsorted(np.cumsum(expected), LEAST) + 1)
    expected = np.append(expected[:rare].sum(), expected[rare:])
    found = np.append(found[:rare].sum(), found[rare:])
    return float(stats.chisquare(found, expected * DRAWS / expected.sum()).pvalue) if len(found) > 1 else 1.0


def largest_z(m: Mechanism, people: Counts, draw: Draw, draws: int = MANY) -> float:
    """Of the mean and the covariance of the counts that vary enough to be nearly normal, against so many reports'."""
    rows, each = m.channel().probabilities, singles(m)
    means = rows @ each
    mean, within = people @ means, np.einsum("x,xy,yi,yj->ij", people, rows, each, each)
    covariance = within - np.einsum("x,xi,xj->ij", people, means, means)
    generator = np.random.default_rng(3)
    found = np.array([draw(people, generator) for _ in range(draws)]) - mean
    assert np.abs(found[:, np.diag(covariance) < 1e-9]).max(initial=0) < 0.5
    kept = np.diag(covariance) > NORMAL
    found, covariance, spread = found[:, kept], covariance[kept][:, kept], np.diag(covariance)[kept]
    z_mean = found.mean(axis=0) / np.sqrt(spread / draws)
    scale = np.sqrt((np.outer(spread, spread) + covariance**2) / draws)
    return float(max(np.abs(z_mean).max(), np.abs((found.T @ found / draws - covariance) / scale).max()))


@pytest.mark.parametrize(
    ("d", "people"), by_length([(2, (2, 1)), (4, (1, 1, 0, 1))], [(2, (2, 1)), (3, (1, 0, 2)), (4, (1, 1, 0, 1))])
)
def test_small_tallies_have_their_exact_law(name: str, d: int, people: tuple[int, ...]) -> None:
    m = example(name, d)
    held = crowd(m, *people)
    assert p_value(exact_law(m, held), held, m.draw_counts) > FALSE_ALARM


@pytest.mark.parametrize("people", [(400, 90, 30, 5000, 0), (10**9, 3 * 10**9, 0, 5 * 10**9, 10**9)])
def test_means_and_covariances(name: str, people: tuple[int, ...]) -> None:
    m = example(name, 5)
    assert largest_z(m, crowd(m, *people), m.draw_counts) < LARGEST_Z


@pytest.mark.parametrize(
    "m",
    [
        dn.Subset(12, 2.0, size=5),
        dn.Hadamard(20, 1.0, parts=1),
        dn.Hadamard(20, 1.0, parts=4),
        dn.HighLowHadamard(20, range(3, 17), 1.0),
        dn.BlockHadamard([range(9), range(9, 20)], 1.0),
        dn.BlockSubset([[0], range(4, 0, -1)], 1.0, 5),
        dn.BlockCyclic([[0], range(4, 0, -1)], 1.0, 5),
        dn.Channel(5, [np.roll([5, 3, 0, 0, 0], x) / 8 for x in range(5)]),
        dn.Cyclic(40, 1.0),
        dn.HashedResponse(1.0, 5, 7, domain=9),
        dn.HashedRappor(1.0, 5, 3, hashes=3, domain=9),
    ],
    ids=repr,
)
def test_longer_walks(m: Mechanism) -> None:
    people = crowd(m, 900, 0, 40_000, 7, 3000)
    assert largest_z(m, people, m.draw_counts) < LARGEST_Z


@pytest.mark.parametrize(("groups", "size"), [((2, 0, 3), 3), ((1, 4), 4), ((6, 1, 1), 1), ((3, 3, 3), 5)])
def test_draws_without_replacement_are_hypergeometric(groups: tuple[int, ...], size: int) -> None:
    every = itertools.product(*(range(people + 1) for people in groups))
    law = {t: float(stats.multivariate_hypergeom.pmf(t, groups, size)) for t in every if sum(t) == size}
    assert p_value(law, np.array(groups), lambda held, g: aggregate.without_replacement(held, size, g)) > FALSE_ALARM


def test_draws_without_replacement_from_thousands_of_millions() -> None:
    """NumPy's own stops at 10^9 people."""
    groups, size, generator = np.array([5 * 10**11, 2 * 10**9, 0, 10**6]), 3 * 10**11, np.random.default_rng(4)
    found = np.array([aggregate.without_replacement(groups, size, generator) for _ in range(2000)])
    assert (found.sum(axis=1) == size).all()
    assert not found[:, 2].any()
    share, taken = groups[[0, 1, 3]] / groups.sum(), size / groups.sum()
    heights = (found[:, [0, 1, 3]] - size * share) / np.sqrt(size * share * (1 - share) * (1 - taken))
    assert np.abs(heights.mean(axis=0)).max() * np.sqrt(2000) < LARGEST_Z
    assert np.abs((heights**2).mean(axis=0) - 1).max() * np.sqrt(1000) < LARGEST_Z


def test_edges(name: str) -> None:
    """Nobody, one person, everybody with one label, the most people: sums are right and the tally is accepted."""
    m = example(name, 6)
    generator = np.random.default_rng(5)
    assert m.draw_tally(crowd(m, 0), generator) == m.tally([])
    for people in ((1, 0, 0, 0, 0, 0), (0, 10**10, 0, 0, 0, 0), (LARGEST_CROWD // 8,)):
        held = crowd(m, *people)
        tally = m.draw_tally(held, generator)
        assert check_tally(m, tally).n == held.sum()
        each = m.layout.counts_per_report
        assert each is None or tally.counts.sum() == each * held.sum()
    d = m.domain.every().size
    for wrong in ([1], [-1] * d, [0.5] * d, [2**40] * d, "ab", None):
        with pytest.raises(dn.ParameterError, match=r"^people must"):
            m.draw_tally(wrong, generator)
    with pytest.raises(dn.ParameterError, match=r"^candidates must"):
        m.draw_tally(crowd(m, 1), generator, ["a"])


@pytest.mark.parametrize("make", [dn.RandomizedResponse, dn.Rappor, dn.Subset, dn.Hadamard, dn.Cyclic])
def test_a_thousand_million_people(make: Any) -> None:
    """The error is as predicted: 300 labels, none of them forgotten."""
    m, truth = make(300, 1.0), np.arange(1, 301) / 45150
    found = dn.simulate(m, truth, 10**9, seed=4, decoder="unbiased", aggregate=True).unbiased
    assert 0.5 < ((found - truth) ** 2).sum() / m.risk(10**9, truth=truth) < 1.8


# --- open alphabets ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "m", [dn.HashedResponse(1.0, 2, 2), dn.HashedRappor(1.0, 2, 2, hashes=2)], ids=lambda m: str(m.name)
)
def test_candidates_are_drawn_as_their_reports_are(m: Mechanism) -> None:
    """Two samples, one of real reports: every tally comes as often in both."""
    texts, people, generator = ["ant", "bee", "cat"], [2, 0, 1], np.random.default_rng(2)
    reports = m.privatize_many(["ant", "ant", "cat"] * DRAWS, seed=3)
    real = Counter(tuple(m.tally(reports[i : i + 3]).counts.tolist()) for i in range(0, 3 * DRAWS, 3))
    drawn = Counter(tuple(m.draw_tally(people, generator, texts).counts.tolist()) for _ in range(DRAWS))
    table = np.array([(real[t], drawn[t]) for t in sorted(set(real) | set(drawn))])
    rare = table.sum(axis=1) < 2 * LEAST
    table = np.vstack((table[~rare], table[rare].sum(axis=0))) if table[rare].sum() else table
    assert stats.chi2_contingency(table).pvalue > FALSE_ALARM
    assert m.draw_tally(people, generator, texts).n == 3


# --- planted faults ---------------------------------------------------------------------------------------------


def test_independent_counts_are_no_subsets() -> None:
    m = dn.Subset(4, 1.0, size=2)
    assert isinstance(m.law, SupportLaw)
    support, people = m.law.support, crowd(m, 1, 1, 0, 1)

    def apart(held: Counts, generator: np.random.Generator) -> Counts:
        return np.asarray(generator.binomial(held, support.g) + generator.binomial(held.sum() - held, support.h))

    assert p_value(exact_law(m, people), people, apart) < FALSE_ALARM
    assert largest_z(m, crowd(m, 40, 0, 3, 500), apart) > LARGEST_Z


def in_order(groups: Counts, size: int, generator: np.random.Generator) -> Counts:
    """Not a draw: those with the fewest places left come first."""
    return np.diff(np.minimum(np.cumsum(groups), size), prepend=0)


def one_late(anyone: int, holders: Counts, size: int, generator: np.random.Generator) -> Counts:
    """Holders let the label after their own go by, and may take their own once more."""
    late = np.roll(holders, 1)
    return aggregate.subsets(anyone, late, size, generator) - late + holders


@pytest.mark.parametrize("fault", [(aggregate, "without_replacement", in_order), (subset, "subsets", one_late)])
def test_a_wrong_walk_is_seen(fault: tuple[Any, str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    m = dn.Subset(6, 1.0, size=3)
    people = crowd(m, 400, 100, 0, 300)
    assert largest_z(m, people, m.draw_counts) < LARGEST_Z
    monkeypatch.setattr(*fault)
    assert largest_z(m, people, m.draw_counts) > LARGEST_Z


@pytest.mark.parametrize("name", ["RandomizedResponse", "Hadamard", "Cyclic", "Channel"])
def test_forgotten_correlations_are_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts of outputs drawn apart, each right by itself."""
    m = example(name, 4)
    people = crowd(m, 1, 1, 0, 1)
    rows = m.channel().probabilities

    def apart(held: Counts, generator: np.random.Generator) -> Counts:
        return np.asarray(generator.binomial(held[:, None], rows).sum(axis=0))

    assert p_value(exact_law(m, people), people, apart) == 0
    assert largest_z(m, crowd(m, 40, 0, 3, 500), apart, 1000) > LARGEST_Z
