"""Phones in one room answer over plain HTTP, in a browser that has nothing there which it keeps for encrypted pages."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.accessibility import violations
from tests.clients.typescript.question.guests import OPENED
from tests.collector.rooms import private_address, there
from tests.collector.servers import Server, put, started, stopped
from tests.pages.readers import Reader
from tests.pages.results.worlds import upload
from tests.pages.together.breaks import SENT, WELL, counted, send, well
from tests.waiting import until

import deniable as dn

LAN = "Whoever controls this network can read what you send, and could change this page."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A collector that asks phones in one room."""
    folder, address = tmp_path_factory.mktemp("room") / "data", private_address()
    found = started(folder, "--rate", "0", "--lan-address", address, program="tests.collector.impatient_wall")
    yield found
    assert stopped(found) == 0


@pytest.fixture
def room(server: Server) -> str:
    """Where phones find it."""
    return there(server).url


def test_a_phone_in_the_room_answers_over_plain_http(page: Page, server: Server, author: str, room: str) -> None:
    survey = put(server, author, well("in-this-room", lan=True))
    asked, said = list[str](), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto(room)
    page.wait_for_url(f"**/q/{survey.digest}")
    assert page.url == f"{room}/q/{survey.digest}"
    assert page.evaluate("[isSecureContext, 'subtle' in crypto]") == [False, False]
    expect(page.locator(".open-network")).to_have_text(LAN)
    assert violations(page) == []
    page.get_by_role("button", name="Take part").click()
    page.get_by_role("radio", name="no").check()
    send(page)
    page.get_by_role("heading", name=SENT).wait_for()
    assert counted(server, author, survey) == 1
    assert {url.split("/")[2] for url in asked} == {room.split("/")[2]}
    assert not [line for line in said if "Content Security Policy" in line]
    page.reload()
    page.get_by_role("heading", name="This browser has answered").wait_for()
    page.goto(f"{room}/label/{survey.digest}")
    expect(page.get_by_text(LAN).first).to_be_visible()


def test_without_random_words_nothing_is_drawn_or_sent(page: Page, server: Server, author: str, room: str) -> None:
    """A page fails closed that has no source of chance, which it needs no encryption for."""
    survey = put(server, author, well("no-chance", lan=True))
    page.add_init_script("Object.defineProperty(crypto, 'getRandomValues', {value: undefined})")
    posted = list[str]()
    page.on("request", lambda request: posted.extend([request.url] if request.method == "POST" else []))
    page.goto(f"{room}/q/{survey.digest}")
    page.get_by_role("button", name="Take part").click()
    page.get_by_role("radio", name="no").check()
    send(page)
    page.get_by_role("heading", name="This browser keeps nothing").wait_for()  # what is not drawn is not kept
    assert posted == []
    assert counted(server, author, survey) == 0


def test_a_page_takes_plain_http_for_its_own_room_and_its_own_document_alone(
    page: Page, context: BrowserContext, server: Server, author: str, room: str
) -> None:
    """Neither a page of another origin nor another document is asked so; an element in somebody's page says why."""
    other = put(server, author, well("elsewhere"))
    lan = put(server, author, well("for-the-room", lan=True))
    page.add_init_script(OPENED)
    page.goto(f"{server.url}/q/{other.digest}")
    element = f"<deniable-question survey='{lan.digest}' endpoint='{room}'></deniable-question>"
    page.evaluate("html => document.querySelector('main').innerHTML = html", element)
    page.get_by_text("could not be loaded").wait_for()
    page.goto(f"{room}/q/{lan.digest}")
    document = other.to_json().replace("'", "&#39;")
    page.evaluate(
        "([given, room]) => { const asked = document.querySelector('deniable-question');"
        "asked.setAttribute('survey', given); asked.setAttribute('rehearse', '') }",
        [document, room],
    )
    page.get_by_role("button", name="Take part").click()
    expect(page.get_by_role("heading", name="could not be loaded")).to_be_visible()
    assert counted(server, author, other) == counted(server, author, lan) == 0


def signed_in(page: Page, server: Server) -> None:
    """Whoever runs the server, on its own machine."""
    page.goto(f"{server.url}/enter")
    page.fill("#token", server.operator)
    page.click("main button")
    page.wait_for_url(f"{server.url}/")


def test_the_wall_counts_and_shows_the_result_once_everybody_has_answered_and_it_is_final(
    page: Page, server: Server, author: str, room: str
) -> None:
    survey = put(server, author, dn.Survey.plan("on-the-wall", [WELL], 2.0, 28, population=28, lan=True, owner="10b"))
    assert survey.minimum == 19
    signed_in(page, server)
    page.goto(f"{server.url}/s/on-the-wall/wall")
    wall = page.locator(".wall")
    expect(wall).to_contain_text(re.compile(r"0 of 28\s*have answered"))
    expect(wall).to_contain_text(f"{room.removeprefix('http://')}/to/{survey.digest[:8]}")
    nobody = page.get_by_text("No phone has reached this page.")
    expect(nobody).to_be_visible()
    expect(nobody.locator("..")).to_contain_text("let a tablet go round")
    assert violations(page) == []
    assert server.send(survey, upload(survey, {"well": ["yes"] * 8 + ["no"] * 11})).status == 200
    expect(wall).to_contain_text(re.compile(r"19 of 28\s*have answered"))
    expect(nobody).to_be_hidden()
    expect(wall.locator("img")).to_have_count(0)
    page.keyboard.press("Escape")
    page.wait_for_url(f"**/run/{survey.digest}")
    page.get_by_role("button", name="Let one device go round").click()
    page.get_by_role("heading", name="On the tablet").wait_for()
    expect(page.locator("ol .scan svg")).to_be_visible()
    expect(page.locator("ol li").first).to_contain_text(f"{room.removeprefix('http://')}/to/")
    assert violations(page) == []
    page.go_back()
    expect(page.get_by_text("Make it final now, with the 19 answers that have come")).to_be_visible()
    assert there(server).send(survey, upload(survey, {"well": ["no"] * 9})).status == 200
    page.reload()
    page.get_by_text("Everybody has answered: make it final now").click()
    expect(page.get_by_text("28 of 28; whoever answered on two phones counts twice.")).to_be_visible()
    assert violations(page) == []
    page.locator("input[value=final]").check()
    page.get_by_role("button", name="Make it final now").click()
    page.get_by_text("Closed", exact=True).wait_for()
    assert there(server).send(survey, upload(survey, {"well": ["no"]})).kind == "closed"
    assert there(server).ask("GET", f"/v1/surveys/{survey.digest}/door").status == 410
    page.get_by_text("Show it on the wall").click()
    shown = page.locator(".wall img")
    expect(shown).to_have_js_property("complete", True)
    expect(shown).to_have_js_property("naturalWidth", 1600)
    page.goto(f"{server.url}/s/on-the-wall")
    expect(page.locator("main")).not_to_contain_text("provisional")


def test_a_wall_says_that_late_answers_are_counted_and_shows_no_part_of_them(server: Server, author: str) -> None:
    """A part of the answers, which readers see until the end, would be taken for all of them."""
    survey = put(server, author, dn.Survey.plan("one-is-ill", [WELL], 2.0, 28, population=28, lan=True, owner="10b"))
    assert server.send(survey, upload(survey, {"well": ["yes"] * 8 + ["no"] * 11})).status == 200
    assert server.send(survey, upload(survey, {"well": ["no"] * 8}, 2)).status == 200
    operator = Reader(server.url).enter(server.operator)
    run = f"/run/{survey.digest}"
    secret = operator.get(run).csrf
    assert operator.post(f"{run}/close", {"csrf": secret, "sure": "close"}).status == 303
    wall = operator.get("/s/one-is-ill/wall")
    assert "27 of 28 have answered" in wall.text
    assert "<img" not in wall.html
    assert "once you make it final" in wall.text
    until(lambda: "answers of 28 asked are shown so far" in operator.get("/s/one-is-ill").text)
    assert operator.post(f"{run}/close", {"csrf": secret, "sure": "final"}).status == 303
    until(lambda: "27 of 28 asked reported on this question" in operator.get("/s/one-is-ill").text)
    assert "<img" in operator.get("/s/one-is-ill/wall").html


def test_the_wall_is_its_authors(page: Page, server: Server, author: str) -> None:
    """Whoever may only read is not told how many have answered; nobody else learns that it is there."""
    put(server, author, well("not-yours", lan=True))
    reader = server.token("class-reader", "reader")
    assert server.ask("GET", "/s/not-yours/wall", token=reader).status == 403
    assert server.ask("GET", "/s/not-yours/wall", token=author).status == 200
    assert server.ask("GET", "/s/no-such/wall", token=author).status == 404


def test_the_example_of_a_class_is_for_phones_in_the_room(server: Server) -> None:
    operator = Reader(server.url).enter(server.operator)
    for place, ticked, least in (("class", " checked", 19), ("work", "", 50)):
        draft = operator.get(f"/new?example={place}").headers["Location"]
        page = operator.get(draft.replace("/questions", "/learn"))
        assert f'name="lan" value="1"{ticked}>' in page.html
        assert f'value="" placeholder="{least}"' in page.html
        assert f"no result below {least} answers" in page.text
