"""Rows are merged where they are equal, and reports of several ways of asking stand in one table."""

from __future__ import annotations

import numpy as np
import pytest

from deniable.estimation.models.report_rows import (
    crossed,
    merged,
    merged_channel,
    one_way,
    open_answers,
    small_patterns,
    together,
    unbiased_by,
)
from deniable.estimation.models.surface import crossed_sums
from deniable.protocol.errors import ParameterError

WARNER = np.array([[0.75, 0.25], [0.25, 0.75]])


def test_equal_rows_are_one_with_a_count() -> None:
    x = np.array([[1.0, 2.0]] * 6 + [[1.0, 3.0]] * 2)
    rows = merged(x, one_way(("no", "yes"), WARNER, np.array([0, 0, 0, 1, 1, 1, 0, 0]), None, WARNER), None)
    assert sorted(rows.weights.tolist()) == [2, 3, 3]
    assert (rows.weights.sum(), len(rows)) == (8, 3)
    assert rows.x[rows.origin].tolist() == x.tolist()
    assert rows.reports.places[rows.origin].tolist() == [0, 0, 0, 1, 1, 1, 0, 0]


def test_patterns_of_few_people_are_counted() -> None:
    assert small_patterns(np.array([[1.0]] * 5 + [[2.0]] * 4 + [[3.0]]), 5) == 2


def test_a_row_may_have_one_report_or_two_or_an_open_answer() -> None:
    first = one_way(("no", "yes"), WARNER, np.array([0, 1, -1, -1]), unbiased_by(WARNER), WARNER)
    second = open_answers(("no", "yes"), np.array([-1, 1, 1, -1]))
    both = together([first, second])
    assert both.told.tolist() == [True, True, True, False]
    assert both.chances[both.places[:3]].tolist() == [[0.75, 0.25], [0.0, 0.75], [0.0, 1.0]]
    channels = [both.channels[way] for way in both.ways[:3].tolist()]
    assert [None if each is None else each.shape for each in channels] == [(2, 2), (2, 2), (2, 2)]
    assert all(each is not None and np.allclose(each.sum(axis=0), 1) for each in channels)
    others = open_answers(("yes", "no"), np.array([0]))
    with pytest.raises(ParameterError, match="must be of the same labels in the same order"):
        together([first, others])


def test_two_items_are_one_of_pairs() -> None:
    first = one_way(("no", "yes"), WARNER, np.array([0, 1]), None, WARNER)
    second = one_way(("a", "b", "c"), np.eye(3), np.array([2, -1]), None, np.eye(3))
    both = crossed(first, second)
    assert both.labels == (("no", "a"), ("no", "b"), ("no", "c"), ("yes", "a"), ("yes", "b"), ("yes", "c"))
    assert both.chances[both.places].tolist() == [[0, 0, 0.75, 0, 0, 0.25], [0.25, 0.25, 0.25, 0.75, 0.75, 0.75]]


def test_reports_that_say_the_same_are_one_in_a_channel() -> None:
    channel = np.array([[0.2, 0.1], [0.4, 0.2], [0.4, 0.7], [0.0, 0.0]])
    assert merged_channel(channel).round(12).tolist() == [[0.4, 0.7], [0.6, 0.3]]


def test_what_reports_count_is_unbiased_for_every_label() -> None:
    channel = np.random.default_rng(1).dirichlet(np.ones(7), 4).T
    counted = unbiased_by(channel)
    assert counted is not None
    assert channel.T @ counted == pytest.approx(np.eye(4), abs=1e-12)
    assert unbiased_by(np.ones((2, 2)) / 2) is None


def test_products_by_pieces_are_those_of_the_whole() -> None:
    """Of rows that pieces do and do not divide, and of so many columns that there are none."""
    rng = np.random.default_rng(3)
    for rows, columns in ((2048, 21), (2000, 21), (100, 21), (300, 120), (5, 2)):
        left, right = rng.standard_normal((2, rows, columns))
        assert crossed_sums(left, right) == pytest.approx(left.T @ right, abs=1e-9)
