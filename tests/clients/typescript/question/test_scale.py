"""A question with an ordered list of answers on a page, in Chromium: its answers stand in order, and one is sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.accessibility import violations
from tests.clients.stub import Stub
from tests.clients.typescript.question.asked import go, send, serve_question

import deniable as dn

LABELS = ["strongly disagree", "disagree", "neither", "agree", "strongly agree"]
FAIR = dn.Scale("fair", LABELS, wording="My pay is fair.")
SURVEY = dn.Survey("pay", [FAIR], [dn.Arm(dn.Part(FAIR, dn.RandomizedResponse(LABELS, 1.0)))], title="Pay")


@pytest.fixture
def stub(built: Path) -> Iterator[Stub]:
    assert built.is_dir()
    with Stub(SURVEY).running() as running:
        serve_question(running, SURVEY.digest, "/pay")
        yield running


def test_the_answers_stand_in_order_and_one_is_sent(page: Page, stub: Stub) -> None:
    go(page, f"{stub.url}/pay")
    page.get_by_role("button", name="Take part").click()
    radios = page.get_by_role("radio")
    expect(radios).to_have_count(len(LABELS))
    assert [each.locator("..").inner_text().strip() for each in radios.all()] == LABELS
    assert violations(page) == []
    page.get_by_role("radio", name="neither").check()
    send(page)
    expect(page.get_by_role("heading", name="Sent, once. Thank you.")).to_be_focused()
    (answer,) = stub.accepted[SURVEY.digest, "once"]
    assert SURVEY.check(answer) is None
