"""Before the choice: a picture and few words, in view on a phone over a slow line, and nothing that is not compared."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect
from tests.accessibility import violations
from tests.clients.typescript.device.pages import NOTHING, stored
from tests.collector.servers import Server, put
from tests.pages.together.phones import PHONE, words_before
from tests.waiting import check_quick

import deniable as dn
from deniable.protocol.questions.question import Question

SLOW = 6 * 1024
"""Bytes a second."""
BEFORE, SCRIPT = 4_000, 31_000
"""Bytes of script, compressed, before the choice and in all."""
MOST_REQUESTS, HEADERS = 5, 400
"""After the choice, and about how many bytes each has around its body."""
TERMS: dict[str, Any] = {
    "title": "How are you?", "owner": "The works council", "contact": "council@example.org",
    "purpose": "To see whether people are better off than last year.",
}  # fmt: skip


def survey_of(kind: str) -> dn.Survey:
    well = dn.OneOf("well", ["yes", "no"], wording="Are you well?")
    way = dn.OneOf("way", ["car", "bus", "bike", "train"], wording="How did you come?")
    used = dn.AnyOf("used", ["tram", "train", "ferry"], wording="What else do you use?")
    often = dn.Number("often", 0, 60, unit="min", wording="How long did it take?")
    asked: dict[str, list[Question]] = {"one": [well], "several": [way, used, often], "marks": [way]}
    return dn.Survey.plan(f"consent-{kind}", asked[kind], 1.0, 500, **TERMS)


@pytest.fixture(scope="module")
def surveys(server: Server) -> dict[str, dn.Survey]:
    return {kind: put(server, server.operator, survey_of(kind)) for kind in ("one", "several", "marks")}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("kind", ["one", "several", "marks"])
def test_the_choice_is_in_view_on_a_phone_after_at_most_120_words(
    page: Page, server: Server, surveys: dict[str, dn.Survey], kind: str, language: str
) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"{server.url}/q/{surveys[kind].digest}?lang={language}")
    take, leave = (page.locator(f"[data-act={act}]:enabled") for act in ("agree", "decline"))
    expect(take).to_be_in_viewport(ratio=1)
    expect(leave).to_be_in_viewport(ratio=1)
    assert 20 < words_before(page) <= 120
    boxes = [each.bounding_box() for each in (take, leave)]
    assert len({each["width"] for each in boxes if each}) == 1
    look = "node => ['color', 'backgroundColor', 'borderColor', 'fontWeight'].map(name => getComputedStyle(node)[name])"
    looks = [each.evaluate(look) for each in (take, leave)]
    assert looks[0] == looks[1], "no choice looks better than the other"
    assert stored(page) == NOTHING


def test_one_picture_says_what_the_mechanism_does(page: Page, server: Server, surveys: dict[str, dn.Survey]) -> None:
    page.goto(f"{server.url}/q/{surveys['one'].digest}")
    odds = dn.RandomizedResponse(["yes", "no"], 1.0).odds
    own = round(100 * odds.above / (odds.above + odds.below))
    captions = page.locator("figcaption").all_inner_texts()
    assert captions == [f"Of 100 who answer yes, {own} send ●:", f"Of 100 who answer no, {100 - own} send ● as well:"]
    pictures = page.locator("svg.dots")
    paths = pictures.locator(".hollow").evaluate_all("all => all.map(each => each.getAttribute('d'))")
    hollow = [path.count("M") for path in paths]
    assert hollow == [100 - own, own]


def test_a_device_refuses_consent_to_a_picture_of_another_survey(
    page: Page, server: Server, surveys: dict[str, dn.Survey]
) -> None:
    def altered(route: Any) -> None:
        reply = route.fetch()
        body = re.sub(r'data-own="[^"]*"', 'data-own="0.6"', reply.text())
        route.fulfill(response=reply, body=body)

    page.route("**/q/*", altered)
    page.goto(f"{server.url}/q/{surveys['one'].digest}")
    page.get_by_role("button", name="Take part").click()
    expect(page.get_by_role("radio")).to_have_count(0)
    page.locator("deniable-question section h2:visible").first.wait_for()
    assert stored(page) == NOTHING


@pytest.fixture
def slow(page: Page, context: BrowserContext) -> Page:
    """A page over a slow line, with nothing kept from before."""
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    line = {"offline": False, "latency": 0, "downloadThroughput": SLOW, "uploadThroughput": SLOW}
    session.send("Network.emulateNetworkConditions", line)
    return page


def transferred(page: Page, ending: str = "") -> int:
    """How many bytes came, compressed, of the page and of what it loaded."""
    script = """ending => ["navigation", "resource"].flatMap(kind => performance.getEntriesByType(kind))
        .filter(each => new URL(each.name).pathname.endsWith(ending))
        .reduce((sum, each) => sum + each.encodedBodySize, 0)"""
    found: int = page.evaluate(script, ending)
    return found


def test_over_a_slow_line_the_choice_is_there_after_three_seconds(
    slow: Page, server: Server, surveys: dict[str, dn.Survey]
) -> None:
    slow.set_viewport_size(PHONE)

    def took() -> float:
        """From the first byte: how busy the server is is not the line's doing."""
        slow.goto(f"{server.url}/q/{surveys['one'].digest}", wait_until="commit")
        slow.locator("[data-act=agree]:enabled").wait_for()
        began = slow.evaluate("performance.getEntriesByType('navigation')[0].responseStart")
        ended = slow.evaluate("Math.max(...performance.getEntriesByType('resource').map(each => each.responseEnd))")
        return float(ended - began) / 1000

    check_quick(took, 3.0)
    assert transferred(slow) <= 3 * SLOW
    assert transferred(slow, ".js") <= BEFORE


def test_all_scripts_of_common_questions_stay_small(page: Page, server: Server, surveys: dict[str, dn.Survey]) -> None:
    """Six seconds after the choice on a slow line: five of bytes, and one for all else."""
    for kind in ("one", "several"):
        page.goto(f"{server.url}/q/{surveys[kind].digest}")
        page.locator("[data-act=agree]:enabled").wait_for()
        before = transferred(page)
        page.get_by_role("button", name="Take part").click()
        page.get_by_role("radio").first.wait_for()
        assert SCRIPT / 2 < transferred(page, ".js") <= SCRIPT, kind
        assert transferred(page) - before + MOST_REQUESTS * HEADERS <= 5 * SLOW, kind


@pytest.mark.parametrize(
    ("kinds", "terms"),
    [
        (["well", "used", "often"], {}),
        (["cities", "used", "often", "own"], {"kiosk": True}),
        (["way", "own"], {"period": "week", "repeat": "fresh"}),
        (["way"], {"period": "week", "repeat": "remembered"}),
        (["protected", "used"], {}),
    ],
    ids="-".join,
)
def test_what_a_survey_needs_comes_in_five_requests_and_is_counted(
    page: Page, server: Server, requests: list[str], kinds: list[str], terms: dict[str, Any]
) -> None:
    cities = [f"city {k}" for k in range(14)]
    asked: dict[str, Question] = {
        "well": dn.OneOf("well", ["yes", "no"]),
        "way": dn.OneOf("way", ["car", "bus", "bike"]),
        "cities": dn.OneOf("cities", cities),
        "protected": dn.OneOf("protected", ["car", "bus", "bike"], sensitive=["bike"]),
        "used": dn.AnyOf("used", ["tram", "train", "ferry"]),
        "often": dn.Number("often", 0, 60),
        "own": dn.Text("own", longest=6),
    }
    plan = dn.Survey.plan(f"needs-{'-'.join(kinds)}", [asked[kind] for kind in kinds], 2.0, 500, cap=9.0, **terms)
    survey = put(server, server.operator, plan)
    page.goto(f"{server.url}/q/{survey.digest}")
    page.locator("[data-act=agree]:enabled").wait_for()
    page.wait_for_load_state("networkidle")
    before, held = len(requests), list[Route]()

    def keep(route: Route) -> None:
        held.append(route)

    page.route("**/deniable-question-mount-*", keep)
    page.get_by_role("button", name="Take part").click()
    expect(page.get_by_text(re.compile(r"So far [1-9]\d* KB have come\."))).to_be_visible()
    held[0].continue_()
    page.locator("fieldset").first.wait_for()
    assert 3 <= len(requests) - before <= MOST_REQUESTS, requests[before:]


def test_without_a_script_the_page_says_what_is_needed(
    context: BrowserContext, server: Server, surveys: dict[str, dn.Survey]
) -> None:
    assert context.browser is not None
    with context.browser.new_context(java_script_enabled=False) as plain:
        page = plain.new_page()
        page.goto(f"{server.url}/q/{surveys['one'].digest}")
        expect(page.get_by_role("heading", name="Answering needs JavaScript")).to_be_visible()
        expect(page.get_by_role("button")).to_have_count(0)
        expect(page.get_by_text("The survey is on its way")).to_be_hidden()
        for summary in page.locator("summary").all():
            summary.click()
        for sentence in surveys["one"].label().sentences:
            expect(page.get_by_text(sentence)).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_choice_is_accessible_and_fits(
    page: Page, server: Server, surveys: dict[str, dn.Survey], width: int, scheme: Any
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme)
    for kind in ("one", "several"):
        page.goto(f"{server.url}/q/{surveys[kind].digest}?lang=de")
        page.locator("[data-act=agree]:enabled").wait_for()
        for summary in page.locator("summary").all():
            summary.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page) == []
    link = page.get_by_role("link", name="council@example.org").first
    assert link.get_attribute("href") == "mailto:council@example.org"


@pytest.mark.parametrize(
    ("touch", "width", "word"), [(True, 390, "phone"), (False, 1280, "computer"), (True, 900, "device")]
)
def test_what_people_hold_is_called_by_its_name(
    context: BrowserContext, server: Server, surveys: dict[str, dn.Survey], touch: bool, width: int, word: str
) -> None:
    assert context.browser is not None
    size: Any = {"width": width, "height": max(width, 800)}
    with context.browser.new_context(has_touch=touch, is_mobile=touch, viewport=size, screen=size) as own:
        page = own.new_page()
        page.goto(f"{server.url}/q/{surveys['one'].digest}")
        page.locator("[data-act=agree]:enabled").wait_for()
        expect(page.get_by_text(f"Your {word} draws the dot.")).to_be_visible()


def test_who_declines_can_still_take_part(
    page: Page, server: Server, surveys: dict[str, dn.Survey], requests: list[str]
) -> None:
    page.goto(f"{server.url}/q/{surveys['one'].digest}")
    page.locator("[data-act=agree]:enabled").wait_for()
    before = len(requests)
    page.get_by_role("button", name="No, thanks").press("Enter")
    expect(page.get_by_role("heading", name="Nothing was stored or sent")).to_be_focused()
    assert (stored(page), requests[before:]) == (NOTHING, [])
    assert violations(page) == []
    page.get_by_role("button", name="Take part after all").click()
    page.get_by_role("button", name="Take part", exact=True).click()
    expect(page.get_by_role("heading", name="Are you well?")).to_be_focused()
