"""Whole surveys: who is drawn in aggregate and who is not, and the same survey many times over."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import deniable as dn
from deniable.engines.repeat import surveys
from deniable.engines.simulate import AGGREGATE_FROM, cheaper_in_aggregate, in_aggregate, simulate_tally
from deniable.estimation.decoders import COMPOSITE
from deniable.estimation.simplex import project
from deniable.mechanisms.mechanism import evidence_of
from studies.repeat import label_surveys


def test_reports_are_what_they_were() -> None:
    """Seeds keep their meaning: the counts of every report made, as before there were aggregates."""
    for aggregate_ in (None, False):
        tally = simulate_tally(dn.Subset(5, 1.0), [0.4, 0.3, 0.2, 0.1, 0.0], 1000, 7, aggregate=aggregate_)
        assert tally.counts.tolist() == [258, 203, 208, 180, 151]


def test_who_is_drawn_in_aggregate() -> None:
    m, truth = dn.RandomizedResponse(4, 1.0), [0.4, 0.3, 0.2, 0.1]
    assert not in_aggregate(m, AGGREGATE_FROM)
    assert in_aggregate(m, AGGREGATE_FROM + 1)
    assert in_aggregate(m, 10, aggregate=True)
    assert not in_aggregate(m, 10**9, aggregate=False)
    assert not in_aggregate(dn.Rappor(4, 1.0), 10**9, decoder="likelihood")
    assert not in_aggregate(dn.HashedResponse(1.0, 16, 1024), 10**8, candidates=10**6)
    drawn = simulate_tally(m, truth, 500, 7, aggregate=True)
    assert drawn == simulate_tally(m, truth, 500, 7, aggregate=True)
    assert drawn != simulate_tally(m, truth, 500, 8, aggregate=True)
    assert drawn.n == 500
    told: list[int] = []
    assert simulate_tally(m, truth, 10**10, 7, told.append).n == sum(told) == 10**10


def test_a_decoder_that_needs_reports_gets_them_or_says_so() -> None:
    truth = [0.4, 0.3, 0.2, 0.1]
    assert dn.simulate(dn.Subset(4, 1.0), truth, 500, 7, "likelihood").decoder == "likelihood"
    assert dn.simulate(dn.Subset(4, 1.0), truth, 500, 7, "likelihood", aggregate=True).decoder == COMPOSITE
    with pytest.raises(dn.ParameterError, match=r"^the likelihood needs the reports"):
        dn.simulate(dn.HighLowRappor(4, [0], 1.0), truth, 500, 7, "likelihood", aggregate=True)
    wrong: Any = 1
    with pytest.raises(dn.ParameterError, match=r"^aggregate must be"):
        dn.simulate(dn.Subset(4, 1.0), truth, 500, 7, aggregate=wrong)
    with pytest.raises(dn.ParameterError, match=r"^people must be at most"):
        dn.simulate(dn.Subset(4, 1.0), truth, 2**41, 7)


def test_open_surveys_in_aggregate() -> None:
    found = dn.simulate(
        dn.HashedResponse(2.0, 16, 64), [0.6, 0.4], 10**8, 3, "unbiased", ["ant", "bee"], aggregate=True
    )
    assert found.frequencies == pytest.approx([0.6, 0.4], abs=0.01)
    assert found.n == 10**8


@pytest.mark.parametrize("target", ["population", "sample"])
def test_repeated_surveys_err_as_predicted(target: Any) -> None:
    """2,000 surveys: the mean squared error is known to 4%; that of counts drawn apart agrees, label by label."""
    m, truth, n = dn.RandomizedResponse(2, 1.0), np.array([0.7, 0.3]), 1000
    found = list(surveys(m, truth, n, 5, 2000, target))
    assert [s.tally for s in surveys(m, truth, n, 5, 3, target)] == [s.tally for s in found[:3]]
    assert len({tuple(s.people) for s in found}) == 1 or target == "population"
    errors = [evidence_of(m, s.tally).unbiased() - (truth if target == "population" else s.people / n) for s in found]
    predicted = m.risk(n, truth=truth, target=target)
    assert (np.array(errors) ** 2).sum(axis=1).mean() == pytest.approx(predicted, rel=0.2)
    apart = list(label_surveys(m, truth, n, 5, 2000, target))
    assert np.array_equal(apart[0].people, found[0].people)
    errors = [s.evidence.unbiased() - (truth if target == "population" else s.people / n) for s in apart]
    assert (np.array(errors) ** 2).sum(axis=1).mean() == pytest.approx(predicted, rel=0.2)


def test_repeats_make_reports_where_that_is_less_work() -> None:
    """Small surveys of a mechanism with a long walk; 400 of them err as predicted."""
    m, truth, n = dn.Subset(6, 1.0), np.array([0.5, 0.2, 0.1, 0.1, 0.1, 0.0]), 30
    assert not cheaper_in_aggregate(m, n)
    found = list(surveys(m, truth, n, 5, 400))
    assert [s.tally for s in surveys(m, truth, n, 5, 3)] == [s.tally for s in found[:3]]
    assert len({tuple(s.tally.counts) for s in found}) > 300
    errors = np.array([evidence_of(m, s.tally).unbiased() - truth for s in found])
    assert (errors**2).sum(axis=1).mean() == pytest.approx(m.risk(n, truth=truth), rel=0.25)


def test_two_binomials_are_not_one_response() -> None:
    """wang2016's Table 1 at two labels: projected, the mechanism errs twice as much as counts drawn apart."""
    m, truth, n = dn.RandomizedResponse(2, 1.0), [0.5, 0.5], 10_000
    real = [project(evidence_of(m, s.tally).unbiased()) - s.people / n for s in surveys(m, truth, n, 5, 1000, "sample")]
    apart = [project(s.evidence.unbiased()) - s.people / n for s in label_surveys(m, truth, n, 5, 1000, "sample")]
    assert 1.6 < (np.array(real) ** 2).sum() / (np.array(apart) ** 2).sum() < 2.4


def test_bad_surveys() -> None:
    m = dn.RandomizedResponse(2, 1.0)
    for wrong in ({"target": "all"}, {"repeats": -1}, {"repeats": 1.5}, {"users": 0}, {"truth": [1, 1]}, {"seed": -1}):
        arguments: dict[str, Any] = {"truth": [0.5, 0.5], "users": 10, "seed": 1, "repeats": 2} | wrong
        for made in (surveys, label_surveys):
            with pytest.raises(dn.ParameterError, match=rf"^{next(iter(wrong))} must"):
                made(m, **arguments)
    signed: Any = dn.Hadamard(2, 1.0)
    with pytest.raises(dn.ParameterError, match=r"^mechanism must count supports"):
        label_surveys(signed, [0.5, 0.5], 10, 1, 2)
