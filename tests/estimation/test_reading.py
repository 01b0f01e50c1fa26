"""One reading for every face: what the table says, HTML, CSV, JSON, Arrow, pandas and the picture say too."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deniable as dn
from deniable.arrays import Matrix, Vector
from deniable.estimation.evidence import Evidence
from deniable.estimation.numbers.number_reports import NoBins
from deniable.estimation.reading import LARGEST, MOST, Reading
from deniable.protocol.errors import ParameterError
from deniable.theory.risk.variance import Target


@dataclass(frozen=True)
class Answered:
    """An estimate with intervals of our choice, which is all that a reading needs."""

    frequencies: Vector
    bounds: Matrix
    labels: Sequence[Hashable]
    decoder: str = "projected"
    n: int = 1000
    population: int | None = None
    title: str = "Survey(epsilon=1.0)"
    spec_bytes: bytes = b""
    unlisted: tuple[float, float] | None = None
    adds_up: bool = True
    notes: tuple[str, ...] = ()
    evidence: Evidence = field(default_factory=NoBins)

    @property
    def counts(self) -> Vector:
        """Of all people."""
        return self.frequencies * self.n

    @property
    def unbiased(self) -> Vector:
        """The middles of the intervals."""
        return np.asarray(self.bounds.mean(axis=1))

    @property
    def stderr(self) -> Vector:
        """A quarter of each interval."""
        return np.asarray((self.bounds[:, 1] - self.bounds[:, 0]) / 4)

    def interval(self, level: float = 0.95, simultaneous: bool = False, target: Target = "population") -> Matrix:
        """The same for every question."""
        assert 0 < level < 1
        assert target in get_args(Target)
        assert simultaneous in (True, False)
        return self.bounds


def answered(shares: Sequence[float], low: float = 0.1, high: float = 0.4, decoder: str = "projected") -> Answered:
    """Shares that all have the same interval."""
    bounds = np.tile([low, high], (len(shares), 1))
    return Answered(np.array(shares), bounds, [f"label {j}" for j in range(len(shares))], decoder)


MOVED = answered([0.0, 0.25, 0.75])


# --- the rows ---------------------------------------------------------------------------------------------------------


def test_rows_hold_what_the_estimate_says() -> None:
    reading = Reading(MOVED, truth=[0.2, 0.3, 0.5])
    first, second, third = reading.rows()
    assert first == ("label 0", 0.0, 0.1, 0.4, True, 0.0, 0.2)
    assert (second.people, second.outside, second.truth) == (250.0, False, 0.3)
    assert reading.rows(reading.largest(2)) == [third, second]
    assert Reading(MOVED).rows()[0].truth is None


@given(st.integers(1, 60))
def test_few_labels_keep_their_order_and_of_many_the_largest_are_taken(d: int) -> None:
    shares = np.random.default_rng(d).dirichlet(np.ones(d))
    places = Reading(answered(shares.tolist())).places(MOST, LARGEST).tolist()
    assert places == (list(range(d)) if d <= MOST else np.argsort(-shares)[:LARGEST].tolist())


def test_rounding_moves_no_share_out_of_its_interval() -> None:
    assert not Reading(answered([0.1 - 1e-16, 0.4 + 1e-16, 0.5 - 1e-9], high=0.5)).outside.any()
    assert Reading(answered([0.1 - 1e-9, 0.4, 0.5])).outside.tolist() == [True, False, True]


def test_the_top_shares_know_whether_they_are_outside() -> None:
    estimate = dn.simulate(dn.Cyclic(30, 1.0), np.eye(30)[0], users=3000, seed=1, decoder="normalized")
    reading = estimate.reading()
    assert [share.outside for share in estimate.top(30)] == [row.outside for row in reading.rows(reading.largest(30))]
    assert {share.outside for share in estimate.top(30)} == {True, False}


@pytest.mark.parametrize("truth", [[0.5, 0.6, 0.1], [1.0], "abc", 3])
def test_truths_are_checked(truth: list[float]) -> None:
    with pytest.raises(ParameterError, match="truth must"):
        Reading(MOVED, truth=truth)


# --- a share outside its interval is marked in every face -------------------------------------------------------------

OUTSIDE = "outside their own intervals, which belong to the unbiased shares: the projected decoder moved them."
SAID = f"2 shares lie {OUTSIDE}"


def test_the_table_marks_a_share_outside_its_interval_and_says_why() -> None:
    assert str(Reading(MOVED)).splitlines() == [
        "Survey(epsilon=1.0): 1,000 people, decoder projected",
        " label       share     95% interval   people",
        " ───────────────────────────────────────────",
        " label 0    * 0.0%   10.0% to 40.0%        0",
        " label 1     25.0%   10.0% to 40.0%      250",
        " label 2   * 75.0%   10.0% to 40.0%      750",
        f"* {SAID}",
    ]


def test_html_csv_json_arrow_and_pandas_mark_it_too() -> None:
    reading = Reading(MOVED)
    page = reading._repr_html_()
    assert page.count("<td>* ") == 2
    assert page.count('<circle cx="6.0" cy="7.0" r="3" fill="none"') == 1
    assert f"<p>* {SAID}</p>" in page
    assert [row["outside"] for row in csv.DictReader(io.StringIO(reading.to_csv()))] == ["true", "false", "true"]
    document = json.loads(reading.to_json())
    assert (document["outside"], document["warnings"]) == ([True, False, True], [SAID])
    table = reading.to_arrow()
    assert table.column("outside").to_pylist() == [True, False, True]
    assert json.loads(table.schema.metadata[b"warnings"]) == [SAID]


def test_the_picture_marks_it_with_a_white_dot() -> None:
    estimate = dn.simulate(dn.Cyclic(30, 1.0), np.eye(30)[0], users=3000, seed=1, decoder="normalized")
    moved = estimate.reading().outside
    assert 0 < moved.sum() < 30
    figure = estimate.plot()
    dots, white, _ = figure.axes[0].lines
    assert (dots.get_markerfacecolor(), white.get_markerfacecolor()) == ("black", "white")
    assert np.array_equal(np.isfinite(white.get_ydata()), moved)
    assert np.array_equal(np.asarray(white.get_ydata())[moved], estimate.frequencies[moved])
    inside = dn.simulate(dn.Cyclic(30, 1.0), np.full(30, 1 / 30), users=3000, seed=1, decoder="unbiased")
    assert len(figure.legends[0].get_texts()) == 3
    assert not inside.reading().outside[inside.unbiased >= 0].any()


def test_one_share_is_spoken_of_as_one() -> None:
    said = "1 share lies outside its own interval, which belongs to the unbiased share: the projected decoder moved it."
    assert Reading(answered([0.2, 0.8])).warnings() == (said,)


def test_intervals_that_say_nothing_are_said_to_say_nothing() -> None:
    one = dn.simulate(dn.RandomizedResponse(["yes", "no"], 2.0), [1.0, 0.0], users=1, seed=1).reading()
    assert one.warnings()[-1].endswith("too few answered: the share says nothing there.")
    assert "says nothing there" in str(one)
    many = dn.simulate(dn.RandomizedResponse(["yes", "no"], 2.0), [0.5, 0.5], users=1000, seed=1).reading()
    assert not many.warnings()


def test_unbiased_shares_are_outside_for_another_reason() -> None:
    warning = Reading(answered([-0.1, 0.2], low=0.0, decoder="unbiased")).warnings()[0]
    assert warning.startswith("1 share lies outside its own interval: intervals keep to shares from 0 to 1")
    assert "moved" not in warning


def test_nothing_is_said_where_every_share_is_inside() -> None:
    reading = Reading(answered([0.2, 0.3, 0.4]))
    assert reading.warnings() == ()
    assert "*" not in str(reading)
    assert 'fill="none"' not in reading._repr_html_()
    assert "outside" not in str(reading)


# --- what else is said ------------------------------------------------------------------------------------------------


def test_of_many_labels_the_largest_are_shown_with_a_word_on_luck() -> None:
    many = answered([(j + 1) / 1275 for j in range(50)], low=0.0)
    lines = str(Reading(many)).splitlines()
    assert [line.split()[1] for line in lines[3:23]] == [str(j) for j in range(49, 29, -1)]
    assert lines[23] == "... and 30 more labels with smaller shares; CSV and JSON list all"
    assert "partly luck" in lines[24]
    assert "partly luck" not in str(Reading(many, simultaneous=True))
    assert len(Reading(many).to_dict()["label"]) == 50
    assert Reading(many).to_dict()["warnings"] == []


def test_the_table_counts_the_moved_among_what_it_shows() -> None:
    many = answered([*(0.0 for _ in range(45)), 0.2, 0.2, 0.2, 0.2, 0.2])
    assert f"* 15 shares lie {OUTSIDE}" in str(Reading(many))
    assert Reading(many).to_dict()["warnings"] == [f"45 shares lie {OUTSIDE}"]


def test_the_kind_of_interval_is_said() -> None:
    reading = Reading(MOVED, 0.9, True, "sample", [0.2, 0.3, 0.5])
    text, page, plain = str(reading), reading._repr_html_(), reading.to_dict()
    for face in (text, page):
        assert "90% interval of the people asked, all at once" in face
        assert "truth" in face
        assert "50.0%" in face
    assert [plain[name] for name in ("level", "simultaneous", "target")] == [0.9, True, "sample"]
    assert plain["truth"] == [0.2, 0.3, 0.5]
    assert reading.to_csv().splitlines()[0].endswith(",low,high,outside,truth")


@pytest.mark.parametrize(("level", "name"), [(0.95, "95%"), (0.57, "57%"), (0.999999, "99.9999%")])
def test_levels_are_not_rounded_up(level: float, name: str) -> None:
    assert Reading(MOVED, level).interval_name == f"{name} interval"


def test_what_is_not_listed_and_the_notes_stand_below_the_table() -> None:
    opened = Answered(MOVED.frequencies, MOVED.bounds, MOVED.labels, unlisted=(0.25, np.inf), notes=("too <few>",))
    reading = Reading(opened)
    below = ["not listed: 25.00%, standard error inf%", "note: too <few>", f"* {SAID}"]
    assert str(reading).splitlines()[-3:] == below
    assert "<p>note: too &lt;few&gt;</p>" in reading._repr_html_()
    document = json.loads(reading.to_json(indent=2, seed=5))
    assert document["unlisted"] == {"frequency": 0.25, "stderr": "inf"}
    assert (document["notes"], document["seed"]) == (["too <few>"], 5)
    assert json.loads(reading.to_arrow().schema.metadata[b"unlisted"]) == document["unlisted"]


def test_an_estimate_is_its_reading_at_95_percent() -> None:
    estimate = dn.simulate(dn.Subset(["a", "b", "c"], 1.0), [0.2, 0.3, 0.5], users=500, seed=1)
    reading = Reading(estimate)
    assert str(estimate) == str(reading)
    assert estimate._repr_html_() == reading._repr_html_()
    assert (estimate.to_csv(), estimate.to_json()) == (reading.to_csv(), reading.to_json())
    assert estimate.to_arrow() == reading.to_arrow()
    assert estimate.top(2) == [row[:4] for row in reading.rows(reading.largest(2))]
    assert str(estimate.reading(0.9, True, "sample")) == str(Reading(estimate, 0.9, True, "sample"))
    assert dn.from_spec(estimate.spec) == dn.Subset(["a", "b", "c"], 1.0)


# --- pandas -----------------------------------------------------------------------------------------------------------


def test_a_data_frame_holds_the_columns_and_what_they_are_about() -> None:
    pytest.importorskip("pandas")
    reading = Reading(MOVED)
    frame = reading.to_pandas()
    assert frame.to_dict("list") == reading.columns
    assert frame.attrs == reading.about


def test_without_pandas_a_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ParameterError, match="pandas must be installed for a data frame: pip install pandas"):
        Reading(MOVED).to_pandas()


def test_the_truth_of_some_texts_need_not_add_up() -> None:
    """Others may hold texts that are not listed."""
    mechanism = dn.HashedResponse(3.0, symbols=16, cohorts=64)
    tally = mechanism.tally(mechanism.privatize_many(["a"] * 600 + ["b"] * 300 + ["c"] * 100, seed=1))
    reading = mechanism.estimate(tally, candidates=["a", "b"]).reading(truth=[0.6, 0.3])
    assert [row.truth for row in reading.rows()] == [0.6, 0.3]
    with pytest.raises(dn.ParameterError, match="truth"):
        mechanism.estimate(tally, candidates=["a", "b"]).reading(truth=[0.6, 1.3])


def test_a_truth_by_label_is_put_in_the_order_of_the_labels() -> None:
    mechanism = dn.Subset(["a", "b", "c"], 2.0)
    estimate = dn.simulate(mechanism, [0.2, 0.5, 0.3], users=900, seed=1)
    counted: Any = pd.Series(["b"] * 5 + ["c"] * 3 + ["a"] * 2)
    given: list[Any] = [{"c": 0.3, "b": 0.5, "a": 0.2}, counted.value_counts(normalize=True), [0.2, 0.5, 0.3]]
    for truth in given:
        assert [row.truth for row in estimate.reading(truth=truth).rows()] == pytest.approx([0.2, 0.5, 0.3])
    assert [row.truth for row in estimate.reading(truth={"b": 1.0}).rows()] == [0, 1, 0]
    with pytest.raises(dn.ParameterError, match="truth must be of the 3 labels, got d, which is none of them"):
        estimate.reading(truth={"b": 0.5, "d": 0.5})
