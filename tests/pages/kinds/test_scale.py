"""Scales on pages: built, rehearsals, read in order and with their mean, and compared."""

from __future__ import annotations

import re

import pytest
from tests.collector.servers import Server
from tests.pages.readers import Reader
from tests.pages.results.worlds import collected, upload

import deniable as dn
from deniable.pages.builder.draft import Draft
from deniable.pages.builder.outlook import rehearsals
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.results.shares import ScaleResult
from deniable.protocol.say import english

compared, change = ScaleResult().comparison, ScaleResult().change

LABELS = ["strongly disagree", "disagree", "neither", "agree", "strongly agree"]
FAIR = dn.Scale("fair", LABELS, wording="My pay is fair.")
PEOPLE = 2000
GIVEN = [label for label, count in zip(LABELS, (100, 200, 400, 800, 500), strict=True) for _ in range(count)]


@pytest.fixture(scope="module")
def pay(server: Server) -> dn.Survey:
    """A closed survey of a scale."""
    survey = dn.Survey.plan("pay", [FAIR], 2.0, PEOPLE, grace=0)
    return collected(server, survey, upload(survey, {"fair": GIVEN}))


def test_a_result_keeps_the_order_and_tells_the_mean(operator: Reader, pay: dn.Survey) -> None:
    page = operator.get("/s/pay")
    said = re.search(r"to 5 \(strongly agree\) the mean is between ([\d.]+) and ([\d.]+)\.", page.text)
    assert said
    assert float(said[1]) <= 3.7 <= float(said[2])
    rows = re.findall(r"<th[^>]*>\s*(?:<[^>]*>)*\s*((?:strongly )?(?:dis)?agree|neither)\b", page.html)
    assert rows[: len(LABELS)] == LABELS
    caution = page_kind(FAIR).caution
    assert caution is not None
    assert english(caution) in page.text


def test_a_draft_becomes_a_scale() -> None:
    asked = DraftQuestion(wording="My pay is fair.", kind="scale", answers=tuple(LABELS))
    draft = Draft(title="Pay", questions=(asked,))
    assert draft.to_questions() == [dn.Scale("my_pay_is_fair", LABELS, wording="My pay is fair.")]
    assert Draft.from_json(draft.to_json()) == draft


def test_a_rehearsal_shows_the_mean() -> None:
    survey = dn.Survey.plan("pay", [FAIR], 2.0, PEOPLE)
    (shown,) = rehearsals(survey, PEOPLE)
    assert "On the scale from 1 (strongly disagree)" in english(shown.sentence)
    assert shown.chart is not None
    assert [row.label for row in shown.chart.rows] == LABELS


def test_only_the_same_scale_is_compared() -> None:
    kind = page_kind(FAIR)
    assert kind.compares_with(FAIR, dn.Scale("other", LABELS))
    assert not kind.compares_with(FAIR, dn.Scale("other", LABELS[::-1]))


def test_a_comparison_tells_how_the_mean_differs() -> None:
    survey = dn.Survey.plan("pay", [FAIR], 2.0, PEOPLE)
    before, after = (
        survey.estimate(survey.tally(survey.answer_many({"fair": given}, seed=1)))["fair"]
        for given in (GIVEN, [LABELS[0]] * 500 + GIVEN[500:])
    )
    assert "The mean on the scale is lower, by 0." in english(compared(before, after, ("north", "south")).sentence)
    assert change(before, after)["mean"]["high"] < 0
