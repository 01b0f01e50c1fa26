"""Who gets in, who stays out, and what everybody finds at the front."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from tests.collector.servers import Server, put
from tests.collector.worlds import a_survey, body_of
from tests.pages.readers import Reader
from tests.waiting import PATIENCE

from deniable.pages.sessions import COOKIE


def test_who_is_not_signed_in_is_asked_and_then_led_on(server: Server) -> None:
    put(server, server.operator, a_survey("led", title="Led here"))
    reader = Reader(server.url)
    away = reader.get("/?x=1")
    assert (away.status, away.headers["Location"]) == (303, "/enter?next=/%3Fx%3D1")
    page = reader.get(away.headers["Location"])
    assert 'value="/?x=1"' in page.html
    entered = reader.post("/enter", {"token": server.operator, "next": "/?x=1"})
    assert (entered.status, entered.headers["Location"]) == (303, "/?x=1")
    assert "Led here" in reader.get("/").text


def test_a_wrong_token_opens_nothing(server: Server) -> None:
    reader = Reader(server.url)
    page = reader.post("/enter", {"token": "guess"})
    assert page.status == 401
    assert "not known here" in page.text
    assert not list(reader.jar)


@pytest.mark.parametrize("wanted", ["//elsewhere.example", "https://elsewhere.example", "/\\elsewhere.example", ""])
def test_nobody_is_led_to_another_host(server: Server, wanted: str) -> None:
    entered = Reader(server.url).post("/enter", {"token": server.operator, "next": wanted})
    assert entered.headers["Location"] == "/"


def test_the_cookie_is_for_this_site_alone_and_no_script_reads_it(server: Server) -> None:
    entered = Reader(server.url).post("/enter", {"token": server.operator})
    cookie = entered.headers["Set-Cookie"]
    assert cookie.startswith(COOKIE)
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie


def test_the_printed_link_lets_in_once(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "deniable", "serve", "--data", str(tmp_path / "data"), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = next(line for line in process.stderr if "/enter/" in line)
        url, path = line.split(": ", 1)[1].strip().split("/enter/")
        first, second = Reader(url), Reader(url)
        for reader in (first, second):  # as a messenger that looks where the link leads
            assert reader.get(f"/enter/{path}").status == 200
            looked = urllib.request.Request(f"{url}/enter/{path}?go", method="HEAD")
            assert urllib.request.urlopen(looked, timeout=PATIENCE).status == 200
        assert first.get(f"/enter/{path}?go").status == 303
        assert first.get("/").status == 200
        assert second.get(f"/enter/{path}?go").status == 404
        assert second.get("/").status == 303
        process.terminate()


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null"])
def test_a_form_from_another_site_changes_nothing(server: Server, operator: Reader, origin: str) -> None:
    secret = operator.get("/").csrf
    assert operator.post("/leave", {"csrf": secret}, origin).status == 403
    assert operator.post("/leave", {"csrf": "another"}).status == 403
    assert operator.post("/leave", {}).status == 403
    assert operator.get("/").status == 200
    assert operator.post("/leave", {"csrf": secret}).status == 303


def test_a_secret_of_one_reader_is_no_good_to_another(server: Server, operator: Reader) -> None:
    other = Reader(server.url).enter(server.token("rae", "reader"))
    assert operator.post("/leave", {"csrf": other.get("/").csrf}).status == 403


def test_who_signs_out_is_out(operator: Reader) -> None:
    [copy] = [f"{cookie.name}={cookie.value}" for cookie in operator.jar]
    operator.post("/leave", {"csrf": operator.get("/").csrf})
    assert operator.get("/").status == 303
    assert Reader(operator.url).get("/", Cookie=copy).status == 303


def test_a_token_that_is_deleted_ends_its_sessions(server: Server) -> None:
    reader = Reader(server.url).enter(server.token("gone", "reader"))
    assert reader.get("/").status == 200
    assert server.ask("DELETE", "/v1/tokens/gone", None, server.operator).status == 204
    assert reader.get("/").status == 303


def test_readers_find_their_surveys_and_no_others(server: Server) -> None:
    for name in ("seen", "hidden"):
        put(server, server.operator, a_survey(name))
    reader = Reader(server.url).enter(server.token("one", "reader", "seen"))
    names = {survey["name"] for survey in json.loads(reader.get("/surveys.json").body)}
    assert names == {"seen"}
    assert "New survey" not in reader.get("/").text


def test_fewer_answers_than_the_least_are_not_numbered(server: Server, operator: Reader) -> None:
    survey = put(server, server.operator, a_survey("few"))
    assert "Nobody has answered yet." in operator.get("/").text
    assert server.send(survey, body_of([1] * 38)).status == 200
    [few] = [each for each in json.loads(operator.get("/surveys.json").body) if each["name"] == "few"]
    assert (few["answers"], few["state"]) == (0, "Open")


def test_every_page_forbids_what_is_not_from_here(server: Server, operator: Reader) -> None:
    for page in (operator.get("/"), Reader(server.url).get("/enter"), operator.get("/keys"), operator.get("/nothing")):
        policy = page.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")
        assert policy.endswith("frame-ancestors 'none'")
        assert page.headers["Cache-Control"] == "no-store"
        assert "style=" not in page.html
        assert "<script>" not in page.html


def test_assets_last_as_long_as_they_are_the_same(server: Server, operator: Reader) -> None:
    html = operator.get("/").html
    for name in ("pages.css", "pages.js", "icon.svg"):
        address = html.split(f"/static/{name}?v=")[1][:12]
        assert "immutable" in operator.get(f"/static/{name}?v={address}").headers["Cache-Control"]
        assert operator.get(f"/static/{name}?v=0").headers["Cache-Control"] == "no-cache"
        packed = operator.get(f"/static/{name}?v={address}", **{"Accept-Encoding": "br, gzip"})
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.body) == operator.get(f"/static/{name}?v={address}").body
        assert operator.get(f"/static/{name}", **{"Accept-Encoding": "gzip;q=0"}).headers["Content-Encoding"] is None
    assert operator.get("/static/sessions.py").status == 404
    assert operator.get("/static/..%2fsite.py").status == 404


def test_a_long_address_is_not_repeated_where_one_signs_in(server: Server) -> None:
    """Clients give up on a header of more than 64 KiB."""
    reader = Reader(server.url)
    assert reader.get(f"/?{'x' * 1000}").headers["Location"] == f"/enter?next=/%3F{'x' * 1000}"
    assert reader.get(f"/?{'x' * 7000}").headers["Location"] == "/enter"
