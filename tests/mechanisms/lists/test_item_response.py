"""A coin for each label of a list: the exact channel, the promise of single labels, and what whole lists lose.

Golden numbers are those of docs/mechanisms/item-response.md, found by enumeration apart from this code.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.mechanisms.lists.checking import check_agreement, check_fair, check_refusals, check_small

import deniable as dn
from deniable.protocol.odds import exp_lower
from deniable.protocol.words import WORD

pytestmark = pytest.mark.soak


@pytest.mark.parametrize("one_sided", [False, True])
@pytest.mark.parametrize("d", [2, 3, 4])
def test_every_answer_is_independent(d: int, one_sided: bool) -> None:
    """The channel by its definition: a product over the labels."""
    m = dn.ItemResponse(d, 1.0, one_sided)
    yes, wrong = Fraction(m.odds.above, WORD), Fraction(m.odds.below, WORD)
    assert yes == (1 if one_sided else 1 - wrong)
    for x, row in enumerate(m.channel().exact):
        for y, chance in enumerate(row):
            each = [(yes if x >> j & 1 else wrong, y >> j & 1) for j in range(d)]
            assert chance == math.prod(p if said else 1 - p for p, said in each)
    check_small(m)


def test_whole_lists_are_further_apart() -> None:
    m = dn.ItemResponse(3, 1.0)
    rows = m.channel().rows
    assert rows.worst_ratio([0], [7]) == m.odds.ratio**3
    assert float(rows.worst_ratio()) == pytest.approx(math.exp(3))
    assert not dn.LDP(2.9).holds(m.channel())
    assert dn.LDP(3.0).holds(m.channel())
    assert math.exp(dn.ItemResponse(10, 1.0).guarantee.plain) == pytest.approx(22026, abs=1)


def test_one_sided_protects_holding_alone() -> None:
    """A 1 is at most e^epsilon times likelier with the label than without it; a 0 is a sure no."""
    m = dn.ItemResponse(2, 1.0, one_sided=True)
    rows = m.channel().exact
    with_it, without = rows[1], rows[0]
    assert max(a / b for a, b in zip(with_it, without, strict=True)) == m.odds.ratio <= exp_lower(1)
    assert with_it[0] == 0 < without[0]
    assert dn.LDP(30.0).tightest(m.channel()) == math.inf


@pytest.mark.parametrize(("one_sided", "variance"), [(False, 1.01067), (True, 0.613779)])
def test_variances(one_sided: bool, variance: float) -> None:
    m = dn.ItemResponse(40, 1.0, one_sided)
    assert m.risk(10, "l2", [0.1] * 40) * 10 / 40 == pytest.approx(variance, rel=1e-5)
    assert m.law.leverage == pytest.approx(1 if one_sided else math.e / (math.e - 1))


@pytest.mark.parametrize("one_sided", [False, True])
@pytest.mark.parametrize("n", [300, 20_000])
def test_intervals_cover(n: int, one_sided: bool) -> None:
    check_fair(dn.ItemResponse(5, 1.0, one_sided), n, seed=n)


@pytest.mark.parametrize("one_sided", [False, True])
def test_aggregate_draws_agree_with_draws(one_sided: bool) -> None:
    check_agreement(dn.ItemResponse(66, 1.0, one_sided), [[], [0, 65], list(range(66))], [20, 30, 10])


@pytest.mark.parametrize("d", [64, 65, 1000])
def test_long_lists(d: int) -> None:
    m = dn.ItemResponse(d, 5.0)
    held = np.arange(d) % 3 == 1
    found = m.estimate(m.privatize_many(np.tile(held, (2000, 1)), seed=3), "unbiased").unbiased
    assert np.abs(found - held).max() < 0.03
    assert m.privatize_many([[d - 1]]).shape == (1, -(-d // 8))


@pytest.mark.parametrize("one_sided", [False, True])
def test_bad_input(one_sided: bool) -> None:
    check_refusals(dn.ItemResponse(["mail", "maps", "é"], 1.0, one_sided))


def test_what_is_promised_is_said() -> None:
    assert str(dn.ItemResponse(10, 1.0).guarantee) == "1-LDP for each of 10 labels by itself, 10-LDP for whole lists"
    assert "that a label is not held may show" in str(dn.ItemResponse(10, 1.0, True).guarantee)
    assert "for whole lists" in str(dn.audit(dn.ItemResponse(40, 1.0)))
    for wrong in (None, 1, "yes"):
        given: Any = wrong
        with pytest.raises(dn.ParameterError, match=r"^one_sided must be True or False"):
            dn.ItemResponse(10, 1.0, given)


def test_specs_say_one_sided_only_where_it_is() -> None:
    assert "one_sided" not in dn.ItemResponse(3, 1.0).spec()
    assert dn.from_spec(dn.ItemResponse(3, 1.0, True).spec()) == dn.ItemResponse(3, 1.0, True)
    with pytest.raises(dn.FormatError):
        dn.from_spec({**dn.ItemResponse(3, 1.0).spec(), "one_sided": False})
