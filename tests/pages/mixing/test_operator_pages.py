"""Whoever runs a mixer does all of it on one page: allow, refuse, make codes, close. A forged form changes nothing."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Callable
from csv import DictReader
from io import StringIO
from typing import Any

import pytest
from tests.collector.abuse.wire import head, said, statuses
from tests.collector.servers import Server
from tests.mixer.worlds import TOKEN, Collected, sealed, upload_of
from tests.pages.mixing.operators import (
    BOUNDARY,
    an_open_survey,
    brought,
    codes_on,
    entered,
    link_of,
    parts,
    pressed,
    section,
)
from tests.pages.readers import Page, Reader
from tests.waiting import until

from deniable.intake.http.bodies import MOST_FORM
from deniable.intake.uploads import MOST_BYTES
from deniable.pages.mixing.operator_pages import MOST_CODES, MOST_WAITING


def known(server: Server) -> list[dict[str, Any]]:
    """What the mixer says of its surveys."""
    found: list[dict[str, Any]] = server.ask("GET", "/v1/status", token=server.operator).json
    return found


def row_of(server: Server, digest: str) -> dict[str, Any] | None:
    """What it says of one."""
    return next((row for row in known(server) if row["digest"] == digest), None)


def test_what_waits_is_read_before_it_is_allowed(mixer: Server, operator: Reader, collected: Collected) -> None:
    survey = an_open_survey(collected.url, "threats", title="Threats in the council", population=9)
    assert brought(operator, survey).status == 303
    page = operator.get("/")
    told = section(page, "waiting")
    for words in (
        "Threats in the council asked by Company", "A parcel of at least 5 answers", "closes ",
        "needs 9 codes, one for each person asked", "No other survey here has this name.",
        "1.65 times as likely", "at most 7.39 times likelier", collected.url, "http://127.0.0.1:8090",
        "Do you know them, and would you not help them to find out who said what? Then allow it.",
    ):  # fmt: skip
        assert words in told
    assert "was not tried" not in told
    assert "a survey to allow or refuse" in page.text
    assert row_of(mixer, survey.digest) is None
    read = operator.get(f"/surveys/{survey.digest}")
    assert "car · bus · bike · foot" in read.text
    assert all(sentence in html.unescape(read.text) for sentence in survey.label().sentences)
    assert pressed(operator, f"/waiting/{survey.digest}/allow").status == 303
    assert row_of(mixer, survey.digest) is not None
    assert "Threats in the council" in section(operator.get("/"), "open")
    assert operator.get(f"/surveys/{survey.digest}").text == read.text


def test_what_is_refused_is_forgotten(mixer: Server, operator: Reader, collected: Collected) -> None:
    survey = an_open_survey(collected.url, "refused")
    assert brought(operator, survey).status == 303
    assert pressed(operator, f"/waiting/{survey.digest}/refuse").status == 303
    assert "refused" not in section(operator.get("/"), "waiting")
    assert operator.get(f"/surveys/{survey.digest}").status == 404
    assert row_of(mixer, survey.digest) is None


def test_the_same_wording_and_another_token_need_a_tick(mixer: Server, operator: Reader, collected: Collected) -> None:
    first, second = (an_open_survey(collected.url, "twice", least=least) for least in (6, 7))
    assert brought(operator, first).status == 303
    assert pressed(operator, f"/waiting/{first.digest}/allow", confirmed="yes").status == 303
    for survey, words in ((second, "Another survey here asks the same."), (first, "This survey is allowed already.")):
        assert brought(operator, survey, "another token").status == 303
        told = section(operator.get("/"), "waiting")
        assert words in told
        assert ("With this one, 2 surveys here have this name." in told) == (survey is second or len(known(mixer)) > 1)
        assert pressed(operator, f"/waiting/{survey.digest}/allow").status == 409
        assert pressed(operator, f"/waiting/{survey.digest}/allow", confirmed="yes").status == 303
    assert {first.digest, second.digest} <= {row["digest"] for row in known(mixer)}


@pytest.mark.parametrize(
    ("document", "token", "words"),
    [
        (b"{}", TOKEN, "survey must"),
        (b"\xff", TOKEN, "text in UTF-8"),
        (None, "", "A collector's token must be"),
        (None, "one\ntwo", "A collector's token must be"),
    ],
)
def test_what_cannot_be_read_is_said_and_does_not_wait(
    operator: Reader, collected: Collected, document: bytes | None, token: str, words: str
) -> None:
    told = an_open_survey(collected.url, "unread").document if document is None else document
    page = operator.send("/waiting", parts(told, token, operator.get("/").csrf), BOUNDARY)
    assert page.status == 422
    assert words in html.unescape(page.text)
    assert "unread" not in section(operator.get("/"), "waiting")


def test_a_wrong_token_is_said_at_once(operator: Reader, collected: Collected, monkeypatch: pytest.MonkeyPatch) -> None:
    survey = an_open_survey(collected.url, "wrong-token")
    with monkeypatch.context() as patch:
        patch.setattr(collected, "asking", (401, ""))
        page = brought(operator, survey)
    assert (page.status, "A token must be one that its collector knows" in page.text) == (422, True)
    assert "wrong-token" not in section(operator.get("/"), "waiting")


def test_a_token_whose_collector_does_not_answer_was_not_tried(operator: Reader) -> None:
    survey = an_open_survey("http://127.0.0.1:9", "untried")
    assert brought(operator, survey).status == 303
    assert "http://127.0.0.1:9 gave no reply, so the token was not tried" in section(operator.get("/"), "waiting")
    assert pressed(operator, f"/waiting/{survey.digest}/refuse").status == 303


def test_where_the_page_is_read_shows_whether_it_is_reached(
    mixer: Server, operator: Reader, collected: Collected
) -> None:
    survey = an_open_survey(collected.url, "reached")
    assert brought(operator, survey).status == 303
    assert pressed(operator, f"/waiting/{survey.digest}/allow", confirmed="yes").status == 303
    assert "people answer at http://127.0.0.1:8090, so open this page there" in operator.get("/").text


def test_a_survey_without_a_crowd_is_none_for_a_mixer(operator: Reader, collected: Collected) -> None:
    page = brought(operator, an_open_survey(collected.url, "direct", crowd=None))
    assert (page.status, "must have a crowd with a key" in page.html) == (422, True)


def test_few_documents_wait_at_a_time(operator: Reader, collected: Collected) -> None:
    surveys = [an_open_survey(collected.url, f"many-{place}") for place in range(MOST_WAITING + 1)]
    assert [brought(operator, survey).status for survey in surveys] == [303] * MOST_WAITING + [422]
    for survey in surveys[:MOST_WAITING]:
        assert pressed(operator, f"/waiting/{survey.digest}/refuse").status == 303


def test_codes_are_shown_once_and_lead_to_the_question_page(
    mixer: Server, operator: Reader, collected: Collected
) -> None:
    survey = an_open_survey(collected.url, "codes", least=8)
    brought(operator, survey)
    pressed(operator, f"/waiting/{survey.digest}/allow", confirmed="yes")
    path = f"/surveys/{survey.digest}/codes"
    for wrong in ("0", str(MOST_CODES + 1), "many", "", "1" * 400):
        assert pressed(operator, path, people=wrong, before="0").status == 422
    page = pressed(operator, path, people="12", before="0")
    found = codes_on(page)
    assert (page.status, len(set(found))) == (200, 12)
    assert page.html.count("<svg") == 12
    assert page.text.count(f"asked by {survey.owner}, closes ") == 12, "a card says who asks, and until when"
    host = collected.url.removeprefix("http://")
    typed = f"Scan this with your phone, or open {host} /to/{survey.digest[:8]} and type this code"
    assert page.text.count(typed) == 12, "an address that is typed is a short one"
    table = re.search(r'href="data:text/csv;charset=utf-8;base64,([^"]+)"', page.html)
    assert table
    rows = list(DictReader(StringIO(base64.b64decode(table[1]).decode("utf-8-sig"), newline="")))
    assert [row["code"] for row in rows] == found
    assert [row["link"] for row in rows] == [f"{collected.url}/q/{survey.digest}#code={code}" for code in found]
    again = pressed(operator, path, people="12", before="0")  # the same form, sent again by a reload
    assert (again.status, codes_on(again)) == (409, [])
    row = row_of(mixer, survey.digest)
    assert row is not None
    assert row["codes"] == 12
    assert not any(code in operator.get("/").html for code in found)
    asked = mixer.ask("GET", f"/v1/surveys/{survey.digest}/invitation", Authorization=f"Invitation {found[0]}")
    assert asked.json == {"state": "unused"}


def test_many_codes_come_without_pictures(operator: Reader, collected: Collected) -> None:
    survey = an_open_survey(collected.url, "thousand")
    brought(operator, survey)
    pressed(operator, f"/waiting/{survey.digest}/allow", confirmed="yes")
    page = pressed(operator, f"/surveys/{survey.digest}/codes", people="600", before="0")
    assert (len(codes_on(page)), page.html.count("<svg")) == (600, 0)


@pytest.mark.parametrize("people", [3, 5])
def test_it_is_closed_after_it_was_asked_and_handed_over_or_deleted(
    mixer: Server, operator: Reader, collected: Collected, people: int
) -> None:
    name = f"ending-{people}"
    survey = an_open_survey(collected.url, name)
    brought(operator, survey)
    pressed(operator, f"/waiting/{survey.digest}/allow", confirmed="yes")
    start = f"/surveys/{survey.digest}"
    codes = codes_on(pressed(operator, f"{start}/codes", people="6", before="0"))
    before = operator.get("/").text
    for code in codes[:people]:
        assert mixer.send(survey, upload_of(sealed(survey, 1)), Authorization=f"Invitation {code}").status == 200
    assert operator.get("/").text == before  # no count while it is open
    assert f"{name} asked by Company 5 are there: not yet as of midnight" in before
    asked = operator.get(f"{start}/close")
    assert f"Close {name} now?" in asked.text
    row = row_of(mixer, survey.digest)
    assert row is not None
    assert row["closed"] is False
    assert operator.post(f"{start}/close", {"csrf": asked.csrf}).status == 303
    where = "handed" if people == 5 else "withheld"

    def ended() -> str:
        return section(operator.get("/"), where)

    until(lambda: name in ended() and "being sent" not in ended(), 0.1)
    if people == 5:
        assert re.search(rf"{name} \d+ \w+ \d{{4}} the copy is deleted on \d+ \w+ \d{{4}} Send again {name} 5", ended())
        puts = len(collected.puts)
        assert pressed(operator, f"{start}/again").status == 303
        until(lambda: len(collected.puts) > puts and "being sent" not in ended(), 0.1)
        assert collected.puts[-1].body == collected.puts[-2].body
    else:
        assert "fewer than 5: nothing was passed on; all that waited was deleted" in ended()
    assert name not in section(operator.get("/"), "open")


def test_the_clock_is_confirmed(mixer: Server, operator: Reader) -> None:
    assert "has jumped" not in operator.get("/").text
    assert pressed(operator, "/clock").status == 303


def acts(survey: Any) -> list[tuple[str, dict[str, str]]]:
    """Every form of the page with what it sends."""
    waiting, start = f"/waiting/{survey.digest}", f"/surveys/{survey.digest}"
    return [
        (f"{waiting}/allow", {"confirmed": "yes"}), (f"{waiting}/refuse", {}), ("/clock", {}), ("/leave", {}),
        (f"{start}/codes", {"people": "5", "before": "0"}), (f"{start}/close", {}), (f"{start}/again", {}),
    ]  # fmt: skip


FORGERIES: dict[str, Callable[[Reader, str, dict[str, str]], Page]] = {
    "no secret": lambda reader, path, fields: reader.post(path, fields),
    "a wrong secret": lambda reader, path, fields: reader.post(path, {**fields, "csrf": "0" * 64}),
    "another origin": lambda reader, path, fields: reader.post(
        path, {**fields, "csrf": reader.get("/").csrf}, "https://elsewhere.example"
    ),
    "nobody signed in": lambda reader, path, fields: Reader(reader.url).post(
        path, {**fields, "csrf": reader.get("/").csrf}
    ),
    "a form that is too long": lambda reader, path, fields: reader.post(
        path, {**fields, "csrf": reader.get("/").csrf, "x": "x" * MOST_FORM}
    ),
}


@pytest.mark.parametrize("how", FORGERIES)
def test_a_forged_form_changes_nothing(mixer: Server, operator: Reader, collected: Collected, how: str) -> None:
    name = f"forged-{list(FORGERIES).index(how)}"
    waits, stands = (an_open_survey(collected.url, f"{name}-{each}") for each in ("waits", "stands"))
    brought(operator, stands)
    pressed(operator, f"/waiting/{stands.digest}/allow", confirmed="yes")
    brought(operator, waits)
    before = operator.get("/").text
    wanted = {"nobody signed in": 303, "a form that is too long": 413}.get(how, 403)
    for survey in (waits, stands):
        for path, fields in acts(survey):
            reply = FORGERIES[how](operator, path, fields)
            assert reply.status == wanted, path
            assert wanted != 303 or reply.headers["Location"].startswith("/enter")
    assert operator.get("/").text == before
    assert row_of(mixer, waits.digest) is None
    pressed(operator, f"/waiting/{waits.digest}/refuse")


def test_a_forged_document_does_not_wait(mixer: Server, operator: Reader, collected: Collected) -> None:
    survey = an_open_survey(collected.url, "smuggled")
    secret = operator.get("/").csrf
    assert brought(operator, survey, csrf="0" * 64).status == 403
    assert brought(operator, survey, origin="https://elsewhere.example").status == 403
    assert brought(Reader(operator.url), survey, csrf=secret).status == 303
    cookie = "; ".join(f"{each.name}={each.value}" for each in operator.jar)
    more = f"Sec-Fetch-Site: same-origin\r\nCookie: {cookie}\r\nContent-Length: {MOST_BYTES + 1}\r\n"
    assert statuses(said(mixer, head("POST", "/waiting", more))) == [413]
    assert "smuggled" not in operator.get("/").text


def test_nobody_reads_a_page_without_signing_in(mixer: Server, operator: Reader, collected: Collected) -> None:
    survey = an_open_survey(collected.url, "read")
    allowed_path = f"/surveys/{survey.digest}"
    brought(operator, survey)
    pressed(operator, f"/waiting/{survey.digest}/allow", confirmed="yes")
    for path in ("/", allowed_path, f"{allowed_path}/close"):
        assert operator.get(path).status == 200
        assert (page := Reader(mixer.url).get(path)).status == 303
        assert page.headers["Location"].startswith("/enter")


def test_a_link_lets_in_once_and_its_cookie_is_for_this_site_alone(mixer: Server) -> None:
    path, reader = link_of(mixer), Reader(mixer.url)
    assert "go on" in reader.get(path).text.lower()
    page = reader.get(f"{path}?go")
    assert page.status == 303
    assert "HttpOnly" in page.headers["Set-Cookie"]
    assert "SameSite=strict" in page.headers["Set-Cookie"]
    again = Reader(mixer.url).get(f"{path}?go")
    assert (again.status, "Set-Cookie" in again.headers, "good once" in again.text) == (404, False, True)
    assert "open in a browser, once, within 15 minutes: " in mixer.log.read_text()
    assert mixer.ask("POST", "/links", b"").status == 401
    assert pressed(reader, "/leave").status == 303
    assert reader.get("/").status == 303


def test_every_page_loads_nothing_from_elsewhere_and_both_languages_are_there(mixer: Server, operator: Reader) -> None:
    page = operator.get("/")
    assert page.headers["Content-Security-Policy"].startswith(
        "default-src 'none'; script-src 'self'; style-src 'self';"
    )
    assert re.findall(r'(?:src|href)="(https?:[^"]*)"', page.html) == []
    assert " style=" not in page.html
    german = Reader(mixer.url)
    german.get(f"{link_of(mixer)}?go")
    assert "Zugelassene Umfragen" in german.get("/?lang=de").text


def test_two_browsers_of_one_operator_see_the_same(mixer: Server, operator: Reader, collected: Collected) -> None:
    survey = an_open_survey(collected.url, "shared")
    brought(operator, survey)
    assert "shared" in section(entered(mixer).get("/"), "waiting")
    pressed(operator, f"/waiting/{survey.digest}/refuse")
