"""Behind the choice: ticks that a reload keeps and no disk has, two tabs, numbers, invitations, the result."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, BrowserType, Error, Page, expect
from tests.accessibility import violations
from tests.clients.typescript.question.asked import onwards
from tests.collector.servers import Server, put
from tests.pages.readers import Reader
from tests.pages.together.breaks import LONG, SENT, WELL, begin, breaks, counted, send, well
from tests.waiting import until

import deniable as dn


def test_ticks_survive_a_reload_in_this_tab_alone_and_are_gone_once_sent(
    page: Page, context: BrowserContext, server: Server, author: str
) -> None:
    survey = put(server, author, breaks("kept-ticks"))
    begin(page, server, survey)
    page.get_by_role("radio", name="some days").check()
    onwards(page)
    page.get_by_role("checkbox", name="canteen").check()
    page.reload()
    expect(page.get_by_role("checkbox", name="canteen")).to_be_checked()
    expect(page.get_by_text("Question 2 of 3")).to_be_visible()
    page.get_by_role("link", name="Deutsch").click()
    expect(page.get_by_text("Frage 2 von 3")).to_be_visible()
    page.get_by_role("link", name="English").click()
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_role("radio", name="some days")).to_be_checked()
    other = context.new_page()
    other.goto(page.url)
    other.get_by_role("radio").first.wait_for()
    expect(other.locator(":checked")).to_have_count(0)
    other.close()
    onwards(page)
    onwards(page)
    page.get_by_role("textbox").fill("20")
    onwards(page)
    expect(page.get_by_role("heading", name="Look over, then send")).to_be_focused()
    assert violations(page) == []
    send(page)
    page.get_by_role("heading", name=SENT).wait_for()
    page.wait_for_function("history.state === null")
    assert page.evaluate("[window.name, sessionStorage.length, localStorage.length]") == ["", 0, 0]
    assert counted(server, author, survey) == 1


def test_an_answer_that_stands_alone_is_kept_as_it_is_shown(page: Page, server: Server, author: str) -> None:
    """What a tab keeps is what it shows: one that stands alone, the click that brings others back, unticking."""
    survey = put(server, author, breaks("kept-alone"))
    begin(page, server, survey)
    page.get_by_role("radio", name="some days").check()
    onwards(page)

    def kept() -> list[str]:
        before = page.get_by_role("checkbox").evaluate_all("all => all.map(each => each.checked)")
        page.reload()
        page.get_by_role("checkbox").first.wait_for()
        assert page.get_by_role("checkbox").evaluate_all("all => all.map(each => each.checked)") == before
        return [str(name) for name in page.locator("label:has(:checked)").all_inner_texts()]

    page.get_by_role("checkbox", name="canteen").check()
    page.get_by_role("checkbox", name="no break").check()
    assert kept() == ["no break"]
    page.get_by_role("checkbox", name="desk").check()
    assert kept() == ["desk"]
    page.get_by_role("checkbox", name="no break").check()
    page.get_by_role("button", name="Bring it back").click()
    assert kept() == ["desk"]
    page.get_by_role("checkbox", name="desk").uncheck()
    assert kept() == []
    page.get_by_role("checkbox", name="canteen").check()
    page.get_by_role("checkbox", name="no break").check()
    page.reload()
    onwards(page)
    page.get_by_role("textbox").fill("20")
    onwards(page)
    send(page)
    page.get_by_role("heading", name=SENT).wait_for()
    assert counted(server, author, survey) == 1


def test_ticks_are_forgotten_by_who_would_rather_not_and_after_ten_minutes(
    page: Page, server: Server, author: str
) -> None:
    survey = put(server, author, breaks("forgotten-ticks"))
    page.clock.install()
    begin(page, server, survey)
    page.get_by_role("radio", name="never").check()
    assert survey.digest in page.evaluate("window.name")
    page.clock.run_for(601_000)
    expect(page.get_by_text("your answers were forgotten")).to_be_visible()
    expect(page.locator(":checked")).to_have_count(0)
    assert page.evaluate("window.name") == ""
    for _ in range(3):
        if page.get_by_role("radio").count():
            page.get_by_role("radio", name="never").check()
        if page.get_by_role("checkbox").count():
            page.get_by_role("checkbox", name="desk").check()
        if page.get_by_role("textbox").count():
            page.get_by_role("textbox").fill("5")
        onwards(page)
    page.get_by_role("button", name="Do not send").click()
    expect(page.get_by_role("heading", name="Nothing more is sent")).to_be_focused()
    assert page.evaluate("window.name") == ""
    page.get_by_role("button", name="Take part after all").click()
    page.get_by_role("button", name="Take part", exact=True).click()
    expect(page.locator(":checked")).to_have_count(0)
    assert counted(server, author, survey) == 0


def files_with(folder: Path, text: str) -> list[str]:
    """The files of a folder that hold a text, in either of the ways that browsers write texts."""
    found, ways = [], (text.encode(), text.encode("utf-16-le"))
    for file in folder.rglob("*"):
        with contextlib.suppress(OSError):  # a folder, or a file that the browser has just removed
            written = file.read_bytes()
            found += [str(file.relative_to(folder))] if any(way in written for way in ways) else []
    return found


def test_no_file_of_the_browser_holds_an_answer_before_it_is_mixed(
    chromium: tuple[BrowserType, str], whole_program: str, server: Server, author: str, tmp_path: Path
) -> None:
    """After a reload, and after the browser was killed; what another tab then puts into history.state is found there.

    The browser writes down first what was there first: once it has written the other tab's, it had its turn with the
    answer.
    """
    kind, _ = chromium
    wish = dn.Text("wish", longest=16, wording="What do you wish?")
    survey = put(server, author, dn.Survey.plan("on-disk", [wish, WELL], 1.0, 500))
    answer, planted = "XYLOPHONETRUTH", "PLANTEDINHISTORY"
    context = kind.launch_persistent_context(tmp_path, executable_path=whole_program, args=["--headless=new"])
    page = context.new_page()
    begin(page, server, survey)
    page.get_by_role("textbox").fill(answer)
    page.reload()
    expect(page.get_by_role("textbox")).to_have_value(answer)
    other = context.new_page()
    other.goto(f"{server.url}/q/{survey.digest}")
    other.evaluate("planted => history.replaceState(planted, '')", planted)
    until(lambda: files_with(tmp_path, planted), 0.2)
    assert files_with(tmp_path, answer) == []
    held = subprocess.check_output(["pgrep", "-f", f"user-data-dir={tmp_path}"], text=True).split()
    os.kill(min(map(int, held)), signal.SIGKILL)
    with contextlib.suppress(Error):
        context.close()
    assert files_with(tmp_path, answer) == []
    assert files_with(tmp_path, planted)


def test_of_two_tabs_the_second_hears_that_the_first_has_sent(
    page: Page, context: BrowserContext, server: Server, author: str
) -> None:
    survey = put(server, author, well("two-tabs"))
    other = context.new_page()
    for tab in (page, other):
        tab.goto(f"{server.url}/q/{survey.digest}")
        tab.locator("[data-act=agree]:enabled").wait_for()
    for tab in (page, other):
        tab.get_by_role("button", name="Take part").click()
    other.get_by_role("radio", name="no").check()
    page.get_by_role("radio", name="yes").check()
    send(page)
    page.get_by_role("heading", name=SENT).wait_for()
    expect(other.get_by_text("Another tab has sent already; what you ticked here was forgotten.")).to_be_visible()
    expect(other.get_by_role("radio")).to_have_count(0)
    assert other.evaluate("window.name") == ""
    assert counted(server, author, survey) == 1


def test_a_tab_that_waits_notices_that_another_delivered(
    page: Page, context: BrowserContext, server: Server, author: str
) -> None:
    survey = put(server, author, well("waiting-tabs"))
    begin(page, server, survey)
    page.get_by_role("radio", name="no").check()
    context.set_offline(True)
    send(page)
    page.get_by_role("heading", name="Mixed, not sent yet").wait_for()
    context.set_offline(False)
    other = context.new_page()
    other.goto(f"{server.url}/q/{survey.digest}")
    page.get_by_role("heading", name=SENT).wait_for()
    other.get_by_role("heading", name=re.compile(f"{re.escape(SENT)}|This browser has answered")).wait_for()
    assert counted(server, author, survey) == 1


@pytest.mark.parametrize(
    ("typed", "told", "uses"),
    [
        ("300", "300 counts as 60, the most that is asked.", ["Use 60", "Use 30"]),
        ("-10", "-10 counts as 0, the least that is asked.", ["Use 0"]),
        ("30,4", "30,4 counts as 30.", ["Use 30"]),
        ("30.4", "30.4 counts as 30.", ["Use 30"]),
        ("1,200", "1,200 counts as 1.", ["Use 1"]),
        ("30", "", []),
        ("\u0663\u0660", "", []),
        ("\u0663\u0660\u066b\u0664", "\u0663\u0660\u066b\u0664 counts as 30.", ["Use 30"]),
    ],
)
def test_a_number_says_what_it_counts_as_before_it_is_sent(
    page: Page, server: Server, author: str, typed: str, told: str, uses: list[str]
) -> None:
    survey = put(
        server, author, dn.Survey.plan(f"counted-{typed.encode().hex()}", [LONG], 1.0, 500, title="How long?", cap=9.0)
    )
    begin(page, server, survey)
    field = page.get_by_role("textbox")
    assert field.get_attribute("inputmode") == "decimal"
    field.fill(typed)
    note = page.locator(".counts")
    assert note.locator("strong").all_inner_texts() == ([told] if told else [])
    assert note.get_by_role("button").all_inner_texts() == uses
    if uses:
        note.get_by_role("button", name=uses[-1]).click()
        expect(field).to_have_value(uses[-1].removeprefix("Use "))
        expect(note.get_by_role("button")).to_have_count(0)
    field.fill("1e3")
    send(page)
    expect(page.locator(".error")).to_have_text("Write a number in the digits 0 to 9.")


def test_what_is_said_of_an_arabic_question_stands_on_its_side(page: Page, server: Server, author: str) -> None:
    drinks = dn.AnyOf("drinks", ["قهوة", "شاي", "لا شيء"], wording="ماذا تشرب؟", exclusive=["لا شيء"])
    plan = dn.Survey.plan("arabic", [drinks, LONG], 1.0, 500, title="استطلاع", language="ar", cap=9.0)
    begin(page, server, put(server, author, plan))
    page.get_by_role("checkbox").first.check()
    page.get_by_role("checkbox").last.check()
    frame = page.locator("fieldset")
    edge = frame.evaluate("each => each.getBoundingClientRect().right")
    script = """each => { const range = document.createRange(); range.selectNodeContents(each);
        return Math.round(range.getBoundingClientRect().right); }"""
    for words in ("legend h2", ".hint >> nth=0", "label span >> nth=0", "[role=status]"):
        found = frame.locator(words).first.evaluate(script)
        assert edge - 40 <= found <= edge, words
    [box] = [frame.locator("input").first.bounding_box()]
    assert box is not None
    assert box["x"] + box["width"] == pytest.approx(edge, abs=1)
    onwards(page)
    assert page.locator("fieldset").get_attribute("dir") == "ltr", "of an English question"


def invited(server: Server, author: str, survey: dn.Survey, people: int = 1) -> list[str]:
    asked = json.dumps({"people": people}).encode()
    codes: list[str] = server.ask("POST", f"/v1/surveys/{survey.digest}/invitations", asked, author).json["codes"]
    time.sleep(1.1)  # a survey is read anew after a second
    return codes


def test_an_invitation_is_looked_at_before_anything_is_read(
    page: Page, context: BrowserContext, server: Server, author: str
) -> None:
    survey = put(server, author, well("invited"))
    [code] = invited(server, author, survey)
    page.goto(f"{server.url}/q/{survey.digest}")
    page.get_by_role("heading", name="This page needs your own link").wait_for()
    expect(page.get_by_text("Nothing was stored or sent.", exact=True)).to_be_visible()
    expect(page.get_by_text("Whoever invited you can give you another.")).to_be_visible()
    expect(page.get_by_role("button", name="Take part")).to_be_hidden()
    assert violations(page) == []
    page.get_by_label("Type the code from your letter").fill("made-up")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text("This survey has no such code.")).to_be_visible()
    expect(page.get_by_text("The server was asked about the code.")).to_be_visible()
    expect(page.get_by_text("Nothing was stored or sent.", exact=True)).to_be_hidden()
    expect(page.get_by_text("Here it is missing.")).to_be_hidden()
    page.get_by_label("Type the code from your letter").fill(f" {code} ")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Take part").click()
    page.get_by_role("radio", name="no").check()
    send(page)
    page.get_by_role("heading", name=SENT).wait_for()
    page.reload()
    page.get_by_role("heading", name="This browser has answered").wait_for()
    assert context.browser is not None
    with context.browser.new_context() as fresh:
        stranger = fresh.new_page()
        stranger.goto(f"{server.url}/q/{survey.digest}#code={code}")
        stranger.get_by_role("heading", name="This code has been used").wait_for()
        expect(stranger.get_by_role("link", name="ask@example.org").last).to_be_visible()
        assert violations(stranger) == []
        stranger.get_by_role("button", name="Type another code").click()
        expect(stranger.get_by_label("Type the code from your letter")).to_be_visible()
        expect(stranger.get_by_text("Nothing was stored or sent.", exact=True)).to_be_hidden()
    assert counted(server, author, survey) == 1


def test_whoever_was_asked_reads_the_result_once_its_author_lets_them(
    page: Page, server: Server, author: str, operator: Reader
) -> None:
    survey = put(server, author, well("opened"))
    begin(page, server, survey)
    page.get_by_role("radio", name="no").check()
    send(page)
    expect(page.get_by_text("So far you cannot read it")).to_be_visible()
    csrf = operator.get("/s/opened/share").csrf
    assert operator.post("/s/opened/share/asked", {"csrf": csrf}).status == 303
    assert "Everybody who was asked" in operator.get("/s/opened/share").text
    page.reload()
    page.get_by_role("link", name="the result").click()
    page.wait_for_url("**/s/opened")
    assert server.ask("POST", f"/v1/surveys/{survey.digest}/close", b"", author).status == 200
    time.sleep(1.1)  # a survey is read anew after a second
    anybody = Reader(server.url)
    assert "See the result" in anybody.get(f"/q/{survey.digest}").text
    shared = operator.get("/s/opened/share")
    link = shared.html.split('name="link" value="')[1].split('"')[0]
    assert operator.post("/s/opened/share/end", {"csrf": shared.csrf, "link": link}).status == 303
    assert "has not opened the result" in anybody.get(f"/q/{survey.digest}").text
    assert operator.post("/s/opened/share/asked", {"csrf": shared.csrf}).status == 303, "and opened once more"
    assert "See the result" in anybody.get(f"/q/{survey.digest}").text


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_stage_is_accessible_on_the_narrowest_phone(
    page: Page, server: Server, author: str, scheme: Any, language: str
) -> None:
    survey = put(server, author, breaks(f"stages-{scheme}-{language}"))
    page.set_viewport_size({"width": 320, "height": 640})
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{server.url}/q/{survey.digest}?lang={language}")
    page.locator("[data-act=agree]").click()
    for role in ("radio", "checkbox", "text"):
        control = page.locator(f"[type={role}]")
        control.first.wait_for()
        if role == "text":
            control.fill("300")
        else:
            control.first.check()
            control.last.check()
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        onwards(page)
    page.locator("[type=submit].alike").click()
    page.locator("section details").click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
