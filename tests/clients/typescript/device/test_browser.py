"""A device in Chromium: tabs at once, offline, storage that is wiped, full or denied, and a browser that is killed."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page
from tests.browsers import wait_for
from tests.clients.conduct.devices import Devices
from tests.clients.conduct.surveys import BUS, KINDS, ONE, SILENT, START, WEEK, weekly
from tests.clients.stub import CROSS, NOT_FINAL, Planned, Stub, sent
from tests.clients.typescript.device.pages import (
    NOTHING,
    in_page,
    page_of,
    script_of,
    serve_devices,
    serve_package,
    stored,
)
from tests.waiting import PATIENCE
from tests.wire.generate.documents import PEOPLE, samples
from tests.wire.generate.labels import labelled

from deniable.protocol import ConsentError, StoreError

STORE = "deniable"
TABS, EACH = 20, 5


@pytest.fixture
def stub(built: Path) -> Iterator[Stub]:
    with Stub(*samples().values()).running() as running:
        serve_devices(running, built)
        yield running


@pytest.fixture
def devices(page: Page, stub: Stub) -> Devices:
    """Devices in a page of the collector's own host, under a strict policy."""
    return in_page(page, stub.url)


def test_an_answer_survives_reloading_and_arrives(devices: Devices, page: Page, stub: Stub) -> None:
    """Nor does a reload draw another arm: the answer stands, and its bytes with it."""
    stub.open = ["2026-W32"]
    client = devices.agreed(stub.url, samples()[KINDS], store=STORE).at(START)
    client.answer(PEOPLE[KINDS])
    drawn = client.records()
    for _ in range(3):
        again = in_page(page, stub.url).open(stub.url, samples()[KINDS], store=STORE).at(START)
        assert again.answer(PEOPLE[KINDS]).state == "waiting"
        assert again.records() == drawn
    client = in_page(page, stub.url).open(stub.url, samples()[KINDS], store=STORE).at(START)
    assert client.flush()[0].bytes.hex() == drawn[0]["upload"]
    assert [body.hex() for _, body in stub.posted] == [drawn[0]["upload"]]


def test_a_hundred_answers_in_twenty_tabs_at_once_are_one(context: BrowserContext, stub: Stub) -> None:
    tabs = [context.new_page() for _ in range(TABS)]
    clients = [in_page(tab, stub.url).open(stub.url, ONE, store=STORE) for tab in tabs]
    clients[0].grant()
    wait = """([answer, flush]) => void (globalThis.done = new Promise((resolve) => {
        new BroadcastChannel("go").onmessage = () => resolve(perform(answer).then(() => perform(flush)));
    }))"""
    for tab, client in zip(tabs, clients, strict=True):
        answer, flush = client.command("answers", [BUS] * EACH), client.command("flush")
        tab.evaluate(wait, [answer, flush])
    context.new_page().goto(stub.url)
    context.pages[-1].evaluate("new BroadcastChannel('go').postMessage('now')")
    flushed = [json.loads(tab.evaluate("globalThis.done")) for tab in tabs]
    assert all(len(told["value"]) == 1 for told in flushed)
    assert len(clients[0].receipts()) == clients[0].spent()["total"] == 1
    assert len(stub.accepted[ONE.digest, "once"]) == len({body for _, body in stub.posted}) == 1


def check_in_time(page: Page, seen: Callable[[], bool]) -> None:
    """Wait until something is so, which the page does by itself."""
    end = time.monotonic() + PATIENCE
    while not seen() and time.monotonic() < end:
        page.wait_for_timeout(50)
    assert seen()


def test_offline_then_online(devices: Devices, context: BrowserContext, stub: Stub) -> None:
    """Offline nothing is tried; the browser says when it is back, and the page sends at once."""
    client = devices.agreed(stub.url, ONE, store=STORE)
    client.watch()
    context.set_offline(True)
    client.answer()
    assert (client.flush()[0].state, stub.asked) == ("waiting", [])
    context.set_offline(False)
    check_in_time(context.pages[0], lambda: client.last.state == "sent")


def test_a_page_sends_what_waits_when_it_is_loaded_and_when_it_is_hidden(
    devices: Devices, page: Page, stub: Stub
) -> None:
    survey = weekly()
    stub.surveys[survey.digest] = survey
    devices.agreed(stub.url, survey, store=STORE).answer()
    stub.open = ["2020-W01"]
    client = in_page(page, stub.url).open(stub.url, survey, store=STORE)
    client.watch()
    check_in_time(page, lambda: client.last.state == "sent")
    client.at(time.time() + WEEK).answer()
    page.evaluate(
        """Object.defineProperty(document, "visibilityState", { value: "hidden" });
           document.dispatchEvent(new Event("visibilitychange"))"""
    )
    check_in_time(page, lambda: client.last.reason == "no open period")


def test_a_private_window_forgets_when_it_is_closed(browser: Browser, stub: Stub) -> None:
    """Every profile of these tests is such a window; the next one is a first visit."""
    for _ in range(2):
        with browser.new_context() as private:
            client = in_page(private.new_page(), stub.url).open(stub.url, ONE, store=STORE)
            assert (client.granted, client.receipts()) == (False, [])
            client.grant()
            client.answer()


def test_a_full_store_keeps_nothing(devices: Devices, page: Page, stub: Stub) -> None:
    """Chromium asks anew how much is left only when somebody wants much more than was left when it last asked."""
    quota = page.context.new_cdp_session(page)
    quota.send("Storage.overrideQuotaForOrigin", {"origin": stub.url, "quotaSize": 200_000})
    client = devices.agreed(stub.url, ONE, store=STORE)
    before = client.texts()
    quota.send("Storage.overrideQuotaForOrigin", {"origin": stub.url, "quotaSize": 1})
    with pytest.raises(StoreError):
        client.put("something else", "x" * 5_000_000)
    with pytest.raises(StoreError, match=r"^the store must be one that this browser lets pages write, got Quota"):
        client.answer()
    quota.send("Storage.overrideQuotaForOrigin", {"origin": stub.url})
    assert client.texts() == before
    assert client.answer().state == "waiting"


def test_where_storage_is_denied_nothing_is_answered(page: Page, stub: Stub) -> None:
    """As in a frame whose origin is nobody's."""
    stub.pages["/"] = page_of("/page.js", {"Content-Security-Policy": "sandbox allow-scripts"})
    client = in_page(page, stub.url).open(stub.url, ONE, store=STORE)
    for act in (client.grant, client.answer, client.flush, client.receipts):
        with pytest.raises(StoreError, match=r"^the store must be one that this browser lets pages write, got Sec"):
            act()
    assert stub.asked == []


def test_a_database_of_somebody_else_is_refused(devices: Devices, page: Page, stub: Stub) -> None:
    page.evaluate("new Promise((done) => { indexedDB.open('deniable', 7).onsuccess = done; }).then(() => 0)")
    client = devices.open(stub.url, ONE, store=STORE)
    with pytest.raises(StoreError, match=r"got VersionError$"):
        client.grant()


def test_a_browser_that_is_killed_sends_what_it_had_drawn(
    chromium: tuple[BrowserType, str], stub: Stub, tmp_path: Path
) -> None:
    kind, program = chromium
    before = kind.launch_persistent_context(tmp_path, executable_path=program)
    client = in_page(before.pages[0], stub.url).agreed(stub.url, ONE, store=STORE)
    client.answer()
    drawn = client.records()
    os.kill(process_of(tmp_path), signal.SIGKILL)
    after = kind.launch_persistent_context(tmp_path, executable_path=program)
    again = in_page(after.pages[0], stub.url).open(stub.url, ONE, store=STORE)
    assert (again.records(), again.spent()["total"]) == (drawn, 1)
    assert again.flush()[0].bytes.hex() == drawn[0]["upload"]
    after.close()


def process_of(profile: Path) -> int:
    """The browser that has a profile open, and not one of its helpers."""
    for process in Path("/proc").glob("[0-9]*"):
        words = (process / "cmdline").read_bytes().split(b"\0")
        if f"--user-data-dir={profile}".encode() in words and not any(word.startswith(b"--type=") for word in words):
            return int(process.name)
    raise AssertionError("no browser has this profile open")


def test_nothing_is_stored_sent_or_read_before_consent_in_the_background(
    page: Page, requests: list[str], stub: Stub
) -> None:
    """Whatever the app asks of the client; the browser's log of requests and its stores are the witnesses."""
    survey = samples()[SILENT]
    assert survey.mode == "background"
    client = in_page(page, stub.url).open(stub.url, survey, store=STORE)
    client.watch()
    client.facts(), client.outcomes(PEOPLE[SILENT])
    assert (client.granted, client.flush(), client.receipts(), client.spent()["total"]) == (False, [], [], 0)
    with pytest.raises(ConsentError, match=r"^an answer must follow consent"):
        client.answer(PEOPLE[SILENT])
    assert requests == [f"{stub.url}/", f"{stub.url}/page.js"]
    assert (stored(page), page.context.cookies(), stub.asked) == (NOTHING, [], [])
    client.grant()
    assert stored(page)[0] == [{"name": STORE, "version": 1}]


APP = """
import { open } from "/dist/device.js";
import { sentences } from "/dist/label.js";
import { families } from "/dist/families.js";

const [document, answers] = SURVEY;
const client = await open({ endpoint: location.origin, survey: document, families });
await client.consent().grant(sentences(client.survey));
await client.answer(answers);
globalThis.receipts = await client.flush();
"""


@pytest.mark.parametrize("name", ["one question", "remembered"])
def test_the_package_works_under_a_strict_policy(name: str, page: Page, stub: Stub) -> None:
    """As it is installed, with the parts that are loaded when they are first needed; remembered reports are one."""
    survey = {**samples(), **labelled()}[name]
    stub.surveys[survey.digest] = survey
    stub.open = ["once", "2026-08"]
    serve_package(stub)
    stub.pages["/app"] = page_of("/app.js")
    stub.pages["/app.js"] = script_of(APP.replace("SURVEY", json.dumps([survey.to_json(), BUS])).encode())
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(error.message))
    page.goto(f"{stub.url}/app")
    assert wait_for(page, "globalThis.receipts?.length") == 1
    assert complaints == []
    assert page.evaluate("receipts[0].state") == "sent"
    assert sum(map(len, stub.accepted.values())) == 1


@pytest.mark.parametrize("name", ["a captive portal", "a redirect", "too early", "silence"])
def test_a_collector_on_another_host(name: str, page: Page, stub: Stub) -> None:
    """A page sees less of other hosts' replies; whatever is not final still leaves the answer waiting."""
    with Stub(ONE).running() as other:
        stub.pages["/"] = page_of("/page.js", {})
        client = in_page(page, stub.url).agreed(other.url, ONE, store=STORE, code="a-code")
        client.answer()
        page.context.add_cookies([{"name": "who", "value": "you", "url": other.url}])
        other.pages["/elsewhere"] = sent(200, {"answers": 1})
        redirect = Planned(307, b"", {**CROSS, "Location": f"{other.url}/elsewhere"})
        other.plan_after_door(redirect if name == "a redirect" else NOT_FINAL[name])
        assert client.at(0).flush()[0].state == "waiting"
        assert client.at(1e6).flush()[0].state == "sent"
        assert {asked.headers.get("referer") for asked in other.asked} == {None}
        assert all("cookie" not in asked.headers for asked in other.asked)
        assert len({body for _, body in other.posted}) == len(other.accepted[ONE.digest, "once"]) == 1
