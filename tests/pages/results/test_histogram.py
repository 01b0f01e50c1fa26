"""Histograms: columns stand where their numbers are, as high as people are frequent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import deniable as dn
from deniable.estimation.numbers.distribution import Distribution
from deniable.pages.results.histogram import Histogram, histogram
from deniable.protocol.say import english

MINUTES = np.random.default_rng(1).gamma(3, 12, 20_000).round()


def drawn(
    low: object, high: object, step: object, answers: Sequence[object], unit: str = ""
) -> tuple[Distribution, Histogram]:
    """What people answered about a number, and its histogram."""
    question = dn.Number("x", low, high, step, unit=unit, want=("quantiles", "histogram"))
    survey = dn.Survey.plan("numbers", [question], 4.0, len(answers))
    found = survey.estimate(survey.tally(survey.answer_many({"x": answers}, seed=1)))["x"]
    assert isinstance(found, Distribution)
    shown = histogram(found)
    assert shown is not None
    return found, shown


def test_a_column_is_as_high_as_its_share_and_stands_on_its_numbers() -> None:
    found, shown = drawn(0, 120, 5, MINUTES.tolist(), "min")
    zero, (top, place) = shown.zero, shown.levels[-1]
    unit = (zero - place) / float(top)
    places = dict(shown.numbers)
    for column, share, (low, high) in zip(shown.columns, found.unbiased, found.interval(), strict=True):
        first, _, last = english(column.label).partition(" to ")
        wide = (float(last or first) - float(first) + 5) / 10
        assert zero - column.dot == pytest.approx(100 * unit * share / wide, abs=0.05)
        assert column.line.start == pytest.approx(zero - 100 * unit * high / wide, abs=0.05)
        assert column.line.start + column.line.width == pytest.approx(zero - 100 * unit * low / wide, abs=0.05)
        middle = (float(first) + float(last or first)) / 2
        assert column.middle == pytest.approx(places["0"] + (places["100"] - places["0"]) * middle / 100, abs=0.05)
    assert english(shown.per) == "10\N{NO-BREAK SPACE}min"
    assert [english(quarter.name) for quarter in shown.quarters] == ["1 in 4", "half", "3 in 4"]
    half = found.median.value
    assert shown.quarters[1].place == pytest.approx(places["0"] + (places["100"] - places["0"]) * half / 100, abs=0.05)


def test_days_have_columns_and_quarters_too() -> None:
    _, shown = drawn("1990-01-01", "2010-12-31", 1, ["1995-05-05"] * 5000 + ["2000-01-01"] * 5000)
    assert english(shown.per).endswith("\N{NO-BREAK SPACE}days")
    assert shown.numbers[0][0] == "1990-01-01"
    assert english(shown.median).startswith("half are at or below 1995-")
