"""A result on paper: one sheet, dark on light, with nothing that only a screen can do; and what narrow screens fold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from playwright.sync_api import Browser, Page
from tests.browsers import PATIENCE
from tests.collector.servers import Server
from tests.pages.readers import Reader
from tests.pages.results.worlds import CARS, a_survey, collected, column, upload

import deniable as dn

SHEET = {"format": "A4", "margin": dict.fromkeys(("top", "right", "bottom", "left"), "15mm")}


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
    yield page
    context.close()


@pytest.mark.parametrize("query", ["", "?a=0&b=1", "?order=value"])
def test_a_result_is_printed_on_one_sheet_without_what_only_screens_do(
    reader: Page, server: Server, paper: dn.Survey, query: str
) -> None:
    reader.goto(f"{server.url}/s/paper{query}")
    assert reader.locator("form:visible").count() == 2, "to sign out, and to compare"
    assert not reader.locator(".paper").is_visible(), "on a screen the label is a link away"
    reader.emulate_media(media="print", color_scheme="dark")
    assert reader.inner_text(".paper") == f"ε = 2 for all answers of a person together. Survey {paper.digest}"
    assert reader.locator(":is(form, nav, button, select, .links):visible").count() == 0
    for heading in reader.locator("h1:visible, h2:visible").all():
        assert heading.inner_text() not in ("More", "Compare two answers")
    assert reader.locator("td .bands:visible").count() == len(CARS)
    assert "most frequent answer" in reader.inner_text("main")
    assert reader.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(252, 252, 250)"
    printed = reader.pdf(**SHEET)  # type: ignore[arg-type]
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1


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
    reader.goto(f"{server.url}/s/pairs-together/cross")
    heights = [box["height"] for each in reader.locator(".share").all() if (box := each.bounding_box())]
    assert len(heights) == 6
    assert max(heights) < 30, "each on one line"
