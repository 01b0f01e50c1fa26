"""Reports with weights: by every mechanism the same shares as its tally has, where all count alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.cases import each

import deniable as dn
from deniable.estimation.laws.cohort_law import CohortLaw
from deniable.estimation.laws.lists_law import ListsLaw
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import FAMILIES
from deniable.mechanisms.weighted_reports import label_scores
from deniable.protocol.errors import CapacityError, ParameterError

SAMPLES = [sample.make() for row in FAMILIES.values() for sample in row.samples]
PEOPLE = 40


def reports_of(mechanism: Mechanism) -> Any:
    values = list(mechanism.domain.every())
    held = [values[place] for place in np.random.default_rng(1).integers(0, len(values), PEOPLE)]
    return mechanism.privatize_many(held, seed=3)


def is_small(mechanism: Mechanism) -> bool:
    """Whether its values can be written out, and told apart."""
    try:
        return mechanism.domain.size is not None and bool(mechanism.domain.every()) and mechanism.law.leverage < 1e9
    except (CapacityError, ParameterError):
        return False


@each("mechanism", [m for m in SAMPLES if is_small(m)])
def test_people_who_count_alike_have_the_shares_of_their_tally(mechanism: Mechanism) -> None:
    """But for hashed reports, whose tallies weigh cohorts anew, and for lists of which few labels are asked for."""
    reports = reports_of(mechanism)
    plain = mechanism.estimate(reports, "unbiased")
    found = mechanism.estimate(reports, "unbiased", weights=np.full(PEOPLE, 2.5))
    law = mechanism.law
    if not isinstance(law, CohortLaw) and not (isinstance(law, ListsLaw) and law.spread != 1):
        assert found.unbiased == pytest.approx(plain.unbiased, abs=1e-9)
    doubled = mechanism.estimate(reports, "unbiased", weights=np.repeat([1.0, 3.0], PEOPLE // 2))
    halves = [mechanism.estimate(part, "unbiased", weights=np.ones(PEOPLE // 2)) for part in np.split(reports, 2)]
    assert doubled.unbiased == pytest.approx(halves[0].unbiased / 4 + halves[1].unbiased * 3 / 4, abs=1e-9)
    assert (found.interval()[:, 0] <= found.interval()[:, 1]).all()
    assert (found.stderr[plain.stderr > 0] > 0).all()


@each("mechanism", [dn.AskedItems(3, 1.0), dn.HashedResponse(1.0, 3, 5, range(7)), dn.PrivateSet(4, 1.0, most=2)])
def test_what_a_report_counts_is_unbiased_for_everybody(mechanism: Mechanism) -> None:
    """By enumeration of all reports, also where a tally's estimate is a ratio."""
    channel = mechanism.channel().probabilities
    worth = label_scores(mechanism.law, mechanism.layout, mechanism.layout.every_report(), mechanism.channel)
    values = list(mechanism.domain.every())
    labels = list(mechanism.domain.labels)
    held = np.array([[label in value if isinstance(value, tuple | list | frozenset) else label == value
                      for label in labels] for value in values], float)  # fmt: skip
    kept = np.array([not isinstance(mechanism, dn.PrivateSet) or row.sum() <= 2 for row in held])
    assert (channel @ worth.T)[kept] == pytest.approx(held[kept], abs=1e-9)


def test_what_cannot_be_weighted_is_refused() -> None:
    coin = dn.RandomizedResponse(["no", "yes"], 1.0)
    reports = coin.privatize_many(["no"] * 9, seed=1)
    with pytest.raises(
        ParameterError, match=r"weights, strata and clusters must go with reports themselves, .* got a tally"
    ):
        coin.estimate(coin.tally(reports), weights=np.ones(9))
    for wrong, told in [
        (np.ones(8), "a column of 9 numbers, one for each row, got 8 numbers"),
        ("heavy", "got something else"),
        ([1.0] * 8 + [0.0], "finite numbers above 0"),
        ([1.0] * 8 + [float("nan")], "finite numbers above 0"),
    ]:
        with pytest.raises(ParameterError, match=told):
            coin.estimate(reports, weights=wrong)
    with pytest.raises(ParameterError, match="decoder must be one of"):
        coin.estimate(reports, "likelihood", weights=np.ones(9))
    with pytest.raises(ParameterError, match="at least one, got none"):
        coin.estimate(coin.layout.empty(0), weights=[])
    with pytest.raises(ParameterError, match="got an open alphabet"):
        dn.HashedResponse(1.0, 3, 5).estimate([], candidates=["a"], weights=[])
