"""The second address, for phones in one room: which addresses may be one, and all routes tried on it."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from starlette.routing import Route
from tests.collector.rooms import private_address, there
from tests.collector.servers import Reply, Server, put, started, stopped
from tests.collector.worlds import a_survey, body_of

from deniable.collector.http.app import App
from deniable.collector.http.lan import Lan, lan_address
from deniable.intake.access import OPERATOR
from deniable.intake.storage.rows import Token
from deniable.intake.storage.sqlite import SqliteStore
from deniable.pages.face import Pages
from deniable.protocol.errors import ParameterError

LAN, OTHER = a_survey("in-this-room", lan=True), a_survey("elsewhere")
THERE = {
    "/v1/surveys/{digest}", "/v1/surveys/{digest}/door", "/v1/surveys/{digest}/invitation", "/static/{name}",
    "/q/{digest}", "/label/{digest}", "/label/{digest}.json", "/label/{digest}.txt", "/to/{digits}", "/me",
}  # fmt: skip
"""What is there beside uploads: question page, label, document, door, and what leads to them or is part of them."""


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A collector that asks phones in one room."""
    found = started(tmp_path_factory.mktemp("room") / "data", "--rate", "0", "--lan-address", private_address())
    for survey in (LAN, OTHER):
        put(found, found.operator, survey)
    yield found
    assert stopped(found) == 0


def routes() -> list[tuple[str, str]]:
    """All methods and paths of a collector with its pages, but those of uploads."""
    app = App(lambda: SqliteStore(Path()), Token(OPERATOR, b"", "admin", ()), 0, Path(), Pages().routes)
    found = [route for route in app._web_routes.routes if isinstance(route, Route)]
    return [(method, route.path) for route in found for method in sorted(route.methods or ())]


def filled(path: str, digest: str) -> str:
    """A path with values in its places that are there."""
    values = {"digest": digest, "name": "in-this-room", "digits": digest[:8], "period": "once", "page": "keys"}
    named = values | {"name": "deniable.js"} if path.startswith("/static") else values
    return re.sub(r"{(\w+)(?::\w+)?}", lambda place: named.get(place[1], "x"), path)


def asked(server: Server, method: str, path: str) -> Reply:
    """What comes back to whoever has a token that may do all, and a session's cookie."""
    cookie = "deniable-session=x; deniable-lang=de"
    return server.ask(method, path, b"{}" if method in ("POST", "PUT") else None, server.operator, Cookie=cookie)


def test_each_route_is_there_if_people_need_it_to_answer_and_no_other(room: Server) -> None:
    tried = routes()
    assert {path for _, path in tried} >= THERE | {"/enter", "/new", "/run/{digest}", "/s/{name}", "/v1/status"}
    for method, path in tried:
        reply = asked(there(room), method, filled(path, LAN.digest))
        reading = path in {*THERE, "/"} and method in ("GET", "HEAD", "OPTIONS")
        assert reply.status in ((200, 204, 303) if reading else (404, 405)), (method, path, reply.status)
        assert "Set-Cookie" not in reply.headers


@pytest.mark.parametrize("path", sorted(THERE))
def test_surveys_that_do_not_say_so_are_not_there(room: Server, path: str) -> None:
    if "{digest}" in path:
        assert asked(there(room), "GET", filled(path, OTHER.digest)).status == 404
        assert asked(room, "GET", filled(path, OTHER.digest)).status == 200
    assert there(room).send(OTHER, body_of([1])).status == 404


def test_an_answer_is_taken_there_once_and_counted_with_the_others(room: Server) -> None:
    body = body_of([1, 2])
    for server in (there(room), there(room), room):
        assert server.send(LAN, body).json == {"answers": 2}
    periods = room.ask("GET", f"/v1/surveys/{LAN.digest}/periods", token=room.operator).json
    assert [each["answers"] for each in periods] == [2]


def test_the_bare_address_leads_to_the_newest_survey(room: Server) -> None:
    """Whatever host a request names: by where it came in."""
    found = re.fullmatch(r"http://\[?([^\]]+?)\]?:(\d+)", there(room).url)
    assert found is not None
    host, port = found.groups()
    for named in ("localhost", "127.0.0.1:8080"):
        with closing(http.client.HTTPConnection(host, int(port))) as asking:
            asking.request("GET", "/", headers={"Host": named})
            reply = asking.getresponse()
            assert (reply.status, reply.headers["Location"]) == (303, f"/q/{LAN.digest}")


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "192.0.2.2", "172.32.0.1", "127.0.0.1", "0.0.0.0", "::", "fe80::1", "x"]
)
def test_only_private_addresses_may_be_one(address: str) -> None:
    with pytest.raises(ParameterError, match=r"must be (at )?an address of a private network"):
        lan_address(address)


def test_private_addresses_may_be_one() -> None:
    for address in ("10.1.2.3", "172.31.0.9", "192.168.1.24", "169.254.7.7", "fd12::1"):
        assert lan_address(address) == address


@pytest.mark.parametrize("options", [("--host", "0.0.0.0"), ("--tls",), ("--trusted-proxy", "10.0.0.1")])
def test_signing_in_stays_on_this_machine(tmp_path: Path, options: tuple[str, ...]) -> None:
    """With an address for phones the other one is for this machine alone."""
    with pytest.raises(AssertionError, match="--lan must be with a server that listens on this machine alone"):
        started(tmp_path / "data", *options, "--lan-address", private_address())


def test_programs_read_the_address_of_the_room_without_a_picture(tmp_path: Path) -> None:
    address = private_address()
    server = started(tmp_path / "data", "--lan-address", address, "--log-format", "json")
    assert stopped(server) == 0
    told = [json.loads(line) for line in server.log.read_text().splitlines()]
    assert any(f"{address}" in str(line) for line in told)
    assert "█" not in server.log.read_text()


def test_a_phone_has_come_once_another_device_has_found_a_page_there() -> None:
    lan, own = Lan("10.0.0.1"), {"type": "http", "server": ("10.0.0.1", 8080), "client": ("10.0.0.1", 1)}
    assert [lan.waits("a survey", now) for now in (100.0, 159.9, 160.0)] == [False, False, True]
    phone = {**own, "client": ("10.0.0.9", 1)}
    for elsewhere in (own, {**phone, "server": ("127.0.0.1", 8080)}):
        lan.found(elsewhere, "a survey")
    lan.found(phone, "another")
    assert lan.waits("a survey", 160.0)
    lan.found(phone, "a survey")
    assert not lan.waits("a survey", 160.0)
