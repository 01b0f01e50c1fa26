"""Numbers in two results and over periods: at the rate that is promised, in their units, with what is seen in order."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.pages.results.worlds import in_a_row

import deniable as dn
from deniable.estimation.numbers.distribution import Distribution
from deniable.intake.storage.rows import OPEN
from deniable.pages.results.numbers import NumberResult
from deniable.protocol.say import english

compared, change = NumberResult().comparison, NumberResult().change

MINUTES = dn.Number("minutes", 0, 120, unit="min")
MEAN = dn.Number("minutes", 0, 120, unit="min", want=("mean",))
PLACES = (0.2, None, 0.5, 0.8)
"""Of people of four weeks, as parts of the scale; in the second week too few answered."""
BORN = dn.Number("born", "1940-01-01", "2010-12-31", want=("mean",))


def told(question: dn.Number, about: float, seed: int, people: int = 4000) -> Distribution:
    """What people tell whose numbers lie about a part of the scale."""
    survey = dn.Survey.plan("s", [question], 2.0, 4000)
    rng = np.random.default_rng(seed)
    places = np.clip(np.rint(rng.normal(about, 0.15, people) * question.scale.steps), 0, question.scale.steps)
    held, counts = np.unique(places.astype(int), return_counts=True)
    column = [question.scale.shown(place) for place in held.tolist()] if question.scale.dated else held
    found = survey.estimate(survey.draw_tally({question.name: column}, counts, rng))[question.name]
    assert isinstance(found, Distribution)
    return found


def test_a_mean_that_rose_is_more_in_its_unit_and_the_words_hold_the_interval() -> None:
    before, after = told(MEAN, 0.3, 1), told(MEAN, 0.6, 2)
    found = compared(before, after, ("north", "south"))
    assert english(found.sentence).startswith("The two differ.")
    [row] = found.rows
    assert english(row.label) == "Mean"
    read = re.fullmatch(r"more, by ([\d.]+) to ([\d.]+) min", english(row.words))
    assert read
    low, high = after.mean.minus(before.mean).interval(0.95)
    assert 0 < float(read[1]) <= low < high <= float(read[2])
    assert english(compared(after, before, ("north", "south")).rows[0].words).startswith("less, by ")
    told_so = change(before, after)
    assert told_so["unit"] == "min"
    assert told_so["differences"][0]["interval"] == (low, high)


def test_quantiles_are_compared_where_both_have_ranges() -> None:
    names = [
        english(row.label) for row in compared(told(MINUTES, 0.3, 1), told(MINUTES, 0.6, 2), ("north", "south")).rows
    ]
    assert names == ["Mean", "A quarter are at or below", "Median", "Three quarters are at or below"]
    assert len(compared(told(MINUTES, 0.3, 1), told(MEAN, 0.6, 2), ("north", "south")).rows) == 1


@pytest.mark.parametrize(("question", "pairs"), [(MINUTES, 25), (MEAN, 100)])
def test_results_alike_are_called_different_in_at_most_one_of_twenty(question: dn.Number, pairs: int) -> None:
    """The limit is exceeded by chance less than once in 10^6. Others that do differ are seen."""
    alike = [told(question, 0.4, seed, 1000) for seed in range(2 * pairs)]
    said = [english(compared(*pair, ("north", "south")).sentence) for pair in zip(alike[::2], alike[1::2], strict=True)]
    assert sum("The two differ" in each for each in said) <= stats.binom.isf(1e-6, pairs, 0.05)
    assert "The two differ" in english(compared(alike[0], told(question, 0.8, 1, 1000), ("north", "south")).sentence)


def test_dates_are_later_or_earlier_by_days() -> None:
    found = compared(told(BORN, 0.3, 1), told(BORN, 0.6, 2), ("north", "south")).rows[0]
    assert re.fullmatch(r"later, by [\d,]+ to [\d,]+ days", english(found.words))
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", english(found.first))


def _given(question: dn.Number, part: float) -> list[Any]:
    """The answers of people of whom each is at this part of the scale."""
    step = round(part * question.scale.steps)
    return [question.scale.shown(step) if question.scale.dated else step] * 2000


@pytest.mark.parametrize("question", [MINUTES, MEAN, BORN])
def test_periods_are_drawn_on_one_axis_in_the_units_of_the_scale(question: dn.Number) -> None:
    survey = dn.Survey.plan("s", [question], 2.0, 2000, period="week")
    weeks = [None if place is None else {question.name: _given(question, place)} for place in PLACES]
    found = in_a_row(survey, weeks, last=OPEN)
    names = ("Mean", "A quarter are at or below", "Median", "Three quarters are at or below")
    assert tuple(map(english, found.labels)) == (names if question is MINUTES else ("Mean",))
    assert found.unit == ("" if question is BORN else "min")
    assert found.axis is not None
    places = [place for _, place in found.axis.ticks]
    assert places == sorted(places)
    mean = found.lines[0]
    assert english(mean.points[1].measured.words) == "too few answers"
    first, last, still_open = (point.dot for point in mean.points if point.dot is not None)
    assert 100 > first > last > still_open > 0
    verb = "became later" if question is BORN else "rose"
    assert re.match(rf"The mean {verb} by .* from the first week to the last week\.", english(found.sentence))
    assert [column.is_open for column in found.columns] == [False, False, False, True]
