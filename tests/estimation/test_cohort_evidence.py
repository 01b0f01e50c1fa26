"""Intervals cover and findings are true as often as they say, simulated over tables, people and noise.

Each check fails on a right program with a chance of about 3e-5: four standard errors of a simulation's mean, where
the repetitions, not the candidates of one, count as independent.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from tests.estimation.cohort_worlds import Rng, Vector, bits, geometric, hashed, open_survey, permuted, responses
from tests.lengths import by_length

from deniable.estimation.cohort_evidence import CohortEvidence, Method, regress
from deniable.estimation.cohorts import CohortSurvey
from deniable.estimation.presence import present
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import english

pytestmark = pytest.mark.soak
ALPHA, FDR, RUNS = 0.1, 0.1, by_length(60, 400)
REPEATED = by_length(250, 600)
WAYS: list[tuple[Method, float]] = [("joint", 1.0), ("joint", 0.5), ("screened", 1.0), ("screened", 0.5)]
E3 = math.exp(3)
TRUTH = np.concatenate([geometric(10), np.zeros(30)])


def plain(rng: Rng, p: Vector) -> CohortEvidence:
    return regress(open_survey(rng, hashed(rng, 40, 32, r=16), p, 5000, E3, 16))


def few_people(rng: Rng, p: Vector) -> CohortEvidence:
    return regress(open_survey(rng, hashed(rng, 40, 32, r=16), p, 150, E3, 16))


def lumps(rng: Rng, p: Vector) -> CohortEvidence:
    """A fifth and more of the people hold one of three strings nobody thought of, and hashes show it."""
    return regress(open_survey(rng, hashed(rng, 40, 32, r=16), p, 20_000, E3, 16, strings=3))


def few_cohorts(rng: Rng, p: Vector) -> CohortEvidence:
    """Where one such string lands decides much: errors are skewed, and the allowance for it is needed."""
    return regress(open_survey(rng, hashed(rng, 40, 2, r=64), p, 5000, E3, 64, strings=1))


def loud(rng: Rng, p: Vector) -> CohortEvidence:
    return regress(open_survey(rng, hashed(rng, 40, 64, r=8), p, 3000, math.exp(7), 8))


def filters(rng: Rng, p: Vector) -> CohortEvidence:
    table = hashed(rng, 140, 32, 2, r=16)
    shares = np.concatenate([p, np.full(100, (1 - p.sum()) / 100)])
    counts, sizes = bits(rng, table, shares, 3000, 0.1, 16)
    return regress(CohortSurvey.bloom(table[:40], counts, sizes, 0.1))


def closed(rng: Rng, p: Vector) -> CohortEvidence:
    table = permuted(rng, 40, 32, 8)
    return regress(CohortSurvey.responses(table, responses(rng, table, p, 5000, E3, 8), E3, closed=True))


def crowded(rng: Rng, p: Vector) -> CohortEvidence:
    """More candidates than dimensions: those that stand out, and the others one by one."""
    more = np.concatenate([p, np.zeros(960)])
    return regress(open_survey(rng, hashed(rng, 1000, 32, r=16), more, 20_000, E3, 16))


LISTED = [
    (plain, 0.75),
    (few_people, 0.75),
    (lumps, 0.75),
    (few_cohorts, 0.75),
    (loud, 0.75),
    (filters, 0.75),
    (closed, 1),
    (crowded, 0.75),
]


@pytest.mark.parametrize(("world", "listed"), LISTED)
def test_intervals_cover_and_findings_are_true(world: Callable[[Rng, Vector], CohortEvidence], listed: float) -> None:
    """All candidates alike and those really held by themselves; false findings as a mean share of all findings."""
    rng, p = np.random.default_rng(11), TRUTH * listed
    missed, missed_held, false = [], [], []
    for _ in range(RUNS):
        evidence = world(rng, p)
        truth = np.concatenate([p, np.zeros(len(evidence.unbiased()) - len(p))])
        low, high = evidence.interval(ALPHA).T
        outside = (truth < low) | (truth > high)
        missed.append(outside.mean())
        missed_held.append(outside[truth > 0].mean())
        found = present(evidence.pvalues(), FDR)
        false.append((truth[found] == 0).mean() if len(found) else 0)
    for rates, most in ((missed, ALPHA), (missed_held, ALPHA), (false, FDR)):
        assert np.mean(rates) <= most + 4 * np.std(rates) / math.sqrt(RUNS)
    assert np.mean(missed) > ALPHA / 50  # and they are not just wide


def test_strings_that_nobody_happens_to_hold_are_not_ruled_out() -> None:
    """2 people of 60 are expected of each, hardly any noise: at 0 seen the error seems to be 0, and is not."""
    rng, p, above = np.random.default_rng(16), np.array([0.25] + [1 / 30] * 22 + [1 / 60]), []
    for _ in range(200):
        table = permuted(rng, 24, 16, 24)
        counts = responses(rng, table, p, 60, 1e6, 24)
        evidence = regress(CohortSurvey.responses(table, counts, 1e6, closed=True), "joint")
        above.append((evidence.interval(ALPHA)[:, 1] < p).mean())
    assert np.mean(above) <= ALPHA / 2 + 4 * np.std(above) / math.sqrt(200)


@pytest.mark.parametrize("kind", ["responses", "filters"])
def test_standard_errors_are_those_of_repeated_surveys(kind: str) -> None:
    """Given one table, frequent strings and rare ones: the stated error is the spread, within its own noise."""
    rng, p = np.random.default_rng(17), np.array([0.8, 0.15, 0.05, 0, 0, 0, 0, 0])
    table = hashed(rng, 8, 6, 1, r=8)
    found, stated = [], []
    for _ in range(REPEATED):
        if kind == "filters":
            survey = CohortSurvey.bloom(table, *bits(rng, table, p, 2000, 0.02, 8), 0.02, closed=True)
        else:
            survey = CohortSurvey.responses(
                table, responses(rng, table[:, :, 0], p, 2000, 200.0, 8), 200.0, closed=True
            )
        evidence = regress(survey, "joint")
        found.append(evidence.unbiased())
        stated.append(evidence.stderr())
    assert (np.abs(np.mean(found, axis=0) - p) < 4 * np.std(found, axis=0) / math.sqrt(REPEATED)).all()
    np.testing.assert_allclose(np.mean(stated, axis=0), np.std(found, axis=0), rtol=4 / math.sqrt(2 * REPEATED))


@pytest.mark.parametrize(("method", "listed"), by_length(WAYS[::3], WAYS))
def test_filters_of_several_hashes_know_what_their_unlisted_share_is_worth(method: Method, listed: float) -> None:
    """A person's symbols come together: bits taken for independent would promise 1/1.4 of the error."""
    rng, heights = np.random.default_rng(15), []
    for _ in range(150):
        table = hashed(rng, 540, 32, 4, r=32)
        p = np.append(TRUTH * listed, np.full(500, (1 - listed) / 500))
        survey = CohortSurvey.bloom(table[:40], *bits(rng, table, p, 3000, 0.01, 32), 0.01)
        u, error = regress(survey, method).unlisted or (0.0, 0.0)
        heights.append((u - 1 + listed) / error)
    assert abs(np.mean(heights)) < 4 / math.sqrt(150)
    assert 0.8 < np.std(heights) < 1.2


@pytest.mark.parametrize(("cohorts", "r", "size"), [(1, 16, 20), (2, 16, 400), (4, 4, 200)])
def test_few_cohorts_do_not_know_how_many_are_not_listed(cohorts: int, r: int, size: int) -> None:
    """Nearly every string looks like some candidate: the unlisted share is anything, and notes say so."""
    rng, p = np.random.default_rng(21), np.append(0.75 * geometric(10), np.zeros(size - 10))
    for _ in range(20):
        evidence = regress(open_survey(rng, hashed(rng, size, cohorts, r=r), p, 20_000, E3, r, strings=3))
        assert evidence.unlisted is not None
        assert evidence.unlisted[1] >= 1
        assert any("too few to know how many people are not listed" in english(note) for note in evidence.notes)
        few = len(evidence.fit.estimate) < 50
        assert few or any("equations do not tell" in english(note) for note in evidence.notes)


def test_nobody_unlisted_is_never_certain() -> None:
    """20 people, hardly any noise, 24 of 25 unlisted: often all of them are, and the error must not be 0."""
    rng, p, missed = np.random.default_rng(22), np.array([0.04, 0, 0]), []
    for _ in range(400):
        evidence = regress(open_survey(rng, hashed(rng, 3, 64, r=256), p, 20, 1e6, 256))
        u, error = evidence.unlisted or (0.0, 0.0)
        missed.append(abs(u - 0.96) > 1.96 * error)
    assert np.mean(missed) < 0.05 + 4 * 0.22 / 20


def test_candidates_that_share_all_symbols_are_not_found() -> None:
    """One of two is held by everybody, and nothing tells which: a finding of both would be half false."""
    rng = np.random.default_rng(23)
    table = hashed(rng, 3, 8, r=16)
    table[1] = table[0]
    evidence = regress(open_survey(rng, table, np.array([0.6, 0, 0.3]), 5000, E3, 16))
    assert evidence.collisions == ((0, 1),)
    assert present(evidence.pvalues(), 0.05).tolist() == [2]
    assert (evidence.interval(ALPHA)[:2, 0] <= 0).all()


def test_no_error_is_stated_of_candidates_that_counts_mix_up() -> None:
    """Two that collide everywhere, and three in one cohort of two symbols: each may hold all of it or nothing."""
    table = np.array([[0, 1], [0, 1], [1, 2]], np.uint16)
    survey = CohortSurvey.responses(table, np.array([[500, 300, 200], [250, 500, 250]]), 3.0, closed=True)
    evidence = regress(survey)
    assert np.isinf(evidence.stderr("sample")).tolist() == [True, True, False]
    assert np.isinf(evidence.stderr()).tolist() == [True, True, False]
    assert np.isfinite(evidence.scores()).all()
    crowded = CohortSurvey.responses(np.array([[0], [1], [2]], np.uint16), np.array([[60, 40, 50]]), 3.0)
    assert not regress(crowded, "joint").fit.told_apart.all()
    assert np.isinf(regress(crowded, "joint").stderr()).all()


def test_findings_are_true_in_two_cohorts() -> None:
    """A thousand candidates beside one another: sums of two draws are far from normal, and skewness is allowed for."""
    rng, false = np.random.default_rng(24), []
    shares = 0.7 / np.arange(1, 301) / (1 / np.arange(1, 301)).sum()
    p = np.concatenate([shares, np.zeros(700)])
    for _ in range(40):
        evidence = regress(open_survey(rng, hashed(rng, 1000, 2, r=256), p, 20_000, math.exp(8), 256))
        found = present(evidence.pvalues(), 0.05)
        false.append((found >= 300).mean() if len(found) else 0.0)
    assert np.mean(false) <= 0.05


def test_the_fixed_people_are_bounded_by_less() -> None:
    """Against the people's own shares: their noise alone is left, and still covered."""
    rng, missed = np.random.default_rng(12), []
    p = np.array([0.5, 0.3, 0.2, 0.0])
    for _ in range(300):
        table = hashed(rng, 4, 8, r=4)
        people = np.bincount(rng.choice(4, 400, p=p), minlength=4) / 400
        value = np.repeat(np.arange(4), np.rint(people * 400).astype(int))
        cohort = rng.integers(0, 8, 400)
        counts = np.zeros((8, 4), np.int64)
        lie = rng.random(400) >= 1000 / 1003
        np.add.at(counts, (cohort, np.where(lie, rng.integers(0, 4, 400), table[value, cohort])), 1)
        evidence = regress(CohortSurvey.responses(table, counts, 1e3), "joint")
        low, high = evidence.interval(ALPHA, "sample").T
        missed.append(((people < low) | (people > high)).mean())
        assert (evidence.stderr("sample") <= evidence.stderr()).all()
    assert np.mean(missed) <= ALPHA + 4 * np.std(missed) / math.sqrt(300)


def test_closed_pvalues_are_where_intervals_begin_at_nought() -> None:
    evidence = closed(np.random.default_rng(13), TRUTH)
    chances = evidence.pvalues()
    for s in np.flatnonzero((chances > 1e-12) & (chances < 0.1)):
        assert evidence.interval(2 * chances[s])[s, 0] == pytest.approx(0, abs=1e-9)
    assert (chances[evidence.unbiased() < 0] == 1).all()


def test_the_step_up_is_benjamini_and_hochbergs() -> None:
    # 0.04 <= 0.05 * 4/4 carries the three below it, each above its own line
    assert present(np.array([0.04, 0.038, 0.039, 0.03])).tolist() == [0, 1, 2, 3]
    assert present(np.array([0.06, 0.038, 0.039, 0.03])).tolist() == []
    assert present(np.array([0.04, 0.038, 0.039, 0.03]), dependent=True).tolist() == []
    with pytest.raises(ParameterError, match="fdr must be a number between 0 and 1"):
        present(np.array([0.5]), 1.0)
