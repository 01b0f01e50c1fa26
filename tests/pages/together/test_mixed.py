"""A survey with a crowd on its asker's page: sealed in the browser for the asker, and sent to somebody else's mixer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request, expect
from tests.accessibility import violations
from tests.clients.conduct.surveys import SECRET, opened_of
from tests.clients.typescript.device.pages import NOTHING, stored
from tests.collector.servers import Server, started, stopped
from tests.mixer.servers import mixing
from tests.pages.together.phones import PHONE, words_before
from tests.wire.generate.crowds import point_of

import deniable as dn
from deniable.intake.access import OPERATOR
from deniable.intake.storage.rows import SurveyRow
from deniable.intake.storage.sqlite import SqliteStore
from deniable.protocol.base64url import write_base64url

HIT = dn.OneOf("hit", ["yes", "no"], wording="Were you threatened or hit at work?")
OPERATED, OWNER = "University of Northfield", "Staff council"
SENT = {"en": "Sent, once. Thank you.", "de": "Gesendet, ein Mal. Danke."}


def hits(mixer: str, name: str = "hits", collector: str = "http://127.0.0.1:1", **terms: Any) -> dn.Survey:
    """One question with two answers, of which nobody sees 500 apart."""
    crowd = dn.Crowd(
        mixer, OPERATED, 500, 0.59, belief=0.78, collector=collector, key=write_base64url(point_of(SECRET))
    )
    arms = [dn.Arm(dn.Part(HIT, dn.RandomizedResponse(HIT.labels, 2.0)))]
    told = {"title": HIT.wording, "purpose": "For a second person on night duty.", "owner": OWNER}
    return dn.Survey(name, [HIT], arms, closes="2999-12-01T12:00:00Z", crowd=crowd, **{**told, **terms})


@pytest.fixture(scope="module")
def mixer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Somebody else's."""
    found = mixing(tmp_path_factory.mktemp("mixer") / "data", 0)
    yield found
    found.process.terminate()
    assert found.process.wait(60) == 0


@pytest.fixture(scope="module")
def surveys(mixer: Server) -> dict[str, dn.Survey]:
    """Those that are asked."""
    weekly: dict[str, Any] = {"period": "week", "repeat": "fresh", "cap": 4.0, "opens": "2026-01-01T00:00:00Z"}
    return {
        "once": hits(mixer.url),
        "weekly": hits(mixer.url, "weekly", **weekly),
        "none": hits("https://b.example", "none", "https://a.example"),
    }


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, surveys: dict[str, dn.Survey]) -> Iterator[Server]:
    """The asker's, which has surveys with a crowd."""
    data = tmp_path_factory.mktemp("pages") / "data"
    with closing(SqliteStore(data)) as store:
        for survey in surveys.values():
            with store.transaction() as t:
                t.add_survey(SurveyRow(survey.digest, survey.name, survey.document, OPERATOR, "2026-08-03", None, True))
    found = started(data, "--rate", "0")
    yield found
    assert stopped(found) == 0


@pytest.fixture(scope="module")
def code(mixer: Server, surveys: dict[str, dn.Survey]) -> Callable[[str], str]:
    """Gives codes of the mixer's."""
    kept: dict[str, list[str]] = {}
    for name in ("once", "weekly"):
        start = f"/v1/surveys/{surveys[name].digest}"
        told = {"deniable_token": "a token", "deniable_confirmed": "yes"}  # both ask the same
        assert mixer.ask("PUT", "/v1/surveys", surveys[name].document, mixer.operator, **told).status == 201
        asked = json.dumps({"people": 20}).encode()
        kept[name] = mixer.ask("POST", f"{start}/invitations", asked, mixer.operator).json["codes"]
    return lambda name: kept[name].pop()


@pytest.fixture
def asked_of(page: Page) -> list[Request]:
    """All that the page asks for."""
    found: list[Request] = []

    def note(request: Request) -> None:
        found.append(request)

    page.on("request", note)
    return found


def address(server: Server, survey: dn.Survey, code: str = "", language: str = "en") -> str:
    """Where somebody is asked."""
    return f"{server.url}/q/{survey.digest}?lang={language}" + (f"#code={code}" if code else "")


def ready(page: Page) -> None:
    """Wait until the buttons work."""
    page.locator("[data-act=agree]:enabled").wait_for()


def told(page: Page) -> str:
    """All that can be read."""
    return " ".join(page.locator("main").inner_text().split())


def to(server: Server, requests: list[Request]) -> list[Request]:
    """The requests to a server."""
    return [each for each in requests if urlsplit(each.url).netloc == urlsplit(server.url).netloc]


@pytest.mark.parametrize("language", ["en", "de"])
def test_from_consent_to_receipt_the_askers_host_is_asked_nothing(
    page: Page, server: Server, mixer: Server, surveys: dict[str, dn.Survey], code: Callable[[str], str],
    asked_of: list[Request], language: str,
) -> None:  # fmt: skip
    survey = surveys["once"]
    page.goto(address(server, survey, code("once"), language))
    ready(page)
    assert stored(page) == NOTHING
    before = len(asked_of)
    page.locator("[data-act=agree]").click()
    page.get_by_role("radio").first.check()
    page.locator("[type=submit].alike").click()
    page.get_by_role("heading", name=SENT[language]).wait_for()
    noted = "as of midnight: not yet" if language == "en" else "Stand Mitternacht: noch nicht"
    page.get_by_text(noted).wait_for()
    after = asked_of[before:]
    assert to(server, after) == []
    start = f"/v1/surveys/{survey.digest}"
    upload = f"{start}/periods/once/answers"
    assert [(each.method, urlsplit(each.url).path) for each in to(mixer, after) if each.method != "OPTIONS"] == [
        ("GET", f"{start}/door"), ("POST", upload), ("GET", f"{start}/door"),
    ]  # fmt: skip
    assert len(to(mixer, after)) == len(after)
    [post] = [each for each in after if each.method == "POST"]
    assert "referer" not in post.all_headers()
    assert opened_of(survey, post.post_data_buffer or b"").answer in (b"\0", b"\1")
    assert violations(page) == []


def test_nor_is_it_when_the_mixer_is_away_and_somebody_stops(
    page: Page, server: Server, surveys: dict[str, dn.Survey], code: Callable[[str], str], asked_of: list[Request]
) -> None:
    page.goto(address(server, surveys["once"], code("once")))
    ready(page)
    before = len(asked_of)
    page.route("**/answers", lambda route: route.abort())
    page.locator("[data-act=agree]").click()
    page.get_by_role("radio").first.check()
    page.locator("[type=submit].alike").click()
    page.get_by_role("heading", name="Mixed, not sent yet").wait_for()
    page.get_by_role("button", name="Stop taking part").click()
    page.get_by_role("heading", name="Nothing more is sent").wait_for()
    assert to(server, asked_of[before:]) == []


def test_before_the_choice_stand_three_sentences_and_both_levels_in_one(
    page: Page, server: Server, surveys: dict[str, dn.Survey], code: Callable[[str], str]
) -> None:
    page.set_viewport_size(PHONE)
    page.goto(address(server, surveys["once"], code("once")))
    ready(page)
    said = told(page)
    levels = (
        f"What {OWNER} sees is a weak hint (a guess of 50 in 100 becomes 69 at most); "
        "what both see together is a hint, and no proof (89)."
    )
    for wanted in (
        "mixes your answer with chance, and seals it.",
        f"{OPERATED} shuffles 500 or more, and cannot open them.",
        f"{OWNER} opens them, and cannot tell whose is whose.",
        levels,
        "It cannot be called back",
    ):
        assert wanted in said
    assert "We see it" not in said
    assert words_before(page) <= 120
    expect(page.locator("[data-act=agree]")).to_be_in_viewport(ratio=1)
    assert violations(page) == []
    page.get_by_text("If fewer than 500 answer").click()
    expect(page.get_by_text("at least 500, yes or no, as of midnight")).to_be_visible()
    page.get_by_text("Both levels, and what they count on").click()
    expect(page.get_by_text(f"Whether {OWNER} and {OPERATED} keep apart").first).to_be_visible()
    page.goto(address(server, surveys["once"], code("once"), "de"))
    ready(page)
    assert "ist ein schwacher Hinweis (aus einer Vermutung von 50 zu 100 wird höchstens 69)" in told(page)
    assert words_before(page) <= 120


def test_the_receipt_has_both_levels_and_no_count(
    page: Page, server: Server, surveys: dict[str, dn.Survey], code: Callable[[str], str]
) -> None:
    page.goto(address(server, surveys["once"], code("once")))
    ready(page)
    page.locator("[data-act=agree]").click()
    page.get_by_role("radio").first.check()
    page.locator("[type=submit].alike").click()
    page.get_by_text("At least 500, as of midnight: not yet.").wait_for()
    said = told(page)
    assert f"sealed what came of it, and sent that to {OPERATED}." in said
    assert f"What {OWNER} sees is a weak hint" in said
    assert "what both see together is a hint, and no proof (89)." in said
    assert f"{OWNER} can read the result after" in said
    assert "if at least 500 have answered by then. Otherwise nothing is passed on." in said
    numbers = set(re.findall(r"\d+", said))
    assert numbers <= {"500", "50", "100", "69", "89", "1", "2999", "12", "00"}
    page.reload()
    page.get_by_role("heading", name="This browser has answered").wait_for()
    page.goto(f"{server.url}/me")
    page.get_by_text("Sealed, and received by the mixer.").wait_for()
    assert page.locator("code").count() == 0
    expect(page.get_by_role("link", name="Privacy label")).to_have_attribute(
        "href", re.compile(f"^http://127.0.0.1:1/label/{surveys['once'].digest}")
    )


def test_each_week_has_its_own_answer_and_its_own_level(
    page: Page, server: Server, surveys: dict[str, dn.Survey], code: Callable[[str], str]
) -> None:
    page.goto(address(server, surveys["weekly"], code("weekly")))
    ready(page)
    assert f"What {OWNER} sees in one week is a weak hint" in told(page)
    page.locator("[data-act=agree]").click()
    page.get_by_role("radio").first.check()
    page.locator("[type=submit].alike").click()
    page.get_by_text("can read the result once this period is over").wait_for()
    assert f"What {OWNER} sees in one week is a weak hint" in told(page)
    calendar = page.get_by_role("link", name="put that into your calendar")
    expect(calendar).to_have_attribute("href", re.compile(r"^http://127\.0\.0\.1:1/q/"))


def test_without_a_code_nobody_answers_and_a_used_one_is_known(
    page: Page, server: Server, surveys: dict[str, dn.Survey], code: Callable[[str], str]
) -> None:
    survey, own = surveys["once"], code("once")
    page.goto(address(server, survey))
    page.get_by_role("heading", name="This page needs your own link").wait_for()
    page.get_by_role("textbox").fill(own)
    page.get_by_role("button", name="Go on").click()
    ready(page)
    page.locator("[data-act=agree]").click()
    page.get_by_role("radio").first.wait_for()
    page.goto("about:blank")
    page.goto(address(server, survey))  # agreed before, without a code now
    page.get_by_role("heading", name="This page needs your own link").wait_for()
    page.goto("about:blank")
    page.goto(address(server, survey, own))
    page.get_by_role("radio").first.check()
    page.locator("[type=submit].alike").click()
    page.get_by_role("heading", name=SENT["en"]).wait_for()
    page.evaluate("indexedDB.deleteDatabase('deniable')")
    page.goto("about:blank")
    page.goto(address(server, survey, own))
    page.get_by_role("heading", name="This code has been used").wait_for()


def test_a_mixer_that_cannot_be_reached_leaves_nothing_to_press(
    page: Page, server: Server, surveys: dict[str, dn.Survey], mixer: Server, code: Callable[[str], str]
) -> None:
    """Trying again offers the choice; it does not make it."""
    page.route(f"{mixer.url}/**", lambda route: route.abort())
    page.goto(address(server, surveys["once"], code("once")))
    page.get_by_role("heading", name="The survey could not be loaded").wait_for()
    page.unroute(f"{mixer.url}/**")
    page.get_by_role("button", name="Try again").click()
    ready(page)
    assert stored(page) == NOTHING
    expect(page.get_by_role("radio")).to_have_count(0)


def test_consent_is_refused_to_levels_that_are_not_the_documents(
    page: Page, server: Server, surveys: dict[str, dn.Survey], code: Callable[[str], str]
) -> None:
    alter = "document.querySelector('deniable-question')?.setAttribute('data-belief', '0.5')"
    page.add_init_script(
        f"document.addEventListener('readystatechange', () => {alter})"
    )  # before the page's own script
    page.goto(address(server, surveys["once"], code("once")))
    ready(page)
    page.locator("[data-act=agree]").click()
    page.locator("deniable-question section h2:visible").first.wait_for()
    expect(page.get_by_role("radio")).to_have_count(0)
    assert stored(page) == NOTHING


def test_only_its_page_may_ask_the_mixer_and_tells_nobody_where_it_came_from(
    server: Server, mixer: Server, surveys: dict[str, dn.Survey]
) -> None:
    def policy(path: str) -> tuple[str, str]:
        headers = server.ask("GET", path, Accept="text/html").headers
        found = re.search("connect-src ([^;]*);", headers["Content-Security-Policy"])
        assert found
        return found[1], headers["Referrer-Policy"]

    for name, origin in (("once", mixer.url), ("none", "https://b.example")):
        start = f"/q/{surveys[name].digest}"
        assert policy(start) == (f"'self' {origin}", "no-referrer")
        for other in (f"{start}?rehearse", f"/label/{surveys[name].digest}", "/me", "/q/" + "0" * 64):
            assert policy(other) == ("'self'", "same-origin")


def test_a_rehearsal_asks_nobody(
    page: Page, server: Server, surveys: dict[str, dn.Survey], asked_of: list[Request]
) -> None:
    page.goto(f"{address(server, surveys['none'])}&rehearse")
    ready(page)
    page.locator("[data-act=agree]").click()
    page.get_by_role("radio").first.check()
    page.locator("[type=submit].alike").click()
    page.get_by_role("heading", name="Here a receipt would stand").wait_for()
    assert len(to(server, asked_of)) == len(asked_of)
    assert stored(page) == NOTHING
