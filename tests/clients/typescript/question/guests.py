"""Pages of others in which the element stands: a form that is no survey's, and a page full of rules and listeners."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from playwright.sync_api import Page
from tests.browsers import wait_for
from tests.clients.stub import Planned, Stub
from tests.clients.typescript.device.pages import HTML, script_of
from tests.clients.typescript.question.asked import POLICY, SERVED

import deniable as dn

OPENED = """const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (options) { return attach.call(this, { ...options, mode: 'open' }); };"""
"""Opens closed roots to a test, which else could not press anything there."""
LISTENING = """globalThis.heard = []; globalThis.states = [];
for (const name in HTMLElement.prototype) if (name.startsWith('on'))
  document.addEventListener(name.slice(2), (event) => heard.push([event.type, event.target.localName, event.key,
    event.data, event.target.value]));
document.addEventListener('deniable', ({ detail }) => states.push(detail));"""
"""A page that listens to all that bubbles."""
PLANTED = """font: italic 700 3rem/4 serif; white-space: nowrap; letter-spacing: 1em; word-spacing: 2em;
text-indent: 9em; text-align: right; text-transform: uppercase; color: transparent; visibility: hidden;
pointer-events: none; cursor: none; word-break: break-all; hyphens: auto; list-style: square inside;
border-collapse: collapse;
text-shadow: 0 0 9px red; tab-size: 40; direction: rtl; user-select: none; quotes: none; text-wrap: nowrap"""
"""Properties that are inherited, at their worst."""


def carried(
    question: dn.OneOf | dn.Text | None = None,
    labels: Sequence[str] = ("yes", "no"),
    wording: str = "Were you late this week?",
    name: str = "late",
    **more: Any,
) -> dn.Survey:
    """A survey whose report is the value of a field."""
    late = question or dn.OneOf("late", labels, wording=wording)
    kept = dn.RandomizedResponse(late.labels, 1.0) if isinstance(late, dn.OneOf) else dn.HashedResponse(1.0, 4, 64)
    parts = dn.Part(late, kept) if isinstance(late, dn.OneOf) else dn.Part(late, kept, dn.encoders.Prefix(6))
    return dn.Survey(name, [late], [dn.Arm(parts)], carrier="field", title="Being late", **more)


def serve_form(stub: Stub, survey: dn.Survey, more: str = "required", style: str = "", carry: str = "field") -> None:
    """A form at /form whose field `private` is the element, and which is sent to /done."""
    script = "field.js" if carry else "deniable.js"
    html = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>A form</title><style nonce="n">'
        f'main{{{style}}}</style><script type="module" src="/{script}"></script><main><h1>A form</h1>'
        '<form method="post" action="/done"><input type="hidden" name="year" value="first">'
        f'<deniable-question carry="{carry}" name="private" {more} survey="{escape(survey.to_json())}">'
        '</deniable-question></form></main><button form="" id="send">Send the form</button>'
        "<script src='/send.js'></script>"
    )
    policy = POLICY.replace("style-src 'self'", "style-src 'nonce-n'").replace("connect-src 'self'", "connect-src *")
    policy += "; form-action 'self'"
    headers = {"Content-Type": HTML, "Content-Security-Policy": policy, "Cache-Control": "no-store"}
    stub.pages["/form"] = Planned(200, html.encode(), headers)
    stub.pages["/send.js"] = script_of(b"send.onclick = () => document.forms[0].requestSubmit()")
    stub.pages["/done"] = Planned(200, b"<!doctype html><title>Done</title>", {"Content-Type": HTML})
    stub.pages["/favicon.ico"] = Planned(204)
    stub.pages |= {f"/{file.name}": script_of(file.read_bytes()) for file in SERVED.glob("*.js")}


def opened(page: Page, stub: Stub, *scripts: str) -> None:
    """Open the form, and wait until the element has told something."""
    for script in (LISTENING, *scripts):
        page.add_init_script(script)
    page.goto(f"{stub.url}/form")
    wait_for(page, "states.length > 0")


def value(page: Page) -> str:
    """What the element holds for its form, which is not told by looking."""
    return str(page.evaluate("document.querySelector('deniable-question').value"))


def agreed(page: Page) -> bool:
    """Whether somebody is asked here, and then agrees."""
    wait_for(page, f"states.at(-1)?.state === 'answered' || {SHADOW}.querySelector('.choice')")
    begin = page.get_by_role("button", name="Take part")
    if begin.count():
        begin.click()
        page.get_by_role("radio").first.wait_for()
    return bool(page.get_by_role("radio").count())


def handed(page: Page, label: str = "", wanted: str = "answered") -> str:
    """Answer; what the form gets of that."""
    assert agreed(page)
    chosen = page.get_by_role("radio", name=label) if label else page.get_by_role("radio").first
    chosen.check()
    page.get_by_role("button", name="Mix with chance, for the form").click()
    wait_for(page, f"states.at(-1).state === '{wanted}'")
    return value(page)


SHADOW = "document.querySelector('deniable-question').shadowRoot"


def inner(page: Page) -> str:
    """All that stands in the element."""
    return str(page.evaluate(f"{SHADOW}.innerHTML"))


def entries(page: Page) -> dict[str, str]:
    """What the browser's store holds."""
    return dict(
        page.evaluate(
            """async () => {
  const opening = indexedDB.open('deniable');
  await new Promise((done) => { opening.onsuccess = done; });
  const table = opening.result.transaction('entries').objectStore('entries');
  const [keys, texts] = [table.getAllKeys(), table.getAll()];
  await new Promise((done) => { texts.onsuccess = done; });
  opening.result.close();
  return keys.result.map((key, place) => [key, texts.result[place]]);
}"""
        )
    )
