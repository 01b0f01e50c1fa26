"""Two servers on one database: whoever signed in or followed a link at one is known at the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.collector.servers import Server, put, started, stopped
from tests.collector.worlds import a_survey
from tests.pages.readers import Reader

Pair = tuple[Server, Server]


@pytest.fixture
def pair(database: str, tmp_path: Path) -> Iterator[Pair]:
    """Servers with a folder each, as behind a balancer that sends a browser to either."""
    with ExitStack() as ended:
        servers = []
        for name in ("one", "two"):
            servers.append(started(tmp_path / name, "--database", database, "--rate", "0"))
            ended.callback(stopped, servers[-1])
        put(servers[0], servers[0].operator, a_survey("shared"))
        yield servers[0], servers[1]


def at(server: Server, reader: Reader) -> Reader:
    """The same browser at another server of the same name: cookies do not tell ports apart."""
    other = Reader(server.url)
    for cookie in reader.jar:
        other.jar.set_cookie(cookie)
    return other


def test_whoever_signed_in_at_one_is_signed_in_at_both(pair: Pair) -> None:
    ann = Reader(pair[0].url).enter(pair[0].token("ann", "author"))
    there = at(pair[1], ann)
    secret = ann.get("/new/from-file").csrf
    assert there.get("/new/from-file").csrf == secret  # a form of one may be sent to the other
    assert there.post("/leave", {"csrf": secret}).headers["Location"] == "/enter"
    assert ann.get("/new").status == 303


def test_a_link_made_at_one_opens_at_both_framed_too(pair: Pair) -> None:
    operator = Reader(pair[0].url).enter(pair[0].operator)
    page = operator.post("/s/shared/share", {"csrf": operator.get("/s/shared/share").csrf, "days": "7"})
    found = re.search(r'href="https?://[^/]+/shared/([^"]+)"', page.html)
    assert found
    guest = Reader(pair[1].url)
    assert guest.get(f"/embed/shared?link={found[1]}").status == 200
    assert guest.get(f"/shared/{found[1]}?go").headers["Location"] == "/s/shared"
    assert guest.get("/s/shared").status == 200
    back = at(pair[0], guest)
    assert back.get("/s/shared").status == 200
    [ended] = re.findall(r'name="link" value="([^"]+)"', page.html)
    assert operator.post("/s/shared/share/end", {"csrf": page.csrf, "link": ended}).status == 303
    assert [each.get("/s/shared").status for each in (guest, back)] == [303, 303]


def test_a_character_that_a_database_cannot_hold_is_in_no_name_and_no_form(pair: Pair) -> None:
    operator = Reader(pair[0].url).enter(pair[0].operator)
    for path in ("/s/%00", "/s/sha%00red", "/v1/surveys/%00", "/shared/%00", "/v1/tokens/%00"):
        assert operator.get(path).status == 404
    assert pair[0].ask("POST", "/v1/surveys/%00/periods/%00/answers", b"x").kind == "unknown"
    fields = {"csrf": operator.get("/s/shared/share").csrf, "days": "7", "title": "a\0b"}
    assert operator.post("/s/shared/share", fields).status == 422
