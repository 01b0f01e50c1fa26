"""The page that the README of the TypeScript client begins with asks a survey, as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page
from tests.clients.stub import Planned, Stub
from tests.clients.typescript.device.pages import HTML
from tests.clients.typescript.package import PACKAGE
from tests.clients.typescript.question.asked import everything, filled, go, send, serve_question


def test_the_page_of_the_readme_asks(page: Page, built: Path) -> None:
    assert built.is_dir()
    html, *_ = re.findall(r"```html\n(.*?)```", (PACKAGE / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(html.splitlines()) <= 20
    survey = everything()
    with Stub(survey).running() as stub:
        serve_question(stub, survey.digest)
        own = html.replace("https://collector.example", stub.url).replace("DIGEST", survey.digest)
        stub.pages["/"] = Planned(200, own.encode(), {"Content-Type": HTML})
        go(page, stub.url)
        page.get_by_role("button", name="Take part").click()
        filled(page)
        send(page)
        page.get_by_role("heading", name="Sent, once. Thank you.").wait_for()
        assert len(stub.accepted[survey.digest, "once"]) == 1
