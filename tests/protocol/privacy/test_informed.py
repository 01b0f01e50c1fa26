"""Information privacy for a known prior: the boundary, the posterior's box, and what it implies."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deniable as dn
from deniable.privacy.matrix import Rows
from deniable.protocol.odds import log_upper

HALF = Fraction(1, 2)
SKEWED = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]

MEAN = dn.MutualInformationPrivacy(2, [0.3, 0.7], 1.0)


def informed(prior: Any, epsilon: float = 1.0) -> dn.InformationPrivacy:
    return dn.InformationPrivacy(len(prior), prior, epsilon)


def below(level: float) -> float:
    return level * (1 - 1e-12)


@st.composite
def priors(draw: st.DrawFn, d: int = 3) -> list[float]:
    """Sixteenths, zeros among them: exact as floats."""
    cuts = sorted(draw(st.lists(st.integers(0, 16), min_size=d - 1, max_size=d - 1)))
    return [(b - a) / 16 for a, b in zip([0, *cuts], [*cuts, 16], strict=True)]


@st.composite
def rows(draw: st.DrawFn, d: int = 3) -> Rows:
    width = draw(st.integers(2, 4))
    each = st.lists(st.integers(0, 6), min_size=width, max_size=width).filter(any)
    weights = [draw(each) for _ in range(d)]
    common = math.lcm(*map(sum, weights))
    return Rows.of([[w * (common // sum(row)) for w in row] for row in weights])


def lifts(prior: list[float], channel: Rows) -> list[Fraction]:
    """Every Q/lam of a value and report that the prior allows."""
    cells, p = channel.fractions(), [Fraction(share) for share in prior]
    chances = [sum((a * row[y] for a, row in zip(p, cells, strict=True)), Fraction(0)) for y in range(cells.shape[1])]
    seen = [y for y, chance in enumerate(chances) if chance]
    return [Fraction(cells[x, y]) / chances[y] for x in range(len(p)) if p[x] for y in seen]


def test_both_sides_of_the_boundary() -> None:
    """The rarer value is lifted by 3/4 over 3/8: exactly 2; lowered by 1/4 over 5/8, which is farther."""
    prior = [0.75, 0.25]
    least = informed(prior).tightest(SKEWED)
    assert least == log_upper(Fraction(5, 2))
    for level, keeps in ((least, True), (below(least), False)):
        for matrix in (SKEWED, np.array(SKEWED, float), dn.Channel(2, SKEWED)):
            assert informed(prior).at(level).holds(matrix) is keeps
    assert informed([0.5, 0.5]).tightest(SKEWED) == log_upper(Fraction(2))


def test_rows_of_impossible_values_are_not_bound() -> None:
    matrix = [[HALF, HALF, 0], [HALF, HALF, 0], [0, 0, 1]]
    assert informed([0.5, 0.5, 0.0]).tightest(matrix) == 0.0
    assert informed([0.5, 0.25, 0.25]).tightest(matrix) == math.inf
    assert informed([1.0, 0.0, 0.0]).tightest([[1, 0], [0, 1], [0, 1]]) == 0.0


@given(priors(), rows())
def test_the_level_is_the_worst_lift(prior: list[float], channel: Rows) -> None:
    """And with it every posterior is within a factor e^eps of its prior."""
    found = lifts(prior, channel)
    least = informed(prior).tightest(channel.fractions())
    if min(found) == 0:
        assert least == math.inf
    else:
        assert informed(prior).judge(channel).ratio == max(1, *found, *(1 / lift for lift in found))
        box = Fraction(math.exp(least)) * (1 + Fraction(1, 10**12))
        assert all(1 / box <= lift <= box for lift in found)


@given(priors(), rows())
def test_ldp_implies_lip_implies_twice_ldp(prior: list[float], channel: Rows) -> None:
    cells, likely = channel.fractions(), [x for x, p in enumerate(prior) if p]
    least = informed(prior).tightest(cells)
    assert least <= dn.LDP(1.0).tightest(cells)
    if len(likely) > 1 and least < math.inf:
        assert dn.LDP(1.0).tightest(cells[likely]) <= 2 * least * (1 + 1e-15)


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 5.0])
def test_twice_is_reached(epsilon: float) -> None:
    """Two rare values with opposite lifts t and 1/t; the common third keeps the mean at 1."""
    t, p = math.exp(epsilon), 1e-4
    lam, s = 1e-3, (1 - p * (t + 1 / t)) / (1 - 2 * p)
    column = np.array([t, 1 / t, s]) * lam
    channel = np.stack([column, 1 - column], axis=1)
    assert informed([p, p, 1 - 2 * p]).tightest(channel) == pytest.approx(epsilon, rel=1e-9)
    assert dn.LDP(1.0).tightest(channel) == pytest.approx(2 * epsilon, rel=1e-9)
    assert informed([p, p, 1 - 2 * p], epsilon).plain == 2 * epsilon


@given(priors(), rows())
def test_information_is_at_most_the_level(prior: list[float], channel: Rows) -> None:
    promise, cells = informed(prior), channel.fractions()
    told = promise.mutual_information(cells)
    assert told <= promise.tightest(cells) + 1e-12
    p = np.array(prior)
    joint = p[:, None] * channel.floats()
    with np.errstate(divide="ignore", invalid="ignore"):
        by_hand = np.nansum(np.where(joint > 0, joint * np.log(joint / np.outer(p, joint.sum(axis=0))), 0))
    assert told == pytest.approx(by_hand, abs=1e-12)


def test_information_of_known_channels() -> None:
    assert informed([0.5, 0.5]).mutual_information([[1, 0], [0, 1]]) == pytest.approx(math.log(2))
    assert informed([0.5, 0.5]).mutual_information([[1, 0], [1, 0]]) == 0.0
    assert informed([1.0, 0.0]).mutual_information([[1, 0], [0, 1]]) == 0.0
    for promise in (informed([0.3, 0.7], 0.5), dn.LDP(0.5)):
        assert MEAN.level_from(promise) == pytest.approx(0.5 * math.tanh(0.25), rel=1e-9)
    most = -0.3 * math.log(0.3) - 0.7 * math.log(0.7)  # the entropy of the prior, which a label may show
    assert MEAN.level_from(dn.HighLow(2, [0], 0.5)) == pytest.approx(most, rel=1e-9)


@pytest.mark.parametrize(
    "prior",
    [
        [0.5, 0.6],
        [0.5, 0.4],
        [-0.5, 1.5],
        [math.nan, 1.0],
        [math.inf, 0.0],
        [1.0],
        [0.2, 0.3, 0.5],
        ["0.5", "0.5"],
        "ab",
        [True, False],
        [[0.5, 0.5]],
        None,
        1,
        [],
    ],
)
def test_what_is_no_prior(prior: Any) -> None:
    for family in (dn.InformationPrivacy, dn.InformedResponse):
        with pytest.raises(dn.ParameterError, match=r"^prior must"):
            family(2, prior, 1.0)


def test_priors_come_in_any_shape() -> None:
    one = dn.InformationPrivacy(2, [0.25, 0.75], 1)
    assert one == dn.InformationPrivacy(2, np.array([0.25, 0.75]), 1.0)
    assert one == dn.InformationPrivacy(2, iter((0.25, 0.75)), 1.0)
    assert one == dn.InformationPrivacy(2, np.array([1, 3]) / 4, 1.0)
    assert hash(one) == hash(dn.InformationPrivacy(2, (0.25, 0.75), 1.0))
    assert one != dn.InformationPrivacy(2, [0.75, 0.25], 1.0)
