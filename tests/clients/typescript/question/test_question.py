"""A survey on a page, in Chromium: what a person sees and does, by keyboard and screen reader too."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, BrowserType, Page, expect
from tests.accessibility import violations
from tests.browsers import wait_for
from tests.clients.stub import Stub, problem
from tests.clients.typescript.device.pages import NOTHING, stored
from tests.clients.typescript.question.asked import (
    POLICY,
    SURVEYS,
    filled,
    go,
    onwards,
    send,
    serve_question,
)
from tests.clients.typescript.question.asked import faults as faults  # fixtures, which other files use too
from tests.clients.typescript.question.asked import stub as stub

import deniable as dn


def test_a_person_reads_agrees_answers_and_has_a_receipt(page: Page, stub: Stub, faults: list[str]) -> None:
    go(page, f"{stub.url}/all")
    survey = SURVEYS["all"]
    assert page.locator("h1").inner_text() == survey.title
    asked = page.locator("section:nth-of-type(2) li").all_inner_texts()
    assert asked == [question.wording for question in survey.questions]
    label = page.locator("section:nth-of-type(3)")
    assert sorted(label.locator("li").all_text_contents()) == sorted(survey.label().sentences)
    folded = label.locator("details li").all_text_contents()
    assert folded == [each for each in survey.label().sentences if re.match("Somebody who was 10?% sure", each)]
    label.locator("summary").click()
    expect(label.locator("details li").first).to_be_visible()
    label.locator("summary").click()
    assert stored(page) == NOTHING
    page.get_by_role("button", name="Take part").click()
    filled(page)
    assert stub.posted == []
    send(page)
    expect(page.get_by_role("heading", name="Sent, once. Thank you.")).to_be_focused()
    assert len(stub.accepted[survey.digest, "once"]) == 1
    page.get_by_text("Exactly what was sent").click()
    shown = "".join(page.locator("dd").all_inner_texts()[:2]).replace(" ", "")
    assert [shown] == [body.hex() for _, body in stub.posted]
    assert faults == []


def test_whoever_declines_leaves_nothing_and_may_choose_again(page: Page, stub: Stub) -> None:
    go(page, f"{stub.url}/all")
    page.get_by_role("button", name="No, thanks").click()
    expect(page.get_by_role("heading", name="Nothing was stored or sent")).to_be_focused()
    assert stored(page) == NOTHING
    assert [asked.path for asked in stub.asked] == [f"/v1/surveys/{SURVEYS['all'].digest}"]
    page.get_by_role("button", name="Take part after all").click()
    page.get_by_role("button", name="Take part").click()
    expect(page.get_by_role("heading", name="How did you come to work today?")).to_be_focused()


def test_the_keyboard_is_enough(page: Page, stub: Stub) -> None:
    go(page, f"{stub.url}/all")
    for keys in (
        ["Tab", "Tab", "Enter"],  # past what is folded
        ["Tab", "Space", "ArrowDown", "ArrowDown", "Enter"],  # bike
        ["Tab", "K", "Tab", "Tab", "Enter"],
        ["Tab", "Space", "Tab", "Tab", "Space", "Enter"],  # tram and ferry
        ["Tab", *"Goethe", "Enter"],
        ["Tab", "Tab", "Tab", "Tab", "Tab", "Enter"],  # past the four that could be changed
    ):
        for key in keys:
            page.keyboard.press(key)
            if key == "Enter":
                assert wait_for(page, "document.activeElement.matches('h2')")
    assert page.evaluate("document.activeElement.textContent") == "Sent, once. Thank you."
    assert len(stub.posted) == 1


def test_what_the_keyboard_chose_is_what_the_form_holds(page: Page, stub: Stub) -> None:
    go(page, f"{stub.url}/all")
    page.get_by_role("button", name="Take part").press("Enter")
    page.locator("input").first.focus()
    for keys in (
        ["Space", "ArrowDown", "Enter"],
        ["Tab", "K", "Tab", "Tab", "Enter"],
        ["Tab", "Tab", "Space", "Enter"],
    ):
        for key in keys:
            page.keyboard.press(key)
        wait_for(page, "document.activeElement.matches('h2')")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator(".answers span").all_inner_texts() == ["bus", "Köln", "train", "none"]


def test_faults_are_told_where_they_are_and_the_focus_goes_there(page: Page, stub: Stub) -> None:
    go(page, f"{stub.url}/all")
    page.get_by_role("button", name="Take part").click()
    status = page.locator("deniable-question > [role=status]")
    error = page.locator(".error")
    onwards(page)
    expect(error).to_have_text("Choose one of these.")
    expect(page.locator("input").first).to_be_focused()
    expect(status).to_have_text("Choose one of these.")
    assert violations(page) == []
    page.get_by_role("radio", name="bike").check()
    expect(error).to_have_text("")  # what is mended is no longer complained of
    expect(status).to_have_text("")
    onwards(page)
    onwards(page)
    expect(page.locator("[aria-invalid=true]")).to_have_count(1)
    page.get_by_role("combobox").select_option("Köln")
    onwards(page)
    for each in ("tram", "train", "ferry"):
        page.get_by_role("checkbox", name=each).check()
    onwards(page)
    expect(error).to_have_text("Choose at most 2.")
    page.get_by_role("checkbox", name="train").uncheck()
    onwards(page)
    page.get_by_role("textbox").fill("Goethestraße")
    onwards(page)
    expect(error).to_have_text("Write at most 6 characters.")
    page.get_by_role("textbox").fill("Straße")
    onwards(page)
    send(page)
    expect(page.get_by_role("heading", name="Sent, once. Thank you.")).to_be_focused()


def test_screen_readers_meet_every_question_by_its_words(page: Page, stub: Stub) -> None:
    go(page, f"{stub.url}/all")
    page.get_by_role("button", name="Take part").click()
    form = page.locator("form")
    for wording, parts in (
        ("How did you come to work today?", ('- radio "car"', '- radio "I would rather not say', '- button "Next"')),
        ("Where do you live?", ('- combobox "Where do you live?"', '- button "Back"')),
        ("What else have you used this year?", ('- checkbox "ferry"',)),
        ("How does the name of your street begin?", ('- textbox "How does the name of your street begin?"',)),
    ):
        page.get_by_role("heading", name=wording).wait_for()
        told = form.aria_snapshot()
        for part in (f'- group "{wording}"', *parts):
            assert part in told, told
        if wording.startswith("How did"):
            page.get_by_role("radio", name="car").check()
        elif wording.startswith("Where"):
            page.get_by_role("combobox").select_option("Köln")
        elif wording.startswith("What"):
            described = page.get_by_role("group", name=wording)
            expect(described).to_have_accessible_description("Choose up to 2, or none.")
        onwards(page)
    assert '- button "Mix with chance and send"' in form.aria_snapshot()
    assert [heading.evaluate("node => node.tagName") for heading in page.get_by_role("heading").all()][:1] == ["H1"]
    label = page.locator("summary", has_text="What is promised, and what is not")
    expect(page.get_by_text("That you took part, and when")).to_be_hidden()
    label.click()
    expect(page.get_by_text("That you took part, and when")).to_be_visible()


@pytest.mark.parametrize("look", ["light", "dark"])
def test_axe_finds_nothing_wrong_at_any_stage(page: Page, stub: Stub, look: Any) -> None:
    page.emulate_media(color_scheme=look)
    go(page, f"{stub.url}/all/de")
    assert violations(page) == []
    page.get_by_role("button", name="Teilnehmen").click()
    filled(page)
    assert violations(page) == []
    send(page)
    page.get_by_text("Was genau gesendet wurde").click()
    assert violations(page) == []


def test_axe_would_find_what_is_wrong(page: Page, stub: Stub) -> None:
    go(page, f"{stub.url}/all")
    page.locator("main").evaluate("main => main.append(document.createElement('input'))")
    assert [fault.partition(":")[0] for fault in violations(page)] == ["label"]


@pytest.mark.parametrize("name", ["all", "all/de"])
def test_nothing_is_wider_than_the_narrowest_phone(page: Page, stub: Stub, name: str) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    go(page, f"{stub.url}/{name}")
    wide = "document.documentElement.scrollWidth"
    assert page.evaluate(wide) == 320
    page.locator(".choice button").first.click()
    filled(page)
    assert page.evaluate(wide) == 320
    page.get_by_role("button", name=re.compile("^(Change|Ändern): How did")).click()
    assert page.evaluate(wide) == 320
    assert min(page.locator("label").evaluate_all("labels => labels.map(label => label.offsetHeight)")) >= 44
    for _ in range(4):
        onwards(page)
    send(page)
    page.locator("details:has(dl) > summary").click()
    assert page.evaluate(wide) == 320


def test_an_answer_waits_without_a_network_and_goes_once_there_is_one(
    page: Page, context: BrowserContext, stub: Stub
) -> None:
    go(page, f"{stub.url}/all")
    page.get_by_role("button", name="Take part").click()
    filled(page)
    context.set_offline(True)
    send(page)
    expect(page.get_by_role("heading", name="Mixed, not sent yet")).to_be_focused()
    assert page.locator("details dl").count() == 0, "who saw the draw could withdraw it"
    context.set_offline(False)
    page.get_by_role("heading", name="Sent, once. Thank you.").wait_for()
    expect(page.locator("deniable-question > [role=status]")).to_have_text("Sent, once. Thank you.")
    assert len(stub.posted) == 1


def test_whoever_comes_next_sees_what_was_sent_only_after_a_tap(page: Page, stub: Stub) -> None:
    _answered(page, f"{stub.url}/all")
    go(page, f"{stub.url}/all/de")
    page.get_by_role("heading", name="Dieser Browser hat geantwortet").wait_for()
    sent = page.get_by_text("bevor etwas gesendet wurde").or_(page.get_by_text("gesendet, was zu")).first
    expect(sent).to_be_hidden()
    expect(page.get_by_text("Was genau gesendet wurde, bis aufs Byte")).to_be_hidden()
    page.get_by_text("Das war ich: zeigen, was gesendet wurde").click()
    expect(sent).to_be_visible()
    expect(page.get_by_text("Was genau gesendet wurde, bis aufs Byte")).to_be_visible()
    assert page.locator("form").count() == 0
    assert len(stub.posted) == 1


@pytest.mark.parametrize(
    ("reply", "headline"),
    [
        (problem(422, "no-answer"), "Not counted"),
        (problem(410, "closed"), "This survey is over"),
        (problem(401, "invitation"), "Mixed, not sent yet"),
    ],
)
def test_what_became_of_an_answer_is_said(page: Page, stub: Stub, reply: Any, headline: str) -> None:
    go(page, f"{stub.url}/all")
    page.get_by_role("button", name="Take part").click()
    filled(page)
    stub.plan_after_door(reply)
    send(page)
    expect(page.get_by_role("heading", name=headline)).to_be_focused()


def test_an_answer_that_waits_can_be_withdrawn(page: Page, stub: Stub) -> None:
    stub.open = []
    _answered(page, f"{stub.url}/all", "Mixed, not sent yet")
    assert "once the survey takes answers again" in page.inner_text("main")
    page.get_by_role("button", name="Stop taking part").click()
    expect(page.get_by_role("heading", name="Nothing more is sent")).to_be_focused()
    stub.open = ["once"]
    page.reload()
    page.get_by_role("heading", name="Nothing more is sent").wait_for()
    assert stub.posted == []


def test_a_door_that_offers_periods_of_another_survey_is_not_believed(page: Page, stub: Stub) -> None:
    way = dn.OneOf("way", ["car", "bike"])
    survey = dn.Survey("plain", [way], [dn.Arm(dn.Part(way, dn.RandomizedResponse(way.labels, 1.0)))])
    stub.surveys[survey.digest], stub.open = survey, ["2026-08"]
    serve_question(stub, survey.digest, "/plain")
    _answered(page, f"{stub.url}/plain", "Mixed, not sent yet")
    assert stub.posted == []


@pytest.mark.parametrize("name", ["month", "kept"])
def test_an_answer_every_month_costs_until_the_limit_is_reached(page: Page, stub: Stub, name: str) -> None:
    """Of reports that are remembered all is paid at once, and more never."""
    page.clock.set_system_time("2026-08-10T12:00:00Z")
    stub.open = ["2026-08"]
    _answered(page, f"{stub.url}/{name}")
    assert "You can answer again on September 1, 2026" in page.inner_text("main")
    page.clock.set_system_time("2026-09-10T12:00:00Z")
    stub.open = ["2026-09"]
    go(page, f"{stub.url}/{name}")
    page.get_by_role("radio", name="bike").check()
    send(page)
    headline = "Your limit is reached" if name == "month" else "Sent, once. Thank you."
    expect(page.get_by_role("heading", name=headline)).to_be_focused()
    assert len(stub.posted) == (1 if name == "month" else 2)


def test_a_browser_that_keeps_nothing_says_so(page: Page, stub: Stub) -> None:
    page.add_init_script("delete IDBFactory.prototype.open; IDBFactory.prototype.open = () => { throw new Error(); }")
    go(page, f"{stub.url}/all", "This browser keeps nothing")
    assert page.locator("form, .choice").count() == 0


def test_a_survey_that_is_over_asks_nothing(page: Page, stub: Stub) -> None:
    page.clock.set_system_time("2027-03-01T00:00:00Z")
    go(page, f"{stub.url}/month", "This survey is over")
    assert page.locator("form, .choice").count() == 0


def test_a_survey_that_is_not_there_can_be_asked_for_again(page: Page, stub: Stub) -> None:
    serve_question(stub, "0" * 64, "/none")
    go(page, f"{stub.url}/none", "The survey could not be loaded")
    stub.surveys["0" * 64] = SURVEYS["all"]  # another document than the one of the digest
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("heading", name="The survey could not be loaded").wait_for()
    assert [asked.path for asked in stub.asked] == [f"/v1/surveys/{'0' * 64}"] * 2


def test_over_plain_http_nothing_is_asked_and_the_page_says_why(chromium: tuple[BrowserType, str], stub: Stub) -> None:
    kind, program = chromium
    port = urlsplit(stub.url).port
    for path, headline in (("all", "Answering needs https"), ("all/de", "Antworten geht nur mit https")):
        browser = kind.launch(executable_path=program, args=["--host-resolver-rules=MAP survey.example 127.0.0.1"])
        page = browser.new_page()
        go(page, f"http://survey.example:{port}/{path}", headline)
        assert page.get_by_role("button").count() == 0
        assert page.evaluate("indexedDB.databases()") == []
        browser.close()
    assert [asked.path for asked in stub.asked if asked.path.startswith("/v1/")] == []


def test_the_policy_is_one_that_forbids_inline_code(page: Page, stub: Stub, faults: list[str]) -> None:
    go(page, f"{stub.url}/all")
    page.locator("main").evaluate("main => main.setAttribute('style', 'color: red')")
    assert "unsafe" not in POLICY
    assert len(faults) == 1


def _answered(page: Page, url: str, headline: str = "Sent, once. Thank you.") -> None:
    go(page, url)
    page.get_by_role("button", name="Take part").click()
    page.locator("form").wait_for()
    if page.locator("progress").count():
        filled(page)
    else:
        page.get_by_role("radio", name="bike").check()
    send(page)
    page.get_by_role("heading", name=headline).wait_for()
