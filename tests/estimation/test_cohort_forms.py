"""The four decoders: optimal where they should be, distributions where they should be, and worth their names."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize
from tests.estimation.cohort_worlds import bits, geometric, hashed, open_survey, permuted, responses

from deniable.estimation.cohort_evidence import Method, regress
from deniable.estimation.cohorts import CohortSurvey
from deniable.estimation.decoders import HASHED

E3 = math.exp(3)
FORMS = ("unbiased", "nonnegative", "projected", "likelihood")


def test_nonnegative_equals_lawson_and_hansons() -> None:
    rng = np.random.default_rng(1)
    evidence = regress(open_survey(rng, hashed(rng, 30, 32, r=8), geometric(30) * 0.7, 3000, E3, 8))
    survey = evidence.survey
    weight = np.sqrt(survey.sizes[:, None])
    rows = np.stack([(weight * survey.centred(row)).ravel() for row in np.eye(30)], axis=1)
    twin, _ = optimize.nnls(rows, (weight * survey.observed).ravel())
    found = HASHED["nonnegative"](evidence)
    assert twin.sum() < 1
    assert found.settled
    np.testing.assert_allclose(found.frequencies, twin, atol=0.1 * float(np.median(evidence.stderr())))


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("hashes", [0, 1, 3])
def test_likelihood_is_the_likeliest(closed: bool, hashes: int) -> None:
    """No step from it towards any one string, or the unlisted, makes the counts likelier by more than was promised."""
    rng, n = np.random.default_rng(2), 2000
    if hashes:
        table = hashed(rng, 15, 10, hashes, r=8)
        survey = CohortSurvey.bloom(table, *bits(rng, table, geometric(15), n, 0.1, 8), 0.1, closed)
    else:
        table = permuted(rng, 15, 10, 8) if closed else hashed(rng, 15, 10, r=8)
        survey = CohortSurvey.responses(table, responses(rng, table, geometric(15), n, E3, 8), E3, closed)
    found = HASHED["likelihood"](regress(survey, "joint"))

    def likelihood(p: np.ndarray, u: float) -> float:
        chance = survey.h + survey.gap * (survey.centred(p) + survey.beta * (p.sum() + u))
        rest = np.log(1 - chance) * (survey.sizes[:, None] - survey.counts) if survey.filters else 0
        return float((np.log(chance) * survey.counts + rest).sum())

    p, u = found.frequencies, found.unlisted
    assert found.settled
    assert p.sum() + u == pytest.approx(1)
    best = likelihood(p, u)
    for target in range(15 if closed else 16):
        way = np.eye(16)[target]
        for step in (1e-4, 1e-3, 1e-2, 0.1):
            moved = likelihood(p + step * (way[:15] - p), u + step * (way[15] - u))
            assert moved <= best + (0.1 if survey.filters else 0.01) + 1e-6


@pytest.mark.parametrize("closed", [False, True])
def test_every_form_is_what_it_says(closed: bool) -> None:
    rng = np.random.default_rng(3)
    table = permuted(rng, 40, 64, 8)
    survey = CohortSurvey.responses(table, responses(rng, table, geometric(40), 3000, E3, 8), E3, closed)
    evidence = regress(survey)
    for form in FORMS:
        found = HASHED[form](evidence)
        assert found.frequencies.sum() + found.unlisted == pytest.approx(1)
        assert (found.unlisted == 0) or not closed
        if form != "unbiased":
            assert found.frequencies.min() >= 0
            assert found.unlisted >= 0
    assert tuple(HASHED) == FORMS


def test_constraints_help_and_likelihood_as_much() -> None:
    """Mean l1 of 20 surveys: constraints remove most of the noise, and the likelihood is not beaten by much."""
    rng, p = np.random.default_rng(4), np.concatenate([geometric(10), np.zeros(90)]) * 0.8
    losses = dict.fromkeys(FORMS, 0.0)
    for _ in range(20):
        evidence = regress(open_survey(rng, hashed(rng, 100, 32, r=16), p, 5000, E3, 16))
        for form in FORMS:
            losses[form] += float(np.abs(HASHED[form](evidence).frequencies - p).sum()) / 20
    assert max(losses["nonnegative"], losses["projected"], losses["likelihood"]) < 0.6 * losses["unbiased"]
    assert losses["likelihood"] < 1.02 * losses["nonnegative"]


def test_colliding_candidates_share_in_every_form() -> None:
    rng = np.random.default_rng(5)
    table = hashed(rng, 8, 20, r=8)
    table[5] = table[1]
    evidence = regress(open_survey(rng, table, np.full(8, 0.1), 5000, E3, 8))
    for form in FORMS:
        found = HASHED[form](evidence).frequencies
        assert len(found) == 8
        assert found[5] == found[1]


@pytest.mark.parametrize("seed", range(40))
def test_odd_surveys_are_decoded_too(seed: int) -> None:
    """One person, one candidate, one cohort, next to no privacy or nothing but noise: no warning, no NaN."""
    rng = np.random.default_rng(seed)
    size, cohorts, r, n = (int(rng.choice(odd)) for odd in ((1, 2, 9), (1, 2, 5), (2, 3, 100), (1, 2, 500)))
    p, closed = rng.dirichlet(np.ones(size)), bool(rng.random() < 0.4)
    if seed % 2:
        table, ratio = hashed(rng, size, cohorts, r=r), math.exp(rng.choice([1e-3, 8, 20]))
        survey = CohortSurvey.responses(table, responses(rng, table, p, n, ratio, r), ratio, closed)
    else:
        table, flip = hashed(rng, size, cohorts, 3, r=r), float(rng.choice([1e-4, 0.4999]))
        survey = CohortSurvey.bloom(table, *bits(rng, table, p, n, flip, r), flip, closed)
    methods: tuple[Method, ...] = ("joint", "screened", "auto")
    for method in methods:
        evidence = regress(survey, method)
        low, high = evidence.interval(0.05, "sample").T
        assert (low <= high).all()
        assert (evidence.stderr() >= 0).all()  # infinite where candidates share their mass, never NaN
        assert np.isfinite(evidence.scores()).all()
        assert np.isfinite(evidence.pvalues()).all()
        for form in FORMS:
            found = HASHED[form](evidence)
            assert np.isfinite(found.frequencies).all()
            assert form == "unbiased" or found.frequencies.sum() + found.unlisted == pytest.approx(1)
