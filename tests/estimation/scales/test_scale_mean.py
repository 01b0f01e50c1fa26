"""The mean place on a scale: its value, error and interval against simulated surveys, and a wrong place that is caught.

Each check of a simulation rejects a right estimator at most once in 10^7 (normal and chi-square quantiles of scipy);
the seeds are fixed. The same checks reject an estimator that takes two neighbouring answers for each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy
from tests.lengths import by_length

import deniable as dn
from deniable.estimation.census_evidence import evidence_among
from deniable.estimation.evidence import Evidence
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.scales.scale_mean import mean_place

pytestmark = pytest.mark.soak
FALSE_ALARM = 1e-7
PLACES, PEOPLE, ROUNDS, MANY = 5, 600, by_length(600, 2000), 2000
TRUTH = np.array([0.05, 0.1, 0.2, 0.4, 0.25])
MEAN = float(TRUTH @ np.arange(1, PLACES + 1))
SKEWED = [[Fraction(6 if y == x else 1 + (y < x) * Fraction(1, 2)) for y in range(PLACES)] for x in range(PLACES)]
MADE: dict[str, Callable[[], dn.Mechanism]] = {
    "response": lambda: dn.RandomizedResponse(PLACES, 1.0),
    "subset": lambda: dn.Subset(PLACES, 1.0, 2),
    "unary": lambda: dn.OptimizedUnary(PLACES, 1.0),
    "channel": lambda: dn.Channel(PLACES, [[each / sum(row) for each in row] for row in SKEWED]),
}


class Simulated(NamedTuple):
    """The means of simulated surveys, their standard errors, and how many intervals missed the truth."""

    values: np.ndarray[Any, np.dtype[np.float64]]
    errors: np.ndarray[Any, np.dtype[np.float64]]
    missed: int


def simulated(
    mechanism: dn.Mechanism, mean: Callable[[Evidence], Quantity], size: int | None = None, rounds: int = ROUNDS
) -> Simulated:
    """Surveys of people who are drawn anew each time; with a ``size``, of the same people, all of whom answer."""
    rng, found, missed = np.random.default_rng(7), [], 0
    for _ in range(rounds):
        people = rng.multinomial(PEOPLE, TRUTH) if size is None else np.rint(TRUTH * size).astype(int)
        tally = mechanism.draw_tally(people, rng)
        evidence = mechanism.law.evidence(tally.n, tally.counts)
        told = mean(evidence if size is None else evidence_among(evidence, size))
        low, high = told.interval(0.95)
        missed += not low <= MEAN <= high
        found.append((told.value, told.stderr))
    values, errors = np.array(found).T
    return Simulated(values, errors, missed)


def is_unbiased(found: Simulated) -> bool:
    error = float(np.sqrt(np.mean(found.errors**2) / len(found.errors)))
    return bool(abs(found.values.mean() - MEAN) <= -scipy.special.ndtri(FALSE_ALARM / 2) * error)


def has_its_error(found: Simulated) -> bool:
    """The values vary as the errors say: their squares, over the mean of the errors', are a chi-square."""
    statistic = float(((found.values - found.values.mean()) ** 2).sum() / np.mean(found.errors**2))
    low, high = scipy.stats.chi2(len(found.values) - 1).ppf([FALSE_ALARM / 2, 1 - FALSE_ALARM / 2])
    return bool(low <= statistic <= high)


@pytest.mark.parametrize("name", MADE)
def test_the_mean_is_unbiased_and_errs_as_it_says(name: str) -> None:
    found = simulated(MADE[name](), lambda evidence: mean_place(evidence, PLACES))
    assert is_unbiased(found)
    assert has_its_error(found)
    assert scipy.stats.binom.sf(found.missed - 1, ROUNDS, 0.05) > FALSE_ALARM


@pytest.mark.parametrize("name", ["response", "subset"])
def test_of_a_census_the_error_is_the_protections_own(name: str) -> None:
    found = simulated(MADE[name](), lambda evidence: mean_place(evidence, PLACES), size=PEOPLE)
    assert is_unbiased(found)
    assert has_its_error(found)
    assert scipy.stats.binom.sf(found.missed - 1, ROUNDS, 0.05) > FALSE_ALARM


@pytest.mark.parametrize(("size", "told"), [(40, 40), (120, 80), (1000, 1000)])
@pytest.mark.parametrize("end", [0, -1])
def test_people_who_are_all_at_an_end_are_within_the_interval(size: int, told: int, end: int) -> None:
    """Half of the intervals missed when bounds were cut at the end before they were narrowed."""
    mechanism, generator, misses, surveys = MADE["response"](), np.random.default_rng(size), 0, by_length(200, 1000)
    everybody = np.zeros(PLACES, np.int64)
    everybody[end] = told
    for _ in range(surveys):
        tally = mechanism.draw_tally(everybody, generator)
        low, high = mean_place(evidence_among(mechanism.law.evidence(told, tally.counts), size), PLACES).interval(0.95)
        misses += not low <= (1, PLACES)[end] <= high
    assert misses <= scipy.stats.binom.isf(FALSE_ALARM, surveys, 0.05)


def test_a_wrong_place_is_caught() -> None:
    """An estimator for which two answers have changed places errs by the difference of their shares."""
    mechanism = MADE["subset"]()

    def wrong(evidence: Any) -> Quantity:
        counts = evidence.counts[[0, 1, 3, 2, 4]]
        return mean_place(evidence._replace(counts=counts), PLACES)

    found = simulated(mechanism, wrong)
    assert abs(MEAN - float(TRUTH[[0, 1, 3, 2, 4]] @ np.arange(1, PLACES + 1))) == pytest.approx(0.2)
    assert not is_unbiased(found)


@pytest.mark.parametrize("factor", [0.85, 1.15])
def test_a_wrong_error_is_caught(factor: float) -> None:
    def wrong(evidence: Evidence) -> Quantity:
        right = mean_place(evidence, PLACES)
        return Quantity(right.value, right.stderr * factor, right.bounds)

    assert not has_its_error(simulated(MADE["response"](), wrong, rounds=MANY))


def test_two_places_are_the_share_of_the_second() -> None:
    """Of two answers the mean is 1 plus a share, with the share's own exact interval."""
    mechanism = dn.RandomizedResponse(2, 1.0)
    evidence = mechanism.law.evidence(100, np.array([30, 70]))
    found = mean_place(evidence, 2)
    assert found.value == pytest.approx(1 + evidence.unbiased()[1], rel=1e-12)
    assert found.stderr == pytest.approx(evidence.stderr()[1], rel=1e-9)
    assert found.interval(0.9) == pytest.approx(tuple(1 + evidence.interval(0.1)[1].clip(0, 1)), rel=1e-9)


def test_where_nothing_is_known_of_pairs_the_error_is_no_less() -> None:
    known: Any = MADE["subset"]().law.evidence(6000, np.array([2400, 2300, 2400, 2500, 2400]))
    unknown = known._replace(joint=None)
    exact, safe = mean_place(known, PLACES), mean_place(unknown, PLACES)
    assert safe.value == pytest.approx(exact.value)
    assert safe.stderr > exact.stderr
    assert safe.interval()[0] < exact.interval()[0]


def test_bounds_keep_to_the_places() -> None:
    few = MADE["response"]().law.evidence(3, np.array([3, 0, 0, 0, 0]))
    low, high = mean_place(few, PLACES).interval(0.999)
    assert low == 1
    assert high <= PLACES
    assert math.isfinite(mean_place(few, PLACES).stderr)
