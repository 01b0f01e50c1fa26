"""A scale from its plan to its results: the mean, its expected error, crossing, a census, and what is exported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app
from deniable.estimation.scales.scale_estimate import ScaleDifference, ScaleEstimate
from deniable.surveys.authoring import survey_from_toml

LABELS = ["strongly disagree", "disagree", "neither", "agree", "strongly agree"]
FAIR = dn.Scale("fair", LABELS, wording="My pay is fair.")
WAY = dn.OneOf("way", ["car", "bus"])
PEOPLE = 20_000
SHARES = (0.05, 0.1, 0.2, 0.4, 0.25)
MEAN = 3.7


def column(shares: tuple[float, ...], people: int = PEOPLE) -> list[str]:
    return [label for label, share in zip(LABELS, shares, strict=True) for _ in range(round(share * people))]


def answered(survey: dn.Survey, given: dict[str, Any], seed: int = 1) -> Any:
    return survey.estimate(survey.tally(survey.answer_many(given, seed=seed)))


PLAN = dn.Survey.plan("pay", [FAIR], 1.0, PEOPLE)
FOUND = answered(PLAN, {"fair": column(SHARES)})["fair"]


def test_the_mean_of_a_survey_is_near_the_truth() -> None:
    assert isinstance(FOUND, ScaleEstimate)
    assert abs(FOUND.mean.value - MEAN) < 5 * FOUND.mean.stderr
    low, high = FOUND.mean.interval(0.95)
    assert low < FOUND.mean.value < high


def test_a_scale_is_planned_as_a_question_of_labels_is() -> None:
    plain = dn.Survey.plan("pay", [dn.OneOf("fair", LABELS)], 1.0, PEOPLE)
    assert PLAN.arms[0].parts[0].mechanism == plain.arms[0].parts[0].mechanism
    expected, of_labels = PLAN.expected(PEOPLE)["fair"], plain.expected(PEOPLE)["fair"]
    assert (expected.error, expected.deciding) == (of_labels.error, of_labels.deciding)


@pytest.mark.parametrize("cross", [(), [("fair", "way")]])
def test_the_expected_error_of_the_mean_is_that_of_equally_frequent_answers(cross: Any) -> None:
    """Held against the error that an estimate of very many such people has, a question alone and one in a pair."""
    questions = [FAIR, WAY] if cross else [FAIR]
    survey = dn.Survey.plan("pay", questions, 1.0, PEOPLE, cross=cross)
    rng = np.random.default_rng(1)
    rows: dict[str, list[Any]] = {"fair": [label for label in LABELS for _ in range(2)], "way": ["car", "bus"] * 5}
    people = np.full(10, 1_000_000)
    tally = survey.draw_tally({each.name: rows[each.name] for each in questions}, people, rng)
    found: Any = survey.estimate(tally)["fair"]
    wanted = survey.expected(int(people.sum()))["fair"].mean
    assert wanted is not None
    assert found.mean.stderr == pytest.approx(wanted * (len(LABELS) - 1), rel=0.002)
    assert "people tell of the mean of fair, from 1 to 5: give or take" in str(survey.expected(PEOPLE))


def test_a_scale_is_crossed_and_its_mean_is_told_from_the_pairs() -> None:
    survey = dn.Survey.plan("pay", [FAIR, WAY], 2.0, PEOPLE, cross=[("fair", "way")])
    results = answered(survey, {"fair": column(SHARES), "way": ["car", "bus"] * (PEOPLE // 2)})
    assert abs(results["fair"].mean.value - MEAN) < 5 * results["fair"].mean.stderr
    assert list(results.cross("fair", "way").rows) == LABELS


def test_a_scale_makes_the_groups_of_a_number() -> None:
    survey = dn.Survey.plan("pay", [FAIR, dn.Number("hours", 0, 10)], 4.0, PEOPLE, cross=[("fair", "hours")])
    hours = [2 + 1.5 * LABELS.index(label) for label in column(SHARES)]
    means = answered(survey, {"fair": column(SHARES), "hours": hours}).means("hours", by="fair")
    assert np.argmax(means.values) == 4


def test_a_census_narrows_the_mean() -> None:
    people = 400
    census = dn.Survey.plan("pay", [FAIR], 2.0, people, population=people)
    answers = census.answer_many({"fair": column(SHARES, people)}, seed=1)
    of_all: Any = census.estimate(census.tally(answers))["fair"]
    sample = dn.Survey.plan("pay", [FAIR], 2.0, people)
    of_some: Any = sample.estimate(sample.tally(sample.answer_many({"fair": column(SHARES, people)}, seed=1)))["fair"]
    assert of_all.mean.value == of_some.mean.value
    spread = sum(share * (place - MEAN) ** 2 for place, share in enumerate(SHARES, 1))
    assert of_some.mean.stderr**2 - of_all.mean.stderr**2 == pytest.approx(spread / people, rel=0.25)
    expected, of_sample = (survey.expected(people)["fair"].mean for survey in (census, sample))
    assert expected is not None
    assert of_sample is not None
    assert expected < of_sample


def test_the_sentence_names_the_ends_and_holds_the_mean() -> None:
    low, high = FOUND.mean.interval(0.95)
    said = FOUND.summary()
    assert "On the scale from 1 (strongly disagree) over 3 (neither) to 5 (strongly agree) the mean is between " in said
    least, most = (float(word) for word in said.split("the mean is between ")[1].split(". A")[0].split(" and "))
    assert least <= low < high <= most
    assert most - least < 1.2 * (high - low)


def test_where_not_even_the_mean_is_known_nothing_is_said_of_it() -> None:
    found = answered(dn.Survey.plan("pay", [FAIR], 0.2, 60), {"fair": column(SHARES, 60)})["fair"]
    assert "mean" not in found.summary()


def test_groups_differ_by_their_means() -> None:
    other = answered(PLAN, {"fair": column((0.1, 0.2, 0.2, 0.3, 0.2))}, seed=2)["fair"]
    found = FOUND.difference(other)
    assert isinstance(found, ScaleDifference)
    assert found.mean.value == pytest.approx(other.mean.value - FOUND.mean.value)
    assert found.mean.stderr == pytest.approx(np.hypot(other.mean.stderr, FOUND.mean.stderr))
    low, high = found.mean.interval(0.95)
    assert low < -0.4 < high < 0
    assert found.mean_test.p_value < 1e-9
    assert "The mean on the scale is lower, by 0." in found.summary()
    assert "test of whether both have equal means: p = " in str(found)
    assert found.to_dict()["mean"]["low"] == low


def test_equal_means_are_not_told_apart() -> None:
    found = FOUND.difference(answered(PLAN, {"fair": column(SHARES)}, seed=3)["fair"])
    assert found.mean_test.p_value > 0.001
    assert "No difference of the means on the scale can be seen (" in found.summary()


def test_another_scale_cannot_be_compared() -> None:
    labels = dn.Survey.plan("pay", [dn.OneOf("fair", LABELS)], 1.0, PEOPLE)
    plain = answered(labels, {"fair": column(SHARES)})["fair"]
    with pytest.raises(dn.ParameterError, match="other must be of the same scale, got Estimate"):
        FOUND.difference(plain)


def test_every_export_holds_the_mean() -> None:
    told = FOUND.to_dict()["mean"]
    assert (told["value"], told["stderr"]) == (FOUND.mean.value, FOUND.mean.stderr)
    assert (told["low"], told["high"]) == FOUND.mean.interval(0.95)
    assert json.loads(FOUND.to_json())["mean"] == told
    assert FOUND.to_dict()["label"] == LABELS
    assert "mean of the places 1 to 5: " in str(FOUND)
    assert "mean of the places 1 to 5: " in FOUND._repr_html_()
    assert json.loads(FOUND.to_arrow().schema.metadata[b"mean"]) == told


def test_the_command_line_tells_the_mean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pay.tally").write_bytes(PLAN.tally(PLAN.answer_many({"fair": column(SHARES)}, seed=1)).to_bytes())
    said, told = (CliRunner().invoke(app, ["survey", "estimate", "pay.tally", *more]) for more in ([], ["--json"]))
    assert (said.exit_code, told.exit_code) == (0, 0)
    assert f"mean of the places 1 to 5: {FOUND.mean.value:.2f}" in said.stdout
    assert json.loads(told.stdout)["questions"]["fair"]["mean"] == FOUND.to_dict()["mean"]


def test_a_scale_is_planned_in_a_file() -> None:
    written = f"""
        name = "pay"
        epsilon = 1.0
        people = 500
        [[question]]
        kind = "scale"
        name = "fair"
        labels = {json.dumps(LABELS)}
    """
    assert survey_from_toml(written)[0].questions == (dn.Scale("fair", LABELS),)


def test_advice_proposes_a_scale_of_fewer_answers_that_keeps_its_ends() -> None:
    ways = dn.advise([dn.Scale("fair", 11)], 100, 1.0, wanted=0.05).options
    scales: list[Any] = [q for each in ways for q in each.survey.questions if q.kind == "scale"]
    shorter = [list(each.labels) for each in scales if len(each.labels) < 11]
    assert shorter
    assert all((each[0], each[-1]) == (0, 10) and each == sorted(each) for each in shorter)


def test_the_label_and_the_audit_are_those_of_labels() -> None:
    plain = dn.Survey.plan("pay", [dn.OneOf("fair", LABELS, wording="My pay is fair.")], 1.0, PEOPLE)
    assert str(PLAN.label()) == str(plain.label())
    assert PLAN.audit().holds
    assert PLAN.manipulation(0.01)["fair"] == plain.manipulation(0.01)["fair"]


def test_a_mechanism_has_the_labels_in_the_same_order() -> None:
    with pytest.raises(dn.ParameterError, match="must have a mechanism over"):
        dn.Part(FAIR, dn.RandomizedResponse(LABELS[::-1], 1.0))
