"""A survey on a page, in Chromium: what a person sees and does, by keyboard and screen reader too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, BrowserType, Page, expect
from tests.browsers import wait_for
from tests.clients.stub import Stub, problem
from tests.clients.typescript.device.pages import NOTHING, stored
from tests.clients.typescript.question.asked import (
    AXE,
    POLICY,
    everything,
    filled,
    go,
    monthly,
    serve_question,
)
from tests.wire.generate.wordings import worded

import deniable as dn

SURVEYS = {
    "all": everything(), "month": monthly("fresh"), "kept": monthly("remembered"), "breaks": worded()["languages"],
}  # fmt: skip

ONE: dict[str, Any] = {"city": None, "used": [], "street": None}
"""Of a form with one question."""


@pytest.fixture
def stub(built: Path) -> Iterator[Stub]:
    assert built.is_dir()
    with Stub(*SURVEYS.values()).running() as running:
        for name, survey in SURVEYS.items():
            serve_question(running, survey.digest, f"/{name}")
            serve_question(running, survey.digest, f"/{name}/de", "de-AT")
            serve_question(running, survey.digest, f"/{name}/swiss", more='language="de-CH"')
        yield running


@pytest.fixture
def faults(page: Page) -> list[str]:
    """What the browser complains of: scripts and styles that the policy forbids, and errors that nobody catches."""
    found: list[str] = []
    page.on("console", lambda message: found.append(message.text) if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: found.append(str(error)))
    return found


def violations(page: Page) -> list[str]:
    """What axe finds wrong. It is run by the browser's own means, as the page's policy lets no script in."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    return [f"{each['id']}: {node['html']}" for each in found for node in each["nodes"]]


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
    page.get_by_role("button", name="Randomize and send").click()
    expect(page.get_by_role("heading", name="Received, thank you")).to_be_focused()
    assert len(stub.accepted[survey.digest, "once"]) == 1
    page.get_by_text("Exactly what was sent").click()
    shown = "".join(page.locator("dd").all_inner_texts()[:2]).replace(" ", "")
    assert [shown] == [body.hex() for _, body in stub.posted]
    assert faults == []


def test_a_survey_is_read_and_answered_in_another_language(page: Page, stub: Stub, faults: list[str]) -> None:
    """The page's own words stay English, and what is sent is what the survey's own labels would be."""
    go(page, f"{stub.url}/breaks/swiss")
    assert page.locator("h1").inner_text() == "Pausen (mit ss)"
    page.get_by_role("button", name="Take part").click()
    words = page.locator("legend, label span")
    assert words.all_inner_texts() == [
        "Wo machen Sie Pause?", "am Platz", "draußen", "nirgends", "keine Angabe", "Wie lange?", "paid", "ja", "nein",
        "Wo sonst?",
    ]  # fmt: skip
    assert set(words.evaluate_all("all => all.map(each => each.lang)")) == {"de-CH"}
    ticked = page.locator("label:has(:checked)")
    for label, left in [
        ("am Platz", ["am Platz"]), ("draußen", ["am Platz", "draußen"]), ("nirgends", ["nirgends"]),
        ("keine Angabe", ["keine Angabe"]), ("draußen", ["draußen"]),
    ]:  # fmt: skip
        page.get_by_label(label).check()
        assert ticked.all_inner_texts() == left
    page.get_by_label("draußen").uncheck()
    page.get_by_label("ja").check()
    page.get_by_role("spinbutton").fill("25")
    page.get_by_role("button", name="Randomize and send").click()
    assert stub.posted == []  # nothing ticked is no answer
    page.get_by_label("nirgends").check()
    page.get_by_role("button", name="Randomize and send").click()
    expect(page.get_by_role("heading", name="Received, thank you")).to_be_focused()
    assert len(stub.accepted[SURVEYS["breaks"].digest, "once"]) == 1
    assert faults == []


def test_whoever_declines_leaves_nothing_and_may_choose_again(page: Page, stub: Stub) -> None:
    go(page, f"{stub.url}/all")
    page.get_by_role("button", name="No, thanks").click()
    expect(page.get_by_role("heading", name="Nothing was stored or sent")).to_be_focused()
    assert stored(page) == NOTHING
    assert [asked.path for asked in stub.asked] == [f"/v1/surveys/{SURVEYS['all'].digest}"]
    page.get_by_role("button", name="Choose again").click()
    page.get_by_role("button", name="Take part").click()
    expect(page.get_by_role("heading", name="Your answers")).to_be_focused()


def test_the_keyboard_is_enough(page: Page, stub: Stub) -> None:
    go(page, f"{stub.url}/all")
    for keys in (
        ["Tab", "Tab", "Enter"],  # past what is folded
        ["Tab", "Space", "ArrowDown", "ArrowDown"],  # bike
        ["Tab", "K"],
        ["Tab", "Space", "Tab", "Tab", "Space"],  # tram and ferry
        ["Tab", *"Goethe", "Enter"],
    ):
        for key in keys:
            page.keyboard.press(key)
            if key == "Enter":
                assert wait_for(page, "document.activeElement.matches('h2')")
    assert page.evaluate("document.activeElement.textContent") == "Received, thank you"
    assert len(stub.posted) == 1


def test_what_the_keyboard_chose_is_what_the_form_holds(page: Page, stub: Stub) -> None:
    go(page, f"{stub.url}/all")
    page.get_by_role("button", name="Take part").press("Enter")
    page.locator("input").first.focus()
    for key in ["Space", "ArrowDown", "Tab", "K", "Tab", "Tab", "Space"]:
        page.keyboard.press(key)
    assert page.locator("label:has(:checked)").all_inner_texts() == ["bus", "train"]
    assert page.locator("option:checked").inner_text() == "Köln"


def test_faults_are_told_where_they_are_and_the_focus_goes_to_the_first(page: Page, stub: Stub) -> None:
    go(page, f"{stub.url}/all")
    page.get_by_role("button", name="Take part").click()
    filled(page, way=None, city=None, used=["tram", "train", "ferry"], street="Goethestraße")
    page.get_by_role("button", name="Randomize and send").click()
    assert page.locator(".error").all_inner_texts() == [
        "Choose one of these.", "Choose one of these.", "Choose at most 2.", "Write at most 6 characters.",
    ]  # fmt: skip
    expect(page.locator("input").first).to_be_focused()
    expect(page.get_by_role("status")).to_have_text("Please check 4 questions.")
    assert page.locator("[aria-invalid=true]").count() == 2
    assert violations(page) == []
    filled(page, street="Straße")
    expect(page.get_by_role("status")).to_have_text("Please check 1 question.")
    page.get_by_role("checkbox", name="train").uncheck()
    page.get_by_role("checkbox", name="ferry").uncheck()
    assert "".join(page.locator(".error").all_inner_texts()) == "", "what is mended is no longer complained of"
    expect(page.get_by_role("status")).to_have_text("")
    page.get_by_role("button", name="Randomize and send").click()
    expect(page.get_by_role("heading", name="Received, thank you")).to_be_focused()


def test_screen_readers_meet_every_question_by_its_words(page: Page, stub: Stub) -> None:
    go(page, f"{stub.url}/all")
    page.get_by_role("button", name="Take part").click()
    page.get_by_role("heading", name="Your answers").wait_for()
    told = page.locator("form").aria_snapshot()
    for part in (
        '- group "How did you come to work today?":', '- radio "car"', '- radio "I would rather not say',
        '- combobox "Where do you live?"', '- group "What else have you used this year?":', '- checkbox "ferry"',
        '- textbox "How does the name of your street begin?"', '- button "Randomize and send"',
    ):  # fmt: skip
        assert part in told, told
    described = page.get_by_role("group", name="What else have you used this year?")
    expect(described).to_have_accessible_description("Choose up to 2, or none.")
    assert [heading.evaluate("node => node.tagName") for heading in page.get_by_role("heading").all()] == [
        "H1", "H2", "H2", "H2",
    ]  # fmt: skip
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
    page.get_by_role("button", name="Zufällig verändern und senden").click()
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
    assert min(page.locator("label").evaluate_all("labels => labels.map(label => label.offsetHeight)")) >= 44
    page.locator("[type=submit]").click()
    page.locator("details:has(dl) > summary").click()
    assert page.evaluate(wide) == 320


def test_an_answer_waits_without_a_network_and_goes_once_there_is_one(
    page: Page, context: BrowserContext, stub: Stub
) -> None:
    go(page, f"{stub.url}/all")
    page.get_by_role("button", name="Take part").click()
    filled(page)
    context.set_offline(True)
    page.get_by_role("button", name="Randomize and send").click()
    expect(page.get_by_role("heading", name="Drawn, but not sent yet")).to_be_focused()
    assert page.locator("details dl").count() == 0, "who saw the draw could withdraw it"
    context.set_offline(False)
    page.get_by_role("heading", name="Received, thank you").wait_for()
    expect(page.get_by_role("status")).to_have_text("Received, thank you")
    assert len(stub.posted) == 1


def test_whoever_comes_back_finds_the_receipt(page: Page, stub: Stub) -> None:
    _answered(page, f"{stub.url}/all")
    go(page, f"{stub.url}/all/de")
    page.get_by_role("heading", name="Angekommen, vielen Dank").wait_for()
    assert "Sie haben schon geantwortet" in page.inner_text("main")
    assert page.locator("form").count() == 0
    assert len(stub.posted) == 1


@pytest.mark.parametrize(
    ("reply", "headline"),
    [
        (problem(422, "no-answer"), "Not counted"),
        (problem(410, "closed"), "This survey is over"),
        (problem(401, "invitation"), "Drawn, but not sent yet"),
    ],
)
def test_what_became_of_an_answer_is_said(page: Page, stub: Stub, reply: Any, headline: str) -> None:
    go(page, f"{stub.url}/all")
    page.get_by_role("button", name="Take part").click()
    filled(page)
    stub.plan_after_door(reply)
    page.get_by_role("button", name="Randomize and send").click()
    expect(page.get_by_role("heading", name=headline)).to_be_focused()


def test_an_answer_that_waits_can_be_withdrawn(page: Page, stub: Stub) -> None:
    stub.open = []
    _answered(page, f"{stub.url}/all", "Drawn, but not sent yet")
    assert "once the survey takes answers again" in page.inner_text("main")
    page.get_by_role("button", name="Stop taking part").click()
    expect(page.get_by_role("heading", name="You no longer take part")).to_be_focused()
    stub.open = ["once"]
    page.reload()
    page.get_by_role("heading", name="You no longer take part").wait_for()
    assert stub.posted == []


@pytest.mark.parametrize("name", ["month", "kept"])
def test_an_answer_every_month_costs_until_the_limit_is_reached(page: Page, stub: Stub, name: str) -> None:
    """Of reports that are remembered all is paid at once, and more never."""
    page.clock.set_system_time("2026-08-10T12:00:00Z")
    stub.open = ["2026-08"]
    _answered(page, f"{stub.url}/{name}")
    assert "You can answer again next month." in page.inner_text("main")
    page.clock.set_system_time("2026-09-10T12:00:00Z")
    stub.open = ["2026-09"]
    go(page, f"{stub.url}/{name}")
    filled(page, **ONE)
    page.get_by_role("button", name="Randomize and send").click()
    headline = "Your limit is reached" if name == "month" else "Received, thank you"
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


def test_who_does_not_say_who_asks_gets_no_heading_for_it(page: Page, stub: Stub) -> None:
    survey = dn.Survey.plan("bare", [dn.OneOf("well", ["yes", "no"])], 1.0, 500)
    stub.surveys[survey.digest] = survey
    serve_question(stub, survey.digest, "/bare")
    go(page, f"{stub.url}/bare")
    assert page.get_by_role("heading").all_inner_texts() == [
        "bare", "What is asked", "What is promised, and what is not", "Before you choose",
    ]  # fmt: skip
    assert page.locator("section:nth-of-type(1) li").all_inner_texts() == ["well"]


def test_words_of_a_survey_are_never_markup(page: Page, stub: Stub, faults: list[str]) -> None:
    trick = "<img src=x onerror=alert(1)>"
    question = dn.OneOf("way", [trick, "b"], wording=trick)
    survey = dn.Survey(
        "trick", [question], [dn.Arm(dn.Part(question, dn.RandomizedResponse(question.labels, 1.0)))],
        title=trick, purpose=trick, owner=trick, contact=trick,
    )  # fmt: skip
    stub.surveys[survey.digest] = survey
    serve_question(stub, survey.digest, "/trick")
    go(page, f"{stub.url}/trick")
    page.get_by_role("button", name="Take part").click()
    page.locator("form").wait_for()
    assert page.locator("img").count() == 0
    assert page.get_by_text(trick, exact=True).count() == 5
    assert faults == []


def test_the_policy_is_one_that_forbids_inline_code(page: Page, stub: Stub, faults: list[str]) -> None:
    go(page, f"{stub.url}/all")
    page.locator("main").evaluate("main => main.setAttribute('style', 'color: red')")
    assert "unsafe" not in POLICY
    assert len(faults) == 1


def _answered(page: Page, url: str, headline: str = "Received, thank you") -> None:
    go(page, url)
    page.get_by_role("button", name="Take part").click()
    page.locator("form").wait_for()
    filled(page, **({} if page.locator("select").count() else ONE))
    page.get_by_role("button", name="Randomize and send").click()
    page.get_by_role("heading", name=headline).wait_for()
