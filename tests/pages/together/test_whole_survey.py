"""All questions of a survey on one page: each with its own finding and its own n, what holds of all once, and small."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.accessibility import OF_COLORS, violations
from tests.collector.servers import Server
from tests.pages.readers import Reader
from tests.pages.results.worlds import CARS, collected, column, upload

import deniable as dn

PEOPLE = 12_000
WISHES = ["more buses", "a bike lane", "showers"]
MOST_BYTES = 120_000


@pytest.fixture(scope="module")
def commute(server: Server) -> dn.Survey:
    """A survey of four kinds of questions, each asked of a part of all people."""
    questions = [
        dn.OneOf("way", list(CARS), wording="How do you come to work?"),
        dn.Number("minutes", 0, 120, 5, unit="min", want=("mean", "quantiles", "histogram"), wording="How long?"),
        dn.AnyOf("wish", WISHES, wording="What would help?"),
        dn.Scale("often", ["never", "sometimes", "always"], wording="How often are you late?"),
    ]
    survey = dn.Survey.plan("commute", questions, 3.0, PEOPLE, title="How we come to work", grace=0)
    answers: dict[str, Sequence[Any]] = {
        "way": column(CARS, PEOPLE),
        "minutes": [20.0, 45.0] * (PEOPLE // 2),
        "wish": [[WISHES[place % 3]] for place in range(PEOPLE)],
        "often": column({"never": 0.3, "sometimes": 0.5, "always": 0.2}, PEOPLE),
    }

    return collected(server, survey, upload(survey, answers))


def test_each_question_has_its_finding_and_its_own_n_everywhere(operator: Reader, commute: dn.Survey) -> None:
    page, framed = operator.get("/s/commute"), operator.get("/embed/commute")
    told = json.loads(operator.get("/s/commute.json").body)["questions"]
    for question in commute.questions:
        own = told[question.name]["n"]
        assert own < PEOPLE
        said = f"{own:,} of {PEOPLE:,} devices reported on this question, drawn by lot."
        picture = operator.get(f"/s/commute.svg?question={question.name}").html
        alone = operator.get(f"/s/commute?question={question.name}")
        for text in (page.text, framed.text, alone.text, picture):
            assert said in text.replace("  ", " ")
    assert page.html.count('<h2 class="finding">') == framed.html.count('<h2 class="finding">') == 4
    assert page.html.count("Read with care") == 3, "in the contents of wide and narrow pages, and as a heading"
    assert page.text.count("Anybody with the link can answer.") == 1
    assert '<a href="#care">anybody with the link can answer</a>' in page.html[: page.html.index('class="tabs"')]
    assert "If 120 of the 12,000 answers, 1 in 100, were made up" in page.text
    assert re.search(r"a share of “.*?” to give or take [\d.]+ points and the mean of “How long\?” to give", page.text)
    assert "On the scale from 1 (never) over 2 (sometimes) to 3 (always) the mean is between" in page.text
    assert re.search(
        r"“car” is the most frequent answer\. Between .*? “bus” and “bike” cannot be told apart\.", page.text
    )


def test_twelve_questions_are_a_small_page(server: Server, operator: Reader) -> None:
    questions = [dn.OneOf(f"way_{place}", list(CARS), wording=f"How do you come, {place}?") for place in range(12)]
    survey = dn.Survey.plan("twelve", questions, 3.0, PEOPLE, grace=0)
    collected(server, survey, upload(survey, {question.name: column(CARS, PEOPLE) for question in questions}))
    assert len(operator.get("/s/twelve").body) < MOST_BYTES


@pytest.mark.parametrize("path", ["", "?question=minutes&from=20&to=40", "?question=way&order=value", "/export"])
def test_pages_of_a_result_can_be_read_by_everybody(page: Page, server: Server, commute: dn.Survey, path: str) -> None:
    page.goto(f"{server.url}/enter")
    page.fill("#token", server.operator)
    page.click("main button")
    page.get_by_role("heading", name="Surveys").wait_for()
    page.goto(f"{server.url}/s/commute{path}")
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, OF_COLORS) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390
