"""Behind a proxy: under a path, over a socket in the file system, and many connections from one address."""

from __future__ import annotations

import http.client
import json
import re
import socket
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from tests.collector.commands import command, in_a_line
from tests.collector.servers import Server, put, started, stopped
from tests.collector.worlds import a_survey
from tests.house import house_tree
from tests.pages.readers import Page, Reader
from tests.waiting import PATIENCE, until

from deniable.intake.http.callers import Callers

ROOT = "/surveys"
COLLECTING = house_tree.ROOT / "docs" / "collecting.md"
CALLS = 1000


@pytest.fixture(scope="module")
def under(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A collector behind a proxy that takes a path off the front of each address."""
    data, words = tmp_path_factory.mktemp("under") / "data", ["--root-path", f"{ROOT}/", "--trusted-proxy", "127.0.0.1"]
    found = started(data, "--rate", "0", *words)
    put(found, found.operator, a_survey("under"))
    yield found
    assert stopped(found) == 0


def signed_in(under: Server) -> Reader:
    """The operator, whose browser sees another path than the collector, and sends cookies by that."""
    operator = Reader(under.url).enter(under.operator)
    cookies = list(operator.jar)
    operator.jar.clear()
    for cookie in cookies:
        cookie.path = "/"
        operator.jar.set_cookie(cookie)
    return operator


def addresses(page: Page, attributes: str) -> list[str]:
    """What attributes of a page name from the top of the host."""
    return re.findall(rf'\b(?:{attributes})="(/[^"]*)"', page.html)


def test_all_addresses_of_pages_begin_with_the_path(under: Server) -> None:
    operator = signed_in(under)
    new = operator.get("/new").headers["Location"].removeprefix(ROOT)
    pages = [operator.get(path) for path in ("/", new, "/s/under", "/s/under/share", "/keys")]
    every = [address for page in pages for address in addresses(page, "href|src|action")]
    assert len(every) > 20
    assert [address for address in every if not address.startswith(f"{ROOT}/")] == []
    led = {address for page in pages for address in addresses(page, "href|src")}
    assert [address for address in led if operator.get(address.removeprefix(ROOT)).status not in (200, 303)] == []


def test_nothing_but_addresses_is_changed_and_whoever_signs_in_comes_where_they_wanted(under: Server) -> None:
    reader = Reader(under.url)
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', reader.get("/enter").html))
    assert reader.post("/enter", {**fields, "token": under.operator}).headers["Location"] == f"{ROOT}/"
    assert {cookie.path for cookie in reader.jar} == {f"{ROOT}/"}
    text = '/r/rust" href="/x'
    page = under.ask("GET", f"/enter?next={quote(text)}", Accept="text/html")
    assert 'value="/r/rust&#34; href=&#34;/x"' in page.body.decode()


def test_replies_that_lead_on_and_links_for_others_begin_with_it(under: Server) -> None:
    assert Reader(under.url).get("/s/under").headers["Location"] == f"{ROOT}/enter?next=/s/under"
    operator = signed_in(under)
    page = operator.post("/s/under/share", {"csrf": operator.get("/s/under/share").csrf, "days": "7"})
    assert f'href="{under.url}{ROOT}/shared/' in page.html
    assert f"{under.url}{ROOT}/embed/under?link=" in page.html
    digest = a_survey("under").digest
    assert f"{under.url}{ROOT}/q/{digest}" in operator.get(f"/run/{digest}").html


def test_a_question_is_answered_to_the_collector_under_the_path(under: Server) -> None:
    digest = a_survey("under").digest
    assert f'endpoint="{under.url}{ROOT}"' in Reader(under.url).get(f"/q/{digest}").html
    told = under.ask("GET", f"/q/{digest}.json").json
    assert [told["document"], told["label"]] == [f"{ROOT}/v1/surveys/{digest}", f"{ROOT}/label/{digest}.json"]


def test_the_documented_proxy_says_under_which_address_it_was_asked(under: Server) -> None:
    """The lines for nginx, which have a variable for each of host and port; links for others name both."""
    asked = {"host": "collect.example.org", "http_host": "collect.example.org:8443", "scheme": "https"}
    asked |= {"remote_addr": "192.0.2.7"}
    lines = re.findall(r"^ *proxy_set_header ([\w-]+) (\S+);$", COLLECTING.read_text(encoding="utf-8"), re.MULTILINE)
    passed = {name: re.sub(r"\$(\w+)", lambda found: asked[found[1]], value) for name, value in lines}
    page = under.ask("GET", f"/q/{a_survey('under').digest}", None, "", **passed)
    assert f'endpoint="https://collect.example.org:8443{ROOT}"' in page.body.decode()


@pytest.mark.parametrize("path", ["surveys", "/a//b", '/a"b', "/a?b", "//host"])
def test_a_path_that_is_none_is_refused(tmp_path: Path, path: str) -> None:
    refused = command("serve", "--data", str(tmp_path / "data"), "--root-path", path)
    assert refused.returncode == 2
    assert "--root-path must be a path such as /surveys" in in_a_line(refused.stderr)


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a socket in the file system."""

    def __init__(self, path: Path) -> None:
        super().__init__("collector")
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(str(path))


def test_a_socket_in_the_file_system_is_served_and_commands_use_it_too(tmp_path: Path) -> None:
    path = tmp_path / "s"
    server = started(tmp_path / "data", "--unix-socket", str(path), "--rate", "60")
    try:
        assert server.url == f"unix:{path}"
        assert stat.S_IMODE(path.stat().st_mode) == 0o660
        token = command("token", "ann", "--scope", "author", "--data", str(server.data))
        assert (token.returncode, token.stderr) == (0, "")
        assert token.stdout.strip()
        refused = command("serve", "--data", str(tmp_path / "other"), "--unix-socket", str(path))
        assert "--unix-socket must be free" in in_a_line(refused.stderr)
        seen: list[int] = []
        for client in [*["192.0.2.1"] * 200, "192.0.2.2"]:  # each address by itself, for the proxy says whose it is
            connection = UnixConnection(path)
            forwarded = f"198.51.100.{len(seen)}, {client}"  # of which a client may have written the first
            connection.request("GET", "/q", headers={"X-Forwarded-For": forwarded, "Connection": "close"})
            seen.append(connection.getresponse().status)
            connection.close()
        assert 429 in seen[:200]
        assert seen[200] != 429
    finally:
        assert stopped(server) == 0
    assert not path.exists()


def test_a_socket_of_a_server_that_was_killed_is_no_hindrance(tmp_path: Path) -> None:
    path = tmp_path / "s"
    server = started(tmp_path / "data", "--unix-socket", str(path))
    server.process.kill()
    server.process.wait(PATIENCE)
    assert path.is_socket()
    assert stopped(started(tmp_path / "data", "--unix-socket", str(path))) == 0


@contextmanager
def calls(server: Server, source: str, count: int) -> Iterator[list[socket.socket]]:
    """So many connections from one address."""
    where = urlsplit(server.url)
    with ExitStack() as ended:
        address = str(where.hostname), where.port or 80
        yield [ended.enter_context(socket.create_connection(address, PATIENCE, (source, 0))) for _ in range(count)]


def is_served(server: Server, source: str) -> bool:
    """Whether a new connection from an address is."""
    with calls(server, source, 1) as [connection]:
        connection.sendall(b"GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
        return connection.recv(1 << 16).startswith(b"HTTP/1.1 200 ")


def test_one_address_has_a_thousand_connections_and_no_more(under: Server) -> None:
    with calls(under, "127.0.0.2", CALLS + 20) as opened:
        for beyond in opened[CALLS:]:
            refused = beyond.recv(1 << 16)
            assert refused.startswith(b"HTTP/1.1 503 ")
            assert b"problem+json" not in refused  # which a device would take for the collector's own word
        opened[0].sendall(b"GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
        assert opened[0].recv(1 << 16).startswith(b"HTTP/1.1 200 ")
        assert is_served(under, "127.0.0.3")
    until(lambda: is_served(under, "127.0.0.2"))  # once the collector has noticed that they ended


def test_proxies_and_this_machine_have_any_number_of_connections() -> None:
    callers = Callers(["10.0.0.0/8"], most=2)
    assert [callers.begin("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert all(callers.begin(address) for address in ["127.0.0.1", "::1", "10.1.2.3", ""] * 3)
    assert [callers.begin(f"2001:db8::{k:x}") for k in range(1, 4)] == [True, True, False]  # one network, one client
    assert callers.begin("2001:db8:1::1")
    assert [callers.begin(f"::ffff:192.0.2.{k}") for k in (7, 7, 7, 8)] == [True, True, False, True]
    callers.end("192.0.2.1")
    callers.end("192.0.2.1")
    assert callers.begin("192.0.2.1")


def test_the_operator_is_told_how_to_reach_the_socket(tmp_path: Path) -> None:
    path = tmp_path / "s"
    server = started(tmp_path / "data", "--unix-socket", str(path))
    try:
        assert json.loads((server.data / "server.json").read_text())["url"] == f"unix:{path}"
        link = command("collector", "link", "--data", str(server.data))
        assert link.returncode == 0, link.stderr
        assert re.fullmatch(r"/enter/[\w-]{43}\n", link.stdout)
    finally:
        assert stopped(server) == 0
