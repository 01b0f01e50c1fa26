"""The promise of single labels: exact pairs of lists, levels of whole lists, implication, sums and JSON."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import deniable as dn
from deniable.privacy.guarantee_json import from_dict, to_dict

COIN = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]


def product(d: int, one: list[list[Fraction]]) -> list[list[Fraction]]:
    """The channel of independent answers about d labels."""
    return [
        [math.prod((one[x >> j & 1][y >> j & 1] for j in range(d)), start=Fraction(1)) for y in range(2**d)]
        for x in range(2**d)
    ]


def test_each_label_by_itself() -> None:
    channel = product(3, COIN)
    assert dn.EachItem(3, 1.1).holds(channel)
    assert not dn.EachItem(3, 1.09).holds(channel)
    assert dn.EachItem(3, 1.0).tightest(channel) == pytest.approx(math.log(3))
    assert dn.LDP(1.0).tightest(channel) == pytest.approx(3 * math.log(3))


def test_every_pair_is_within_its_level() -> None:
    """Lists that differ in s labels are within e^(s epsilon), although only neighbours are looked at."""
    generator = np.random.default_rng(1)
    channel = generator.dirichlet(np.full(5, 5.0), 8)
    promise = dn.EachItem(3, 1.0).at(dn.EachItem(3, 1.0).tightest(channel))
    for x, z in itertools.permutations(range(8), 2):
        assert np.log(channel[x] / channel[z]).max() <= promise.pair_level(x, z) + 1e-9
        assert promise.pair_level(x, z) == promise.epsilon * (x ^ z).bit_count()


def test_one_sided() -> None:
    sure = [[Fraction(2, 3), Fraction(1, 3)], [Fraction(0), Fraction(1)]]
    promise = dn.EachItem(2, 1.1, one_sided=True)
    assert promise.holds(product(2, sure))
    assert not dn.EachItem(2, 1.0, one_sided=True).holds(product(2, sure))
    assert not dn.EachItem(2, 30.0).holds(product(2, sure))
    assert promise.pair_level(0b11, 0b00) == 2.2
    assert promise.pair_level(0b01, 0b10) == promise.pair_level(0b00, 0b01) == math.inf
    assert promise.plain == promise.plain == math.inf


def test_what_follows_from_what() -> None:
    many = dn.EachItem(40, 0.5)
    assert many.plain == many.plain == 20.0
    assert dn.implies(dn.LDP(0.5), many)
    assert not dn.implies(dn.LDP(0.6), many)
    assert dn.implies(many, dn.LDP(20.0))
    assert not dn.implies(many, dn.LDP(19.9))
    assert dn.implies(many, dn.EachItem(40, 0.6))
    assert not dn.implies(many, dn.EachItem(40, 0.4))
    assert not dn.implies(dn.EachItem(3, 1.0, one_sided=True), dn.EachItem(3, 1.0))
    assert dn.implies(dn.EachItem(3, 1.0), dn.EachItem(3, 1.0, one_sided=True))


def test_unlike_sides_are_compared_and_added_by_their_levels() -> None:
    """Nothing is written out over 2^d lists; where it can be, on few labels, the result is the same."""
    both, one = dn.EachItem(1000, 0.5), dn.EachItem(1000, 0.6, one_sided=True)
    assert dn.implies(both, one)
    assert not dn.implies(one, both)
    assert not dn.implies(both, one.at(0.4))
    assert not dn.implies(both, dn.EachItem(999, 0.6, one_sided=True))
    assert dn.composed([both, one, both]) == one.at(1.6)
    few, side = dn.EachItem(3, 0.5), dn.EachItem(3, 0.25, one_sided=True)
    total = dn.composed([few, side])
    for x, z in itertools.permutations(range(8), 2):
        assert total.pair_level(x, z) == few.pair_level(x, z) + side.pair_level(x, z)


def test_levels_of_lists_add_as_decimals() -> None:
    assert dn.EachItem(3, 0.1).plain == dn.EachItem(4, 0.1).pair_level(0b1011, 0b0000) == 0.3


def test_sums() -> None:
    assert dn.composed([dn.EachItem(40, 0.5), dn.EachItem(40, 0.25)]) == dn.EachItem(40, 0.75)
    both = dn.composed([dn.EachItem(2, 0.5), dn.LDP(1.0)])
    assert isinstance(both, dn.Pairwise)
    assert both.claimed == 2.0
    with pytest.raises(dn.CapacityError, match="at most 12 labels"):
        dn.composed([dn.EachItem(40, 0.5), dn.LDP(1.0)])


@pytest.mark.parametrize("one_sided", [False, True])
def test_json(one_sided: bool) -> None:
    promise = dn.EachItem(["mail", "é"], 1.0, one_sided)
    side = "holding" if one_sided else "both"
    assert to_dict(promise) == {"domain": ["mail", "é"], "each_item": side, "epsilon": 1.0}
    assert from_dict(to_dict(promise)) == promise
    assert str(from_dict(to_dict(promise))) == str(promise)


@pytest.mark.parametrize("side", ["", "sides", True, 1, None, []])
def test_other_sides_are_refused(side: Any) -> None:
    with pytest.raises(dn.FormatError, match="each_item must be one of both, holding"):
        from_dict({"domain": 2, "each_item": side, "epsilon": 1.0})


def test_other_channels_are_refused() -> None:
    with pytest.raises(dn.ParameterError, match="matrix must have 8 rows"):
        dn.EachItem(3, 1.0).holds([[0.5, 0.5], [0.5, 0.5]])
    with pytest.raises(dn.CapacityError, match="at most 12 labels to be written out"):
        dn.EachItem(13, 1.0).holds([[0.5, 0.5], [0.5, 0.5]])
