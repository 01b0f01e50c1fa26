"""``dn.crowd``: levels, beliefs and crowds of mechanisms and surveys, certified."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.cases import each
from tests.crowd_enumeration import Row, enumerated, factors

import deniable as dn

YES = ["yes", "no"]
CROWDS = (10**3, 10**4, 10**6)


def part(name: str, mechanism: Any) -> dn.Part:
    return dn.Part(dn.OneOf(name, [str(label) for label in mechanism.domain]), mechanism)


def survey(*arms: dn.Arm) -> dn.Survey:
    questions = {each.name: each for arm in arms for part in arm.parts for each in part.questions}
    return dn.Survey("commute", list(questions.values()), list(arms))


def subset(labels: int, epsilon: float) -> dn.Subset:
    return dn.Subset([str(label) for label in range(labels)], epsilon, size=1)


def response(labels: int, epsilon: float) -> dn.RandomizedResponse:
    return dn.RandomizedResponse([str(label) for label in range(labels)], epsilon)


PAIR = survey(dn.Arm([part("a", response(16, 1.0)), part("b", response(2, 1.0))]))
TWO_ARMS = survey(
    dn.Arm([part("a", subset(4, 1.0)), part("b", response(2, 1.0))], weight=3),
    dn.Arm([part("c", response(8, 2.0))], weight=1),
)


@each(
    ("subject", "golden"),
    [
        (dn.RandomizedResponse(16, 2.0), (0.230139, 0.0674903, 0.00555795)),
        (dn.PrivateSet(40, 1.0, most=3), (0.105483, 0.0306265, 0.00246486)),
        (dn.HashedResponse(3.0, 16, 64), (0.590256, 0.171458, 0.0143814)),
        (dn.BinaryResponse(YES, 0.7, 1.4), (0.158276, 0.0457680, 0.00371851)),
        (PAIR, (0.189094, 0.0550700, 0.00450889)),
        (survey(dn.Arm([part(name, response(2, 0.4)) for name in "abcdef"])), (0.228007, 0.0662310, 0.00544686)),
        (TWO_ARMS, (0.265906, 0.0775106, 0.00640065)),
    ],
)  # fmt: skip
def test_levels_are_those_of_the_sheet(subject: Any, golden: tuple[float, ...]) -> None:
    assert [dn.crowd.level(subject, people) for people in CROWDS] == pytest.approx(golden, rel=1e-3)


@each(
    ("mechanism", "golden"),
    [
        (dn.Subset(16, 1.0), 0.0303758), (dn.Subset(256, 4.0), 0.285570), (dn.OptimizedUnary(16, 2.0), 0.0788245),
        (dn.Rappor(16, 4.0), 0.361069), (dn.Hadamard(16, 1.0, parts=1), 0.0297417), (dn.Cyclic(256, 2.0), 0.0797236),
        (dn.RandomizedResponse(YES, 2.0), 0.0872631),
    ],
)  # fmt: skip
def test_families_have_the_levels_of_the_sheet(mechanism: Any, golden: float) -> None:
    assert dn.crowd.level(mechanism, 10**4) == pytest.approx(golden, rel=1e-3)


def test_points_of_a_number_are_within_the_law_of_the_sheet() -> None:
    """crowd.md 2: of two points only what both have in common hides a report; never above odds and gamma alone."""
    mechanism = dn.optimal_channel(dn.LDP(2.0), domain=3, goal="minimax")
    assert dn.crowd.level(mechanism, 10**4) < 0.114400


def test_other_questions_of_the_curve_agree() -> None:
    m = dn.RandomizedResponse(16, 4.0)
    level = dn.crowd.level(m, 10**4)
    assert dn.crowd.delta(m, 10**4, level) <= 1e-6 < dn.crowd.delta(m, 10**4, level * (1 - 1e-5))
    assert dn.crowd.delta(m, 10**4, 4.1) == 0
    assert dn.crowd.people(m, 0.5) == pytest.approx(5543, rel=1e-3)
    assert dn.crowd.level(m, dn.crowd.people(m, 0.5)) <= 0.5 * (1 + 1e-5)
    assert dn.crowd.belief(m, 10**4) == pytest.approx(0.459594, rel=1e-3)
    assert dn.crowd.level(m, 10**4, periods=52) == pytest.approx(3.04999, rel=1e-3)
    assert dn.crowd.belief(m, 10**4, periods=4) > dn.crowd.level(m, 10**4, periods=4)


def test_a_smaller_delta_costs() -> None:
    m = dn.Subset(16, 1.0)
    assert dn.crowd.level(m, 1000, 1e-9) > dn.crowd.level(m, 1000) > dn.crowd.level(m, 1000, 1e-3)
    assert dn.crowd.people(m, 0.1, 1e-9) > dn.crowd.people(m, 0.1)


# --- beside enumeration -----------------------------------------------------------------------------------------------


def rows_of(arms: list[tuple[Fraction, list[tuple[int, Any]]]], answers: Sequence[tuple[int, ...]]) -> tuple[Row, ...]:
    """The chance of every answer that an arm may send, from each joint answer; parts name the question by its place."""
    table = []
    for answer in answers:
        row: list[Fraction] = []
        for chance, parts in arms:
            own = [m.channel().probabilities[answer[place]] for place, m in parts]
            row += [chance * math.prod(each) for each in itertools.product(*own)]
        table.append(tuple(float(each) for each in row))
    return tuple(table)


@each("people", [2, 3])
def test_no_crowd_of_whole_answers_tells_more(people: int) -> None:
    """Two questions in one arm and one of them in another, of all joint answers of everybody."""
    one, other, alone = response(2, 1.0), response(2, 0.5), response(2, 2.0)
    asked = survey(dn.Arm([part("a", one), part("b", other)], weight=3), dn.Arm([part("a", alone)], weight=1))
    answers = list(itertools.product((0, 1), repeat=2))
    rows = rows_of([(Fraction(3, 4), [(0, one), (1, other)]), (Fraction(1, 4), [(0, alone)])], answers)
    for t in map(float, factors(3)):
        truth = enumerated(rows, people, t)
        assert truth * (1 - 1e-9) - 1e-12 <= dn.crowd.delta(asked, people, max(math.log(t), 1e-12))


@each("people", [2, 3])
def test_no_crowd_of_scales_and_coins_tells_more(people: int) -> None:
    """A part all of whose pairs are looked at, beside one of two levels."""
    scale, coin = dn.Channel(["0", "1", "2"], [[0.6, 0.3, 0.1], [0.2, 0.6, 0.2], [0.1, 0.3, 0.6]]), response(2, 0.7)
    asked = survey(dn.Arm([part("a", scale), part("b", coin)]))
    answers = list(itertools.product((0, 1, 2), (0, 1)))
    rows = rows_of([(Fraction(1), [(0, scale), (1, coin)])], answers)
    for t in map(float, factors(3)):
        truth = enumerated(rows, people, t)
        assert truth * (1 - 1e-9) - 1e-12 <= dn.crowd.delta(asked, people, max(math.log(t), 1e-12))


def test_too_many_pairs_count_by_their_odds() -> None:
    """Safe, and so never below what fewer parts have."""
    weights = [[10 - abs(x - y) for y in range(6)] for x in range(6)]
    rows = [[Fraction(weight, sum(row)) for weight in row] for row in weights]
    scales = [part(name, dn.Channel([str(label) for label in range(6)], rows)) for name in "abcd"]
    few, many = survey(dn.Arm(scales[:1])), survey(dn.Arm(scales))
    assert dn.crowd.level(few, 1000) < dn.crowd.level(many, 1000) < 2.0


def test_planned_surveys_have_levels() -> None:
    questions = [
        dn.OneOf("way", ["car", "bus", "bike"]),
        dn.Number("minutes", 0, 60),
        dn.AnyOf("used", list("abcdefgh")),
    ]
    asked = dn.Survey.plan("commute", questions, 3.0, 10_000)
    assert 0.1 < dn.crowd.level(asked, 10_000) < 0.3


# --- tables and refusals ----------------------------------------------------------------------------------------------


def test_a_table_is_rounded_up_and_a_frame() -> None:
    found = dn.crowd.table(dn.RandomizedResponse(16, 3.0), [100, 10_000])
    columns = found.columns
    assert columns["people"] == [100, 10_000]
    assert columns["level"] == [dn.crowd.level(dn.RandomizedResponse(16, 3.0), people) for people in (100, 10_000)]
    assert columns["together"] == pytest.approx([3.0, 3.0], rel=1e-9)
    assert "10,000" in str(found)
    assert found.to_csv().startswith("people,level,belief,together\n100,")
    shown = [float(row[1]) for row in found.table().rows]
    assert all(level <= text < level * 1.01 for level, text in zip(columns["level"], shown, strict=True))
    once = dn.crowd.table(TWO_ARMS, 1000, periods=4)
    assert once.columns["together"] == pytest.approx([8.0], rel=1e-9)
    assert "4 periods" in str(once)


M = dn.RandomizedResponse(4, 1.0)
NOTHING: Any = None


@each(
    ("call", "message"),
    [
        (lambda: dn.crowd.level(3, 100), "m must be a mechanism or a survey, got int"),
        (lambda: dn.crowd.level(M, 0), "people must be an int of at least 1, got people=0"),
        (lambda: dn.crowd.level(M, 10, 0.0), "delta must be a finite number above 0, got delta=0.0"),
        (lambda: dn.crowd.level(M, 10, 1.0), "delta must be at least 1e-12 and below 1, got delta=1.0"),
        (lambda: dn.crowd.level(M, 10, periods=0), "periods must be an int of at least 1, got periods=0"),
        (lambda: dn.crowd.belief(M, 10, 1e-13), "chance must be at least 1e-12 and below 1, got chance=1e-13"),
        (lambda: dn.crowd.delta(M, 10, -1), "level must be a finite number above 0, got level=-1"),
        (lambda: dn.crowd.people(M, 1e-9, 1e-12), "level must be one that 1099511627776 people keep, got level=1e-09"),
        (lambda: dn.crowd.table(M, []), "people must be one number of people or several, got none"),
        (lambda: dn.crowd.table(M, NOTHING), "people must be one number of people or several, got NoneType"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_refused_says_why(call: Callable[[], object], message: str) -> None:
    with pytest.raises(dn.ParameterError) as refused:
        call()
    assert str(refused.value) == message


def test_a_survey_is_refused_by_its_part() -> None:
    ill = dn.OneOf("ill", ["yes", "no", "unsure"], sensitive=["yes"])
    asked = survey(dn.Arm(dn.Part(ill, dn.HighLowResponse(["yes", "no", "unsure"], ["yes"], 1.0))))
    wanted = "^the part about ill must have reports that a crowd hides, got HighLowResponse; take the plain mechanism"
    with pytest.raises(dn.ParameterError, match=wanted):
        dn.crowd.level(asked, 100)


def test_numbers_of_numpy_are_numbers() -> None:
    assert dn.crowd.level(M, int(np.int64(100))) == dn.crowd.level(M, 100)


def test_a_picture_shows_both_levels_below_that_of_each_report() -> None:
    found = dn.crowd.table(dn.RandomizedResponse(4, 2.0), [100, 1_000, 10_000])
    [axes] = found.plot().axes
    level, belief, each = axes.lines
    assert np.array_equal(level.get_ydata(), found.levels)
    assert np.array_equal(belief.get_ydata(), found.beliefs)
    assert np.array_equal(each.get_ydata(), [found.each, found.each])
    assert max(found.beliefs) < found.each
