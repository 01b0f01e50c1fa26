"""Questions that follow from answers, and tables of scales, as people answer them in Chromium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.accessibility import violations
from tests.clients.typescript.question.asked import onwards
from tests.collector.servers import Server, put
from tests.pages.together.authors import enter
from tests.pages.together.breaks import LONG, SENT, begin, counted, send

import deniable as dn

USED = dn.OneOf("used", ["yes", "no", "not sure"], wording="Have you used it?")
KIND = dn.OneOf("kind", ["this", "that"], wording="Which?", only_if=("used", ["yes"]))
OFTEN = dn.Scale("often", ["once", "twice", "daily"], wording="How often?", only_if=("kind", ["this"]))
WHY = dn.OneOf("why", ["price", "time"], wording="Why not?", only_if=("used", ["no"]))
TOOLS = [USED, KIND, OFTEN, WHY]
WAYS = [["yes", "this", "once"], ["yes", "that"], ["no", "time"], ["not sure"]]
LABELS = ["never", "seldom", "often", "always"]
BY = ["my colleagues", "the doctors", "the patients"]
HEADING = "How often are you treated with respect by …"
ROWS = [dn.Scale(f"row{n}", LABELS, wording, heading=HEADING) for n, wording in enumerate(BY)]
GERMAN = {
    "used": {"wording": "Haben Sie es benutzt?", "labels": ["ja", "nein", "unsicher"]},
    "kind": {"wording": "Welches?", "labels": ["dieses", "jenes"]},
    "often": {"wording": "Wie oft?", "labels": ["einmal", "zweimal", "täglich"]},
    "why": {"wording": "Warum nicht?", "labels": ["Preis", "Zeit"]},
}
SCREENS = pytest.mark.parametrize(
    ("width", "height", "size"), [(320, 500, "100%"), (320, 500, "200%"), (390, 844, "100%")]
)
LARGER = "size => { document.documentElement.style.fontSize = size; }"
TOPS = "all => all.filter(each => each.checkVisibility()).map(each => each.getBoundingClientRect().top)"


def planned(name: str, questions: Sequence[Any] = TOOLS, **terms: Any) -> dn.Survey:
    """A survey of such questions, strong enough to be small."""
    return dn.Survey.plan(name, list(questions), 4.0, 4000, title="Tools", cap=99.0, language="en", **terms)


def tick(page: Page, name: str) -> None:
    """Choose an answer; what is on the screen above it and it itself stay where they are."""
    chosen = page.get_by_role("radio", name=name, exact=True)
    if chosen.is_checked():
        return
    chosen.evaluate("each => each.scrollIntoView({ block: 'center' })")
    above = page.locator("label, legend").filter(visible=True)
    before, place = above.evaluate_all(TOPS), chosen.evaluate("each => each.getBoundingClientRect().top")
    chosen.check()
    after = above.evaluate_all(TOPS)
    assert [top for top in before if top <= place] == after[: sum(top <= place for top in before)]
    expect(chosen).to_be_focused()


def shown(page: Page) -> list[str]:
    """The questions on the screen."""
    return page.get_by_role("group").filter(visible=True).locator("legend").all_inner_texts()


def told(page: Page) -> str:
    """What a screen reader was told last."""
    return page.locator("deniable-question [role=status].quiet").inner_text()


def is_in_sight(page: Page) -> bool:
    """Whether the answer that has the focus is wholly on the screen."""
    return bool(page.evaluate(
        "() => { const { top, bottom } = document.activeElement.closest('label').getBoundingClientRect();"
        " return top >= -1 && bottom <= innerHeight + 1; }"
    ))  # fmt: skip


@SCREENS
def test_a_chain_is_answered_by_the_keyboard_alone(
    page: Page, server: Server, author: str, width: int, height: int, size: str
) -> None:
    """No answer is ticked that is not in sight."""
    survey = put(server, author, planned(f"by-keys-{width}-{size[:-1]}"))
    page.set_viewport_size({"width": width, "height": height})
    begin(page, server, survey)
    page.get_by_role("radio").first.wait_for()
    page.evaluate(LARGER, size)
    said = []
    for question in ("Have you used it?", "Which?", "How often?"):
        page.keyboard.press("Tab")
        assert is_in_sight(page)
        page.keyboard.press("Space")
        assert is_in_sight(page)
        expect(page.get_by_role("group", name=question).get_by_role("radio").first).to_be_focused()
        said.append(told(page))
    assert said == ["1 question was added.", "1 question was added.", "1 question was added."]
    assert shown(page) == ["Have you used it?", "Which?", "How often?"]
    assert violations(page) == []
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowDown")
    assert is_in_sight(page)
    assert told(page) == "1 question was added. 2 questions were taken away. Ticking “no” cleared “this, once”."
    expect(page.get_by_role("radio", name="no", exact=True)).to_be_focused()
    assert violations(page) == []
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio", name="yes")).to_be_focused()
    assert page.locator(":checked").count() == 3
    for _ in range(4):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Look over, then send")).to_be_focused()
    assert page.locator("dd > span").all_inner_texts() == ["yes", "this", "once"]
    page.keyboard.press("Tab")


def test_what_is_kept_is_what_is_asked(page: Page, server: Server, author: str) -> None:
    """Through a reload, another language, Back in the browser and on the page, and the choice."""
    german = {"de": {"title": "Werkzeug", "purpose": "", "questions": GERMAN}}
    survey = put(server, author, planned("kept-ways", translations=german))
    begin(page, server, survey)
    for name in ("yes", "this", "twice"):
        page.get_by_role("radio", name=name, exact=True).check()
    page.reload()
    expect(page.get_by_role("radio", name="twice")).to_be_checked()
    page.get_by_role("link", name="Deutsch").click()
    expect(page.get_by_role("radio", name="zweimal")).to_be_checked()
    assert shown(page) == ["Haben Sie es benutzt?", "Welches?", "Wie oft?"]
    page.get_by_role("radio", name="jenes").check()
    assert shown(page) == ["Haben Sie es benutzt?", "Welches?"]
    page.get_by_role("link", name="English").click()
    expect(page.get_by_role("radio", name="that")).to_be_checked()
    assert page.evaluate("window.name").endswith("[[0],[1],[],[]]]")
    onwards(page)
    page.get_by_role("heading", name="Look over").wait_for()
    page.go_back()
    page.get_by_role("radio", name="no", exact=True).check()
    page.go_forward()
    expect(page.get_by_role("heading", name="Have you used it?")).to_be_focused()
    assert page.evaluate("window.name").endswith("[[1],[],[],[]]]")
    onwards(page)
    expect(page.get_by_role("radio", name="price")).to_be_focused()
    expect(page.get_by_role("group", name="Why not?").locator(".error")).to_have_text("Choose one of these.")
    page.get_by_role("button", name="Back").click()
    page.get_by_role("button", name="Take part").click()
    expect(page.get_by_role("radio", name="no", exact=True)).to_be_checked()
    page.get_by_role("radio", name="price").check()
    page.reload()
    onwards(page)
    assert page.locator("dd > span").all_inner_texts() == ["no", "price"]
    send(page)
    page.get_by_role("heading", name=SENT).wait_for()
    assert page.evaluate("window.name") == ""
    assert counted(server, author, survey) == 1


@pytest.mark.parametrize("size", ["100%", "200%"])
def test_no_way_fetches_anything_or_moves_what_is_above(
    page: Page, requests: list[str], server: Server, author: str, size: str
) -> None:
    """On a small phone; also where what is taken away was beneath the window."""
    page.set_viewport_size({"width": 320, "height": 500})
    begin(page, server, put(server, author, planned(f"no-requests-{size[:-1]}")))
    page.get_by_role("radio").first.wait_for()
    page.evaluate(LARGER, size)
    before = len(requests)
    for way in [*WAYS, *reversed(WAYS)]:
        for name in way:
            tick(page, name)
        onwards(page)
        assert page.locator("dd > span").all_inner_texts() == way
        page.get_by_role("button", name="Change").first.click()
        page.get_by_role("radio").first.wait_for()
    assert requests[before:] == []
    assert page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.parametrize(("width", "size"), [(1200, "100%"), (1200, "200%"), (320, "100%")])
def test_a_table_is_one_on_a_desk_and_cards_on_a_phone(
    page: Page, server: Server, author: str, width: int, size: str
) -> None:
    survey = put(server, author, planned(f"table-{width}-{size[:-1]}", [*ROWS, LONG]))
    page.set_viewport_size({"width": width, "height": 800})
    begin(page, server, survey)
    page.get_by_role("radio").first.wait_for()
    page.evaluate(LARGER, size)
    expect(page.get_by_role("group", name=HEADING)).to_have_count(1)
    expect(page.get_by_role("heading", name=HEADING)).to_have_count(1)
    assert page.get_by_text("Question 1 of 2").is_visible()
    for wording in BY:
        row = page.get_by_role("group", name=wording, exact=True)
        tops = row.get_by_role("radio").evaluate_all("all => all.map(each => each.getBoundingClientRect().top)")
        assert len(set(tops)) == (1 if width == 1200 else len(LABELS))
        assert [name for name in LABELS if row.get_by_role("radio", name=name, exact=True).count() == 1] == LABELS
    onwards(page)
    expect(page.get_by_role("radio").first).to_be_focused()
    assert page.locator(".error:not(:empty)").count() == len(BY)
    for place in range(len(BY)):
        page.keyboard.press("Space")
        page.keyboard.press("ArrowRight" if place else "ArrowDown")
        page.keyboard.press("Tab")
    assert page.locator(".error:not(:empty)").count() == 0
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    onwards(page)
    page.get_by_role("textbox").fill("5")
    onwards(page)
    assert page.locator("dd > span").all_inner_texts()[:3] == ["seldom"] * 3


def test_on_a_kiosk_each_question_has_a_screen_and_only_those_asked_are_shown(
    page: Page, server: Server, author: str
) -> None:
    survey = put(server, author, planned("kiosk-ways", [*TOOLS, *ROWS[:2]], kiosk=True))
    page.set_viewport_size({"width": 820, "height": 1180})
    begin(page, server, survey)
    page.get_by_role("radio").first.wait_for()

    def screens(*ticks: str) -> list[str]:
        found = []
        for name in ticks:
            found += shown(page)
            page.get_by_role("radio", name=name, exact=True).check()
            onwards(page)
        return found

    rows = [f"{HEADING} {wording}" for wording in BY[:2]]
    assert screens("no", "time", "never", "often") == ["Have you used it?", "Why not?", *rows]
    page.get_by_role("button", name="Change").first.click()
    assert shown(page) == ["Have you used it?"]
    assert screens("yes", "that") == ["Have you used it?", "Which?"]
    page.go_back()
    assert shown(page) == ["Which?"]
    onwards(page)
    assert shown(page) == rows[:1]
    onwards(page)
    onwards(page)
    assert page.locator("dd > span").all_inner_texts() == ["yes", "that", "never", "often"]
    send(page)
    page.get_by_role("heading", name=SENT).wait_for()
    assert counted(server, author, survey) == 1


def test_an_author_goes_every_way_in_the_preview_and_nothing_is_sent(
    page: Page, requests: list[str], server: Server
) -> None:
    survey = put(server, server.operator, planned("tried"))
    enter(page, server)
    page.goto(f"{server.url}/new?copy={survey.digest}")
    page.get_by_role("link", name="Try it").click()
    page.get_by_role("button", name="Take part").click()
    page.get_by_role("radio").first.wait_for()
    before = len(requests)
    for way in [*WAYS, *reversed(WAYS)]:
        for name in way:
            tick(page, name)
        onwards(page)
        assert page.locator("dd > span").all_inner_texts() == way
        page.get_by_role("button", name="Change").first.click()
    onwards(page)
    send(page)
    page.get_by_role("heading", name="Here a receipt would stand").wait_for()
    assert [url for url in requests[before:] if "/static/" not in url] == []
    page.get_by_role("link", name="Back to the questions").click()
    expect(page.get_by_label("What is the survey called?")).to_have_value("Tools")


@SCREENS
def test_cards_that_are_ticked_fold_and_what_is_ticked_stays_in_its_place(
    page: Page, server: Server, author: str, width: int, height: int, size: str
) -> None:
    """A card folds once another one is touched, as far as the page can be scrolled for what it took away above."""
    survey = put(server, author, planned(f"cards-{width}-{size[:-1]}", [*ROWS, LONG]))
    page.set_viewport_size({"width": width, "height": height})
    begin(page, server, survey)
    page.get_by_role("radio").first.wait_for()
    page.evaluate(LARGER, size)
    rows = [page.get_by_role("group", name=wording, exact=True) for wording in BY]
    expect(page.get_by_text("0 of 3 lines ticked.")).to_be_visible()
    for number, row in enumerate(rows):
        chosen = row.get_by_role("radio", name="often")
        chosen.evaluate("each => each.scrollIntoView({ block: 'center' })")
        place = chosen.evaluate("each => each.getBoundingClientRect().top")
        chosen.check()
        assert abs(chosen.evaluate("each => each.getBoundingClientRect().top") - place) <= 1
        expect(page.get_by_text(f"{number + 1} of 3 lines ticked.")).to_be_attached()
        expect(row.get_by_role("radio").filter(visible=True)).to_have_count(len(LABELS))
    folded = rows[0].get_by_role("radio").filter(visible=True)
    expect(folded).to_have_count(0)
    assert rows[0].inner_text().split() == [*BY[0].split(), "often", "Change"]
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    change = page.get_by_role("button", name=f"Change: {HEADING} {BY[0]}")
    change.focus()
    page.keyboard.press("Enter")
    expect(rows[0].get_by_role("radio", name="often")).to_be_focused()
    page.keyboard.press("ArrowDown")
    onwards(page)
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_role("radio").filter(visible=True)).to_have_count(0)
    assert [row.locator(".fold span").inner_text() for row in rows] == ["always", "often", "often"]
    onwards(page)
    page.get_by_role("textbox").fill("5")
    onwards(page)
    page.get_by_role("button", name=f"Change: {HEADING} {BY[1]}").click()
    expect(rows[1].get_by_role("radio").filter(visible=True)).to_have_count(len(LABELS))
    expect(rows[0].get_by_role("radio").filter(visible=True)).to_have_count(0)
