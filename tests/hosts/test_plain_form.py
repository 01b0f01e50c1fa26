"""A private question in a form of one's own, with the lines and the file that the command line writes, in Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from tests.hosts.asked import (
    WORD,
    answered,
    answered_in_words,
    by_export,
    crowd,
    declined,
    directly,
    embedded,
    heard,
    hit,
    is_unseen,
    prepare,
    word,
)
from tests.hosts.plain_server import PlainServer

VALUE = "new FormData(document.forms[0]).get('private')"
"""What the form would send of the question now."""


def page_with(lines: bytes) -> bytes:
    """A page with a form and these lines in it."""
    return (
        b'<!doctype html><html lang="en"><meta charset="utf-8"><title>A form</title><main><h1>A form</h1>'
        b'<form method="post" action="/done"><label>Year <input name="year" value="first"></label>'
        + lines
        + b'<button id="send">Send</button><button id="save" formaction="/save" formnovalidate>Save</button>'
        + b"</form></main>"
    )


@pytest.fixture
def server(tmp_path: Path) -> Iterator[PlainServer]:
    files = embedded(hit(), "html", tmp_path)
    inner = embedded(word(), "html", tmp_path)["question.html"]
    pages = {"index.html": page_with(files["question.html"]), "word.html": page_with(inner)}
    with PlainServer({**pages, "field.js": files["field.js"]}).running() as running:
        yield running


def test_a_value_stays_the_same_and_is_read(
    page: Page, context: BrowserContext, browser: Browser, server: PlainServer, tmp_path: Path
) -> None:
    survey = hit()
    prepare(context)
    page.goto(server.url)
    heard(page, "reading")
    page.click("#send")
    assert server.sent == [], "the form waits until somebody has answered or declined"
    answered(page, "yes")
    kept = page.evaluate(VALUE)
    page.click("#save")
    heard(page, "answered")
    assert server.saved == [{"year": "first", "private": kept}]
    second = context.new_page()
    second.goto(server.url)
    heard(second, "answered")
    assert page.evaluate(VALUE) == second.evaluate(VALUE) == kept
    page.reload()
    heard(page, "answered")
    page.click("#send")
    page.wait_for_url("**/done")
    page.go_back()
    heard(page, "answered")
    page.click("#send")
    page.wait_for_url("**/done")
    other = browser.new_context()
    prepare(other)
    refusing = other.new_page()
    refusing.goto(server.url)
    heard(refusing, "reading")
    declined(refusing)
    refusing.click("#send")
    refusing.wait_for_url("**/done")
    other.close()
    assert server.sent == [
        {"year": "first", "private": kept},
        {"year": "first", "private": kept},
        {"year": "first", "private": f"deniable:1:{survey.digest[:32]}:!declined"},
    ]
    values = crowd(survey, 60)
    server.sent += [{"year": "second", "private": value} for value in values]
    server.export(tmp_path / "export.csv")
    read = by_export(survey, tmp_path / "export.csv", "private")
    counts = read.pop("counts")
    assert (counts["used"], counts["repeated"], counts["declined"]) == (61, 1, 1)
    assert read == directly(survey, [kept, *values])


def test_one_person_in_two_browsers_gives_two_reports(
    page: Page, context: BrowserContext, browser: Browser, server: PlainServer
) -> None:
    """What is drawn anew differs, also of the same answer: a value that was drawn again would be seen above."""
    prepare(context)
    page.goto(server.url)
    heard(page, "reading")
    answered(page, "yes")
    other = browser.new_context()
    prepare(other)
    again = other.new_page()
    again.goto(server.url)
    heard(again, "reading")
    answered(again, "yes")
    values = [page.evaluate(VALUE), again.evaluate(VALUE)]
    other.close()
    assert values[0] != values[1]
    assert hit().read_column(values).counts["used"] == 2


def test_an_answer_is_nowhere_to_be_found(page: Page, context: BrowserContext, server: PlainServer) -> None:
    asked = prepare(context)
    page.goto(f"{server.url}/word.html")
    heard(page, "reading")
    answered_in_words(page, WORD)
    assert is_unseen(page, asked)
    page.click("#send")
    page.wait_for_url("**/done")
    assert is_unseen(page, asked)
    assert word().read_column([row["private"] for row in server.sent]).counts["used"] == 1
    page.evaluate("window.name = 'zebrafish'")
    assert not is_unseen(page, asked), "planted"
    assert not is_unseen(page, [WORD])
