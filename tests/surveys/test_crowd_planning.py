"""Plans for a crowd: the levels that are certified, mechanisms and levels of crowd.md, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import deniable as dn
from deniable.protocol.errors import ParameterError

TERMS: dict[str, Any] = {"owner": "North Hospital", "closes": "2027-01-01T00:00:00Z"}
WAY = dn.OneOf("way", ["car", "bus", "bike", "foot"])
LATE = dn.OneOf("late", ["yes", "no"])


def crowd(least: int, level: float, **more: Any) -> dn.Crowd:
    return dn.Crowd("https://mixer.example", "Works Council", least, level, **more)


def planned(questions: list[Any], least: int, level: float, cap: float = 3.0, **more: Any) -> dn.Survey:
    return dn.Survey.plan("x", questions, cap, 20_000, crowd=crowd(least, level), **{**TERMS, **more})


VARIANCES = [
    (16, 1_000, 1.0, 0.167), (16, 500, 0.5, 0.472), (4, 1_000, 0.25, 0.557), (2, 500, 0.5, 0.27),
    (256, 500, 0.5, 0.636), (256, 1_000, 0.5, 0.427), (1024, 500, 0.5, 0.645), (1024, 500, 0.1, 6.7),
]  # fmt: skip
"""Labels, people, the level of a crowd, and the least variance of a report about a share of .1 (crowd.md, 5)."""


@pytest.mark.parametrize(("labels", "people", "level", "least"), VARIANCES)
def test_reports_have_the_least_variance_that_a_crowd_hides(
    labels: int, people: int, level: float, least: float
) -> None:
    question = dn.OneOf("q", labels)
    survey = dn.Survey.plan("x", [question], 4.0, people, crowd=crowd(people, level, made_up=0), **TERMS)
    mechanism = survey.arms[0].parts[0].mechanism
    assert isinstance(mechanism, dn.RandomizedResponse | dn.Subset)
    own, other = map(float, mechanism.law.exact_support)
    seen = 0.1 * own + 0.9 * other
    assert seen * (1 - seen) / (own - other) ** 2 == pytest.approx(least, rel=0.03)
    assert survey.crowd is not None
    assert 0.98 * level <= survey.crowd.level <= level


@pytest.mark.parametrize(
    "questions",
    [[WAY], [LATE], [WAY, LATE], [dn.AnyOf("used", ["a", "b", "c"]), LATE], [dn.Text("site")], [dn.Number("n", 0, 20)]],
)
def test_a_planned_level_and_belief_are_those_that_are_certified(questions: list[Any]) -> None:
    survey = planned(questions, 1_000, 0.5)
    own = survey.crowd
    assert own is not None
    assert own.belief is not None
    level, belief = dn.crowd.level(survey, 900), dn.crowd.belief(survey, 900, own.delta / 2)
    assert level <= own.level <= 1.01 * level + 1e-12
    assert belief <= own.belief <= 1.01 * belief
    assert own.level < own.belief < survey.promise.level <= 3.0


def test_a_plan_says_what_the_crowd_wins_and_what_a_curator_would() -> None:
    survey = planned([WAY], 1_000, 1.0)
    assert "times fewer people than the same error needs if answers are sent directly at epsilon 1" in survey.reason
    assert "a curator who has all answers as they are would need" in survey.reason
    assert "curator" not in planned([dn.AnyOf("used", ["a", "b"])], 1_000, 1.0).reason


def test_shares_err_in_a_crowd_as_was_planned() -> None:
    survey = planned([WAY, LATE], 10_000, 0.25)
    truth = np.array([0.25] * 4)
    column = np.random.default_rng(1).choice(4, 20_000, p=truth)
    table = {"way": [WAY.labels[each] for each in column], "late": ["yes", "no"] * 10_000}
    found = [
        survey.estimate(survey.tally(survey.answer_many(table, seed=seed)), decoder="unbiased")["way"].frequencies
        for seed in range(40)
    ]
    shares = np.bincount(column, minlength=4) / 20_000
    error = float(np.sqrt(np.mean((np.array(found) - shares) ** 2)))
    assert error == pytest.approx(survey.expected(20_000)["way"].error, rel=0.2)


def test_the_document_holds_the_crowd_and_reads_back() -> None:
    survey = planned([WAY], 1_000, 1.0)
    written = json.loads(survey.to_json())["crowd"]
    assert written["least"] == 1_000
    assert written["made_up"] == 100
    assert "key" not in written
    assert dn.Survey.from_json(survey.to_json()) == survey
    plain = dn.Survey.plan("x", [WAY], 3.0, 20_000, **TERMS)
    assert "crowd" not in json.loads(plain.to_json())


def test_an_author_writes_the_crowd_in_a_file_too() -> None:
    from deniable.surveys.authoring import EXAMPLE, survey_from_toml

    terms = 'owner = "North Hospital"\ncloses = "2027-01-01T00:00:00Z"\n'
    text = '[crowd]\nmixer = "https://mixer.example"\noperator = "Works Council"\nleast = 1000\nlevel = 1.0\n'
    survey, _ = survey_from_toml(terms + EXAMPLE + text)
    assert survey.crowd is not None
    assert survey.crowd.level <= 1.0


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"closes": None}, "must say when it closes"),
    ({"owner": ""}, "must be two parties"),
    ({"owner": "works  COUNCIL"}, "must be two parties"),
    ({"owner": "Works\u00a0Council\u200b"}, "must be two parties"),
    ({"kiosk": True}, "neither kiosk, lan nor carrier"),
    ({"lan": True}, "neither kiosk, lan nor carrier"),
    ({"carrier": "field"}, "neither kiosk, lan nor carrier"),
    ({"population": 999}, "least must be at most the population, 999"),
    ({"repeat": "fresh", "period": "week"}, "must say when it opens"),
]


@pytest.mark.parametrize(("terms", "why"), REFUSED)
def test_terms_that_do_not_go_with_a_crowd_are_refused(terms: dict[str, Any], why: str) -> None:
    with pytest.raises(ParameterError, match=why):
        planned([WAY], 1_000, 1.0, **terms)


BAD_CROWDS: list[tuple[dict[str, Any], str]] = [
    ({"mixer": "http://mixer.example"}, "mixer must be an https address"),
    ({"mixer": "https://mixer.example/"}, "without a slash at its end"),
    ({"operator": ""}, "operator must say who runs the mixer"),
    ({"operator": " \u200b"}, "operator must say who runs the mixer"),
    ({"least": 1}, "least"),
    ({"made_up": 999}, "made_up"),
    ({"delta": 2e-6}, "a power of ten"),
    ({"level": 0}, "level must be a finite number above 0"),
    ({"belief": 1.2345}, "at most three digits"),
    ({"collector": "https://answers.example"}, "both be there or neither"),
    ({"collector": "https://answers.example", "key": "BAAA"}, "uncompressed point"),
]


@pytest.mark.parametrize(("change", "why"), BAD_CROWDS)
def test_a_crowd_that_cannot_be_is_refused(change: dict[str, Any], why: str) -> None:
    given = {"mixer": "https://mixer.example", "operator": "Works Council", "least": 1_000, "level": 1.0}
    with pytest.raises(ParameterError, match=why):
        dn.Crowd(**{**given, **change})


def test_one_host_is_not_two_parties_but_for_this_machine() -> None:
    key = "BP" + "A" * 85
    local = dn.Crowd("http://127.0.0.1:1", "A", 100, 1.0, collector="http://127.0.0.1:2", key=key)
    assert local.key == key
    for other in ("https://a.example", "https://a.example:8443", "https://a.example.", "http://127.0.0.1:5"):
        with pytest.raises(ParameterError, match="on two hosts"):
            dn.Crowd("https://a.example/mixer", "A", 100, 1.0, collector=other, key=key)


def test_what_a_crowd_cannot_hide_is_refused_with_what_would_do() -> None:
    with pytest.raises(ParameterError, match="must protect all of its answers alike, got 'ill'"):
        planned([dn.OneOf("ill", ["ill", "well"], sensitive=["ill"])], 1_000, 1.0)
    with pytest.raises(ParameterError, match='repeat="once" or "fresh"'):
        planned([WAY], 1_000, 1.0, repeat="remembered", period="week")
    with pytest.raises(ParameterError, match="epsilon must be above the crowd's level, 1, and at most 4"):
        planned([WAY], 1_000, 1.0, cap=5.0)
    with pytest.raises(ParameterError, match="hides more than each report does by itself"):
        planned([LATE], 3, 0.5)
    with pytest.raises(ParameterError, match="least must be at most how many people answer"):
        planned([WAY], 30_000, 1.0)


def test_answers_that_some_report_tells_for_certain_have_no_crowd() -> None:
    ill = dn.OneOf("ill", ["ill", "well"], sensitive=["ill"])
    arms = [dn.Arm(dn.Part(ill, dn.HighLowResponse(ill.labels, ["ill"], 2.0)))]
    with pytest.raises(ParameterError, match="which no crowd hides"):
        dn.Survey("x", [ill], arms, crowd=crowd(1_000, 0.5, belief=0.7), **TERMS)


def test_a_crowd_that_saves_hardly_anybody_says_so() -> None:
    assert "saves hardly anybody" in planned([LATE], 1_000, 2.9).reason


def test_a_level_that_each_report_keeps_is_no_crowds_level() -> None:
    survey = planned([WAY], 1_000, 1.0)
    given = json.loads(survey.to_json())
    given["crowd"]["level"] = given["crowd"]["belief"] = 3.0
    with pytest.raises(dn.FormatError, match="must be below that of each report"):
        dn.Survey.from_json(json.dumps(given))
