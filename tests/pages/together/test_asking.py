"""Answering in Chromium, at a real collector: the receipt, rehearsals, invitations, no network, and the account."""

from __future__ import annotations

import datetime
import json
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.accessibility import violations
from tests.clients.typescript.device.pages import NOTHING, stored
from tests.collector.servers import Server, put
from tests.pages.together.breaks import counted, send

import deniable as dn

WELL = dn.OneOf("well", ["yes", "no"], wording="Are you well?")


def yes_or_no(name: str, **terms: Any) -> dn.Survey:
    return dn.Survey.plan(name, [WELL], 1.0, 500, title="How are you?", owner="The works council", cap=2.0, **terms)


@pytest.fixture
def faults(page: Page) -> Iterator[list[str]]:
    """What the browser complains of, the policy among it; none in any test."""
    found: list[str] = []
    page.on("console", lambda message: found.append(message.text) if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: found.append(str(error)))
    yield found
    assert found == []


def agree_and_answer(page: Page) -> None:
    page.get_by_role("button", name="Take part").click()
    page.get_by_role("radio", name="no").check()
    send(page)


def test_an_answer_is_agreed_to_changed_sent_and_counted(
    page: Page, server: Server, author: str, requests: list[str], faults: list[str]
) -> None:
    survey = put(server, author, yes_or_no("answered"))
    page.goto(f"{server.url}/q/{survey.digest}")
    page.get_by_role("button", name="Take part").wait_for()
    assert stored(page) == NOTHING
    assert violations(page) == []
    agree_and_answer(page)
    expect(page.get_by_role("heading", name="Sent, once. Thank you.")).to_be_focused()
    assert counted(server, author, survey) == 1
    assert violations(page) == []
    scripts = {found[1] for url in requests if (found := re.search(r"/static/(deniable[\w-]*?)(?:-.{8})?\.js", url))}
    assert scripts == {"deniable", "deniable-question-mount", "deniable-languages-englishPage"}
    page.reload()
    page.get_by_role("heading", name="This browser has answered").wait_for()
    assert counted(server, author, survey) == 1
    assert [url for url in requests if not url.startswith(server.url)] == []
    assert faults == []


def test_a_rehearsal_sends_and_stores_nothing_and_says_so_all_the_time(
    page: Page, server: Server, author: str, requests: list[str], faults: list[str]
) -> None:
    survey = put(server, author, yes_or_no("tried"))
    page.goto(f"{server.url}/q/{survey.digest}?rehearse")
    page.get_by_role("button", name="Take part").wait_for()
    page.wait_for_load_state("networkidle")
    before = len(requests)
    notice = page.get_by_text("This is a rehearsal. Nothing is stored or sent.")
    expect(notice).to_be_in_viewport()
    agree_and_answer(page)
    expect(page.get_by_role("heading", name="Here a receipt would stand")).to_be_focused()
    expect(notice).to_be_in_viewport()
    assert violations(page) == []
    assert [url for url in requests[before:] if "/static/" not in url] == []
    assert stored(page) == NOTHING
    assert counted(server, author, survey) == 0
    page.reload()
    page.get_by_role("button", name="Take part").wait_for()
    assert faults == []


def test_an_invitation_stands_behind_the_sign_that_no_browser_sends(
    page: Page, server: Server, author: str, requests: list[str], faults: list[str]
) -> None:
    survey = put(server, author, yes_or_no("guests"))
    asked = json.dumps({"people": 1}).encode()
    made = server.ask("POST", f"/v1/surveys/{survey.digest}/invitations", asked, author).json
    [code] = made["codes"]
    page.goto(f"{server.url}/q/{survey.digest}")
    page.get_by_role("heading", name="This page needs your own link").wait_for()
    page.goto(f"{server.url}/q/{survey.digest}#code={code}")  # in the page that is open already
    page.get_by_role("button", name="Take part").wait_for()
    page.get_by_role("link", name="Deutsch").click()
    page.get_by_role("button", name="Teilnehmen").click()
    page.get_by_role("radio", name="no").check()
    page.get_by_role("button", name="Mit Zufall mischen und senden").click()
    page.get_by_role("heading", name="Gesendet, ein Mal. Danke.").wait_for()
    assert counted(server, author, survey) == 1
    assert [url for url in requests if code in url.split("#")[0]] == []
    assert faults == []


def test_without_a_network_an_answer_waits_and_then_goes(
    page: Page, context: BrowserContext, server: Server, author: str
) -> None:
    survey = put(server, author, yes_or_no("offline"))
    page.goto(f"{server.url}/q/{survey.digest}")
    page.get_by_role("button", name="Take part").click()
    page.get_by_role("radio", name="no").check()
    context.set_offline(True)
    send(page)
    page.get_by_role("heading", name="Mixed, not sent yet").wait_for()
    context.set_offline(False)
    page.get_by_role("heading", name="Sent, once. Thank you.").wait_for()
    assert counted(server, author, survey) == 1


def test_who_is_asked_every_week_can_put_the_next_time_into_a_calendar(
    page: Page, server: Server, author: str, faults: list[str]
) -> None:
    survey = put(server, author, yes_or_no("weekly", period="week", repeat="fresh"))
    page.goto(f"{server.url}/q/{survey.digest}?lang=de")
    page.get_by_role("button", name="Teilnehmen").click()
    page.get_by_role("radio", name="yes").check()
    page.get_by_role("button", name="Mit Zufall mischen und senden").click()
    page.get_by_text("können Sie wieder antworten").wait_for()
    assert violations(page) == []
    with page.expect_download() as download:
        page.get_by_role("link", name="das in Ihren Kalender eintragen").click()
    written = download.value.path().read_text(encoding="utf-8")
    assert download.value.suggested_filename == "weekly.ics"
    begins = re.search(r"^DTSTART:(.*)T000000Z$", written, re.MULTILINE)
    assert begins is not None
    monday = datetime.date.fromisoformat(begins[1])
    assert monday.isoweekday() == 1
    assert 0 < (monday - datetime.datetime.now(datetime.UTC).date()).days <= 7
    assert faults == []


def test_the_account_calls_a_survey_by_its_title_even_where_its_name_is_its_topic(
    page: Page, server: Server, author: str
) -> None:
    survey = put(server, author, yes_or_no("without-a-topic"))
    page.goto(f"{server.url}/q/{survey.digest}")
    agree_and_answer(page)
    page.get_by_role("heading", name="Sent, once. Thank you.").wait_for()
    page.goto(f"{server.url}/me")
    expect(page.locator("article").get_by_role("heading")).to_have_text(["How are you?", "How are you?"])


def test_the_account_says_what_all_that_was_sent_can_tell_and_lets_one_stop(
    page: Page, server: Server, author: str, requests: list[str], faults: list[str]
) -> None:
    page.goto(f"{server.url}/me")
    page.get_by_role("heading", name="Nothing so far").wait_for()
    assert stored(page) == NOTHING
    assert violations(page) == []
    survey = put(server, author, yes_or_no("accounted", topic="health"))
    page.goto(f"{server.url}/q/{survey.digest}")
    agree_and_answer(page)
    page.get_by_role("heading", name="Sent, once. Thank you.").wait_for()
    page.get_by_text("Exactly what was sent").click()
    sent = page.locator("dd").all_inner_texts()
    page.get_by_role("link", name="What this browser has sent about you").click()
    page.get_by_text("Exactly what was sent").click()
    assert page.locator("dd").all_inner_texts() == sent
    told = page.locator("article", has=page.get_by_role("heading", name="health"))
    expect(told).to_contain_text("a guess of 50 in 100 becomes 74 at most.")
    expect(told).to_contain_text("You can send more on it, until 50 could become 89.")
    assert violations(page) == []
    before = len(requests)
    page.get_by_role("button", name="Stop taking part from now on: How are you?").click()
    expect(page.get_by_role("status")).to_contain_text("You no longer take part in How are you?")
    assert requests[before:] == []
    expect(told).to_contain_text("a guess of 50 in 100 becomes 74 at most.")
    assert page.get_by_role("button").count() == 0
    assert violations(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(f"{server.url}/me?lang=de")
    page.get_by_role("heading", name="health").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.get_by_role("link", name="Was zugesagt ist").click()
    page.get_by_role("heading", name="Zugesagt", exact=True).wait_for()
    assert faults == []


def test_an_account_that_the_browser_does_not_show_says_so(page: Page, server: Server) -> None:
    page.add_init_script("IDBFactory.prototype.open = () => { throw new Error(); }")
    page.goto(f"{server.url}/me?lang=de")
    expect(page.get_by_role("heading", level=2)).to_have_text("Dieser Browser merkt sich nichts")
    assert page.get_by_role("button").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_small_screens_and_are_accessible(
    page: Page, server: Server, author: str, scheme: str, faults: list[str]
) -> None:
    long = "Donaudampfschifffahrtsgesellschaftskapitänsmütze"
    survey = yes_or_no(f"small-{scheme}", purpose=long, contact=f"{long}@{long}.example")
    put(server, author, survey)
    page.set_viewport_size({"width": 320, "height": 640})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    for path in (
        f"/q/{survey.digest}?lang=de",
        f"/label/{survey.digest}",
        f"/label/{survey.digest}?lang=de",
        "/me?lang=de",
        f"/q/{'0' * 64}",
    ):
        page.goto(server.url + path)
        page.locator("h1").wait_for()
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
        assert violations(page) == [], path
    assert [fault for fault in faults if "404" not in fault] == []
    faults.clear()


def test_after_a_closing_by_hand_what_waits_is_sent_and_nobody_else_is_asked(
    page: Page, server: Server, author: str, context: BrowserContext
) -> None:
    survey = put(server, author, yes_or_no("closing"))
    address = f"{server.url}/q/{survey.digest}"
    page.goto(address)
    page.get_by_role("button", name="Take part").click()
    page.get_by_role("radio", name="no").check()
    context.set_offline(True)
    send(page)
    page.get_by_role("heading", name="Mixed, not sent yet").wait_for()
    page.close()
    assert server.ask("POST", f"/v1/surveys/{survey.digest}/close", b"", author).status == 200
    time.sleep(1.1)  # a survey is read anew after a second
    context.set_offline(False)
    assert counted(server, author, survey) == 0
    again = context.new_page()
    again.goto(address)
    expect(again.get_by_role("heading", name="Sent, once. Thank you.")).to_be_visible()
    assert counted(server, author, survey) == 1
    assert context.browser is not None
    with context.browser.new_context() as fresh:
        other = fresh.new_page()
        other.goto(address)
        expect(other.get_by_role("heading", name="This survey is over")).to_be_visible()
        expect(other.get_by_role("button", name="Take part")).to_have_count(0)
