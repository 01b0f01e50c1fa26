"""What a label says of the questions that a device reports on."""

from __future__ import annotations

from typing import Any

import pytest

import deniable as dn
from deniable.protocol.say import Statement, language
from deniable.surveys.realised import SurveyChannel
from deniable.surveys.statement_audit import judged_statement

Q, R, S = (dn.OneOf(name, ["yes", "no"]) for name in "qrs")
PAIR = [(a, b) for a in Q.labels for b in R.labels]
USED = dn.AnyOf("q", ["x", "y"])


def part(question: dn.OneOf, level: float = 1.0) -> dn.Part:
    return dn.Part(question, dn.RandomizedResponse(question.labels, level))


def has(label: str) -> dn.Part:
    return dn.Part(USED, dn.RandomizedResponse(["yes", "no"], 1.0), dn.encoders.Has(label))


BOTH = dn.Part([Q, R], dn.RandomizedResponse(PAIR, 1.0))
SURVEYS: dict[str, tuple[dn.Survey, Any]] = {
    "one arm": (dn.Survey("s", [Q, R], [dn.Arm([part(Q), part(R)])]), None),
    "other levels": (
        dn.Survey("s", [Q, R], [dn.Arm([part(Q), part(R, 0.5)]), dn.Arm([part(Q, 0.5), part(R)])]), None
    ),
    "other reports of one question": (dn.Survey("s", [Q], [dn.Arm(part(Q)), dn.Arm(part(Q, 0.5))]), None),
    "together and each by itself": (dn.Survey("s", [Q, R], [dn.Arm(BOTH), dn.Arm([part(R), part(Q)])]), None),
    "labels of one list": (dn.Survey("s", [USED], [dn.Arm(has("x")), dn.Arm(has("y"))]), None),
    "a mean": (dn.Survey.plan("s", [dn.Number("n", 0, 20, want=("mean",))], 1.0, 500), None),
    "own words": (dn.Survey.plan("s", [dn.Text("word", longest=8)], 4.0, 120_000), None),
    "one of two": (dn.Survey("s", [Q, R], [dn.Arm(part(Q)), dn.Arm(part(R))]), 1),
    "two of three": (dn.Survey("s", [Q, R, S], [dn.Arm([part(Q), part(R)]), dn.Arm([part(R), part(S)])]), 2),
    "a pair and one": (dn.Survey("s", [Q, R, S], [dn.Arm(BOTH), dn.Arm(part(S))]), (1, 2)),
    "all or one": (dn.Survey("s", [Q, R], [dn.Arm([part(Q), part(R)]), dn.Arm(part(R))]), (1, 2)),
    "labels of a list, or another": (
        dn.Survey("s", [USED, R], [dn.Arm([has("x"), has("y")]), dn.Arm(has("x")), dn.Arm(part(R))]), 1
    ),
}  # fmt: skip


def drawn(survey: dn.Survey) -> list[Statement]:
    return [each for each in survey.label().statements if each.key == "drawn"]


@pytest.mark.parametrize("name", SURVEYS)
def test_of_how_many_questions_a_device_draws_on_how_many_it_reports(name: str) -> None:
    survey, asked = SURVEYS[name]
    if isinstance(asked, tuple):
        asked = Statement("range", least=asked[0], most=asked[1])
    count = len(survey.questions)
    assert drawn(survey) == ([] if asked is None else [Statement("drawn", asked=asked, count=count)])


@pytest.mark.parametrize("name", [name for name in SURVEYS if name != "own words"])
def test_the_audit_refuses_what_is_not_so(name: str) -> None:
    """Where all arms report on all questions no number is right, elsewhere one."""
    survey, _ = SURVEYS[name]
    realised, right = SurveyChannel.of(survey), drawn(survey)
    assert survey.audit().holds
    for count in range(1, 17):
        for least in range(1, count + 1):
            for most in range(least, count + 1):
                asked = least if least == most else Statement("range", least=least, most=most)
                said = Statement("drawn", asked=asked, count=count)
                assert judged_statement(realised, said).holds == (said in right), said


def test_the_words() -> None:
    [one], [some] = drawn(SURVEYS["one of two"][0]), drawn(SURVEYS["a pair and one"][0])
    assert language("en")(one) == (
        "Your device reports on 1 of the 2 questions of this survey, drawn by lot before it looks at your answers; "
        "what you answer to the others never leaves it."
    )
    assert "reports on 1 to 2 of the 3 questions" in language("en")(some)
    assert "über 1 bis 2 der 3 Fragen dieser Umfrage" in language("de")(some)
