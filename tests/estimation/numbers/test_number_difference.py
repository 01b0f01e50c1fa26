"""Questions to numbers: how much more they are, where a mean's error comes from, and one rule for all decimals."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

import deniable as dn
from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.numbers.number_difference import NumberDifference
from deniable.estimation.numbers.number_reading import NumberReading
from deniable.estimation.numbers.number_saying import between, change_in_units, value_of
from deniable.estimation.numbers.quantity import Quantity
from deniable.protocol.say import english

WANT = ("mean", "quantiles", "spread")


@cache
def told(about: float, seed: int, want: tuple[str, ...] = WANT, people: int = 4000) -> Distribution:
    """Minutes about a mean."""
    survey = dn.Survey.plan("s", [dn.Number("x", 0, 120, unit="min", want=want)], 2.0, people)
    drawn = np.random.default_rng(seed).normal(about, 15, people).round().clip(0, 120)
    found = survey.estimate(survey.tally(survey.answer_many({"x": drawn}, seed=seed)))["x"]
    assert isinstance(found, Distribution)
    return found


def compared(first: Distribution, second: Distribution) -> NumberDifference:
    found = first.difference(second)
    assert isinstance(found, NumberDifference)
    return found


def test_the_mean_and_quantiles_are_told_in_units_and_the_bins_as_shares() -> None:
    found = compared(told(40, 1), told(60, 2))
    names = [each.name for each in found.quantities]
    assert names == ["Mean", "A quarter are at or below", "Median", "Three quarters are at or below"]
    assert found.summary().startswith("The two differ.")
    assert " Mean: more, by " in found.summary()
    frame = found.to_pandas()
    assert frame["unit"].tolist() == ["min"] * 4 + ["share"] * len(found.labels)
    assert frame["value"][0] == found.quantities[0].difference.value
    assert len(found.tables()) == 2


def test_a_mean_alone_has_a_difference_too() -> None:
    found = compared(told(40, 1, ("mean",)), told(42, 2, ("mean",)))
    assert len(found.tables()) == 1
    assert len(found.to_dict()["label"]) == 1
    assert found.summary().startswith("No difference can be seen.")
    with pytest.raises(dn.ParameterError, match="a picture must be of bins that both have"):
        found.plot()


def test_other_scales_are_refused() -> None:
    survey = dn.Survey.plan("s", [dn.Number("x", 0, 60, want="mean")], 2.0, 500)
    other = survey.estimate(survey.tally(survey.answer_many({"x": [5] * 500}, seed=1)))["x"]
    with pytest.raises(dn.ParameterError, match="other must be of numbers on the same scale"):
        told(40, 1).difference(other)


def test_the_error_of_a_mean_has_two_parts_and_falls_with_the_root_of_the_people() -> None:
    found = told(40, 1, people=40_000)
    parts = found.error_sources()
    assert parts is not None
    assert (parts.label, parts.unit) == (None, "min")
    assert parts.whole**2 == pytest.approx(parts.sampling**2 + parts.privacy**2)
    assert parts.sampling == pytest.approx(1.96 * found.spread.value / np.sqrt(parts.n), rel=1e-3)
    assert re.match(r"For the mean, ± [\d.]+ min: ± ", str(parts))
    low, high = found.mean.interval()
    needed = found.people_needed((high - low) / 4)
    assert needed.people == pytest.approx(4 * 40_000, rel=0.05)
    assert "until the mean is right within" in str(needed)


def test_without_the_spread_the_parts_are_not_known() -> None:
    with pytest.raises(dn.ParameterError, match="the spread must have been asked for"):
        told(40, 1, ("mean",)).error_sources()


def test_a_bin_is_asked_like_any_label() -> None:
    found = told(40, 1)
    parts = found.error_sources(found.labels[5])
    assert parts is not None
    assert parts.unit is None
    assert "the share of “40 to 47”" in str(found.people_needed(0.01, "40 to 47"))
    assert found.compare("40 to 47", "112 to 120").low > 0


@pytest.mark.parametrize(("width", "decimals"), [(0.3, 3), (0.5, 2), (4.0, 1), (30.0, 1), (40.0, 0), (100.0, 0)])
def test_an_interval_has_the_same_decimals_in_tables_sentences_and_changes(width: float, decimals: int) -> None:
    """An interval that is 4 wide has a standard error of 1.02, of which two digits are kept: 1.0."""
    found, mean = told(40, 1), Quantity.normal(40.123456, width / 3.92, 0, 120)
    reading = found.reading()
    assert isinstance(reading, NumberReading)
    more = Quantity.normal(12.345678, width / 3.92)
    texts = [
        *reading._cells("mean", mean), *reading._cells("spread", mean),
        english(value_of(found, mean)), *re.findall(r"[\d.]+", english(between(found, mean))),
        *re.findall(r"[\d.]+", english(change_in_units(found, more, 0.95))),
    ]  # fmt: skip
    numbers = [text.split("\N{NO-BREAK SPACE}")[0] for text in texts]
    assert {len(number.partition(".")[2]) for number in numbers} == {decimals}


def test_quantiles_stay_as_they_stand_on_the_scale() -> None:
    found = told(40, 1)
    assert re.fullmatch(r"\d+\Wmin", english(value_of(found, found.median)))
    assert re.fullmatch(r"between \d+\Wmin and \d+\Wmin", english(between(found, found.median)))
