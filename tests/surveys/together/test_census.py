"""A survey that says how many people it is meant for: its document, its plan and the errors that it states."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy import stats

import deniable as dn
from deniable.estimation.census import SAMPLE_ERROR_NOTE, Census
from deniable.estimation.census_evidence import NARROWED
from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.sources import EXACT
from deniable.protocol.errors import FormatError, ParameterError
from deniable.protocol.questions.question import Question
from deniable.protocol.say import english
from deniable.protocol.surveys.device_document import DeviceDocument
from deniable.surveys.authoring import survey_from_toml
from deniable.surveys.questions.number_errors import mean_error
from deniable.surveys.results import Results
from deniable.theory.numbers.points import worth_of
from deniable.theory.numbers.reports import PointReport

WAY = dn.OneOf("way", ["car", "bus", "bike", "foot"])
USED = dn.AnyOf("used", ["mail", "maps", "news"])
MINUTES = dn.Number("minutes", 0, 60)
PEOPLE = 120


def planned(*questions: Question, population: Any = PEOPLE) -> dn.Survey:
    return dn.Survey.plan("council", questions, 1.0, PEOPLE, population=population)


def test_a_population_is_a_field_only_where_it_is_said() -> None:
    said, unsaid = planned(WAY), planned(WAY, population=None)
    assert json.loads(said.to_json())["population"] == PEOPLE
    assert "population" not in json.loads(unsaid.to_json())
    assert (said.population, unsaid.population) == (PEOPLE, None)
    assert said.digest != unsaid.digest
    for kind in (dn.Survey, DeviceDocument):
        assert kind.from_json(said.to_json()).to_json() == said.to_json()
        assert kind.from_json(unsaid.to_json()).population is None


@pytest.mark.parametrize("population", [0, -1, 1.5, "120", True])
def test_a_population_that_is_no_number_of_people_is_refused(population: object) -> None:
    with pytest.raises(ParameterError, match="population must be an int of at least 1"):
        planned(WAY, population=population)
    given = {**json.loads(planned(WAY).to_json()), "population": population}
    with pytest.raises(FormatError):
        dn.Survey.from_json(json.dumps(given))


def test_a_document_never_says_that_it_has_no_population() -> None:
    given = {**json.loads(planned(WAY).to_json()), "population": None}
    with pytest.raises(FormatError, match="its own fields"):
        dn.Survey.from_json(json.dumps(given))


def test_a_plan_in_toml_says_it() -> None:
    head = 'name = "council"\nepsilon = 1.0\npeople = 84\npopulation = 120\n'
    survey, people = survey_from_toml(head + '[[question]]\nname = "way"\nlabels = ["car", "bus"]\n')
    assert (survey.population, people) == (120, 84)
    assert survey.expected(people).who == ("way: 84 of 120, taken as if the others were like them.",)


def test_of_all_people_only_the_protection_errs() -> None:
    survey = planned(WAY)
    told = survey.arms[0].parts[0].mechanism
    protection = told.risk(PEOPLE, "l2", np.full(4, 0.25), "sample") / 4
    assert survey.expected(PEOPLE)["way"].error ** 2 == pytest.approx(protection)
    assert survey.expected(PEOPLE).who == ("way: as many answers to this question as people asked.",)


@pytest.mark.parametrize("people", [20, 60, 119, 120])
def test_errors_are_less_by_what_the_people_share(people: int) -> None:
    survey, open_ended = planned(WAY, USED, MINUTES), planned(WAY, USED, MINUTES, population=None)
    found, drawn = survey.expected(people), open_ended.expected(people)
    assert survey.arms == open_ended.arms
    for name, spread in (("way", 3 / 16), ("used", 1 / 4)):
        assert drawn[name].error ** 2 - found[name].error ** 2 == pytest.approx(spread / PEOPLE)
    even = np.arange(61) / 60
    below = np.arange(1, 16) / 16  # numbers are counted in 16 cells
    for less, more, spread in (
        (found["minutes"].mean, drawn["minutes"].mean, float(even.var())),
        (found["minutes"].below, drawn["minutes"].below, float((below * (1 - below)).mean())),
    ):
        assert less is not None
        assert more is not None
        assert more**2 - less**2 == pytest.approx(spread / PEOPLE)


def test_the_worst_mean_among_all_people_is_that_of_one_report_of_each() -> None:
    survey = dn.Survey.plan("minutes", [dn.Number("minutes", 0, 60, want=("mean",))], 1.0, PEOPLE)
    parts = [(part, PEOPLE / len(survey.arms)) for arm in survey.arms for part in arm.parts]
    rows = parts[0][0].mechanism.channel().probabilities
    report = PointReport(rows, worth_of(rows), len(survey.arms))
    (question,) = survey.questions
    assert isinstance(question, dn.Number)
    found = mean_error(question, parts, PEOPLE)
    assert found is not None
    assert found.worst == pytest.approx(math.sqrt(report.worst / PEOPLE) / 2)
    assert found.even <= found.worst


def test_more_answers_than_people_are_a_caution_and_correct_nothing() -> None:
    expectation = planned(WAY).expected(PEOPLE + 1)
    assert expectation["way"] == planned(WAY, population=None).expected(PEOPLE + 1)["way"]
    assert any("more answers than people, 121 of 120" in warning for warning in expectation.warnings)
    assert expectation.who == ()


def test_an_expectation_says_its_population_in_json_and_words() -> None:
    found = planned(WAY, USED).expected(PEOPLE)
    assert found.to_dict()["population"] == found.about["population"] == found.population == PEOPLE
    assert "way: 60 of 120, drawn by lot." in str(found)
    assert "population" not in planned(WAY, population=None).expected(PEOPLE).to_dict()


def test_a_census_says_who_told() -> None:
    assert english(Census(1200, 1200).who(400)) == "400 of 1,200, drawn by lot"
    assert english(Census(1200, 900).who(300)) == "300 of 1,200, taken as if the others were like them"
    assert english(Census(20, 21).who(20)).startswith("more answers than people, 21 of 20")
    assert [Census(20, answered).is_all(20) for answered in (20, 21)] == [True, False]


# --- results ---------------------------------------------------------------------------------------------------------

TABLE: dict[str, list[Any]] = {
    "way": ["car"] * 50 + ["bus"] * 40 + ["bike"] * 20 + ["foot"] * 10,
    "used": [["mail", "maps"]] * 60 + [["news"]] * 60,
    "minutes": [*range(60), *range(60)],
    "late": ["yes"] * 30 + ["no"] * 90,
}
ASKED = [WAY, USED, dn.Number("minutes", 0, 60, want=("mean", "quantiles", "spread"))]


def results(questions: Sequence[Question], population: int | None, epsilon: float = 2.0, **terms: Any) -> Results:
    survey = dn.Survey.plan("council", questions, epsilon, PEOPLE, population=population, **terms)
    table = {question.name: TABLE[question.name] for question in questions}
    return survey.estimate(survey.tally(survey.answer_many(table, seed=1)))


@pytest.mark.parametrize("population", [PEOPLE, 200])
def test_each_question_errs_less_by_what_all_people_share(population: int) -> None:
    found, drawn = results(ASKED, population), results(ASKED, None)
    for name in ("way", "used"):
        one, other = found[name], drawn[name]
        p = np.clip(one.unbiased, 0, 1)
        assert np.array_equal(one.frequencies, other.frequencies)
        assert np.allclose(other.stderr**2 - one.stderr**2, p * (1 - p) / population, atol=1e-4 / population)
        assert np.all(np.diff(one.interval()) <= np.diff(np.clip(other.interval(), 0, 1)) + 1 / population)
        assert one.population == population
        assert other.population is None


@pytest.mark.parametrize("want", [("mean", "quantiles"), ("mean", "spread"), ("quantiles",)])
def test_a_mean_errs_less_as_far_as_it_is_known_how_numbers_spread(want: tuple[str, ...]) -> None:
    many, asked = 2 * PEOPLE, [dn.Number("minutes", 0, 60, want=want)]
    surveys = (dn.Survey.plan("council", asked, 4.0, many, population=each) for each in (many, None))
    table = {"minutes": 2 * TABLE["minutes"]}
    one, other = (each.estimate(each.tally(each.answer_many(table, seed=1)))["minutes"] for each in surveys)
    assert isinstance(one, Distribution)
    assert isinstance(other, Distribution)
    less = other.mean.stderr**2 - one.mean.stderr**2
    assert 0.3 * 300 / many < less < 2 * 300 / many  # the variance of numbers from 0 to 59 is 300
    assert one.mean.value == other.mean.value
    assert np.diff(one.mean.interval()) < np.diff(other.mean.interval())
    if "quantiles" in want:
        below = one.cdf(29)
        p = below.value
        assert other.cdf(29).stderr ** 2 - below.stderr**2 == pytest.approx(p * (1 - p) / many, rel=0.3)
        assert np.all(one.stderr <= other.stderr)


def test_of_a_mean_alone_nothing_is_taken_off() -> None:
    asked = [dn.Number("minutes", 0, 60, want=("mean",))]
    one, other = (results(asked, each)["minutes"] for each in (PEOPLE, None))
    assert isinstance(one, Distribution)
    assert isinstance(other, Distribution)
    assert one.mean.stderr == other.mean.stderr


def test_of_numbers_that_few_told_nothing_is_taken_off_and_it_is_said() -> None:
    asked = [dn.Number("minutes", 0, 60, want=("mean", "quantiles"))]
    for people, is_kept in ((30, True), (600, False)):
        survey = dn.Survey.plan("council", asked, 2.0, people, population=people)
        found = survey.estimate(survey.tally(survey.answer_many({"minutes": [*range(30)] * (people // 30)}, seed=1)))
        assert (english(SAMPLE_ERROR_NOTE) in found["minutes"].notes) == is_kept
        assert (english(SAMPLE_ERROR_NOTE) in str(found)) == is_kept


def test_people_who_all_give_the_least_number_are_within_the_interval_of_the_mean() -> None:
    """Of 60 surveys; chance alone fails this once in a hundred million times.

    Half of them missed when bounds were cut at the least number before they were narrowed.
    """
    survey = dn.Survey.plan(
        "council", [dn.Number("minutes", 0, 60, want=("mean", "quantiles"))], 1.0, PEOPLE, population=PEOPLE
    )
    generator, misses = np.random.default_rng(3), 0
    for _ in range(60):
        found = survey.estimate(survey.draw_tally({"minutes": [0, 60]}, [PEOPLE, 0], generator))["minutes"]
        assert isinstance(found, Distribution)
        misses += found.mean.interval()[0] > 0
    assert misses <= stats.binom.isf(1e-8, 60, 0.05)


def test_results_say_of_how_many_people_they_are() -> None:
    found = results([WAY], PEOPLE)
    assert found["way"].notes == ("as many answers to this question as people asked",)
    assert found.to_dict()["questions"]["way"]["population"] == PEOPLE
    assert "note: as many answers to this question as people asked" in str(found["way"])
    assert "population" not in results([WAY], None).to_dict()["questions"]["way"]
    assert results([WAY], 200)["way"].notes == ("120 of 200, taken as if the others were like them",)
    by_lot = results(ASKED, PEOPLE)
    assert by_lot["way"].notes == (f"{by_lot['way'].n} of 120, drawn by lot",)


def test_more_answers_than_people_leave_results_as_they_are() -> None:
    found, drawn = results(ASKED, PEOPLE - 1), results(ASKED, None)
    for name in found:
        assert np.array_equal(found[name].stderr, drawn[name].stderr)
        assert np.array_equal(found[name].interval(), drawn[name].interval())
        assert found[name].notes[0].startswith("more answers than people, 120 of 119")


def test_questions_that_are_crossed_are_weighed_and_say_how() -> None:
    late = dn.OneOf("late", ["yes", "no"])
    one, other = (results([WAY, late, MINUTES], each, cross=[("way", "late")])["way"] for each in (PEOPLE, None))
    p = np.clip(one.unbiased, 0, 1)
    assert np.allclose(other.stderr**2 - one.stderr**2, p * (1 - p) / PEOPLE)
    assert NARROWED in one.remarks
    assert EXACT not in one.remarks


def test_texts_stand_out_among_the_people_too() -> None:
    site = dn.Text("site", longest=2)
    survey = dn.Survey(
        "sites", [site], [dn.Arm(dn.Part(site, dn.HashedResponse(4.0, 8, 16, key="sites")))], population=2000
    )
    tally = survey.tally(survey.answer_many({"site": ["ab"] * 1500 + ["cd"] * 500}, seed=1))
    found = survey.estimate(tally, candidates={"site": ["ab", "cd", "ef"]})["site"]
    assert found.present() == ["ab", "cd"]
    assert found.population == 2000


def test_periods_of_the_same_people_are_compared_as_before() -> None:
    well = dn.OneOf("well", ["yes", "no"])
    changes = []
    for population in (PEOPLE, None):
        survey = dn.Survey.plan(
            "weekly", [well], 4.0, PEOPLE, period="week", repeat="remembered", population=population
        )
        weeks = [
            survey.estimate(survey.tally(survey.answer_many({"well": ["yes"] * 60 + ["no"] * 60}, seed=seed)))["well"]
            for seed in (1, 2)
        ]
        changes.append((weeks[0].difference(weeks[1], stayed=0.5).stderr, weeks[0].difference(weeks[1]).stderr))
    (stayed, apart), (stayed_drawn, apart_drawn) = changes
    assert np.array_equal(stayed, stayed_drawn)
    assert np.all(apart < apart_drawn)


def test_weighed_shares_of_a_census_lie_within_their_bounds_as_often_as_stated() -> None:
    """400 surveys of 84 of 120 people, crossed; chance alone fails this once in a hundred million times."""
    late, generator = dn.OneOf("late", ["yes", "no"]), np.random.default_rng(5)
    survey = dn.Survey.plan("council", [WAY, late], 2.0, 84, [("way", "late")], population=PEOPLE)
    misses = np.zeros(4)
    for _ in range(400):
        some = generator.permutation(PEOPLE)[:84].tolist()
        table = {name: [TABLE[name][place] for place in some] for name in ("way", "late")}
        found = survey.estimate(survey.tally(survey.answer_many(table, seed=int(generator.integers(1 << 40)))))["way"]
        low, high = found.interval().T
        truth = np.array([50, 40, 20, 10]) / PEOPLE
        misses += (low > truth) | (truth > high)
    assert misses.max() <= stats.binom.isf(1e-8 / 4, 400, 0.05)
