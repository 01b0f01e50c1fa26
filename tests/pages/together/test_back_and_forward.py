"""Back and Forward of the browser: from question to question, and never to a form that was sent."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from tests.clients.typescript.question.asked import onwards
from tests.collector.servers import Server, put
from tests.pages.together.breaks import begin, breaks, send

import deniable as dn


def answered(page: Page, server: Server, survey: dn.Survey) -> None:
    """Come from another page, and answer all questions but for the look over."""
    page.goto(f"{server.url}/me")
    begin(page, server, survey)
    page.get_by_role("radio", name="never").check()
    onwards(page)
    page.get_by_role("checkbox", name="desk").check()
    onwards(page)
    page.get_by_role("textbox").fill("12")


def test_they_go_from_question_to_question_with_all_ticks(page: Page, server: Server, author: str) -> None:
    survey = put(server, author, breaks("there-and-back"))
    answered(page, server, survey)
    page.go_back()
    expect(page.get_by_role("checkbox", name="desk")).to_be_checked()
    expect(page.locator("fieldset [tabindex]")).to_be_focused()
    page.go_back()
    expect(page.get_by_role("radio", name="never")).to_be_checked()
    page.go_back()
    expect(page.get_by_role("button", name="Take part")).to_be_visible()
    assert page.url == f"{server.url}/q/{survey.digest}", "which is the same page"
    page.go_forward()
    expect(page.get_by_role("radio", name="never")).to_be_checked()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("textbox")).to_have_value("12")
    page.reload()
    expect(page.get_by_role("textbox")).to_have_value("12")
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_role("checkbox", name="desk")).to_be_checked()
    page.go_forward()
    expect(page.get_by_role("textbox")).to_have_value("12")  # the button was one step back
    page.get_by_role("button", name="Look over").click()
    page.get_by_role("button", name="Change: How often").click()
    expect(page.get_by_role("radio", name="never")).to_be_checked()
    page.go_back()
    expect(page.get_by_role("heading", name="Look over, then send")).to_be_focused()


def test_none_shows_a_question_before_those_that_are_still_open(page: Page, server: Server, author: str) -> None:
    page.clock.install()
    answered(page, server, put(server, author, breaks("still-open")))
    page.clock.run_for(601_000)
    expect(page.get_by_text("your answers were forgotten")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("Question 1 of 3")).to_be_visible()
    expect(page.locator(":checked")).to_have_count(0)


def test_after_sending_none_shows_the_form_again(page: Page, server: Server, author: str) -> None:
    answered(page, server, put(server, author, breaks("sent-once")))
    page.get_by_role("button", name="Look over").click()
    send(page)
    receipt = page.get_by_role("heading", name="Sent, once. Thank you.")
    expect(receipt).to_be_visible()
    page.wait_for_function("history.state === null")
    page.go_forward()
    expect(receipt).to_be_visible()
    expect(page.locator("form fieldset")).to_have_count(0)
    page.reload()
    earlier = page.get_by_role("heading", name="This browser has answered")
    expect(earlier).to_be_visible()
    page.wait_for_function("history.state === null")
    page.go_back()
    page.wait_for_url("**/me")
    page.go_forward()
    expect(earlier).to_be_visible()
