"""Ranges of ranks: what intervals leave, how often all of them hold, and how they are shown."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import deniable as dn
from deniable.theory.contrasts import rank_ranges

CARS = {"car": 0.4, "bus": 0.2, "train": 0.13, "bike": 0.19, "foot": 0.08}
SURVEYS = 300


def of(people: int, seed: int = 1) -> dn.Estimate:
    return dn.simulate(dn.RandomizedResponse(list(CARS), 2.0), list(CARS.values()), users=people, seed=seed)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=8), st.data())
def test_ranks_hold_whatever_shares_the_intervals_allow(pairs: list[tuple[float, float]], data: st.DataObject) -> None:
    bounds = np.array([sorted(pair) for pair in pairs])
    shares = np.array([data.draw(st.floats(low, high)) for low, high in bounds])
    for place, (first, last) in enumerate(rank_ranges(bounds).tolist()):
        above, level = int((shares > shares[place]).sum()), int((shares >= shares[place]).sum())
        assert first <= level
        assert last >= above + 1


@pytest.mark.parametrize("level", [0.95, 0.5])
def test_all_ranges_hold_at_once_as_often_as_they_say(level: float) -> None:
    """Fewer by chance less than once in 10^6 such tests. Ranks by estimates alone are right much more rarely."""
    true, held, guessed = np.array([1, 2, 4, 3, 5]), 0, 0
    for seed in range(SURVEYS):
        found = of(1500, seed)
        first, last = found.ranks(level).ranges.T
        held += bool(((first <= true) & (true <= last)).all())
        guessed += bool((stats.rankdata(-found.unbiased) == true).all())
    least = stats.binom.ppf(1e-6, SURVEYS, level)
    assert held >= least
    assert guessed < stats.binom.ppf(1e-6, SURVEYS, 0.95)


def test_a_clear_order_is_told_and_one_that_is_not_is_not() -> None:
    assert of(10**6).ranks().words == ("1", "2", "4", "3", "5")
    assert set(of(20).ranks().words) == {"1 to 5"}


def test_the_largest_stands_first_and_every_face_shows_the_same() -> None:
    found = of(30_000).ranks()
    lines = str(found).splitlines()
    assert lines[0] == "ranks of 5 labels, 95% intervals, all at once"
    assert [line.split()[0] for line in lines[3:8]] == ["car", "bus", "bike", "train", "foot"]
    assert lines[-1] == "Every true rank lies in the range shown."
    assert found.to_dict()["first"] == found.ranges[:, 0].tolist()
    assert "2 to 3" in found._repr_html_()
    assert np.array_equal(found.bounds, of(30_000).interval(simultaneous=True))


def test_of_very_many_labels_the_largest_are_shown() -> None:
    many = dn.simulate(dn.Hadamard(1000, 2.0), [0.001] * 1000, users=50_000, seed=3).ranks()
    assert "... and 980 more labels with smaller shares; CSV and JSON list all" in str(many)
    assert len(many.to_dict()["label"]) == 1000
