"""The label for a privacy officer: versions and what changed, one sheet of paper, commands that prove it elsewhere."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.accessibility import OF_COLORS, violations
from tests.collector.servers import Server, put
from tests.pages.readers import Reader
from tests.pages.results.worlds import a_survey
from tests.wire.generate.wordings import RESPONSIBLE

import deniable as dn

SHEET: dict[str, Any] = {"format": "A4", "margin": dict.fromkeys(("top", "right", "bottom", "left"), "14mm")}


@pytest.fixture(scope="module")
def officer(server: Server) -> dn.Survey:
    """A survey of whose first version less was stated."""
    put(server, server.operator, a_survey("again", closes="2099-06-01T00:00:00Z"))
    put(server, server.operator, a_survey("again", wording="Something else?"))
    return put(server, server.operator, a_survey("again", opens="2099-07-01T00:00:00Z", responsible=RESPONSIBLE))


def test_versions_are_told_apart_and_what_changed_is_said(server: Server, operator: Reader, officer: dn.Survey) -> None:
    page = operator.get(f"/label/{officer.digest}")
    assert "Privacy label, version 2 of" in page.text
    assert "This one , The way to work , from 1 July 2099, 00:00 UTC until it is closed by hand" in page.text
    assert "Controller not stated Krankenhaus Nordfeld" in page.text
    assert "When from the start until 1 June 2099, 00:00 UTC from 1 July 2099, 00:00 UTC until" in page.text
    text = operator.get(f"/label/{officer.digest}.txt").body.decode()
    assert "The way to work, from the start until 1 June 2099" in " ".join(text.split())
    told = json.loads(operator.get(f"/label/{officer.digest}.json").body)
    assert [each["number"] for each in told["versions"]] == [1, 2], "another survey of this name asks something else"
    assert {each["about"] for each in told["changes"]} >= {"Controller", "When", "Rights"}
    first = operator.get(f"/label/{told['versions'][0]['digest']}")
    assert "version 1 of" in first.text
    assert "what changed" not in first.text


def test_the_printed_commands_prove_it_on_another_machine(operator: Reader, officer: dn.Survey, tmp_path: Path) -> None:
    page = operator.get(f"/label/{officer.digest}")
    [commands] = re.findall(r'<pre class="command"[^>]*><code>(.*?)</code>', page.html, re.DOTALL)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        ["sh", "-e", "-c", html.unescape(commands)],
        cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    assert "every claim is proven" in ran.stdout
    assert dn.Survey.from_json((tmp_path / "again.json").read_text(encoding="utf-8")) == officer


def test_the_label_is_one_sheet_of_paper_and_nothing_is_wrong_with_it(
    page: Page, server: Server, officer: dn.Survey
) -> None:
    page.goto(f"{server.url}/label/{officer.digest}")
    page.wait_for_selector("text=the promise holds")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page, OF_COLORS if scheme == "dark" else {}) == []
    page.emulate_media(media="print")
    assert page.locator(":is(form, button, details):visible").count() == 0
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(**SHEET))) == 1
