"""The playground as a page of the site: it works from a file, by keyboard, and asks nobody for anything."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect


@pytest.fixture
def playground(page: Page, site: Path) -> Page:
    """The page as a file; what it asks for beyond files is refused, and a fault on it fails the test."""
    page.route(re.compile("^https?:"), lambda route: pytest.fail(f"asked for {route.request.url}"))
    page.on("pageerror", lambda error: pytest.fail(f"{error}"))
    page.goto((site / "playground.html").as_uri())
    return page


def test_it_works_from_a_file_by_keyboard_and_says_so_in_its_address(playground: Page) -> None:
    finding = playground.locator(".finding")
    expect(finding).to_have_text("Between 24 and 32 in 100 copied. In truth 30 did.")
    expect(playground.locator(".printed")).to_contain_text("24.1% to 31.9%")
    playground.get_by_role("button", name="Weak").focus()
    playground.keyboard.press("Enter")
    expect(playground.get_by_role("button", name="Weak")).to_be_focused()
    expect(playground.get_by_role("button", name="Weak")).to_have_attribute("aria-pressed", "true")
    playground.get_by_label("Question").select_option("threatened")
    playground.get_by_label("so many answer yes").fill("60")
    playground.keyboard.press("Tab")
    playground.get_by_role("button", name="10,000").click()
    expect(finding).to_contain_text("In truth 60 did.")
    address = playground.evaluate("location.hash")
    assert address == "#question=threatened&share=60&level=3&people=10000&seed=3"
    said = finding.inner_text()
    playground.reload()
    expect(finding).to_have_text(said)


def test_one_person_sends_what_chance_wants_and_all_dots_are_there(playground: Page) -> None:
    marks = set()
    for _ in range(200):
        marks.add(playground.locator(".mark").inner_text())
        playground.get_by_role("button", name="Send again").click()
    assert marks == {"\N{BLACK CIRCLE}", "\N{WHITE CIRCLE}"}, "by false alarm once in 10^10"
    drawn = playground.locator(".dots .rim").get_attribute("d") or ""
    hollow = playground.locator(".dots .hole").get_attribute("d") or ""
    assert (drawn.count("M"), hollow.count("M")) == (1000, 668)
    playground.get_by_label("Show whose answer chance turned round").check()
    ringed = playground.locator(".dots .ring").get_attribute("d") or ""
    assert 80 < ringed.count("M") < 170
