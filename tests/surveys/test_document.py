"""The document: one writing, one digest, nothing unknown, and clear refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.surveys.commute import ILL, LATE, WAY, crossed, single

import deniable as dn
from deniable.protocol.errors import DenialError, DomainError, FormatError, ParameterError
from deniable.protocol.surveys.periods import bounds_of


def arm(question: Any = LATE, weight: int = 1) -> dn.Arm:
    return dn.Arm(dn.Part(question, dn.RandomizedResponse(question.labels, 1.0)), weight)


def test_a_document_comes_back_from_its_json_to_the_byte() -> None:
    survey = crossed()
    again = dn.Survey.from_json(survey.to_json())
    assert again == survey
    assert again.to_json() == survey.to_json()
    assert again.digest == survey.digest
    assert again.questions == survey.questions
    assert hash(again) == hash(survey)


def test_any_writing_of_the_json_is_read_and_made_canonical() -> None:
    survey = single(dn.OneOf("n", [1, 2.0, 3]), dn.RandomizedResponse([1, 2.0, 3], 1.0))
    given = json.loads(survey.to_json())
    given["minimum"], given["skew"] = 50.0, 3600.0
    given["arms"][0]["weight"] = 1.0
    given["arms"][0]["parts"][0]["spec"]["epsilon"] = 1
    written = json.dumps(dict(reversed(given.items())), indent=3)
    assert dn.Survey.from_json(written).to_json() == survey.to_json()
    with pytest.raises(FormatError, match="canonical"):
        dn.Survey.from_stored(written.encode())


def test_a_label_of_one_point_zero_is_another_than_one() -> None:
    whole, broken = (single(dn.OneOf("n", d), dn.RandomizedResponse(d, 1.0)) for d in ([1, 2], [1.0, 2.0]))
    assert dn.Survey.from_json(broken.to_json()) == broken != whole


def test_changed_documents_are_other_surveys() -> None:
    questions, arms = [LATE], [arm()]
    digests = {
        dn.Survey("one", questions, arms, **terms).digest
        for terms in ({}, {"title": "t"}, {"minimum": 51}, {"period": "week"}, {"cap": 3.0}, {"topic": "travel"})
    }
    assert len(digests) == 6


@pytest.mark.parametrize("field", ["extra", "questions", "arms", "minimum", "version", "topic"])
def test_an_unknown_or_missing_field_is_refused(field: str) -> None:
    given = json.loads(crossed().to_json())
    if field in given:
        del given[field]
    else:
        given[field] = 1
    with pytest.raises(FormatError):
        dn.Survey.from_json(given)


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["questions"][0].update(hint="?"),
        lambda d: d["questions"][0].update(kind="number"),
        lambda d: d["arms"][0]["parts"][0]["encoder"].update(kind="square"),
        lambda d: d["arms"][0]["parts"][0]["encoder"].update(extra=1),
        lambda d: d["arms"][0]["parts"][0].update(questions=["nobody"]),
        lambda d: d["arms"][0].update(weight=0),
        lambda d: d["arms"][0].update(weight=1.5),
        lambda d: d.update(opens="tomorrow"),
        lambda d: d.update(arms=[]),
        lambda d: d.update(name="Com mute"),
        lambda d: d.update(cap=0.5),
        lambda d: d.update(version=2),
    ],
)
def test_a_bad_document_is_refused(change: Callable[[Any], None]) -> None:
    given = json.loads(crossed().to_json())
    change(given)
    with pytest.raises(FormatError, match="a survey must"):
        dn.Survey.from_json(given)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"a":1,"a":2}', '{"version":NaN}', b"\xff"])
def test_what_is_no_json_object_is_refused(text: Any) -> None:
    with pytest.raises(FormatError):
        dn.Survey.from_json(text)


def test_the_spec_of_a_prefix_survey_is_refused_with_a_word_on_what_to_do() -> None:
    old = {"version": 1, "survey": "PrefixSurvey", "epsilon": 3.0, "longest": 8, "step": 2, "cohorts": 512}
    with pytest.raises(FormatError, match="PrefixSurvey; plan a survey with a Text question instead"):
        dn.Survey.from_json(old)


def bad(make: Callable[[], Any], kind: type[DenialError], words: str) -> Any:
    return pytest.param(make, kind, words, id=words)


@pytest.mark.parametrize(
    ("make", "kind", "words"),
    [
        bad(lambda: dn.Survey("one", [LATE, LATE], [arm()]), ParameterError, "'late' twice"),
        bad(lambda: arm(weight=0), ParameterError, "weight must be an int of at least 1"),
        bad(lambda: dn.Survey("one", [LATE], [arm()], opens="2026-08-02T00:00:00Z", closes="2026-08-01T00:00:00Z"),
            ParameterError, "closes must be after opens"),
        bad(lambda: dn.Survey("one", [LATE], [arm()] * 10**6), ParameterError, "arms must be from 1 to 4096"),
        bad(lambda: dn.Survey("one", [LATE], [arm(weight=2**31)] * 2), ParameterError, "weights of all arms"),
        bad(lambda: dn.Survey("one", [], [arm()]), ParameterError, "questions must be from 1"),
        bad(lambda: dn.Survey("one", [LATE], []), ParameterError, "arms must be from 1"),
        bad(lambda: dn.Survey("one", [LATE, WAY], [arm()]), ParameterError, "asked in some arm, got 'way'"),
        bad(lambda: dn.Survey("one", [LATE], [arm(), arm(WAY)]), ParameterError, "'way', which is none of them"),
        bad(lambda: dn.Survey("One", [LATE], [arm()]), ParameterError, "lower-case"),
        bad(lambda: dn.Survey("one", [LATE], [arm()], minimum=0), ParameterError, "minimum"),
        bad(lambda: dn.Survey("one", [LATE], [arm()], repeat="fresh"), ParameterError, "must have a period"),
        bad(lambda: dn.Survey("one", [LATE], [arm()], period="hour"), ParameterError, "period must be one of"),
        bad(lambda: dn.Survey("one", [LATE], [arm()], cap=0.9), ParameterError, "cap must be at least"),
        bad(lambda: dn.Survey("one", [LATE], [arm()], grace=-1), ParameterError, "grace"),
        bad(lambda: dn.Survey("one", [LATE], [arm()], skew="1h"), ParameterError, "seconds, such as 86400"),
        bad(lambda: dn.OneOf("a b", ["x", "y"]), ParameterError, "question's name"),
        bad(lambda: dn.OneOf("a", ["x", "x"]), DomainError, "repeat a label"),
        bad(lambda: dn.OneOf("a", ["x", "y"], sensitive=["x"], prior=[0.5, 0.5]), ParameterError, "at most one of"),
        bad(lambda: dn.OneOf("a", ["x", "y"], no_answer="z"), ParameterError, "no_answer must be one of the labels"),
        bad(lambda: dn.Part(LATE, dn.RandomizedResponse(3, 1.0)), ParameterError, "mechanism over 2 labels"),
        bad(lambda: dn.Part([LATE, LATE], dn.RandomizedResponse(4, 1.0)), ParameterError, "'late' twice"),
        bad(lambda: dn.Survey.plan("one", [LATE], 1.0, 100, cross=[("late", "late")]), ParameterError, "two different"),
        bad(lambda: dn.Survey.plan("one", [LATE], 1.0, 0), ParameterError, "people must"),
        bad(lambda: dn.Text("t", longest=10**6), ParameterError, "longest"),
    ],
)  # fmt: skip
def test_bad_input_gets_one_clear_error(make: Callable[[], Any], kind: type[DenialError], words: str) -> None:
    with pytest.raises(kind, match=words.replace("[", r"\[")):
        make()


def test_a_survey_cannot_be_changed() -> None:
    survey = crossed()
    with pytest.raises(AttributeError, match="cannot be changed"):
        survey.title = "another"


def test_times_and_durations_are_written_in_one_way() -> None:
    opens = datetime(2026, 8, 1, 2, tzinfo=UTC)
    survey = dn.Survey("one", [LATE], [arm()], opens=opens, grace=timedelta(days=1))
    assert (survey.opens, survey.grace) == ("2026-08-01T02:00:00Z", 86400)
    with pytest.raises(ParameterError, match="opens must be a time in UTC"):
        dn.Survey("one", [LATE], [arm()], opens=datetime(2026, 8, 1))  # of no zone


def test_unicode_labels_and_words_survive() -> None:
    question = dn.OneOf("q", ["日本", "é", "🚲"], wording="どこ")
    survey = dn.Survey(
        "one", [question], [dn.Arm(dn.Part(question, dn.Subset(question.labels, 1.0)))], title="アンケート"
    )
    assert dn.Survey.from_json(survey.to_json().encode()) == survey


def test_no_answer_is_as_sensitive_as_the_sensitive_labels() -> None:
    question = dn.OneOf("ill", ["ill", "well", "silent"], sensitive=["ill"], no_answer="silent")
    assert question.sensitive == ("ill", "silent")
    assert ILL.sensitive == ("ill",)


@pytest.mark.parametrize(
    ("period", "name"),
    [
        ("month", "9999-12"),
        ("week", "9999-W52"),
        ("day", "9999-12-31"),
        ("week", "\uff12\uff10\uff12\uff16-W31"),
        ("week", "2026-W54"),
    ],
)
def test_periods_that_the_calendar_does_not_have(period: str, name: str) -> None:
    """The last ones end beyond all dates; digits of other scripts would give a period two names."""
    survey = dn.Survey("weekly", [LATE], [arm()], period=period)
    with pytest.raises(ParameterError, match="the period must be one of the survey's"):
        bounds_of(survey, name)
