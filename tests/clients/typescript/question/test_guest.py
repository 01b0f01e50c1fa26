"""The element on pages of others, in Chromium: nothing of an answer gets out, and a form holds a report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import BrowserContext, Page
from tests.accessibility import violations
from tests.browsers import wait_for
from tests.clients.stub import Stub
from tests.clients.typescript.question.asked import faults as faults
from tests.clients.typescript.question.guests import (
    OPENED,
    PLANTED,
    carried,
    entries,
    opened,
    serve_form,
    value,
)

import deniable as dn

WORD = "zebrafish"
PLACES = """JSON.stringify([[...document.querySelectorAll('*')].map((each) => each.value),
  document.documentElement.outerHTML, window.name, heard, states, document.cookie, { ...localStorage },
  { ...sessionStorage }, history.state])"""
BOX = "(() => { const { width, height } = document.querySelector('deniable-question').getBoundingClientRect();"
BOX += "return [width, height] })()"


@pytest.fixture
def stub(built: Path) -> Iterator[Stub]:
    assert built.is_dir()
    with Stub().running() as running:
        yield running


def answered(page: Page, label: str = "yes") -> str:
    """Take part, answer and wait for what the form then holds."""
    page.get_by_role("button", name="Take part").click()
    page.get_by_role("radio", name=label).check()
    page.get_by_role("button", name="Mix with chance, for the form").click()
    page.get_by_role("heading", name="Mixed, and in the form").wait_for()
    wait_for(page, "states.at(-1).state === 'answered'")
    return value(page)


def test_a_form_sends_a_report_that_stays_the_same(
    page: Page, context: BrowserContext, stub: Stub, faults: list[str]
) -> None:
    survey = carried()
    serve_form(stub, survey)
    opened(page, stub, OPENED)
    declined = value(page)
    assert survey.read_column([declined, answered(page)]).counts["declined"] == 1
    kept = value(page)
    assert page.locator("deniable-question code, deniable-question .mark, deniable-question svg").count() == 0
    assert violations(page) == []
    with page.expect_request("**/done") as sent:
        page.click("#send")
    assert parse_qs(sent.value.post_data or "") == {"year": ["first"], "private": [kept]}
    assert survey.read_column([kept]).counts["used"] == 1
    page.wait_for_url("**/done")
    page.go_back()
    wait_for(page, "states.at(-1)?.state === 'answered'")
    assert value(page) == kept
    page.reload()
    wait_for(page, "states.at(-1)?.state === 'answered'")
    assert value(page) == kept
    second = context.new_page()
    opened(second, stub, OPENED)
    wait_for(second, "states.at(-1)?.state === 'answered'")
    assert value(second) == kept
    assert faults == []


def test_the_form_waits_for_a_choice_and_takes_a_no(page: Page, stub: Stub) -> None:
    survey = carried()
    serve_form(stub, survey)
    opened(page, stub, OPENED)
    assert page.evaluate("document.forms[0].checkValidity()") is False
    page.get_by_role("button", name="No, thanks").click()
    wait_for(page, "states.at(-1).state === 'declined'")
    assert page.evaluate("document.forms[0].checkValidity()") is True
    assert value(page) == f"deniable:1:{survey.digest[:32]}:!declined"
    assert page.evaluate("indexedDB.databases()") == []


def test_a_second_tab_that_is_open_has_the_same_value(page: Page, context: BrowserContext, stub: Stub) -> None:
    serve_form(stub, carried(), "mirror compact")
    second = context.new_page()
    opened(second, stub, OPENED)
    second.get_by_role("button", name="Take part").click()
    second.get_by_role("radio", name="no").wait_for()
    opened(page, stub, OPENED)
    page.get_by_role("radio", name="no").check()
    page.get_by_role("button", name="Mix with chance, for the form").click()
    wait_for(page, "states.at(-1).state === 'answered'")
    wait_for(second, "states.at(-1).state === 'answered'")
    assert value(second) == value(page) == page.locator("deniable-question > input").input_value()


def test_where_nothing_is_kept_nothing_is_drawn(page: Page, stub: Stub) -> None:
    serve_form(stub, carried())
    opened(page, stub, OPENED, "Object.defineProperty(indexedDB, 'open', { value() { throw new Error('no') } })")
    wait_for(page, "states.at(-1).state === 'refused'")
    assert page.evaluate("states.at(-1)") == {"state": "refused", "reason": "storage"}
    assert value(page) == ""
    assert page.evaluate("document.forms[0].checkValidity()") is True


def test_nothing_of_an_answer_leaves_the_element(page: Page, stub: Stub) -> None:
    """Not by events, the document, its values, storage, the window's name or a request."""
    survey = carried(dn.Text("word", longest=12, wording="Which word?"))
    serve_form(stub, survey)
    opened(page, stub, OPENED)
    page.evaluate("window.name = 'of the host'")
    page.get_by_role("button", name="Take part").click()
    page.get_by_role("textbox").press_sequentially(WORD)
    seen = [page.evaluate("[document.documentElement.outerHTML, window.name, JSON.stringify(heard)]")]
    page.get_by_role("button", name="Mix with chance, for the form").click()
    wait_for(page, "states.at(-1).state === 'answered'")
    seen += [str(entries(page)), page.evaluate(PLACES)]
    with page.expect_request("**/done") as sent:
        page.evaluate("setTimeout(() => document.forms[0].requestSubmit(), 50)")
    page.wait_for_url("**/done")
    told = "".join([*map(str, seen), sent.value.post_data or "", *(asked.path for asked in stub.asked)])
    assert WORD not in told
    assert "of the host" in told


def test_keys_and_clicks_are_heard_by_nobody_outside(page: Page, stub: Stub) -> None:
    serve_form(stub, carried())
    opened(page, stub, OPENED)
    answered(page)
    assert [each for each in page.evaluate("heard") if each[1] == "deniable-question"] == []
    assert [each["state"] for each in page.evaluate("states")] == ["reading", "answered"]


def test_a_closed_root_inherits_nothing(page: Page, stub: Stub) -> None:
    """It is as large as on a page without rules; the root is closed, and recorders are told to leave it out."""
    sizes = []
    for style in ("", PLANTED):
        serve_form(stub, carried(), style=style)
        opened(page, stub)
        wait_for(page, f"{BOX}[1] > 500")  # until the choice is there
        sizes.append(page.evaluate(BOX))
    assert sizes[0] == sizes[1]
    assert page.evaluate("document.querySelector('deniable-question').shadowRoot") is None
    assert page.locator("deniable-question.rr-block.fs-exclude[data-hj-suppress][data-clarity-mask]").count() == 1


def test_no_host_sees_by_the_box_which_questions_were_asked(page: Page, stub: Stub) -> None:
    """It has one height from the first question to the receipt, also where something was forgotten or taken back."""
    used = dn.OneOf("used", ["yes", "no"], wording="Have you used it?")
    kind = dn.OneOf("kind", ["this", "that"], wording="Which?", only_if=("used", ["yes"]))
    often = dn.Scale("often", ["once", "daily"], wording="How often?", only_if=("kind", ["this"]))
    survey = dn.Survey.plan("ways", [used, kind, often], 2.0, 500, carrier="field")
    serve_form(stub, survey, "compact")
    opened(page, stub, OPENED)
    page.set_viewport_size({"width": 400, "height": 900})
    page.get_by_role("button", name="Take part").click()
    page.get_by_role("radio").first.wait_for()
    boxes, submit = [page.evaluate(BOX)], page.locator("[type=submit]")
    for label in ("yes", "", "this", "no", "yes", "that", ""):
        if label:
            page.get_by_role("radio", name=label).check()
        else:
            submit.click()
        boxes.append(page.evaluate(BOX))
    page.get_by_role("button", name="Mix with chance, for the form").click()
    page.get_by_role("heading", name="Mixed, and in the form").wait_for()
    boxes.append(page.evaluate(BOX))
    assert len({tuple(box) for box in boxes}) == 1
    assert [each for each in page.evaluate("heard") if each[1] == "deniable-question"] == []
    assert [each["state"] for each in page.evaluate("states")] == ["reading", "answered"]
    assert survey.read_column([value(page)]).counts["used"] == 1


def test_a_page_of_others_hears_that_somebody_answered_a_collector(page: Page, stub: Stub) -> None:
    """The window's name stays the host's while something is ticked."""
    late = dn.OneOf("late", ["yes", "no"])
    survey = dn.Survey("late", [late], [dn.Arm(dn.Part(late, dn.RandomizedResponse(late.labels, 1.0)))])
    with Stub(survey).running() as collector:
        serve_form(stub, survey, f'endpoint="{collector.url}"', carry="")
        page.add_init_script("window.name ||= 'of the host'")
        opened(page, stub, OPENED)
        page.get_by_role("button", name="Take part").click()
        page.get_by_role("radio", name="yes").check()
        assert page.evaluate("window.name") == "of the host"
        page.get_by_role("button", name="Mix with chance and send").click()
        wait_for(page, "states.at(-1).state === 'answered'")
        assert len(collector.accepted[survey.digest, "once"]) == 1
    assert page.evaluate("[window.name, new FormData(document.forms[0]).has('private')]") == ["of the host", False]
