"""A private question in an experiment of oTree, with the apps that the command line writes, in Chromium."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from tests.hosts.asked import (
    WORD,
    answered,
    answered_in_words,
    by_export,
    declined,
    directly,
    embedded,
    heard,
    hit,
    is_unseen,
    prepare,
    word,
)
from tests.hosts.programs import OTREE, installed
from tests.waiting import until

KEY = "of-the-tests"
SETTINGS = """
SESSION_CONFIGS = [dict(name="study", num_demo_participants=1, app_sequence=["private", "word"])]
SESSION_CONFIG_DEFAULTS = dict(real_world_currency_per_point=1.0, participation_fee=0.0, doc="")
PARTICIPANT_FIELDS = SESSION_FIELDS = []
LANGUAGE_CODE, REAL_WORLD_CURRENCY_CODE, USE_POINTS = "en", "USD", True
ADMIN_USERNAME = ADMIN_PASSWORD = SECRET_KEY = "of-the-tests"
"""
VALUE = "new FormData(document.forms[0]).get('private')"


class Experiment:
    """An oTree server, asked by its own interface for programs."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder

    def asks(self, path: str, sent: Any = None) -> bytes:
        """What it answers, or raises."""
        headers = {"otree-rest-key": KEY, "Content-Type": "application/json"}
        body = None if sent is None else json.dumps(sent).encode()
        with urllib.request.urlopen(urllib.request.Request(f"{self.url}{path}", body, headers)) as reply:
            found: bytes = reply.read()
        return found

    def participants(self, count: int) -> list[str]:
        """The addresses of the participants of a new session."""
        session = json.loads(self.asks("/api/sessions", {"session_config_name": "study", "num_participants": count}))
        about = json.loads(self.asks(f"/api/get_session/{session['code']}", {}))
        return [f"{self.url}/InitializeParticipant/{each['code']}" for each in about["participants"]]

    def export(self) -> Path:
        """Its export, a row a participant."""
        path = self.folder / "all_apps_wide.csv"
        path.write_bytes(self.asks("/api/export_wide"))
        return path


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Experiment]:
    """One server for all tests, since it takes seconds to start."""
    program, folder = installed(OTREE / "otree"), tmp_path_factory.mktemp("otree")
    for name, content in {**embedded(hit(), "otree", folder), **embedded(word(), "otree", folder, "word")}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    for name in ("_static", "_templates"):
        (folder / name).mkdir()
    (folder / "settings.py").write_text(SETTINGS)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"PATH": f"{OTREE}{os.pathsep}{os.environ['PATH']}", "OTREE_REST_KEY": KEY}
    words = [str(program), "prodserver1of2", f"127.0.0.1:{port}"]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(words, cwd=folder, env=environment, stdout=log, stderr=log)
    running = Experiment(f"http://127.0.0.1:{port}", folder)
    try:
        until(lambda: server.poll() is not None or answers(running), pause=0.1)
        assert server.poll() is None, (folder / "log").read_text()
        yield running
    finally:
        server.terminate()
        server.wait()


def answers(experiment: Experiment) -> bool:
    """Whether it can be asked by now."""
    try:
        return bool(experiment.asks("/api/otree_version"))
    except URLError:
        return False


def test_a_value_stays_the_same_and_is_read(
    page: Page, context: BrowserContext, browser: Browser, experiment: Experiment
) -> None:
    survey = hit()
    mine, theirs, others = experiment.participants(3)
    prepare(context)
    page.goto(mine)
    heard(page, "reading")
    page.get_by_role("button", name="Next").click()
    assert page.evaluate(VALUE) is not None, "the page waits until somebody has answered or declined"
    answered(page, "yes")
    kept = page.evaluate(VALUE)
    page.reload()
    heard(page, "answered")
    second = context.new_page()
    second.goto(mine)
    heard(second, "answered")
    assert page.evaluate(VALUE) == second.evaluate(VALUE) == kept
    page.get_by_role("button", name="Next").click()
    page.wait_for_url("**/word/**")
    page.go_back()  # leads to the page that is due, whatever address it is asked by
    values = [kept]
    for address, choose in ((theirs, lambda page: answered(page, "no")), (others, declined)):
        other = browser.new_context()
        prepare(other)
        person = other.new_page()
        person.goto(address)
        heard(person, "reading")
        choose(person)
        values.append(person.evaluate(VALUE))
        person.get_by_role("button", name="Next").click()
        person.wait_for_url("**/word/**")
        other.close()
    export = experiment.export()
    export.with_name("hit.json").write_bytes(survey.document)
    read = by_export(survey, export, "private.1.player.private")
    counts = read.pop("counts")
    assert (counts["used"], counts["declined"], counts["altered"]) == (2, 1, 0)
    assert read == directly(survey, values[:2])


def test_who_comes_second_in_one_browser_is_told_apart(
    page: Page, context: BrowserContext, experiment: Experiment
) -> None:
    """A laboratory has several participants at one computer: the second one gets no report of the first."""
    mine, theirs = experiment.participants(2)
    prepare(context)
    page.goto(mine)
    heard(page, "reading")
    answered(page, "yes")
    kept = page.evaluate(VALUE)
    page.goto(theirs)
    page.get_by_text("This browser has answered here before. Was that you?").wait_for()
    assert page.evaluate("document.forms[0].checkValidity()") is False
    page.get_by_role("button", name="No", exact=True).click()
    heard(page, "declined")
    assert page.evaluate(VALUE) == f"deniable:1:{hit().digest[:32]}:!declined"
    page.get_by_role("button", name="It was me after all").click()
    heard(page, "answered")
    assert page.evaluate(VALUE) == kept


def test_an_answer_is_nowhere_to_be_found(page: Page, context: BrowserContext, experiment: Experiment) -> None:
    asked = prepare(context)
    (mine,) = experiment.participants(1)
    page.goto(mine)
    heard(page, "reading")
    declined(page)
    page.get_by_role("button", name="Next").click()
    page.wait_for_url("**/word/**")
    heard(page, "reading")
    answered_in_words(page, WORD)
    assert is_unseen(page, asked)
    with page.expect_navigation():
        page.get_by_role("button", name="Next").click()
    assert is_unseen(page, asked)
    assert WORD.encode() not in experiment.export().read_bytes()
    assert word().digest[:32].encode() in experiment.export().read_bytes()
