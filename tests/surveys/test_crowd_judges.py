"""What a label says of a crowd, judged from exact rows: true levels pass, and each planted lie is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import deniable as dn
from deniable.protocol.say import Statement, english
from deniable.surveys.auditing import SurveyCertificate
from deniable.surveys.realised import SurveyChannel
from deniable.surveys.statement_audit import judged_statement

WAY = dn.OneOf("way", ["car", "bus", "bike", "foot"])
LATE = dn.OneOf("late", ["yes", "no"])
TERMS: dict[str, Any] = {"owner": "North Hospital", "opens": "2026-11-01T00:00:00Z", "closes": "2026-12-01T00:00:00Z"}
CROWD = dn.Crowd("https://mixer.example", "Works Council", 500, 0.5)


def planned(*questions: Any, **terms: Any) -> dn.Survey:
    return dn.Survey.plan("x", questions, 3.0, 2_000, crowd=CROWD, **{**TERMS, **terms})


def lying(survey: dn.Survey, change: Callable[[dict[str, Any]], object]) -> SurveyCertificate:
    written = json.loads(survey.to_json())
    change(written["crowd"])
    return dn.Survey.from_json(json.dumps(written)).audit()


@pytest.mark.parametrize(
    "questions",
    [[WAY], [LATE], [WAY, LATE], [dn.AnyOf("used", ["a", "b", "c"]), LATE], [dn.Number("n", 0, 6, want=["mean"])]],
)
def test_every_statement_on_a_planned_crowd_is_true_and_says_all_that_it_can(questions: list[Any]) -> None:
    found = planned(*questions).audit()
    assert found.holds
    assert not found.unjudged
    keys = [each.statement.key for each in found.statements if each.statement.key.startswith("crowd_")]
    assert len(keys) == 12
    assert not [each for each in found.statements if each.weak]


@pytest.mark.parametrize("questions", [[WAY], [LATE], [WAY, LATE]])
def test_a_level_or_a_belief_that_is_too_low_is_found(questions: list[Any]) -> None:
    survey = planned(*questions)
    assert survey.crowd is not None
    level, belief = survey.crowd.level, survey.crowd.belief
    assert belief is not None

    def false(found: SurveyCertificate) -> set[str]:
        return {each.statement.key for each in found.statements if not each.holds}

    assert false(lying(survey, lambda crowd: crowd.update(level=round(0.97 * level, 3)))) == {"crowd_collector"}
    assert false(lying(survey, lambda crowd: crowd.update(belief=round(0.97 * belief, 3)))) == {"crowd_belief"}
    assert false(lying(survey, lambda crowd: crowd.update(made_up=200))) == {"crowd_collector", "crowd_belief"}
    assert false(lying(survey, lambda crowd: crowd.update(delta=1e-9))) == {"crowd_collector", "crowd_belief"}


def test_a_level_that_is_needlessly_high_is_weak_and_true() -> None:
    found = lying(planned(WAY), lambda crowd: crowd.update(level=0.6))
    assert found.holds
    assert [each.statement.key for each in found.statements if each.weak] == ["crowd_collector"]


LIES = [
    Statement("crowd_counts", honest=500), Statement("crowd_mixer", operator="North Hospital"),
    Statement("crowd_made_up", made_up=49, owner="North Hospital", operator="Works Council"),
    Statement("crowd_together", level=1.0, during="", owner="North Hospital", operator="Works Council"),
    Statement("crowd_apart", owner="Works Council", operator="North Hospital"),
    Statement("crowd_periods", during=Statement("during_week"), count=5),
    Statement("crowd_stated", owner="nobody"), Statement("crowd_opened", owner="nobody"),
]  # fmt: skip


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.key)
def test_a_lie_about_parties_and_numbers_is_found(lie: Statement) -> None:
    assert not judged_statement(SurveyChannel.of(planned(WAY)), lie).holds


def test_without_a_crowd_nothing_that_is_said_of_one_is_true() -> None:
    realised = SurveyChannel.of(dn.Survey.plan("x", [WAY], 1.0, 2_000))
    for statement in planned(WAY, period="week", repeat="fresh", cap=20.0).label().statements:
        if statement.key.startswith("crowd_"):
            assert not judged_statement(realised, statement).holds


def test_periods_are_counted_on_the_label() -> None:
    survey = planned(WAY, period="week", repeat="fresh", cap=20.0)
    assert survey.audit().holds
    said = " ".join(map(english, survey.label().statements))
    assert "The survey has 6 such stretches of time, and together they tell more" in said


@pytest.mark.parametrize("labels", [65, 300, 5_000])
def test_what_is_too_large_to_list_is_judged_by_closed_forms_and_a_lie_about_it_is_found(labels: int) -> None:
    survey = planned(dn.OneOf("big", labels), LATE)
    found = survey.audit()
    assert found.holds
    assert not found.unjudged
    lie = lying(survey, lambda crowd: crowd.update(level=0.001, belief=0.001, made_up=0))
    assert not lie.holds
    assert {each.statement.key for each in lie.statements if not each.holds} == {"crowd_collector", "crowd_belief"}


def test_texts_and_long_lists_are_judged_too() -> None:
    for question in (dn.Text("site"), dn.AnyOf("used", [f"u{place}" for place in range(40)])):
        survey = planned(question)
        assert survey.audit().holds
        assert not lying(survey, lambda crowd: crowd.update(level=0.1)).holds


@pytest.mark.parametrize("least", [2111, 2333, 2814])
def test_a_plan_leaves_room_for_whoever_certifies_it_from_listed_rows(least: int) -> None:
    crowd = dn.Crowd("https://mixer.example", "Works Council", least, 0.3, made_up=0)
    survey = dn.Survey.plan("x", [dn.AnyOf("u", list("abcd"))], 3.0, 2 * least, crowd=crowd, **TERMS)
    assert survey.audit().holds


def test_a_part_that_tells_nothing_does_not_stop_the_audit() -> None:
    nothing = dn.OneOf("nothing", ["yes", "no"])
    parts = [
        dn.Part(nothing, dn.Channel(["yes", "no"], [[0.5, 0.5], [0.5, 0.5]])),
        dn.Part(WAY, dn.RandomizedResponse(WAY.labels, 2.0)),
    ]
    crowd = dn.Crowd("https://mixer.example", "Works Council", 1000, 0.5, belief=0.7)
    survey = dn.Survey("x", [nothing, WAY], [dn.Arm(parts)], crowd=crowd, **TERMS)
    assert survey.audit().holds


def test_the_levels_stand_beside_each_other_on_the_label() -> None:
    keys = [statement.key for statement in planned(LATE).label().statements]
    assert keys.index("crowd_together") == keys.index("crowd_collector") + 4
    assert {"whole", "crowd_apart", "crowd_made_up", "crowd_codes", "crowd_opened"} < set(keys)
