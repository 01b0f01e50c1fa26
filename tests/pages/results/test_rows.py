"""Rows: places on the axis, ranks that intervals leave, and labels of which nothing is known."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.pages.results.worlds import CARS

import deniable as dn
from deniable.estimation.words import points
from deniable.pages.results.rows import axis_of, chart
from deniable.pages.results.selection import Selection, places
from deniable.pages.results.shares import noise_of, selected_chart
from deniable.protocol.say import english

ESTIMATE = dn.simulate(dn.RandomizedResponse(list(CARS), 2.0), list(CARS.values()), users=7000, seed=1)


def test_bands_lie_within_each_other_around_the_dot() -> None:
    for row in chart(ESTIMATE, range(5)).rows:
        widest, middle, inner = row.bands
        assert row.dot is not None
        assert widest.start < middle.start < inner.start < row.dot
        assert row.dot < inner.start + inner.width < middle.start + middle.width < widest.start + widest.width


def test_places_mean_what_the_axis_says() -> None:
    drawn = chart(ESTIMATE, range(5))
    for row in drawn.rows:
        assert row.dot is not None
        share = drawn.axis.low + row.dot / 100 * (drawn.axis.high - drawn.axis.low)
        assert abs(share - row.share) < 1e-4
    assert drawn.axis.place(0) == drawn.axis.zero


@given(st.lists(st.tuples(st.floats(-2, 2), st.floats(0, 1)), min_size=1, max_size=20))
def test_an_axis_has_room_for_everything_and_few_ticks(pairs: list[tuple[float, float]]) -> None:
    bounds = np.array([[low, low + width] for low, width in pairs])
    axis = axis_of(bounds)
    assert axis.low <= min(0, bounds.min()) + 1e-9
    assert axis.high >= bounds.max() - 1e-9
    assert 2 <= len(axis.ticks) <= 9
    assert "0" in [label for label, _ in axis.ticks]


def test_the_noise_is_that_of_the_largest_share_shown_as_its_row_has_it() -> None:
    for simultaneous in (False, True):
        for shown in (range(5), [3, 1]):
            found = noise_of(ESTIMATE, shown, simultaneous)
            rows = {row.label: row for row in chart(ESTIMATE, shown, simultaneous).rows}
            assert found is not None
            assert english(rows[str(found.label)].take) == f"± {points(found.whole)}"
            assert found.label == max(rows.values(), key=lambda row: row.share).label
    assert noise_of(ESTIMATE, []) is None


def test_simultaneous_bands_are_wider_and_alone() -> None:
    one, all_at_once = chart(ESTIMATE, range(5)), chart(ESTIMATE, range(5), simultaneous=True)
    for alone, together in zip(one.rows, all_at_once.rows, strict=True):
        assert len(together.bands) == 1
        assert together.high - together.low >= alone.high - alone.low
        assert together.rank
        assert not alone.rank


def test_rows_that_are_compared_count_the_same_number_of_people() -> None:
    uneven = dn.simulate(dn.RandomizedResponse(["a", "b", "c"], 5.0), [0.98, 0.015, 0.005], users=20_000, seed=1)
    words = [english(row.words) for row in chart(uneven, range(3)).rows]
    assert all(said.endswith(" in 100") for said in words), words
    rare = [english(row.words) for row in chart(uneven, [1, 2]).rows]
    assert len({said.split(" in ")[-1] for said in rare}) == 1, rare


def test_of_many_labels_the_largest_are_shown_and_any_is_found() -> None:
    labels = [f"café {number}" for number in range(1000)]
    many = dn.simulate(dn.Hadamard(labels, 2.0), [0.001] * 1000, users=50_000, seed=3)
    assert len(places(many, Selection())) == 10
    assert len(places(many, Selection(all=True))) == 1000
    assert [many.labels[place] for place in places(many, Selection(find="CAFÉ 999"))] == ["café 999"]
    assert not places(many, Selection(find="tea"))
    shown = selected_chart(many, Selection())
    assert shown.rows[0].share > shown.rows[-1].share
    assert (len(shown.rows), shown.total) == (10, 1000)
    most = re.fullmatch(r"The other 990: each at most (\d+) in ([\d,]+)", english(shown.rest))
    assert most
    left = [place for place in range(1000) if place not in places(many, Selection())]
    assert int(most[1]) / int(most[2].replace(",", "")) >= many.interval(simultaneous=True)[left, 1].max()
    assert selected_chart(many, Selection(all=True)).rest == selected_chart(many, Selection(find="café 99")).rest == ""
    assert english(selected_chart(many, Selection(all=True)).rows[500].rank).endswith("1,000")
