"""Asking a few labels of a list: the exact channel, the formulas of the sheet on checklists, draws and counts.

Golden numbers were found by enumeration apart from this code.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.mechanisms.lists.checking import check_fair, check_refusals, check_small

import deniable as dn
from deniable.estimation.lists_evidence import AskedEvidence
from deniable.protocol.odds import Odds
from deniable.theory.risk.support import Support

pytestmark = pytest.mark.soak
SHAPES = [(d, b) for d in (2, 3, 5) for b in (1, 2, 3, 5) if b <= d]


@pytest.mark.parametrize(("d", "b"), SHAPES)
def test_every_pattern_is_as_probable_as_the_odds_say(d: int, b: int) -> None:
    """The channel by its definition: a window, then the true pattern with A and each other one with B."""
    m = dn.AskedItems(d, 1.0, b)
    a, below = m.odds.above, m.odds.below
    windows = 1 if b == d else d
    total = windows * (a + (2**b - 1) * below)
    for x, row in enumerate(m.channel().exact):
        for y, chance in enumerate(row):
            window, pattern = divmod(y, 2**b)
            own = sum((x >> (window + place) % d & 1) << place for place in range(b))
            assert chance == Fraction(a if own == pattern else below, total)
    check_small(m)


def test_the_example_of_the_sheet() -> None:
    """A, B, v = 8, 3, 2 and u = 0, 7, 8, 10, 11, 13, 14, 16 give 2, 2, 3, 3, 0, 0, 1, 1."""
    m = dn.AskedItems(2, 1.0, together=2)
    vars(m)["odds"] = Odds(8, 3)
    assert m._total == 17

    class Coins:
        def __init__(self, coin: int) -> None:
            self.tape = [0, -(-coin * 2**64 // 17) + 1]  # the window, the coin

        def words(self, count: int) -> Any:
            return np.array([self.tape.pop(0)] + [0] * (count - 1), np.uint64)

        def part(self, index: int) -> Coins:
            return self

    drawn = [m.privatize([1], Coins(coin)) for coin in (0, 7, 8, 10, 11, 13, 14, 16)]
    assert drawn == [2, 2, 3, 3, 0, 0, 1, 1]


@pytest.mark.parametrize(
    ("d", "epsilon", "b", "share", "variance"),
    [(40, 1.0, 1, 0.1, 40.4269), (40, 2.0, 2, 0.1, 10.0205), (40, 4.0, 3, 0.1, 2.26932), (8, 0.5, 1, 0.25, 32.8416)],
)
def test_variances(d: int, epsilon: float, b: int, share: float, variance: float) -> None:
    m = dn.AskedItems(d, epsilon)
    assert m.together == b
    assert m.risk(10, "l2", [share] * d) * 10 / d == pytest.approx(variance, rel=1e-5)


def test_contrast_and_leverage() -> None:
    for epsilon, contrast in ((1.0, 0.462117), (2.0, 0.614979), (4.0, 0.870126)):
        assert dn.AskedItems(40, epsilon).law.support.gap == pytest.approx(contrast, abs=1e-6)
    assert dn.AskedItems(40, 1.0).law.leverage == pytest.approx(40 * 1.58, rel=2e-3)
    assert dn.AskedItems(2, 3.0, together=2).law.leverage < 1.2, "everybody is asked for everything"


def test_how_many_are_asked_together() -> None:
    for epsilon, b in ((1.743, 2), (3.424, 3), (4.642, 4), (5.685, 5)):
        assert dn.AskedItems(40, epsilon - 1e-3).together == b - 1
        assert dn.AskedItems(40, epsilon + 1e-3).together == b
    assert dn.AskedItems(3, 32.0).together == 3
    assert dn.AskedItems(1 << 20, 32.0).layout.outputs == 1 << 21
    with pytest.raises(dn.CapacityError, match="labels times 2\\^together must be at most"):
        dn.AskedItems(1 << 20, 1.0, together=7)
    for wrong in (0, 17, True, 1.5, "2"):
        given: Any = wrong
        with pytest.raises(dn.ParameterError, match=r"^together must"):
            dn.AskedItems(40, 1.0, given)
    with pytest.raises(dn.ParameterError, match=r"^together must be at most 3"):
        dn.AskedItems(3, 1.0, 4)


def test_the_risk_without_a_truth_is_the_worst() -> None:
    m = dn.AskedItems(5, 1.0)
    for target in ("population", "sample"):
        told: Any = target
        for loss in ("l2", "l1", "linf"):
            kind: Any = loss
            worst = m.risk(100, kind, target=told)
            assert worst == pytest.approx(m.risk(100, kind, [0.5] * 5, told))
            assert worst > m.risk(100, kind, [0.4] * 5, told)


@pytest.mark.parametrize(("d", "b"), [(3, 1), (5, 2), (3, 3), (70, 3)])
@pytest.mark.parametrize("n", [300, 20_000])
def test_intervals_cover(d: int, b: int, n: int) -> None:
    check_fair(dn.AskedItems(d, 2.0, b), n, seed=d + b)


def test_nobody_asked() -> None:
    """Of 40 labels two people are asked for one each: of the others nothing is known, and the estimate says so."""
    m = dn.AskedItems(40, 1.0)
    estimate = m.estimate(m.privatize_many([[0], [1]], seed=1))
    low, high = estimate.interval().T
    unknown = np.isinf(estimate.stderr)
    assert unknown.sum() in (38, 39)
    assert (low[unknown] == 0).all()
    assert (high[unknown] == 1).all()
    assert any("nobody was asked for 3" in note for note in estimate.notes)
    assert estimate.notes[0].startswith("people may hold several labels or none")
    assert "inf" in estimate.to_json()


def test_evidence_of_fixed_people_is_nearer_than_that_of_a_population() -> None:
    evidence = AskedEvidence(1000, np.array([500, 1000]), np.array([250, 400]), Support(0.75, 0.25, 0.5))
    population, sample = evidence.stderr(), evidence.stderr("sample")
    assert (sample < population).all()
    assert sample[1] == pytest.approx(np.sqrt(0.25 * 0.75 / 1000) / 0.5), "everybody was asked"


def test_bad_input() -> None:
    check_refusals(dn.AskedItems(["mail", "maps", "é"], 1.0))


@pytest.mark.parametrize("d", [64, 65, 1000])
def test_long_lists(d: int) -> None:
    m = dn.AskedItems(d, 6.0)
    odd = np.arange(d) % 2 == 1
    for share, row in ((1.0, odd | True), (0.0, odd & False)):
        estimate = m.estimate(m.privatize_many(np.tile(row, (10_000, 1)), seed=3), "unbiased")
        assert estimate.unbiased.mean() == pytest.approx(share, abs=0.02)
    found = m.estimate(m.privatize_many([np.flatnonzero(odd)] * 2000, seed=4), "unbiased").unbiased
    assert found[odd].mean() - found[~odd].mean() == pytest.approx(1, abs=0.2)


def test_a_crowd_hides_it_as_the_sheet_says() -> None:
    """crowd.md 2: of one delta the levels of three crowds."""
    m = dn.AskedItems(40, 2.0, together=2)
    levels = [dn.crowd.level(m, people) for people in (10**3, 10**4, 10**6)]
    assert levels == pytest.approx([0.351505, 0.101965, 0.00846773], rel=1e-3)
