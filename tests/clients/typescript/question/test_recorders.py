"""The element on a page that plants all styles, listens to all events and records sessions: nothing gets in or out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote_plus

import pytest
from playwright.sync_api import Page
from tests.browsers import wait_for
from tests.clients.stub import Stub
from tests.clients.typescript.device.pages import script_of
from tests.clients.typescript.package import PACKAGE
from tests.clients.typescript.question.guests import LISTENING, OPENED, SHADOW, carried, entries, opened, serve_form

import deniable as dn

RECORDER = PACKAGE / "node_modules" / "@rrweb" / "record" / "dist" / "record.umd.min.cjs"
ANSWER = "zebrafish"
RECORDING = """globalThis.recorded = [];
globalThis.rrwebRecord.record({
  emit: (event) => recorded.push(event), maskAllInputs: false, sampling: { input: 'all' } });"""
INHERITED = """(() => {
  const tried = ['hidden', 'none', 'rtl', 'vertical-rl', 'uppercase', 'nowrap', 'right', 'justify', 'all', 'always',
    'auto', 'break-all', 'collapse', 'inside', 'bold', 'italic', 'serif', 'loose', 'sideways', 'bevel',
    'small-caps', 'preserve',
    'round', 'dark', 'filled', 'under', 'over', 'stretch', '7px', '40', '900', '50%', 'rgb(255, 0, 0)', '"x"',
    '1px 1px red'];
  const parent = document.body.appendChild(document.createElement('div'));
  const child = parent.appendChild(document.createElement('div'));
  const planted = {};
  for (const name of getComputedStyle(child)) for (const value of tried) {
    parent.style.setProperty(name, value);
    const told = parent.style.getPropertyValue(name) && getComputedStyle(child).getPropertyValue(name);
    parent.style.removeProperty(name);
    const laidOut = /^(width|height|(inline|block)-size|.*-origin)$/.test(name);
    if (told && told !== getComputedStyle(child).getPropertyValue(name) && !laidOut) {
      planted[name] = value;
      break;
    }
  }
  parent.remove();
  return planted;
})()"""
"""Of each property that a child inherits here, a value that differs from the one that it has."""
STYLES = f"""[...{SHADOW}.querySelectorAll('*')].map((each) => {{
  const style = getComputedStyle(each);
  const laidOut = /size|width|height|-origin|^(margin|grid|inset|top|left|bottom|right)/;
  const own = [...style].filter((name) => !laidOut.test(name));
  own.push('font-size', 'line-height', '-webkit-text-stroke-width');
  return [each.localName, own.map((name) => `${{name}}: ${{style.getPropertyValue(name)}}`)];
}})"""
PLACES = """JSON.stringify([document.documentElement.outerHTML,
  [...document.querySelectorAll('*')].map((each) => each.value),
  window.name, { ...localStorage }, { ...sessionStorage }, document.cookie, history.state, heard, states, recorded,
  performance.getEntries().map(({ name }) => name)])"""


PLANT = """(planted) => { for (const [name, value] of Object.entries(planted))
  for (const each of [document.documentElement, document.forms[0]]) each.style.setProperty(name, value) }"""


@pytest.fixture
def stub(built: Path) -> Iterator[Stub]:
    assert built.is_dir()
    with Stub().running() as running:
        running.pages["/recorder.js"] = script_of(RECORDER.read_bytes())
        yield running


def styles(page: Page) -> list[tuple[str, list[str]]]:
    """The element and each thing in it, with how it looks in the end."""
    wait_for(page, f"{SHADOW}.querySelector('button')")
    return [(name, told) for name, told in page.evaluate(STYLES)]


def test_nothing_that_is_inherited_reaches_the_element(page: Page, stub: Stub) -> None:
    serve_form(stub, carried(), "compact")
    opened(page, stub, OPENED)
    plain = styles(page)
    planted = page.evaluate(INHERITED)
    wanted = {"white-space-collapse", "text-transform", "letter-spacing", "direction", "visibility", "line-height"}
    assert wanted | {"writing-mode", "cursor", "text-align", "color", "word-break", "hyphens"} <= set(planted)
    page.evaluate(PLANT, {**planted, "font-size": "3rem", "--ink": "red", "--paper": "red"})
    found = zip(plain, styles(page), strict=True)
    pairs = [(name, *each) for (name, own), (_, other) in found for each in zip(own, other, strict=True)]
    assert [each for each in pairs if each[1] != each[2]] == []


@pytest.mark.parametrize("more", ["", "mirror compact"])
def test_nothing_of_an_answer_is_recorded_heard_or_kept(page: Page, stub: Stub, more: str) -> None:
    serve_form(stub, carried(dn.Text("word", longest=12, wording="Which word?")), more)
    page.add_init_script(LISTENING)
    page.add_init_script(OPENED)
    page.goto(f"{stub.url}/form")
    wait_for(page, "states.length > 0")
    page.evaluate("window.name = 'of the host'")
    page.add_script_tag(url="/recorder.js")
    page.evaluate(RECORDING)
    marks = "deniable-question.rr-block.fs-exclude[data-hj-suppress][data-clarity-mask]"
    assert page.locator(marks).count() == 1
    page.get_by_role("button", name="Take part").click()
    page.get_by_role("textbox").press_sequentially(ANSWER)
    seen = [page.evaluate(PLACES)]
    page.get_by_role("button", name="Mix with chance, for the form").click()
    wait_for(page, "states.at(-1).state === 'answered'")
    with page.expect_request("**/done") as sent:
        seen.append(page.evaluate(PLACES))
        page.evaluate("setTimeout(() => document.forms[0].requestSubmit(), 50)")
    assert '"data":' in seen[0], "the recorder must have recorded, or this test tells nothing"
    page.wait_for_url("**/done")
    kept = [sent.value.post_data or "", *(asked.path for asked in stub.asked), str(entries(page))]
    told = unquote_plus("".join([*seen, *kept]))
    assert ANSWER not in told
    assert "of the host" in told
