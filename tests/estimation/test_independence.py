"""The test of independence: simulated surveys, p-values among them, and how often it finds what is not there."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.estimation.crossed_worlds import ALIKE, ALONE, CHAIN, EVEN, FALSE_ALARM, ONE_RARE, PAIR, RARE, Vector, World
from tests.lengths import by_length

import deniable as dn
from deniable.estimation.evidence import SupportEvidence
from deniable.estimation.independence import chance_among
from deniable.estimation.joint_source import JointSource
from deniable.estimation.sources import SingleSource
from deniable.theory.risk.joint_support import JointSupport


@cache
def p_values(world: World, runs: int, joint: tuple[float, ...] | None = None) -> Vector:
    """What surveys of independent answers give, or of those with these ``joint`` shares; drawn once for all tests."""
    survey, generator = world.survey(), np.random.default_rng([world.people, len(world.labels)])
    cells = list(itertools.product(*map(range, world.labels)))
    shares = [np.prod([m[k] for m, k in zip(world.margins, c, strict=True)]) for c in cells]
    table = {f"q{k}": [str(cell[k]) for cell in cells] for k in range(len(world.labels))}
    held = [generator.multinomial(world.people, shares if joint is None else joint) for _ in range(runs)]
    results = (survey.estimate(survey.draw_tally(table, each, generator)) for each in held)
    return np.array([found.cross("q0", "q1").test.p_value for found in results])


WORLDS = [
    World((2, 2), PAIR, ALIKE, 100, 0.5),
    World((2, 2), PAIR, RARE, 300, 0.5),
    World((2, 2), PAIR, ALIKE, 300, 1.0),
    World((2, 2), PAIR, ALIKE, 300, 2.0),
    World((2, 2), PAIR, RARE, 100, 4.0),
    World((2, 2), PAIR, ALIKE, 10_000, 0.5),
    World((2, 2), PAIR, EVEN, 1000, 1.0),
    World((3, 2), PAIR, ONE_RARE, 300, 1.0),
    World((3, 2), PAIR, ALIKE, 1000, 0.5),
    World((3, 3), PAIR, ALIKE, 100, 1.0),
    World((3, 3), PAIR, RARE, 300, 0.5),
    World((3, 3), PAIR, ALIKE, 100, 4.0),
    World((3, 3), PAIR, EVEN, 1000, 2.0),
    World((2, 2), ALONE, ALIKE, 300, 1.0),
    World((2, 2), ALONE, RARE, 100, 4.0),
    World((3, 3), ALONE, RARE, 1000, 0.5),
    World((3, 2, 2), CHAIN, ALIKE, 300, 1.0),
    World((3, 2, 2), CHAIN, ONE_RARE, 100, 4.0),
    World((5, 4), PAIR, ALIKE, 300, 1.0),
]


RUNS = by_length(20, 2000)


@pytest.mark.soak
@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_at_most_one_in_twenty_surveys_finds_a_connection_where_there_is_none(world: World) -> None:
    """Of 2,000 surveys each under ``make soak``; also at a level of 1 in 200, which few simulated surveys reach."""
    found = p_values(world, RUNS)
    for level in (0.05, 0.005):
        assert (found <= level).sum() <= stats.binom.isf(FALSE_ALARM, len(found), level)


@pytest.mark.soak
def test_all_worlds_together_keep_the_level() -> None:
    """Those in which chi-square alone goes wrong: 6% would be seen under ``make soak``."""
    found = np.concatenate([p_values(world, RUNS) for world in WORLDS if world.rare in (ALIKE, RARE)])
    assert (found <= 0.05).sum() <= stats.binom.isf(FALSE_ALARM, len(found), 0.05)


@pytest.mark.parametrize(("people", "phi"), [(2200, 0.2), (8693, 0.1)])
def test_a_connection_is_found_as_often_as_the_formula_says(people: int, phi: float) -> None:
    """numbers.md 5: phi .1 at epsilon 1 is found by 8,693 people in 80% of surveys, phi .2 by a quarter as many."""
    world, runs = World((2, 2), PAIR, EVEN, people, 1.0), by_length(200, 2000)
    joint = ((1 + phi) / 4, (1 - phi) / 4, (1 - phi) / 4, (1 + phi) / 4)
    found = p_values(world, runs, joint)
    assert (found <= 0.05).mean() == pytest.approx(0.8, abs=0.01 + stats.norm.isf(FALSE_ALARM) * np.sqrt(0.16 / runs))


def test_large_tables_find_clear_connections_only() -> None:
    """No connection is seen where answers are alike; of one that is clear every survey tells."""
    world = World((12, 11), PAIR, ALIKE, 3000, 1.0)
    assert (p_values(world, 20) > 0.05).sum() >= 17
    diagonal = np.zeros((12, 11))
    diagonal[np.arange(11), np.arange(11)] = 1 / 11
    assert (p_values(World((12, 11), PAIR, EVEN, 3000, 3.0), 3, tuple(diagonal.ravel().tolist())) < 1e-6).all()


def test_p_values_are_counted_among_simulated_surveys_and_go_on_beyond_them() -> None:
    rng = np.random.default_rng(1)
    simulated = 1.5 * rng.chisquare(4, 1999)
    for quantile in (0.5, 0.1, 0.01):
        found = 1.5 * float(stats.chi2.isf(quantile, 4))
        assert chance_among(simulated, found, 4) == ((simulated >= found).sum() + 1) / 2000
    assert chance_among(simulated, 60.0, 4) == pytest.approx(float(stats.chi2.sf(40, 4)), rel=3)
    assert chance_among(simulated, 60.0, 4) < chance_among(simulated, 50.0, 4) < chance_among(simulated, 30.0, 4)
    assert chance_among(simulated, float(simulated.max()), 4) < 0.001
    assert chance_among(np.zeros(1999), 0.0, 1) == 1


def test_the_same_data_give_the_same_p_value() -> None:
    world = World((3, 2), PAIR, EVEN, 200, 1.0)
    survey, people = world.survey(), np.full(6, 40)
    table = {"q0": ["0", "0", "1", "1", "2", "2"], "q1": ["0", "1"] * 3}
    tally = survey.draw_tally(table, people, np.random.default_rng(4))
    once, again = (survey.estimate(tally).cross("q0", "q1").test for _ in range(2))
    assert once == again
    other = survey.estimate(survey.draw_tally(table, people, np.random.default_rng(5))).cross("q0", "q1").test
    assert other.p_value != once.p_value


@pytest.mark.parametrize("mechanism", [dn.RandomizedResponse, dn.Subset, dn.OptimizedUnary])
def test_simulated_shares_vary_as_reports_do(mechanism: Any) -> None:
    """Mean and covariance of 20,000 surveys of 50 people; each entry within six of its standard errors."""
    m, truth, runs = mechanism(5, 1.0), np.array([0.6, 0.2, 0.1, 0.1, 0.0]), 20_000
    law = m.law
    evidence = SupportEvidence(50, np.full(5, 25), law.support)
    source = JointSource(evidence, JointSupport.of(law.support, 5, law.closed))
    drawn = source.draws(truth, runs, np.random.default_rng(2))
    covariance = source.joint.covariance(truth) / source.evidence.n
    own = np.sqrt(np.diag(covariance))
    assert (np.abs(drawn.mean(axis=0) - truth) < 6 * own / np.sqrt(runs)).all()
    error = np.sqrt((np.outer(own, own) ** 2 + covariance**2) / runs)
    assert (np.abs(np.cov(drawn.T) - covariance) < 6 * error + 1e-12).all()
    weights = np.random.default_rng(3).normal(size=(3, 5))
    assert source.covary(weights, truth[None]) == pytest.approx(weights @ covariance)


def test_a_source_of_unknown_covariance_varies_by_its_errors() -> None:
    m = dn.Hadamard(6, 1.0)
    source = SingleSource(m.law.evidence(400, m.draw_tally([400, 0, 0, 0, 0, 0], np.random.default_rng(1)).counts))
    truth = np.full(6, 1 / 6)
    drawn = source.draws(truth, 20_000, np.random.default_rng(2))
    assert drawn.std(axis=0) == pytest.approx(source.evidence.stderr(), rel=0.05)
    assert source.covary(np.eye(6), truth[None]) == pytest.approx(np.diag(source.evidence.stderr() ** 2))
