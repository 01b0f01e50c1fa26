"""The pictures of pages in the documents: ``python -m tests.pages.pictures`` makes them again in docs/pictures."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from tests.collector.servers import Server, started, stopped
from tests.house.house_tree import ROOT
from tests.pages.results.worlds import column, upload

import deniable as dn

SHARES = {"yes": 0.3, "no": 0.7}
PEOPLE = 1800
SAVED = 1500
"""Milliseconds until what was typed is kept, and the picture of the question is as it was typed."""
FOLDER = ROOT / "docs" / "pictures"


def main() -> None:
    """Write a survey as a person would, let made-up people answer, and take a picture of each page."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = started(Path(folder) / "data", "--rate", "0")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        page = browser.new_page(viewport={"width": 1080, "height": 700})
        digest = written(page, server)
        answered(server, digest)
        page.goto(f"{server.url}/s/safety-at-work")
        shot(page, "result")
        page.set_viewport_size({"width": 390, "height": 800})
        page.goto(f"{server.url}/q/{digest}")
        page.get_by_role("button", name="Take part").wait_for()
        shot(page, "question")
        browser.close()
        stopped(server)


def written(page: Page, server: Server) -> str:
    """Go through the steps; the digest of the survey."""
    page.goto(f"{server.url}/enter")
    page.fill("#token", server.operator)
    page.click("main button")
    page.goto(f"{server.url}/new")
    page.fill("#title", "Safety at work")
    page.fill("#wording-0", "Were you threatened or hit at work in the last 12 months?")
    for place, answer in enumerate(SHARES):
        page.fill(f"#answer-0-{place}", answer)
    page.fill("#owner", "Staff council, Northfield Hospital")
    page.fill("#contact", "council@northfield.example")
    page.fill("#purpose", "To see whether a second person is needed on night duty.")
    page.get_by_text("saved").wait_for()
    page.wait_for_timeout(SAVED)
    shot(page, "questions")
    page.click("button[value=next]")
    page.wait_for_url("**/learn")
    page.fill("#people", str(PEOPLE))
    page.get_by_text("A result would say, for example").wait_for()
    shot(page, "learn")
    page.click("button.first")
    page.wait_for_url("**/check**")
    page.click("#responsible summary")
    page.fill("#controller", "Northfield Hospital, Hill Road 1")
    page.fill("#legal_basis", "Consent, Art. 6 (1) a GDPR")
    page.wait_for_timeout(SAVED)
    page.click(".go button.first")
    page.wait_for_url("**/run**")
    return page.url.rsplit("/", 1)[1]


def answered(server: Server, digest: str) -> None:
    """Made-up people answer, and what they sent is counted."""
    survey = dn.Survey.from_json(server.ask("GET", f"/v1/surveys/{digest}").body.decode())
    [question] = survey.questions
    assert server.send(survey, upload(survey, {question.name: column(SHARES, PEOPLE)})).status == 200
    counting = f"/v1/surveys/{digest}/periods/once/recount"
    assert server.ask("POST", counting, None, server.operator).status == 200


def shot(page: Page, name: str) -> None:
    """Take a picture of the whole page."""
    page.screenshot(path=FOLDER / f"page-{name}.png", full_page=True)


if __name__ == "__main__":
    main()
