"""Shares within rows: intervals that cover, rows too small to say anything, two rows compared."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.estimation.crossed_worlds import ALONE, EVEN, PAIR, World
from tests.lengths import by_length

import deniable as dn
from deniable.arrays import Stack
from deniable.estimation.cross import CrossTable
from deniable.estimation.ratios import SEEN
from deniable.estimation.row_shares import TOO_FEW, RowShares
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import english
from deniable.theory.contrasts import difference_bounds

SURVEYS = by_length(120, 2000)
LEAST = stats.binom.ppf(1e-6, SURVEYS, 0.95)
"""Intervals that hold in 95 of 100 surveys cover fewer by chance less than once in 10^6 such tests."""
ROWS, LATE = np.array([0.3, 0.5, 0.2]), np.array([0.2, 0.45, 0.05])
"""How large the rows are, and how many within each give the first of two answers."""
CELLS = list(itertools.product("012", "01"))


@cache
def surveyed(late: tuple[float, ...], people: int, epsilon: float, seed: int) -> list[RowShares]:
    """Surveys of the rows' people, drawn by the exact law of their reports."""
    survey, generator = World((3, 2), PAIR, EVEN, people, epsilon).survey(), np.random.default_rng(seed)
    shares = (ROWS[:, None] * np.column_stack([late, 1 - np.array(late)])).ravel()
    table: dict[str, list[Any]] = {f"q{k}": [cell[k] for cell in CELLS] for k in (0, 1)}
    tallies = (
        survey.draw_tally(table, generator.multinomial(people, shares), generator) for _ in range(SURVEYS)
    )  # fmt: skip
    return [survey.estimate(tally).cross("q0", "q1").within_rows() for tally in tallies]


@cache
def bounds_found() -> Stack:
    """The bounds [surveys, rows, 2] of the first answer's share."""
    return np.array([each.interval()[:, 0] for each in surveyed(tuple(LATE), 2000, 1.0, 1)])


def covering(bounds: Stack, truth: Any) -> Any:
    """How many surveys' bounds hold the truth, of each share."""
    low, high = np.moveaxis(bounds, -1, 0)
    return ((low <= truth) & (truth <= high)).sum(axis=0)


@pytest.mark.soak
def test_shares_within_rows_cover_the_truth_and_bounds_too_short_are_caught() -> None:
    """The fault: bounds of a third of their length."""
    bounds = bounds_found()
    middle = bounds.mean(axis=2, keepdims=True)
    assert covering(bounds, LATE).min() >= LEAST
    assert covering(middle + (bounds - middle) / 3, LATE).max() < LEAST


@pytest.mark.soak
def test_a_difference_of_rows_covers_the_truth_and_errors_taken_to_cancel_are_caught() -> None:
    """The fault: as if the errors of both rows went the same way, which makes intervals too short."""
    told, gap, pair = surveyed(tuple(LATE), 2000, 1.0, 1), LATE[1] - LATE[0], np.array([[1, 0]])
    assert covering(np.concatenate([each.differences(pair, 0, 0.05)[1] for each in told]), gap) >= LEAST
    values = np.array([each.shares[[1, 0], 0] for each in told])
    assert covering(difference_bounds(values, bounds_found()[:, [1, 0]], np.ones(len(told))), gap) < LEAST


@pytest.mark.soak
def test_where_no_rows_differ_some_are_told_apart_in_one_of_twenty_surveys_at_most() -> None:
    told = surveyed((0.3, 0.3, 0.3), 1000, 2.0, 2)
    assert sum(each.clearest() is not None for each in told) <= stats.binom.isf(1e-6, SURVEYS, 0.05)


def test_the_clearest_difference_is_wider_than_that_of_rows_chosen_beforehand() -> None:
    within = next(each for each in surveyed(tuple(LATE), 2000, 1.0, 1) if each.are_seen.all() and each.clearest())
    found = within.clearest()
    assert found is not None
    own = within.difference(found.first, found.second).contrast(found.column)
    assert 0 < found.low < own.low < own.value < own.high < found.high


def crossed(pairs: tuple[str, str] = ("way", "late"), people: int = 20_000) -> CrossTable:
    """Nobody comes on foot."""
    way, late = dn.OneOf("way", ["car", "bus", "foot"]), dn.Scale("late", ["never", "at times", "often"])
    survey = dn.Survey.plan("commute", [way, late], 3.0, people, cross=[pairs])
    table = {"way": ["car", "car", "bus", "bus"], "late": ["never", "often", "never", "at times"]}
    tally = survey.draw_tally(table, np.array([30, 10, 24, 36]) * people // 100, np.random.default_rng(5))
    return survey.estimate(tally).cross("way", "late")


@pytest.mark.parametrize("pairs", [("way", "late"), ("late", "way")])
def test_shares_are_cells_over_their_rows(pairs: tuple[str, str]) -> None:
    table = crossed(pairs)
    within = table.within_rows()
    assert within.shares[:2] == pytest.approx(table.shares[:2] / table.shares[:2].sum(axis=1, keepdims=True))
    assert within.shares[:2].sum(axis=1) == pytest.approx([1, 1])
    assert within.everybody()[0] == pytest.approx(table.shares.sum(axis=0))
    assert within.of_all == pytest.approx(table.shares.sum(axis=1))
    low, high = np.moveaxis(within.interval()[:2], -1, 0)
    assert (low <= np.clip(within.shares[:2], 0, 1)).all()
    assert (np.clip(within.shares[:2], 0, 1) <= high).all()
    normal = within.shares[0, 0] + stats.norm.isf(0.025) * np.array([-1, 1]) * within.stderr[0, 0]
    assert within.interval()[0, 0] == pytest.approx(normal, abs=0.01)  # as they come to of many people


def test_of_a_row_that_may_be_nobody_nothing_is_said() -> None:
    table = crossed()
    within = table.within_rows()
    own, errors = within.of_all, table.margins[0].stderr()
    assert within.are_seen.tolist() == (own >= SEEN * errors).tolist() == [True, True, False]
    assert np.isnan(within.shares[2]).all()
    assert within.interval()[2].tolist() == [[0, 1]] * 3
    assert str(within).count(english(TOO_FEW)) == 4  # three cells, and the note that says why
    change = within.difference("car", "foot")
    assert np.isnan(change.values).all()
    assert change.interval().tolist() == [[-1, 1]] * 3
    assert "cannot be told" in change.contrast("never").sentence
    assert "unknown" in str(change)


def test_of_a_row_that_is_barely_seen_a_higher_level_says_nothing() -> None:
    """Above 99.7% the bounds of a row of three standard errors reach nobody, and those of its shares have no end."""
    told = (each for each in surveyed(tuple(LATE), 2000, 1.0, 1) if each.are_seen[2])
    within = min(told, key=lambda each: float(each.of_all[2]))
    assert within.interval(0.95)[2, 0, 1] < 1
    assert within.interval(0.999999)[2].tolist() == [[0, 1]] * 2


def test_the_other_way_round_it_is_the_same_difference() -> None:
    table = crossed()
    one, other = table.row_difference("bus", "car"), table.row_difference("car", "bus")
    assert np.allclose(one.values, -other.values)
    assert np.allclose(one.interval(), -other.interval()[:, ::-1])
    found = one.contrast("at times")
    assert found.value == pytest.approx(0.6, abs=0.1)
    assert 0.4 < found.low < found.value < found.high < 0.8
    assert found.sentence.startswith("“at times” is more frequent among “bus” than among “car”: by ")
    assert found.reversed.sentence == found.sentence


def test_people_are_those_who_told_both() -> None:
    survey = World((3, 2), ALONE, EVEN, 900, 3.0).survey()
    table: dict[str, list[Any]] = {f"q{k}": [cell[k] for cell in CELLS] for k in (0, 1)}
    tally = survey.draw_tally(table, [150] * 6, np.random.default_rng(1))
    both = survey.estimate(tally).cross("q0", "q1")
    assert both.n == 900
    assert both.told_both == both.within_rows().n == tally.arms[0][0].n < 400
    assert f"{both.told_both} people told both" in str(both.within_rows())


def test_an_answer_that_is_none_is_refused() -> None:
    table = crossed()
    with pytest.raises(ParameterError, match="a row of 'way' must be one of 3, got 'boat'"):
        table.row_difference("car", "boat")
    with pytest.raises(ParameterError, match="a column of 'late' must be one of 3, got 'seldom'"):
        table.row_difference("car", "bus").contrast("seldom")


def test_programs_are_told_the_same() -> None:
    within = crossed().within_rows()
    told, change = within.to_dict(level=0.9), within.difference("bus", "car").to_dict()
    assert (told["rows"], told["columns"], told["n"], told["level"]) == ("way", "late", within.n, 0.9)
    assert told["row"][:3] == ["car"] * 3
    assert told["low"] == within.interval(0.9)[..., 0].ravel().tolist()
    assert told["everybody"]["share"] == within.everybody()[0].tolist()
    assert (change["first"], change["second"], change["column"]) == ("bus", "car", list(within.columns))
    assert change["difference"] == within.difference("bus", "car").values.tolist()


def test_the_picture_has_a_panel_for_each_answer_and_a_line_for_everybody() -> None:
    within = crossed().within_rows()
    figure = within.plot()
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["late: never", "late: at times", "late: often"]
    for axes, column in zip(figure.axes, range(3), strict=True):
        lines = {str(line.get_label()): np.asarray(line.get_xdata()) for line in axes.lines}
        assert np.allclose(lines["estimate"], np.clip(within.shares[:2, column], 0, 1))  # none of those on foot
        assert np.allclose(lines["everybody"], within.everybody()[0][column])
