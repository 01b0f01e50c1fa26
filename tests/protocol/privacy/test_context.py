"""Pairwise, high-low and block guarantees: both sides of the boundary, zeros and infinities, and what they imply."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deniable as dn
from deniable.privacy.matrix import Rows
from deniable.protocol.odds import log_upper
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.protocol.privacy.rows import within

INF = math.inf
THIRD = Fraction(1, 3)
SKEWED = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 2), Fraction(1, 2)]]
"""First against second: 3/2; second against first: 2."""
FIRST, SECOND = log_upper(Fraction(3, 2)), log_upper(Fraction(2))


def below(level: float) -> float:
    return level * (1 - 1e-12)


@st.composite
def channels(draw: st.DrawFn, d: int = 3, zeros: bool = True) -> Rows:
    """Small whole-number weights with one total, zeros and faint probabilities among them."""
    least = 0 if zeros else 1
    width = draw(st.integers(2, 4))
    cells = st.lists(st.lists(st.integers(least, 6), min_size=width, max_size=width), min_size=d, max_size=d)
    weights = draw(cells.filter(lambda rows: all(map(any, rows))))
    common = math.lcm(*map(sum, weights))
    return Rows.of([[w * (common // sum(row)) for w in row] for row in weights])


@st.composite
def level_matrices(draw: st.DrawFn, d: int = 3) -> dn.Pairwise:
    levels = st.sampled_from([0.0, 0.4, math.log(2), log_upper(Fraction(2)), 1.1, log_upper(Fraction(3)), 2.0, INF])
    return dn.Pairwise(d, [[draw(levels) for _ in range(d)] for _ in range(d)])


def by_hand(promise: dn.Pairwise, rows: Rows) -> bool:
    """Every pair and report in Fractions."""
    d, cells = len(promise.domain), rows.fractions()
    return all(
        promise.matrix[x][z] == INF or within(max((Fraction(1), *ratios(cells[x], cells[z]))), promise.matrix[x][z])
        for x in range(d)
        for z in range(d)
        if x != z
    )


def ratios(above: Any, under: Any) -> list[Any]:
    return [INF if b == 0 else Fraction(a) / b for a, b in zip(above, under, strict=True) if a]


@pytest.mark.parametrize(
    ("first", "second", "keeps"),
    [
        (FIRST, SECOND, True),
        (below(FIRST), SECOND, False),
        (FIRST, below(SECOND), False),
        (SECOND, FIRST, False),  # the levels belong to their direction
        (INF, SECOND, True),
        (FIRST, INF, True),
        (0, INF, False),
        (0, 0, False),
        (INF, INF, True),
    ],
)
def test_pairwise_has_a_level_each_way(first: float, second: float, keeps: bool) -> None:
    promise = dn.Pairwise(["a", "b"], [[0, first], [second, 0]])
    assert promise.holds(SKEWED) is keeps
    assert promise.holds(np.array(SKEWED, float)) is keeps
    assert promise.holds(dn.Channel(["a", "b"], SKEWED)) is keeps


def test_zero_levels_want_equal_rows() -> None:
    promise = dn.Pairwise(3, [[0, 0, 1], [0, 0, 1], [1, 1, 0]])
    other = [Fraction(1, 2), Fraction(1, 2)]
    assert promise.holds([[THIRD, 1 - THIRD], [THIRD, 1 - THIRD], other])
    assert not promise.holds(
        [[THIRD, 1 - THIRD], [THIRD + Fraction(1, 10**30), 1 - THIRD - Fraction(1, 10**30)], other]
    )


def test_infinite_levels_allow_what_rules_out() -> None:
    certain = [[1, 0], [THIRD, 1 - THIRD]]
    assert dn.Pairwise(2, [[0, log_upper(Fraction(3))], [INF, 0]]).holds(certain)
    assert not dn.Pairwise(2, [[0, INF], [64, 0]]).holds(certain)
    assert dn.Pairwise(2, [[0, INF], [INF, 0]]).judge(Rows.read(certain)).level == INF


def test_tightest_pairwise_is_kept_and_nothing_less() -> None:
    least = dn.Pairwise(2, [[0, 1], [1, 0]]).tightest(SKEWED)
    assert least.tolist() == [[0, FIRST], [SECOND, 0]]
    assert dn.Pairwise(2, least).holds(SKEWED)


def test_high_low_binds_the_sensitive_only() -> None:
    matrix = [[THIRD, THIRD, THIRD], [Fraction(2, 3), THIRD, 0], [THIRD, 0, Fraction(2, 3)]]
    assert dn.HighLow(3, [0], 1.0).tightest(matrix) == INF  # the first label is seen where the second never is
    own = [[1, 0, 0], [Fraction(2, 5), Fraction(3, 5), 0], [Fraction(2, 5), 0, Fraction(3, 5)]]
    least = dn.HighLow(3, [0], 1.0).tightest(own)
    assert least == log_upper(Fraction(5, 2))
    assert dn.HighLow(3, [0], least).holds(own)
    assert not dn.HighLow(3, [0], below(least)).holds(own)
    assert not dn.HighLow(3, [1], 32).holds(own)
    assert dn.HighLow(3, [0, 1, 2], 1.0).tightest(own) == dn.LDP(1.0).tightest(own) == INF


def test_blocks_bind_within_only() -> None:
    a, b = [Fraction(3, 4), Fraction(1, 4), 0, 0], [Fraction(1, 4), Fraction(3, 4), 0, 0]
    rows = [a, [0, 0, 1, 0], b, [0, 0, Fraction(1, 2), Fraction(1, 2)]]
    apart = dn.Blocks([[0, 2], [1], [3]], 1.0, domain=4)
    assert apart.tightest(rows) == log_upper(Fraction(3))
    assert apart.at(log_upper(Fraction(3))).holds(rows)
    assert not apart.at(below(log_upper(Fraction(3)))).holds(rows)
    assert dn.Blocks([[0, 2], [1, 3]], 1.0, domain=4).tightest(rows) == INF
    assert dn.Blocks([[0], [1], [2], [3]], 1.0).tightest(rows) == 0.0


def test_a_mechanism_is_asked_by_its_rows() -> None:
    m = dn.HighLowHadamard(4, [1], 1.0)
    assert dn.HighLow(4, [1], 1.0).holds(m)
    assert not dn.HighLow(4, [1], 1 - 1e-6).holds(m)
    assert not dn.HighLow(4, [2], 32).holds(m)


@settings(max_examples=400)
@given(level_matrices(), channels())
def test_the_prefilter_agrees_with_every_pair_by_hand(promise: dn.Pairwise, rows: Rows) -> None:
    assert promise.judge(rows).holds == by_hand(promise, rows)


def faint(weights: list[list[int]], share: int) -> list[list[Fraction]]:
    """The channel times 10^-share, and what is left in one more report of all."""
    hair, each = Fraction(1, 10**share), sum(weights[0])
    return [[*(hair * Fraction(w, each) for w in row), 1 - hair] for row in weights]


@pytest.mark.parametrize("share", [280, 300, 330])
def test_faint_probabilities_are_told_apart_exactly(share: int) -> None:
    """Probabilities that floats lose still break a level, or keep it to the last digit."""
    rows = Rows.read(faint([[1, 4, 3], [2, 4, 2], [4, 3, 1]], share))
    two, three, four = (log_upper(Fraction(n)) for n in (2, 3, 4))
    kept = [[0, log_upper(Fraction(3, 2)), three], [two, 0, two], [four, two, 0]]
    assert dn.Pairwise(3, kept).judge(rows).holds
    for x, z in ((0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)):
        less = np.array(kept)
        less[x, z] = below(less[x, z])
        verdict = dn.Pairwise(3, less).judge(rows)
        assert not verdict.holds
        assert (verdict.level, verdict.ratio) == (less[x, z], rows.worst_ratio([x], [z]))


@given(channels(zeros=False), channels(4, zeros=False))
def test_post_processing_keeps_every_guarantee(rows: Rows, after: Rows) -> None:
    """What a channel keeps, its reports through any other channel keep."""
    width = rows.weights.shape[1]
    cells, then = rows.fractions(), after.fractions()[:width]
    through = cells @ then
    assert dn.Pairwise(3, dn.Pairwise(3, np.ones((3, 3))).tightest(rows.fractions())).holds(through)
    for promise in (dn.HighLow(3, [1], 1.0), dn.Blocks([[0, 2], [1]], 1.0, domain=3)):
        assert promise.tightest(through) <= promise.tightest(cells)


@given(channels(), st.lists(st.integers(1, 9), min_size=3, max_size=3))
def test_posterior_odds_move_by_no_more_than_the_level(rows: Rows, prior: list[int]) -> None:
    """acharya2019, proposition 3: posterior odds <= e^E times prior odds; and in equality for the tightest E."""
    promise, cells = dn.Pairwise(3, np.ones((3, 3))), rows.fractions()
    least = promise.tightest(cells)
    for x in range(3):
        for z in range(3):
            odds = [
                Fraction(prior[x] * a, prior[z] * b) if b else INF
                for a, b in zip(cells[x], cells[z], strict=True)
                if a + b > 0
            ]
            moved = [o / Fraction(prior[x], prior[z]) if o != INF else INF for o in odds]
            assert max(moved) == INF or max(moved) <= Fraction(math.exp(least[x, z])) * (1 + Fraction(1, 10**12))
            assert least[x, z] < INF or max(moved) == INF
            assert x == z or math.isclose(max(0.0, math.log(max(moved))), least[x, z], abs_tol=1e-12)


@pytest.mark.parametrize(
    "matrix",
    [
        [[0, 1], [1, 0], [1, 1]],
        [[0, 1, 1], [1, 0, 1]],
        [[0, 1], [1]],
        [0, 1, 1],
        [[0, -1], [1, 0]],
        [[0, math.nan], [1, 0]],
        [[0, -INF], [1, 0]],
        [[0, 65], [1, 0]],
        [[0, "1"], ["1", 0]],
        [[0, True], [1, 0]],
        ["01", "10"],
        "0110",
        None,
        7,
        [],
        [[[0], [1]], [[1], [0]]],
    ],
)
def test_what_is_no_matrix_of_levels(matrix: Any) -> None:
    with pytest.raises(dn.ParameterError, match=r"^(matrix must be 2 rows of 2 levels|each level must be from 0)"):
        dn.Pairwise(2, matrix)


def test_the_diagonal_is_never_read() -> None:
    assert dn.Pairwise(2, [[5, 1], [1, INF]]) == dn.Pairwise(2, [[0, 1], [1, 0]])
    assert dn.Pairwise(2, [[-5, 1], [1, math.nan]]).claimed == 1.0


@pytest.mark.parametrize(
    ("sensitive", "said"),
    [
        ([], "at least one label, got none"),
        (["x"], "labels of the domain, got 1 of 1"),
        (["a", "x", 0], "labels of the domain, got 2 of 3"),
        (["a", "a"], "not repeat a label, got 1 repeated"),
        ("a", "a list of labels, got str"),
        (b"a", "a list of labels, got bytes"),
        (0, "a list of labels, got int"),
        (None, "a list of labels, got NoneType"),
        ([["a"]], "labels of the domain, got 1 of 1"),
        (np.array("a"), "a list of labels, got ndarray"),
    ],
)
def test_what_is_no_set_of_sensitive_labels(sensitive: Any, said: str) -> None:
    for family in (dn.HighLow, dn.HighLowHadamard, dn.HighLowResponse, dn.HighLowRappor):
        with pytest.raises(dn.ParameterError, match=rf"^sensitive must .*{said}"):
            family(["a", "b"], sensitive, 1.0)


@pytest.mark.parametrize(
    ("blocks", "domain", "said"),
    [
        ([["a", "b"], ["b", "c"]], None, "not share a label, got 1"),
        ([["a", "b"], ["b", "c"]], ["a", "b", "c"], "not share a label, got 1"),
        ([["a", "a"], ["b"]], None, "not share a label, got 1"),
        ([["a"], ["b"]], ["a", "b", "c"], "hold every label of the domain, got 1"),
        ([["a"], ["b", "x", "y"]], ["a", "b"], "hold labels of the domain, got 2"),
        ([["a", "b"], []], None, "at least one label"),
        ([], None, "at least one label"),
        (["ab", "cd"], None, "got str in the place of a list"),
        ([["a"], 5], None, "got int in the place of a list"),
        ("abcd", None, "lists of labels, got str"),
        (None, None, "lists of labels, got NoneType"),
        (3, 3, "lists of labels, got int"),
        (np.array(3), 3, "lists of labels, got ndarray"),
        ([["a"], np.array("b")], None, "got ndarray in the place of a list"),
    ],
)
def test_what_is_no_partition(blocks: Any, domain: Any, said: str) -> None:
    with pytest.raises(dn.ParameterError, match=rf"^blocks must .*{said}"):
        dn.Blocks(blocks, 1.0, domain)


@pytest.mark.parametrize("blocks", [[["a"]], [["a", None], ["b"]], [["a", {}]], [["a"], [math.nan]]])
def test_blocks_of_what_is_no_label(blocks: Any) -> None:
    with pytest.raises(dn.DomainError):
        dn.Blocks(blocks, 1.0)


@pytest.mark.parametrize("rows", [[[1, 0]], [[1, 0]] * 4])
def test_as_many_rows_as_labels(rows: Any) -> None:
    guarantees: list[Guarantee] = [
        dn.Pairwise(3, np.ones((3, 3))),
        dn.HighLow(3, [0], 1.0),
        dn.Blocks([[0, 1], [2]], 1.0),
        dn.InformationPrivacy(3, [0.2, 0.3, 0.5], 1.0),
    ]
    for guarantee in guarantees:
        with pytest.raises(dn.ParameterError, match="matrix must have 3 rows"):
            guarantee.holds(rows)


def test_guarantees_are_values_in_the_order_of_the_domain() -> None:
    assert dn.HighLow(["a", "b", "c"], ["c", "a"], 1) == dn.HighLow(["a", "b", "c"], ["a", "c"], 1.0)
    assert len({dn.HighLow(3, [0], 1.0), dn.HighLow([0, 1, 2], [0], 1.0), dn.HighLow(3, [1], 1.0)}) == 2
    assert dn.Blocks([["x", "y"], ["z"]], 1.0).domain == ["x", "y", "z"]
    assert dn.Blocks([["z"], ["y", "x"]], 1.0, ["x", "y", "z"]).places[1] == (1, 0)
