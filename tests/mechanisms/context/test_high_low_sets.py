"""HighLowSubset and HighLowCyclic: where they beat Hadamard halves, coverage, errors as predicted, planted faults."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.lengths import by_length

import deniable as dn
from deniable.arrays import Column, Indices
from deniable.privacy.entropy import Entropy
from deniable.theory.risk.variance import Target

FAMILIES: list[Any] = [dn.HighLowSubset, dn.HighLowCyclic]
pytestmark = pytest.mark.soak
TARGETS: tuple[Target, ...] = ("population", "sample")
SURVEYS, ERRING = by_length((200, 500), (1500, 2000))
LEAST = float(stats.binom.ppf(1e-9, SURVEYS, 0.95)) / SURVEYS
"""Intervals of 95% cover at least this share of the surveys but for a false alarm of 1e-9."""


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 3.0, 5.0])
@pytest.mark.parametrize("sensitive", [5, 30, 100])
def test_sets_are_never_worse_than_what_there_was(sensitive: int, epsilon: float) -> None:
    """Size 1 is HighLowResponse; and at epsilon 0.5 a large half is a Hadamard half but for a few percent."""
    others = [f(1000, range(sensitive), epsilon).risk(1) for f in (dn.HighLowHadamard, dn.HighLowResponse)]
    assert dn.HighLowSubset(1000, range(sensitive), epsilon).risk(1) <= min(others) * (1 + 1e-9)
    assert dn.HighLowCyclic(1000, range(sensitive), epsilon).risk(1) <= 1.15 * min(others)


def test_error_goes_on_falling_with_epsilon() -> None:
    """Hadamard halves end at an error of the number of sensitive labels."""
    for family in FAMILIES:
        errors = [family(1000, range(100), epsilon).risk(1) for epsilon in (1.0, 2.0, 4.0, 8.0)]
        assert errors == sorted(errors, reverse=True)
        assert errors[-1] < 1.1
    assert dn.HighLowHadamard(1000, range(100), 8.0).risk(1) > 99


def test_size_one_is_high_low_response() -> None:
    one, known = dn.HighLowSubset(20, range(7), 1.0, size=1), dn.HighLowResponse(20, range(7), 1.0)
    truth = np.arange(1, 21) / 210
    assert one.risk(10, truth=truth) == pytest.approx(known.risk(10, truth=truth))
    assert one.law.leverage == pytest.approx(known.law.leverage)
    assert one.mutual_information() == pytest.approx(known.mutual_information())


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 3.0])
@pytest.mark.parametrize(("sensitive", "d"), [(1, 4), (2, 3), (5, 7), (6, 6), (8, 9)])
def test_audits_are_tight(family: Any, sensitive: int, d: int, epsilon: float) -> None:
    m = family(d, range(d - sensitive, d), epsilon)
    assert dn.audit(m).holds
    assert not m.guarantee.at(epsilon - 1e-6).holds(m)
    assert dn.audit_sampling(m, 20_000, seed=2).holds
    reports = m.layout.every_report()
    single = [m.estimate(reports[y : y + 1], "unbiased").unbiased.max() for y in range(m.layout.outputs)]
    assert max(single) == pytest.approx(m.law.leverage)


@pytest.mark.parametrize("n", [40, 700])
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("sensitive", [[0, 1, 2, 4, 6], range(7)])
def test_coverage(family: Any, sensitive: Any, n: int) -> None:
    """Where two labels are not sensitive, and where all are; label 4 nobody holds."""
    m, truth = family(7, sensitive, 0.5), np.array([0.3, 0.1, 0.05, 0.25, 0.0, 0.2, 0.1])
    generator, held = np.random.default_rng(5), {target: np.zeros(7) for target in TARGETS}
    for _ in range(SURVEYS):
        people = generator.multinomial(n, truth)
        found = m.estimate(m.draw_tally(people, generator), "unbiased")
        for target, meant in zip(TARGETS, (truth, people / n), strict=True):
            low, high = found.interval(target=target).T
            held[target] += (low <= meant + 1e-12) & (meant <= high + 1e-12)
    assert min(each.min() for each in held.values()) / SURVEYS >= LEAST


@pytest.mark.parametrize("family", FAMILIES)
def test_errors_are_those_predicted(family: Any) -> None:
    """Sums of squares of surveys of 5000 people, within five of their standard errors."""
    people = np.array([1500, 500, 250, 1250, 0, 1000, 500])
    m, generator = family(7, [0, 1, 2, 4, 6], 0.5), np.random.default_rng(6)
    found = np.array([m.estimate(m.draw_tally(people, generator), "unbiased").unbiased for _ in range(ERRING)])
    squares = ((found - people / 5000) ** 2).sum(axis=1)
    predicted, error = m.risk(5000, "l2", people / 5000, "sample"), squares.std() / np.sqrt(ERRING)
    assert abs(squares.mean() - predicted) < 5 * error < 0.2 * predicted


@pytest.mark.parametrize(
    "changed",
    [{"size": 0}, {"size": 5}, {"size": None}, {"size": 2.5}, {"sensitive": [0, 9]}, {"q": 2}, {"sensitive": [-1]}],
)
def test_tampered_sizes(changed: dict[str, Any]) -> None:
    spec = dn.HighLowSubset(8, range(5), 1.0).spec()
    assert dn.from_spec({**spec, "size": 4}) == dn.HighLowSubset(8, range(5), 1.0, size=4)
    with pytest.raises(dn.FormatError):
        dn.from_spec({**spec, **changed})


@pytest.mark.parametrize("changed", [{"q": 2, "t": 2}, {"q": None, "t": 3}, {"q": [2]}, {"q": 6, "t": 3}, {"size": 1}])
def test_tampered_designs(changed: dict[str, Any]) -> None:
    spec = dn.HighLowCyclic(8, range(5), 0.5).spec()
    assert (spec["q"], spec["t"]) == (2, 3)
    with pytest.raises(dn.FormatError):
        dn.from_spec({**spec, **changed})


class Named(dn.HighLowSubset):
    """Other labels always name themselves."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        sure = dn.HighLowSubset(self.domain, self.guarantee.sensitive, 20.0, size=self.size)
        reports, others = super().draw(values, entropy), ~np.isin(values, self.guarantee.places)
        return np.where(others[:, None], sure.draw(values, entropy), reports)


class Uneven(dn.HighLowCyclic):
    """Noise never is the last residue."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        reports = super().draw(values, entropy)
        return np.where(reports == self.design.length - 1, 0, reports).astype(reports.dtype)


@pytest.mark.parametrize("broken", [Named, Uneven])
def test_planted_faults_are_caught(broken: Any) -> None:
    assert not dn.audit_sampling(broken(7, range(5), 1.0), 20_000, seed=1).holds
