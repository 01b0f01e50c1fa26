"""Kiosks: nothing is left for the next person, nor of whoever leaves half-way."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, Page, expect
from tests.accessibility import violations
from tests.clients.typescript.question.asked import onwards
from tests.collector.servers import Server, put
from tests.pages.together.breaks import SENT, begin, breaks, counted, send, well


def test_on_a_kiosk_what_somebody_left_half_way_is_forgotten(page: Page, server: Server, author: str) -> None:
    """Sixty seconds without a touch clear all, the last fifteen counted down; a reload begins at the choice."""
    survey = put(server, author, breaks("kiosk-left", kiosk=True))
    page.clock.install()
    begin(page, server, survey)
    page.get_by_role("radio", name="never").check()
    page.clock.run_for(40_000)
    onwards(page)
    page.clock.run_for(44_000)
    expect(page.get_by_text("what is ticked is forgotten")).to_be_hidden()
    page.clock.run_for(4_000)
    counted_down = re.compile("In (12|11|10|9|8) seconds what is ticked is forgotten")  # the clock goes on meanwhile
    expect(page.get_by_text(counted_down)).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Shift")
    expect(page.get_by_text("what is ticked is forgotten")).to_be_hidden()
    page.clock.run_for(61_000)
    take_part = page.get_by_role("button", name="Take part", exact=True)
    expect(take_part).to_be_visible()
    take_part.click()
    page.get_by_role("radio").first.wait_for()
    expect(page.locator(":checked")).to_have_count(0)
    page.get_by_role("radio", name="never").check()
    page.reload()
    expect(take_part).to_be_visible()
    assert page.evaluate("window.name") == ""
    take_part.click()
    page.get_by_role("radio", name="never").check()
    page.clock.run_for(50_000)
    page.get_by_role("button", name="Forget it now").click()
    expect(take_part).to_be_visible()
    assert counted(server, author, survey) == 0


def fits_a_tablet(page: Page) -> None:
    """One stage uses the whole height and no more: large words above, and the buttons at the lower end."""
    head = page.locator("main [tabindex]:visible").first
    assert head.evaluate("each => getComputedStyle(each).fontSize") == "44px"
    box = page.locator("main .choice:visible").last.bounding_box()
    assert box is not None
    assert box["height"] >= 80
    assert 1180 - 160 <= box["y"] + box["height"] <= 1180
    assert page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]") == [1180, 820]


def test_on_a_kiosk_nothing_is_left_for_the_next_person(page: Page, server: Server, author: str) -> None:
    survey = put(server, author, well("kiosk", kiosk=True))
    page.clock.install()
    page.set_viewport_size({"width": 820, "height": 1180})
    for turn in range(2):
        if turn == 0:
            page.goto(f"{server.url}/q/{survey.digest}")
        page.get_by_role("button", name="Take part").click()
        page.get_by_role("radio", name="no").check()
        assert page.evaluate("window.name") == ""
        fits_a_tablet(page)
        send(page)
        page.get_by_role("heading", name=SENT).wait_for()
        if turn == 0:
            assert violations(page) == []
            assert page.locator("main button:visible").last.inner_text() == "Give it to the next person"
            fits_a_tablet(page)
            page.get_by_role("button", name="Give it to the next person").click()
        else:
            page.clock.run_for(21_000)
        page.get_by_role("heading", name="Next person, please.").wait_for()
        assert "Exactly what was sent" not in page.inner_text("main")
        keys = """() => new Promise(done => { indexedDB.open("deniable").onsuccess = event => {
            const found = event.target.result.transaction("entries").objectStore("entries").getAllKeys();
            found.onsuccess = () => done(found.result.filter(key => key.startsWith("kiosk/"))); } })"""
        assert page.evaluate(keys) == []
        page.get_by_role("button", name="Begin").click()
    assert counted(server, author, survey) == 2


def test_on_a_kiosk_an_answer_that_waits_keeps_the_next_person_waiting(
    page: Page, context: BrowserContext, server: Server, author: str
) -> None:
    survey = put(server, author, well("kiosk-offline", kiosk=True))
    begin(page, server, survey)
    page.get_by_role("radio", name="no").check()
    context.set_offline(True)
    send(page)
    page.get_by_text("The answer, mixed, is still on this device.").wait_for()
    expect(page.get_by_role("button", name="Give it to the next person")).to_have_count(0)
    context.set_offline(False)
    page.get_by_role("button", name="Give it to the next person").wait_for()
