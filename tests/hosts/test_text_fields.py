"""The scripts for programs that we cannot run here, on pages that have the text fields as these programs write them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page
from tests.browsers import wait_for
from tests.hosts.asked import answered, declined, embedded, heard, hit, prepare
from tests.hosts.plain_server import PlainServer
from tests.hosts.programs import rendered

HEAD = '<!doctype html><html lang="en"><meta charset="utf-8"><title>A survey</title><form method="post" action="/done">'
TEXTAREA = '<textarea name="private" required>of somebody else</textarea>'
SURVEY_ENGINE = """<div id="QID1">{field}</div><script>
const container = document.getElementById("QID1");
const addOnload = (ready) => ready.call({{ getQuestionContainer: () => container }});
globalThis.Qualtrics = {{ SurveyEngine: {{ addOnload }} }};
</script>"""
"""What Qualtrics has of its own on a page before it runs a question's script."""
VALUE = "new FormData(document.forms[0]).get('private')"


def page_of(host: str, files: dict[str, bytes]) -> tuple[str, dict[str, bytes]]:
    """The part of a page that a program writes for its field, with the files that it loads."""
    if host == "limesurvey":
        with zipfile.ZipFile(io.BytesIO(files["deniable_private.zip"])) as theme:
            by_ending = {Path(name).name: theme.read(name) for name in theme.namelist()}
        values = {"name": "private", "basename": "private", "coreClass": "ls-answers", "dispVal": "of somebody else"}
        field = rendered(by_ending["answer.twig"].decode(), **values, extraclass="")
        assert 'id="answerprivate"' in field
        return f'{field}<script src="private.js"></script>', by_ending
    if host == "qualtrics":
        script = files["question.js"].decode().replace("WRITE HERE THE ADDRESS OF field.js", "field.js")
        field = SURVEY_ENGINE.format(field=TEXTAREA)
        return f'{field}<script src="question.js"></script>', {**files, "question.js": script.encode()}
    late = "document.querySelector('p').innerHTML = `" + TEXTAREA + "`"  # programs bring pages by script too
    return f'<p></p><script src="private.js"></script><script>setTimeout(() => {{ {late} }}, 100)</script>', files


@pytest.fixture(params=["limesurvey", "qualtrics", "redcap", "formr"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PlainServer]:
    part, files = page_of(request.param, embedded(hit(), request.param, tmp_path))
    page = f'{HEAD}{part}<button id="send">Send</button></form></html>'.encode()
    with PlainServer({"index.html": page, **files}).running() as running:
        yield running


def test_the_field_holds_the_report_and_nothing_else(page: Page, context: BrowserContext, server: PlainServer) -> None:
    survey = hit()
    prepare(context)
    page.goto(server.url)
    heard(page, "reading")
    assert wait_for(page, VALUE, lambda value: value == "") == "", "what was there is not believed"
    assert not page.locator("textarea").is_visible()
    answered(page, "yes")
    kept = page.evaluate(VALUE)
    assert survey.read_column([kept]).counts["used"] == 1
    page.reload()
    heard(page, "answered")
    assert page.evaluate(VALUE) == kept
    page.click("#send")
    page.wait_for_url("**/done")
    assert server.sent == [{"private": kept}]


def test_a_required_field_waits_for_a_choice(page: Page, context: BrowserContext, server: PlainServer) -> None:
    """Of a field that a program itself requires on its server, an empty one is refused there."""
    prepare(context)
    page.goto(server.url)
    heard(page, "reading")
    has_waited = page.evaluate("document.querySelector('deniable-question').hasAttribute('required')")
    page.click("#send") if has_waited else None
    assert server.sent == []
    declined(page)
    page.click("#send")
    page.wait_for_url("**/done")
    assert server.sent == [{"private": f"deniable:1:{hit().digest[:32]}:!declined"}]
