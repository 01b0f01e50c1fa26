"""A private question in a survey of SurveyJS, with the files that the command line writes, in Chromium."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from tests.browsers import wait_for
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
from tests.hosts.programs import node_file

LIBRARIES = {"core.js": "survey-core/survey.core.min.js", "ui.js": "survey-js-ui/survey-js-ui.min.js"}
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A survey</title><main id="here"></main>
<script src="core.js"></script><script src="ui.js"></script><script type="module">
import { add, element } from "./MODULE";
add(Survey);
const pages = [{ elements: [{ type: "radiogroup", name: "year", choices: ["first", "second"] }] },
  { elements: [element] }, { elements: [{ type: "text", name: "age" }] }];
const model = new Survey.Model({ pages });
model.data = JSON.parse(localStorage.getItem("saved") ?? "{}");
const save = () => localStorage.setItem("saved", JSON.stringify(model.data));
model.onValueChanged.add(save);
model.onCurrentPageChanged.add(save);
model.onComplete.add(({ data }) => fetch("/done", { method: "POST", body: JSON.stringify(data),
  headers: { "Content-Type": "application/json" } }));
globalThis.model = model;
model.render(document.getElementById("here"));
</script></html>"""
"""A survey of three pages, whose answers are saved in the browser at each change and sent at the end."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[PlainServer]:
    libraries = {name: node_file(file) for name, file in LIBRARIES.items()}
    inner = embedded(word(), "surveyjs", tmp_path, "word")
    pages = {"index.html": PAGE.replace("MODULE", "private.js"), "word.html": PAGE.replace("MODULE", "word.js")}
    files = {name: page.encode() for name, page in pages.items()} | inner | embedded(hit(), "surveyjs", tmp_path)
    with PlainServer(libraries | files).running() as running:
        yield running


def value(page: Page) -> str | None:
    """What SurveyJS has of the question."""
    found: str | None = page.evaluate("model.data.private ?? null")
    return found


def turn(page: Page, button: str) -> None:
    """To the next page, or back to the one before."""
    page.get_by_role("button", name=button, exact=True).click()


def test_a_value_stays_the_same_and_is_read(
    page: Page, context: BrowserContext, browser: Browser, server: PlainServer, tmp_path: Path
) -> None:
    survey = hit()
    prepare(context)
    page.goto(server.url)
    turn(page, "Next")
    heard(page, "reading")
    turn(page, "Next")
    page.get_by_text("Response required").wait_for()
    assert value(page) is None
    answered(page, "yes")
    kept = value(page)
    turn(page, "Next")
    assert json.loads(page.evaluate("localStorage.saved")) == {"private": kept}, "saved in part"
    turn(page, "Previous")
    heard(page, "answered")
    wait_for(page, "!!model.data.private")
    assert value(page) == kept
    page.reload()
    turn(page, "Next")
    heard(page, "answered")
    second = context.new_page()
    second.goto(server.url)
    turn(second, "Next")
    heard(second, "answered")
    for each in (page, second):
        wait_for(each, "!!model.data.private")
    assert value(page) == value(second) == kept
    turn(page, "Next")
    turn(page, "Complete")
    wait_for(page, "model.state === 'completed'")
    other = browser.new_context()
    prepare(other)
    refusing = other.new_page()
    refusing.goto(server.url)
    turn(refusing, "Next")
    heard(refusing, "reading")
    declined(refusing)
    turn(refusing, "Next")
    with refusing.expect_response("**/done"):
        turn(refusing, "Complete")
    other.close()
    assert server.sent == [{"private": kept}, {"private": f"deniable:1:{survey.digest[:32]}:!declined"}]
    values = crowd(survey, 30)
    server.sent += [{"private": each} for each in values]
    server.export(tmp_path / "export.csv")
    read = by_export(survey, tmp_path / "export.csv", "private")
    assert read.pop("counts")["used"] == 31
    assert read == directly(survey, [str(kept), *values])


def test_a_value_that_is_brought_back_is_not_believed(page: Page, context: BrowserContext, server: PlainServer) -> None:
    """Only what the browser's own store has is taken; what SurveyJS had kept of somebody else is not."""
    prepare(context)
    page.add_init_script(f"localStorage.saved ??= '{json.dumps({'private': crowd(hit(), 1)[0]})}'")
    page.goto(server.url)
    turn(page, "Next")
    heard(page, "reading")
    assert wait_for(page, "model.data.private === undefined")


def test_an_answer_is_nowhere_to_be_found(page: Page, context: BrowserContext, server: PlainServer) -> None:
    asked = prepare(context)
    page.goto(f"{server.url}/word.html")
    turn(page, "Next")
    heard(page, "reading")
    answered_in_words(page, WORD)
    assert is_unseen(page, asked)
    turn(page, "Next")
    with page.expect_response("**/done"):
        turn(page, "Complete")
    assert is_unseen(page, asked)
    assert WORD not in page.evaluate("JSON.stringify(model.data)")
    assert word().read_column([row["word"] for row in server.sent]).counts["used"] == 1


def test_whose_browser_keeps_nothing_goes_on_without(page: Page, context: BrowserContext, server: PlainServer) -> None:
    prepare(context)
    page.add_init_script("Object.defineProperty(indexedDB, 'open', { value() { throw new Error('no') } })")
    page.goto(server.url)
    turn(page, "Next")
    heard(page, "refused")
    turn(page, "Next")
    turn(page, "Complete")
    wait_for(page, "model.state === 'completed'")
    assert value(page) in (None, "")
