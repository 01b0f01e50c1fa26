"""The builder's forms in Chromium: what stands beside what, what is said of it, and where the focus is."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from tests.browsers import wait_for
from tests.collector.servers import Server
from tests.pages.drafts import send
from tests.pages.readers import Reader
from tests.pages.together.authors import drafted, type_anew


def test_the_number_behind_the_protection_is_the_one_that_is_chosen_or_typed(page: Page, server: Server) -> None:
    drafted(page, server, "learn")
    said = page.locator("summary", has_text="As a number")
    expect(said).to_have_text("As a number: ε = 1")
    page.locator("input[name=level][value='3']").check()
    expect(said).to_have_text("As a number: ε = 3")
    type_anew(page, "epsilon", "0.5")
    expect(said).to_have_text("As a number: ε = 0.5")


TOPS = "(found) => [...new Set(found.map((each) => Math.round(each.getBoundingClientRect().top)))]"
RULES = """() => [...document.querySelectorAll(".closed")].map((row) => {
  const [text, next] = [row.querySelector("small"), row.nextElementSibling].map((each) => each.getBoundingClientRect());
  return Math.round(next.top - text.bottom);
})"""
"""How far below the text of each question that is folded the next rule is."""


def test_the_forms_stand_in_line(page: Page, server: Server) -> None:
    path = drafted(page, server, "questions")
    reader = Reader(server.url).enter(server.operator)
    for _ in range(2):
        send(reader, f"{path}/questions", "copy 0")
    page.goto(f"{server.url}{path}/questions?at=3")
    assert len(page.eval_on_selector_all(".pick", TOPS)) == 1, "the kinds of answers are one row"
    gaps = page.evaluate(RULES)
    assert len(gaps) == 2
    assert max(gaps) - min(gaps) <= 2, gaps
    page.goto(f"{server.url}{path}/learn")
    assert len(page.eval_on_selector_all("label[for=people], #level", TOPS)) == 1


def test_the_first_field_that_is_wrong_has_the_focus(page: Page, server: Server) -> None:
    path = drafted(page, server, "learn")
    page.goto(f"{server.url}{path}/learn?field=opens")
    page.fill("#people", "1000")
    page.fill("#opens", "2031-01-01T00:00")
    page.fill("#closes", "2030-01-01T00:00")
    page.click("button[value=next]")
    page.wait_for_url("**check=1")
    wait_for(page, "document.activeElement.id", lambda found: found == "closes")
    assert "Closes: Write a time after" in page.inner_text(".summary")
