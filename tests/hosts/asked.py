"""A private question in the page of somebody else's program: how people answer it, and where its answer may not be."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import deniable_client
from playwright.sync_api import BrowserContext, Page
from tests.browsers import wait_for
from tests.clients.typescript.question.guests import OPENED
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app
from deniable.protocol.surveys.field_value import read_field

HEARING = "globalThis.states = []; document.addEventListener('deniable', ({ detail }) => states.push(detail.state));"
WORD = "zebrafish"
"""An answer that stands nowhere else."""
SEEN = """async () => {
  const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  const all = async ({ name }) => {
    const base = await done(indexedDB.open(name));
    const stores = [...base.objectStoreNames];
    return Promise.all(stores.map((store) => done(base.transaction(store).objectStore(store).getAll())));
  };
  const kept = await Promise.all((await indexedDB.databases()).map(all));
  const fields = [...document.querySelectorAll('*')].map(({ value }) => value);
  return JSON.stringify([kept, fields, document.documentElement.outerHTML, window.name, document.cookie,
    { ...localStorage }, { ...sessionStorage }, history.state]);
}"""
"""All that a page's scripts could find: values, the document, what is stored."""


def hit() -> dn.Survey:
    """A question with two answers."""
    question = dn.OneOf("hit", ["yes", "no"], wording="Were you hit at “work” in the last 12 months? {{ 7 * 7 }}")
    part = dn.Part(question, dn.RandomizedResponse(question.labels, 1.0))
    return dn.Survey("hit", [question], [dn.Arm(part)], carrier="field", title="Traps & </script> ${e://Field/x}")


def word() -> dn.Survey:
    """A question that is answered in words."""
    question = dn.Text("word", longest=12, wording="Which word?")
    part = dn.Part(question, dn.HashedResponse(1.0, 4, 64), dn.encoders.Prefix(6))
    return dn.Survey("word", [question], [dn.Arm(part)], carrier="field")


def embedded(survey: dn.Survey, host: str, folder: Path, column: str = "private") -> dict[str, bytes]:
    """The files that the command line writes for a program, by their names."""
    document, out = folder / f"{survey.name}.json", folder / f"{host}-{survey.name}"
    document.write_bytes(survey.document)
    words = ["survey", "embed", str(document), "--for", host, "--out", str(out), "--column", column]
    told = CliRunner().invoke(app, words)
    assert told.exit_code == 0, told.output
    return {file.relative_to(out).as_posix(): file.read_bytes() for file in out.rglob("*") if file.is_file()}


def prepare(context: BrowserContext) -> list[str]:
    """Let a test into closed roots, and hear what elements tell; all that is asked for from now on, and sent."""
    asked: list[str] = []
    context.on("request", lambda request: asked.append(f"{request.url} {request.post_data}"))
    for script in (OPENED, HEARING):
        context.add_init_script(script)
    return asked


def answered(page: Page, label: str) -> None:
    """Take part, and answer."""
    page.get_by_role("button", name="Take part").click()
    page.get_by_role("radio", name=label).check()
    finished(page)


def answered_in_words(page: Page, text: str) -> None:
    """Take part, and answer in words."""
    page.get_by_role("button", name="Take part").click()
    page.locator("deniable-question").get_by_role("textbox").press_sequentially(text)
    finished(page)


def finished(page: Page) -> None:
    """Press the last button of a question, and wait until the page has heard that it is answered."""
    page.get_by_role("button", name="Mix with chance").click()
    wait_for(page, "states.at(-1) === 'answered'")


def declined(page: Page) -> None:
    """Say that one would rather not."""
    page.get_by_role("button", name="No, thanks").click()
    wait_for(page, "states.at(-1) === 'declined'")


def heard(page: Page, state: str) -> None:
    """Wait until the element has told a state; a page that is shown again tells it from its own store."""
    assert wait_for(page, "states.at(-1)", lambda told: told == state) == state


def is_unseen(page: Page, asked: Sequence[str]) -> bool:
    """Whether the word that was typed is nowhere: in no value, text or store of the page, and in no request."""
    seen: str = page.evaluate(SEEN)
    assert '"deniable"' in page.evaluate("indexedDB.databases().then(JSON.stringify)")
    return WORD not in seen and not any(WORD in each for each in asked)


def crowd(survey: dn.Survey, people: int) -> list[str]:
    """Values of people with devices of their own, of whom every third says yes."""
    values = []
    for person in range(people):
        device = deniable_client.open(survey=survey.to_json(), store=deniable_client.MemoryStore())
        device.consent().grant(device.survey.sentences)
        values.append(device.hand_over({"hit": "no" if person % 3 else "yes"}))
    return values


def directly(survey: dn.Survey, values: Iterable[str]) -> dict[str, Any]:
    """The results of the answers in some values, counted as answers and not as a column."""
    fields = [read_field(survey.digest, value) for value in values]
    results = survey.estimate(survey.tally([field.answer for field in fields if field is not None]))
    found: dict[str, Any] = json.loads(json.dumps(results.to_dict()))
    return found


def by_export(survey: dn.Survey, export: Path, column: str) -> dict[str, Any]:
    """The results that the command line reads from an export, with the counts of its rows."""
    document = export.with_name(f"{survey.name}.json")
    words = ["estimate", str(export), "--survey", str(document), "--column", column, "--json"]
    told = CliRunner().invoke(app, words)
    assert told.exit_code == 0, told.output
    found: dict[str, Any] = json.loads(told.stdout)
    return found
