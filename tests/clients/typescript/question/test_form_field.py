"""The element as a field of a form, in Chromium: whose answer it is, what is seen of a draw, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from tests.accessibility import violations
from tests.browsers import wait_for
from tests.clients.stub import Planned, Stub
from tests.clients.typescript.device.pages import HTML
from tests.clients.typescript.question.guests import (
    LISTENING,
    OPENED,
    agreed,
    carried,
    entries,
    handed,
    inner,
    opened,
    serve_form,
    value,
)

import deniable as dn

SENT = "document.forms[0].addEventListener('submit', (event) => event.preventDefault())"
SAVED = "new FormData(document.forms[0]).get('private')"
FORGETFUL = "indexedDB.deleteDatabase('deniable')"
"""A browser that forgets a site at every visit."""


@pytest.fixture
def stub(built: Path) -> Iterator[Stub]:
    assert built.is_dir()
    with Stub().running() as running:
        yield running


def come(page: Page, stub: Stub, more: str = "", survey: dn.Survey | None = None) -> Page:
    """Open the form, and wait for what becomes of its field."""
    serve_form(stub, survey or carried(), more)
    opened(page, stub)
    return page


def is_hidden(page: Page) -> bool:
    """Whether neither the dot nor a byte of what was drawn is anywhere in the element."""
    found = inner(page)
    body = dn.Survey.from_json(carried().to_json()).read_column([value(page)]).answers[0]
    assert body is not None
    return not any(each in found for each in ("mark", "●", "○", "<code", "<svg")) and value(page)[-12:] not in found


@pytest.fixture
def asked(page: Page) -> Page:
    """A page whose closed roots a test can read."""
    page.add_init_script(LISTENING)
    page.add_init_script(OPENED)
    return page


def test_nothing_of_the_draw_is_seen_before_the_form_is_sent(asked: Page, stub: Stub) -> None:
    come(asked, stub, "compact")
    asked.evaluate(SAVED)  # saved in part, before there is an answer
    handed(asked)
    assert is_hidden(asked)
    assert violations(asked) == []
    asked.evaluate(SENT)
    asked.evaluate("document.forms[0].requestSubmit()")
    asked.get_by_text("What the form got, to the byte").wait_for()
    assert asked.locator("deniable-question .mark").count() == 1
    assert violations(asked) == []
    asked.reload()
    wait_for(asked, "states.at(-1)?.state === 'answered'")
    assert is_hidden(asked)


def test_a_form_that_is_read_has_what_it_gets(asked: Page, stub: Stub) -> None:
    come(asked, stub)
    kept = handed(asked)
    assert asked.evaluate(SAVED) == kept
    asked.get_by_text("What the form got, to the byte").wait_for()
    assert asked.evaluate(SAVED) == kept == value(asked)


def test_without_a_form_it_is_seen_once_the_element_was_removed(asked: Page, stub: Stub) -> None:
    come(asked, stub)
    asked.evaluate("document.querySelector('main').append(document.querySelector('deniable-question'))")
    handed(asked)
    assert is_hidden(asked)
    asked.evaluate(
        "q = document.querySelector('deniable-question'); q.remove(); document.querySelector('main').append(q)"
    )
    asked.get_by_text("What the form got, to the byte").wait_for()


def test_what_a_host_restores_or_writes_is_never_believed(asked: Page, stub: Stub) -> None:
    come(asked, stub, "mirror")
    element = "document.querySelector('deniable-question')"
    assert asked.evaluate(f"{element}.formStateRestoreCallback === undefined")
    asked.evaluate(f"try {{ {element}.value = 'deniable:1:redrawn' }} catch {{}}")
    asked.evaluate(f"{element}.firstChild.value = 'deniable:1:redrawn'")
    kept = handed(asked)
    assert asked.locator("deniable-question > input").input_value() == kept
    asked.evaluate(f"{element}.firstChild.value = 'deniable:1:redrawn'")
    asked.reload()
    wait_for(asked, "states.at(-1)?.state === 'answered'")
    assert asked.locator("deniable-question > input").input_value() == kept


def values_of(page: Page, stub: Stub, context: BrowserContext) -> set[str]:
    """What a form holds after an answer, in a second tab, after a reload, and Back from elsewhere."""
    come(page, stub)
    found = {handed(page)}
    stub.pages["/elsewhere"] = Planned(200, b"<!doctype html><title>Elsewhere</title>", {"Content-Type": HTML})
    second = context.new_page()
    second.add_init_script(LISTENING)
    second.add_init_script(OPENED)

    def held(which: Page, come_again: Callable[[], object]) -> None:
        come_again()
        wait_for(which, "states.length > 0")
        if agreed(which):
            found.add(handed(which, "no"))
        wait_for(which, "states.at(-1)?.state === 'answered'")
        found.add(value(which))

    held(second, lambda: second.goto(f"{stub.url}/form"))
    held(page, page.reload)
    page.goto(f"{stub.url}/elsewhere")
    held(page, page.go_back)
    return found


def test_one_browser_hands_over_one_value_and_pays_once(asked: Page, stub: Stub, context: BrowserContext) -> None:
    assert len(values_of(asked, stub, context)) == 1
    [spent] = [text for key, text in entries(asked).items() if key.startswith("topic/")]
    assert f'"spent":{carried().promise.charge:g},' in spent


def test_a_redraw_is_caught(asked: Page, stub: Stub, context: BrowserContext) -> None:
    context.add_init_script(FORGETFUL)
    assert len(values_of(asked, stub, context)) > 1


def test_who_comes_under_another_name_is_asked(asked: Page, stub: Stub) -> None:
    come(asked, stub, 'required respondent="first"')
    kept = handed(asked)
    for name in ('respondent="second"', ""):
        come(asked, stub, f"required {name}")
        asked.get_by_role("heading", name="This browser has answered here before. Was that you?").wait_for()
        assert asked.evaluate("document.forms[0].checkValidity()") is False
        asked.get_by_role("button", name="No").click()
        wait_for(asked, "states.at(-1).state === 'declined'")
        assert value(asked) == f"deniable:1:{carried().digest[:32]}:!declined"
        assert asked.evaluate("document.forms[0].checkValidity()") is True
        come(asked, stub, f"required {name}")
        asked.get_by_role("button", name="Yes, that was me").click()
        wait_for(asked, "states.at(-1).state === 'answered'")
        assert value(asked) == kept
        come(asked, stub, f"required {name}")
        wait_for(asked, "states.at(-1).state === 'answered'")
        assert value(asked) == kept
    assert sum(key.startswith("topic/") for key in entries(asked)) == 1


def test_on_a_kiosk_each_respondent_has_a_turn(asked: Page, stub: Stub) -> None:
    found = []
    for name in ("first", "second", "first"):
        come(asked, stub, f'respondent="{name}"', carried(kiosk=True))
        found.append(handed(asked) if agreed(asked) else value(asked))
        wait_for(asked, "states.at(-1).state === 'answered'")
    assert found[0] != found[1]
    assert value(asked) == found[0]


def test_two_people_in_one_browser_are_one_report_and_one_in_two_are_two(
    asked: Page, stub: Stub, browser: Browser
) -> None:
    come(asked, stub)
    column = [handed(asked)]
    asked.reload()
    wait_for(asked, "states.at(-1)?.state === 'answered'")
    column.append(value(asked))
    with browser.new_context() as other:
        second = other.new_page()
        second.add_init_script(LISTENING)
        second.add_init_script(OPENED)
        column.append(handed(come(second, stub)))
    counts = carried().read_column(column).counts
    assert (counts["used"], counts["repeated"]) == (2, 1)


def test_a_site_gets_so_much_and_no_more(asked: Page, stub: Stub) -> None:
    """Two answers' worth over all topics; a refusal names them."""
    for name in ("bribes", "drugs"):
        handed(come(asked, stub, survey=carried(name=name, owner="A council")))
    come(asked, stub, survey=carried(name="theft", owner="Another"))
    handed(asked, wanted="refused")
    assert asked.evaluate("states.at(-1)") == {"state": "refused", "reason": "cap"}
    assert all(f"{topic} (A council)" in inner(asked) for topic in ("bribes", "drugs"))
    assert value(asked) == ""


def test_a_page_may_allow_less(asked: Page, stub: Stub) -> None:
    come(asked, stub, 'total-cap="0.5"')
    handed(asked, wanted="refused")
    assert [key for key in entries(asked) if key.startswith(("topic/", "answer/"))] == []


def test_without_storage_it_says_so(asked: Page, stub: Stub) -> None:
    asked.add_init_script("delete globalThis.indexedDB; Object.defineProperty(globalThis, 'indexedDB', {})")
    come(asked, stub, "required")
    asked.get_by_role("heading", name="This browser keeps nothing").wait_for()
    wait_for(asked, "states.at(-1).state === 'refused'")
    assert value(asked) == ""


def test_withdrawing_later_changes_no_value_that_a_form_has(asked: Page, stub: Stub, context: BrowserContext) -> None:
    come(asked, stub)
    kept = handed(asked)
    page = context.new_page()
    html = '<!doctype html><html lang="en"><title>Mine</title><deniable-account></deniable-account>'
    html += '<script type="module" src="/deniable.js"></script>'
    stub.pages["/me"] = Planned(200, html.encode(), {"Content-Type": HTML})
    page.goto(f"{stub.url}/me")
    page.get_by_role("button", name="Stop taking part from now on").click()
    page.get_by_text("Withdrawn before it was known to be received.").wait_for()
    asked.bring_to_front()
    assert value(asked) == asked.evaluate(SAVED) == kept


def test_the_keyboard_alone_will_do(asked: Page, stub: Stub) -> None:
    come(asked, stub, "required compact")
    asked.get_by_role("button", name="Take part").wait_for()
    asked.locator("body").press("Tab")
    asked.keyboard.press("Enter")
    asked.get_by_role("radio", name="yes").wait_for()
    for key in ("Tab", "Space", "Tab", "Enter"):
        asked.keyboard.press(key)
    wait_for(asked, "states.at(-1).state === 'answered'")
    assert carried().read_column([value(asked)]).counts["used"] == 1


@pytest.mark.parametrize("more", ["compact", ""])
@pytest.mark.parametrize("width", [320, 360, 640])
def test_no_line_is_wider_than_its_box(asked: Page, stub: Stub, more: str, width: int) -> None:
    """640 pixels at 200% zoom are 320."""
    asked.set_viewport_size({"width": width, "height": 640})
    come(asked, stub, more, carried(labels=["نعم", "لا"], wording="هل تأخرت هذا الأسبوع؟"))
    asked.emulate_media(media="print", color_scheme="dark")
    asked.get_by_role("button", name="Take part").wait_for()
    assert asked.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(asked) == []
