"""What changed over periods: intervals that hold all at once, by simulation, and what is left out and refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy import stats

import deniable as dn
from deniable.arrays import Flags, Matrix
from deniable.estimation.change import LINKED
from deniable.estimation.difference import Difference
from deniable.estimation.evidence import Evidence, SupportEvidence
from deniable.estimation.repeated_reports import RepeatedEvidence
from deniable.protocol.errors import ParameterError, TallyError
from deniable.surveys.results import Results

WAYS = ["car", "bus", "train", "bike", "foot"]
FALSE_ALARM = 1e-9
RUNS = 3000
MECHANISM = dn.RandomizedResponse(WAYS, 2.0)
SURVEY = dn.Survey.plan("ride", [dn.OneOf("way", WAYS), dn.Number("minutes", 0, 60)], 3.0, 900, period="week")


def week(bikes: int, minutes: int = 20, seed: int = 1) -> Results:
    """The results of 900 people, of whom so many come by bike and the rest by car."""
    given = {"way": ["bike"] * bikes + ["car"] * (900 - bikes), "minutes": [minutes] * 900}
    return SURVEY.estimate(SURVEY.tally(SURVEY.answer_many(given, seed=seed)))


# --- intervals ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ManyRuns:
    """The estimates of all runs in a row, as if they were the labels of one."""

    evidence: Evidence
    n: int
    spec_bytes: bytes = b""

    @property
    def labels(self) -> range:
        """Of each run all labels."""
        return range(RUNS * len(WAYS))


def counts(rng: np.random.Generator, people: int, shares: list[float]) -> Any:
    """How often each answer is reported, in each run."""
    return rng.multinomial(people, np.array(shares) @ MECHANISM.channel().probabilities, RUNS)


def evidence_of(found: Any, people: int) -> SupportEvidence:
    return SupportEvidence(people, found.reshape(-1), MECHANISM.law.support)


def held(bounds: Matrix, truth: list[float]) -> Flags:
    """Of each run whether all its intervals hold."""
    each = bounds.reshape(RUNS, len(WAYS), 2)
    return np.asarray(((each[:, :, 0] <= truth) & (truth <= each[:, :, 1])).all(axis=1))


def reached(good: Flags) -> bool:
    """Whether so many runs hold as 95 of 100 let expect, but once in a thousand million tests."""
    return int(good.sum()) >= stats.binom.ppf(FALSE_ALARM, RUNS, 0.95)


def test_intervals_of_all_answers_hold_at_once_where_shares_drift() -> None:
    """Four weeks of other sizes and shares against four, by RUNS simulations; without Bonferroni too few hold."""
    rng = np.random.default_rng(20)
    sizes = [150, 220, 90, 300]
    before = [[0.4, 0.2, 0.1, 0.25 + d, 0.05 - d] for d in (0.05, 0.0, -0.03, 0.02)]
    after = [[0.42, 0.2, 0.12, 0.15 + d, 0.11 - d] for d in (0.0, 0.02, 0.05, -0.01)]
    spans = [sum(counts(rng, n, p) for n, p in zip(sizes, shares, strict=True)) for shares in (before, after)]
    found = Difference(*(ManyRuns(evidence_of(each, sum(sizes)), sum(sizes)) for each in spans))
    truth = (np.average(after, axis=0, weights=sizes) - np.average(before, axis=0, weights=sizes)).tolist()
    assert reached(held(found.interval(1 - 0.05 / len(WAYS)), truth))
    assert not reached(held(found.interval(0.95), truth))


def test_intervals_hold_where_everybody_sends_the_same_reports_within_a_span() -> None:
    """The worst that remembered reports can do; counted as if each period drew new ones, too few hold."""
    rng = np.random.default_rng(21)
    shares, people = [0.4, 0.2, 0.1, 0.25, 0.05], 300
    weeks = [evidence_of(counts(rng, people, shares), people) for _ in range(2)]
    alike, apart = (
        Difference(*(ManyRuns(each, 4 * people) for each in spans))
        for spans in (
            [RepeatedEvidence([each] * 4) for each in weeks],
            [evidence_of(4 * each.counts, 4 * people) for each in weeks],
        )
    )
    level = 1 - 0.05 / len(WAYS)
    assert reached(held(alike.interval(level), [0.0] * 5))
    assert not reached(held(apart.interval(level), [0.0] * 5))


def test_rows_are_the_difference_of_both_spans_counted_together() -> None:
    weeks = [week(bikes, seed=seed) for seed, bikes in enumerate((300, 330, 200, 180, 150))]
    found = dn.change(weeks, first=2, last=2)["way"]
    sums = [SURVEY.estimate(a.tally + b.tally)["way"] for a, b in (weeks[:2], weeks[3:])]
    change = sums[0].difference(sums[1])
    assert found.n == (sums[0].n, sums[1].n)
    assert [row[1:6] for row in found.rows()] == [
        (first, last, value, low, high)
        for first, last, value, (low, high) in zip(
            sums[0].unbiased.tolist(), sums[1].unbiased.tolist(), change.values.tolist(),
            change.interval(1 - 0.05 / 5).tolist(), strict=True,
        )
    ]  # fmt: skip
    assert found.to_dict()["low"] == [row.low for row in found.rows()]


def test_a_number_is_compared_by_its_mean_and_quantiles_at_once() -> None:
    found = dn.change([week(300, 20), week(300, 40, seed=2)])["minutes"]
    names = [row.label for row in found.rows()]
    estimates: Any = found.difference
    more = estimates.second.mean.minus(estimates.first.mean)
    assert names[0] == "Mean"
    assert found.rows()[0][4:6] == more.interval(1 - 0.05 / len(names))
    assert found.sentence.startswith("The mean rose by ")


# --- spans ----------------------------------------------------------------------------------------------------------


def test_periods_without_a_result_are_left_out_and_named() -> None:
    nobody = SURVEY.estimate(SURVEY.tally())
    weeks = {"one": week(400), "two": None, "three": nobody, "four": week(200), "five": None, "six": week(100)}
    found = dn.change(weeks, first=3, last=2)["way"]
    assert (found.first.periods, found.first.left_out) == (("one",), ("two", "three"))
    assert found.notes == [
        "Of the first three weeks there is no result of two and three.",
        "Of the last two weeks there is no result of five.",
    ]
    assert found.rows() == dn.change([weeks["one"], weeks["six"]])["way"].rows()


def test_four_periods_are_compared_with_four_or_halves_of_fewer() -> None:
    each = week(300)
    assert dn.change([each] * 9)["way"].first.words == "the first four weeks"
    assert dn.change([each] * 5)["way"].last.words == "the last two weeks"
    assert dn.change([each] * 2)["way"].first.words == "the first week"


@pytest.mark.parametrize(
    ("periods", "spans", "message"),
    [
        ([week(300)], {}, "periods must be two or more, got 1"),
        ([week(300)] * 3, {"first": 2, "last": 2}, "first and last must be at most 3 periods together, got 2 and 2"),
        ([week(300)] * 3, {"first": 0}, "first must be a whole number of at least 1, got first=0"),
        ([None, week(300)], {}, "the first week must have a result, got none"),
        ([week(300), week(300).tally], {}, "periods must be results of a survey, or None, got SurveyTally"),
    ],
)
def test_what_cannot_be_compared_is_refused(periods: Any, spans: Any, message: str) -> None:
    with pytest.raises((ParameterError, TallyError)) as refused:
        dn.change(periods, **spans)
    assert str(refused.value).startswith(message.split("got first", maxsplit=1)[0].split("a whole", maxsplit=1)[0])


def test_periods_of_another_survey_are_refused() -> None:
    other = dn.Survey.plan("other", SURVEY.questions, 3.0, 900, period="week")
    with pytest.raises(TallyError, match="periods must be of one survey"):
        dn.change([week(300), other.estimate(other.tally())])


# --- other surveys --------------------------------------------------------------------------------------------------


def test_remembered_reports_are_taken_to_err_alike() -> None:
    well = dn.OneOf("well", ["yes", "partly", "no"])
    survey = dn.Survey.plan("well", [well], 3.0, 900, period="week", repeat="remembered")
    given = [{"well": ["yes"] * (300 + more) + ["no"] * (600 - more)} for more in (0, 0, 200, 200)]
    weeks = [survey.estimate(survey.tally(survey.answer_many(each, seed=k))) for k, each in enumerate(given)]
    found = dn.change(weeks)["well"]
    alone = [each["well"].stderr for each in weeks]
    assert found.remarks == [LINKED]
    assert found.difference.stderr == pytest.approx(np.hypot(sum(alone[:2]) / 2, sum(alone[2:]) / 2))
    assert dn.change(weeks, first=1, last=1)["well"].notes == []


def test_a_census_of_several_periods_keeps_the_errors_of_a_sample() -> None:
    survey = dn.Survey.plan("staff", [dn.OneOf("way", WAYS)], 3.0, 100, period="week", population=100)
    weeks = [survey.estimate(survey.tally(survey.answer_many({"way": ["bike"] * 100}, seed=k))) for k in range(4)]
    pooled, single = dn.change(weeks, first=2, last=2)["way"], dn.change(weeks, first=1, last=1)["way"]
    assert [each.census for each in dn.change(weeks, first=2, last=2).both] == [None, None]
    assert single.difference.first.evidence.n == 100
    assert pooled.difference.first.evidence.stderr() == pytest.approx(
        pooled.difference.first.evidence.stderr("population")
    )


def test_words_are_those_found_in_both_spans_together() -> None:
    survey = dn.Survey.plan("inbox", [dn.Text("word", longest=4)], 6.0, 8000, period="week")
    given = [["news"] * 5000 + ["mail"] * 3000, ["news"] * 2000 + ["mail"] * 6000]
    weeks = [survey.estimate(survey.tally(survey.answer_many({"word": each}, seed=1))) for each in given]
    found = dn.change(weeks)["word"]
    assert sorted(map(str, found.labels)) == ["mail", "news"]
    assert {row.label: row.way for row in found.rows()} == {"mail": 1, "news": -1}


def test_two_answers_that_mirror_each_other_are_said_once() -> None:
    survey = dn.Survey.plan("late", [dn.OneOf("late", ["yes", "no"])], 3.0, 900, period="week")
    given = [["yes"] * yes + ["no"] * (900 - yes) for yes in (200, 500)]
    weeks = [survey.estimate(survey.tally(survey.answer_many({"late": each}, seed=1))) for each in given]
    assert dn.change(weeks)["late"].sentence.startswith("More answer “yes” than in the first week: by ")
