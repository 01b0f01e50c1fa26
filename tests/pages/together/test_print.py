"""A result on paper: a report in grey, with nothing that only a screen can do; and what narrow screens fold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from playwright.sync_api import Browser, Page
from tests.collector.servers import Server, put
from tests.pages.readers import Reader
from tests.pages.results.worlds import CARS, a_survey, collected, column, upload
from tests.pages.sheets import sheets
from tests.waiting import PATIENCE

import deniable as dn


@pytest.fixture(scope="module")
def paper(server: Server) -> dn.Survey:
    survey = a_survey("paper")
    return collected(server, survey, upload(survey, {"way": column(CARS, 5000)}, 3))


@pytest.fixture
def reader(browser: Browser, server: Server) -> Iterator[Page]:
    """Somebody signed in who likes dark pages."""
    context = browser.new_context(color_scheme="dark", viewport={"width": 680, "height": 980})
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    page.goto(f"{server.url}/enter")
    page.fill("#token", server.operator)
    page.click("main button")
    page.wait_for_url(lambda address: not address.endswith("/enter"))
    yield page
    context.close()


@pytest.mark.parametrize(("query", "most"), [("", 1), ("?a=0&b=1", 2), ("?order=value", 1)])
def test_a_result_is_printed_on_a_sheet_without_what_only_screens_do(
    reader: Page, server: Server, paper: dn.Survey, query: str, most: int
) -> None:
    reader.goto(f"{server.url}/s/paper{query}")
    assert reader.locator("form:visible").count() == 3, "to sign out, to draw a line, and to compare"
    assert reader.locator(".paper:visible").count() == 0
    reader.emulate_media(media="print", color_scheme="dark")
    assert reader.locator(":is(form, nav, button, select, .links):visible").count() == 0
    for heading in reader.locator("h1:visible, h2:visible").all():
        assert heading.inner_text() not in ("More", "Compare two answers")
    assert reader.locator("td .bands:visible").count() == len(CARS)
    assert "more than any other" in reader.inner_text("main")
    assert "5,000 devices reported on this question." in reader.inner_text("main")
    assert paper.digest in reader.inner_text("#about")
    assert reader.locator(f"[aria-label='{server.url}/s/paper'] svg").is_visible(), "a code that leads to the page"
    assert reader.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert len(sheets(reader)) <= most


def test_a_survey_is_printed_as_a_report_with_its_protection_on_every_sheet(reader: Page, server: Server) -> None:
    questions = [dn.OneOf(f"way_{number}", list(CARS), wording=f"Question {number}?") for number in range(6)]
    survey = dn.Survey.plan("report", questions, 3.0, 6000, grace=0)
    collected(server, survey, upload(survey, {question.name: column(CARS, 6000) for question in questions}))
    reader.goto(f"{server.url}/s/report")
    found = sheets(reader)
    assert len(found) > 1
    foot = f"document {survey.digest[:4]} {survey.digest[4:8]}"
    for number, sheet in enumerate(found, 1):
        assert "Weak protection: a guess of 50 in 100 becomes 96 at most" in sheet
        assert foot in sheet
        assert f"{number} of {len(found)}" in sheet


def test_bands_are_told_apart_on_paper_without_colour(reader: Page, server: Server, paper: dn.Survey) -> None:
    """What follows each other from the outside in differs in brightness, as a printer without colour has it."""
    reader.goto(f"{server.url}/s/paper")
    reader.emulate_media(media="print", color_scheme="dark")
    fills = [
        reader.locator(part).first.evaluate("each => getComputedStyle(each).fill")
        for part in (".bands rect:not(.b50)", ".bands .b50", ".b95 rect")
    ]
    lights = [light("rgb(252, 252, 250)"), *map(light, fills)]
    contrasts = [(outer + 0.05) / (inner + 0.05) for outer, inner in pairwise(lights)]
    assert lights == sorted(lights, reverse=True)
    assert min(contrasts) > 1.35
    assert contrasts[-1] > 4.5, "the line is seen on the darkest band"


def light(colour: str) -> float:
    """The relative luminance of WCAG."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))


def test_nothing_moves_for_whoever_wants_no_motion(reader: Page, server: Server, paper: dn.Survey) -> None:
    moving = """() => [...document.querySelectorAll("*")].filter((each) => {
        const style = getComputedStyle(each);
        return parseFloat(style.transitionDuration) > 0 || style.animationName !== "none"
            || style.scrollBehavior === "smooth";
    }).length"""
    for path in ("/", "/new", "/s/paper", f"/run/{paper.digest}", f"/q/{paper.digest}", "/me"):
        reader.emulate_media(reduced_motion="reduce")
        reader.goto(server.url + path)
        assert reader.evaluate(moving) == 0, path


def test_a_table_of_pairs_keeps_estimates_whole_and_says_in_words_how_chance_was_found(
    reader: Page, server: Server, operator: Reader
) -> None:
    ill = dn.OneOf("ill", ["yes", "no"])
    well = dn.OneOf("well", ["good", "fair", "bad"])
    survey = dn.Survey.plan("pairs", [ill, well], 2.0, 4000, cross=[("ill", "well")], grace=0)
    rng = np.random.default_rng(1)
    sick = rng.choice(["yes", "no"], 4000)
    for name, answers in (
        ("together", np.where(sick == "yes", "bad", "good")),
        ("apart", rng.choice(list(map(str, well.labels)), 4000)),
    ):
        asked = dn.Survey.from_json(survey.to_json().replace('"pairs"', f'"pairs-{name}"'))
        collected(server, asked, upload(asked, {"ill": sick.tolist(), "well": answers.tolist()}))
    text = operator.get("/s/pairs-together/cross").text
    how = "by comparison with chi-square and 1,999 simulated surveys, with 2 degrees of freedom."
    assert f"The chance is found {how}" in text
    assert "p =" not in text
    text = operator.get("/s/pairs-apart/cross").text
    assert "No connection between ill and well can be seen" in text
    assert re.search(r"chance alone would make a table this uneven in \d+ of 1,000 surveys, found by comparison", text)
    reader.set_viewport_size({"width": 320, "height": 640})
    reader.goto(f"{server.url}/s/pairs-together/cross?show=pairs")
    heights = [box["height"] for each in reader.locator(".share").all() if (box := each.bounding_box())]
    assert len(heights) == 6
    assert max(heights) < 30, "each on one line"


@pytest.mark.parametrize("code", ["en", "de"])
def test_the_label_of_six_questions_is_one_sheet_that_people_can_read(reader: Page, server: Server, code: str) -> None:
    stated = {
        "controller": "City of Northfield, Town Hall, Hill Road 1, Northfield",
        "officer": "Dr A. Weber, privacy@northfield.example",
        "authority": "State commissioner for data protection",
        "legal_basis": "Consent, Art. 6 (1) a GDPR",
        "host": "Northfield, own machines; nobody else has access",
    }
    cars, degrees = list(CARS), ["Strongly disagree", "Disagree", "Neither", "Agree", "Strongly agree"]
    questions = [
        dn.OneOf("way", cars, wording="How do you come to work?"),
        dn.OneOf("late", ["yes", "no"], wording="Were you late this week?"),
        dn.OneOf("home", ["never", "one day", "more"], wording="How often do you work at home?"),
        dn.AnyOf("tools", ["Helmet", "Rain coat", "Season ticket", "Map", "Bicycle"], wording="Which do you own?"),
        dn.Scale("fair", degrees, wording="Parking is shared fairly."),
        dn.OneOf("wish", ["buses", "paths", "showers", "other"], wording="What would help you most?"),
    ]
    survey = dn.Survey.plan(
        f"sheet-{code}", questions, 2.0, 5000, title="The way to work", closes="2099-12-24T18:00:00Z",
        owner="Mobility office, City of Northfield", contact="mobility@northfield.example",
        purpose="To plan bus lines and cycle paths.", responsible=stated,
    )  # fmt: skip
    put(server, server.operator, survey)
    reader.goto(f"{server.url}/label/{survey.digest}?lang={code}")
    [sheet] = sheets(reader)
    for question in survey.questions:
        assert question.wording in sheet
    reader.emulate_media(media="print")
    sizes = reader.evaluate(
        "[...document.querySelectorAll('main *')].filter(each => each.offsetParent && each.innerText)"
        ".map(each => parseFloat(getComputedStyle(each).fontSize))"
    )
    assert min(sizes) >= 8 / 0.75 - 0.01, "8 points"
