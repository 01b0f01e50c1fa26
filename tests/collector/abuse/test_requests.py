"""Tricks with heads and paths: each finds nothing, takes nothing, and gets one plain refusal."""

from __future__ import annotations

import time

import pytest
from tests.collector.abuse.wire import (
    PATH,
    SURVEY,
    TYPE,
    answers,
    check_alive,
    connected,
    head,
    heard,
    holding_less,
    post,
    said,
    statuses,
)
from tests.collector.servers import Server
from tests.collector.worlds import body_of

from deniable.intake.http.guard import MOST_LINE

MIB = 1 << 20
BODY = body_of([1])
LENGTH = f"Content-Length: {len(BODY)}\r\n"
START = f"/v1/surveys/{SURVEY.digest}"


UPGRADES = (
    "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n",
    "Connection: upgrade\r\nUpgrade: websocket\r\n",
    "Connection: keep-alive, UPGRADE\r\nUpgrade: foo\r\n",
)


def asking(more: str) -> bytes:
    """The head of an upload that says itself what is to become of the connection."""
    return f"POST {PATH} HTTP/1.1\r\nHost: x\r\n{TYPE}{more}\r\n".encode()


@pytest.mark.parametrize("more", UPGRADES)
@pytest.mark.parametrize("packets", [1, 2])
def test_an_upgrade_is_refused_for_now_and_its_body_is_no_request(server: Server, more: str, packets: int) -> None:
    """The body is another request, whose reply would be a secret; and no device takes the refusal for final."""
    inner = head("GET", "/live")
    before = answers(server)
    with connected(server) as connection:
        sent = [asking(f"{more}Content-Length: {len(inner)}\r\n"), inner]
        for part in sent if packets == 2 else [b"".join(sent)]:
            connection.sendall(part)
            time.sleep(0.2)
        reply = heard(connection)
    assert statuses(reply) == [400]
    assert b"text/plain" in reply
    assert b"problem" not in reply
    assert answers(server) == before
    check_alive(server)


def test_an_upgrade_after_another_request_is_not_answered_out_of_turn(server: Server) -> None:
    live = b"GET /live HTTP/1.1\r\nHost: x\r\n\r\n"
    assert statuses(said(server, live, asking(UPGRADES[0] + LENGTH), BODY, live)) in ([200, 400], [200], [])
    check_alive(server)


def test_a_request_names_one_host(server: Server) -> None:
    before = answers(server)
    assert statuses(said(server, post(f"Host: elsewhere.example\r\n{LENGTH}"), BODY)) == [400]
    assert answers(server) == before


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ("Content-Length: x\r\n", 400),
        ("Content-Length: -1\r\n", 400),
        ("Content-Length: +23\r\n", 400),
        ("Content-Length: 0x17\r\n", 400),
        ("Content-Length: 99999999999999999999999\r\n", 400),
        ("Content-Length: 999999999999999\r\n", 413),
        (LENGTH + LENGTH, 400),
        (LENGTH + "Transfer-Encoding: chunked\r\n", 400),
        ("Transfer-Encoding: chunked\r\n" + LENGTH, 400),
        ("Transfer-Encoding: chunked, identity\r\n", 400),
        ("Transfer-Encoding: xchunked\r\n", 400),
        ("Transfer-Encoding : chunked\r\n", 400),
        (LENGTH + "Content-Encoding: gzip\r\n", 415),
        (LENGTH + "Content-Encoding: identity\r\n", 415),
        (LENGTH + "Content-Type: text/plain\r\n", 415),
        (LENGTH + "X\0Y: z\r\n", 400),
        (LENGTH + "X: \r\n\r\n", 400),
    ],
)
def test_heads_that_say_something_else_take_nothing(server: Server, more: str, status: int) -> None:
    before = answers(server)
    # what follows a body of another length must never be a request of its own
    reply = said(server, post(more), BODY if status != 400 else b"\0" * 30, head("GET", "/live"))
    assert statuses(reply)[:1] == [status]
    assert b"Traceback" not in reply
    assert answers(server) == before
    check_alive(server)


def test_a_request_within_a_request_is_not_answered(server: Server) -> None:
    inner = head("GET", "/live")
    hidden = post(f"Content-Length: {len(inner)}\r\nTransfer-Encoding: chunked\r\n") + b"0\r\n\r\n" + inner
    assert statuses(said(server, hidden)) == [400]
    within = post(f"Content-Length: {len(inner)}\r\n") + inner
    assert statuses(said(server, within)) == [400]  # one reply: the inner request is a body, and no upload


def test_requests_in_one_go_are_answered_in_their_order(server: Server) -> None:
    keep = post(LENGTH).replace(b"Connection: close\r\n", b"")
    bodies = [body_of([number % 4]) for number in range(20)]
    reply = said(server, b"".join(keep + body for body in bodies), head("GET", START + "/periods"))
    assert statuses(reply) == [200] * 20 + [401]


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"])
def test_uploads_are_posted_and_nothing_is_echoed(server: Server, method: str) -> None:
    reply = said(server, head(method, PATH, "X-Canary: squeak\r\n"))
    assert statuses(reply) == [405]
    assert b"squeak" not in reply
    assert b"allow: POST, OPTIONS" in reply


def test_older_and_stranger_requests_get_an_answer(server: Server) -> None:
    assert statuses(said(server, head("POST", PATH, TYPE + LENGTH, "1.0"), body_of([1]))) == [200]
    assert statuses(said(server, head("GET", "http://elsewhere.example/live"))) == [200]
    assert statuses(said(server, head("GET", "/live", "Upgrade: websocket\r\nConnection: Upgrade\r\n"))) == [200]
    assert statuses(said(server, head("CONNECT", "elsewhere.example:443"))) == [400]
    assert statuses(said(server, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")) == [400]
    assert statuses(said(server, b"\x16\x03\x01\x02\0\x01\0")) == [400]


def test_the_body_of_a_reply_to_head_is_not_sent(server: Server) -> None:
    reply = said(server, head("HEAD", START))
    assert statuses(reply) == [200]
    assert f"content-length: {len(SURVEY.document)}".encode() in reply
    assert reply.endswith(b"\r\n\r\n")


@pytest.mark.parametrize(
    "path",
    [
        f"/{START}", f"{START}/", "/v1/status/", "/v1/surveys/../status", "/v1/surveys/%2e%2e/status",
        f"/v1/surveys/{SURVEY.digest.upper()}", f"/v1/surveys/{SURVEY.digest[:8]}", "/v1/surveys/%00",
        f"{START}%0a", f"{START}%2fdoor%00", f"{START}/periods/..%2f../tally", "/v1/names/%F0%28%8C%28",
        "/v1/names/%00", "/v1/names/" + "a" * 5000, "/v1/../../etc/passwd", "/static/..%5c..%5cserver.json",
        "/server.json", "*",
    ],
)  # fmt: skip
def test_strange_paths_lead_nowhere(server: Server, path: str) -> None:
    reply = said(server, head("GET", path, f"Authorization: Bearer {server.operator}\r\n"))
    assert statuses(reply) in ([404], [400])
    assert b"location" not in reply.lower()
    assert server.operator.encode() not in reply


@pytest.mark.parametrize(
    "period", ["once%00", "once%0a", "ONCE", "%2e%2e", "o%6ece%20", "2026-13", "0000-W00", "once/x"]
)
def test_strange_periods_take_nothing(server: Server, period: str) -> None:
    before = answers(server)
    path = f"{START}/periods/{period}/answers"
    assert statuses(said(server, post(LENGTH, path), BODY)) == [404]
    assert answers(server) == before


@pytest.mark.parametrize("host", ["[", "x/v1/surveys/abc?", "evil.example", "a b", "x@y", "\u00e9", ""])
def test_no_reply_hangs_on_the_host_that_is_asked_for(server: Server, host: str) -> None:
    for path, status in (("/v1/status", 401), ("/v1/status/", 404), ("/live", 200)):
        asked = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode("latin-1")
        reply = said(server, asked).lower()
        assert statuses(reply.upper()) == [status]
        assert b"access-control" not in reply
        assert b"location" not in reply


@pytest.mark.parametrize("begin", [b"GET /", b"GET / HTTP/1.1\r\nX: ", b"GET / HTTP/1.1\r\nHost: x\r\n"])
def test_a_head_without_an_end_is_cut_off_and_fills_no_memory(server: Server, begin: bytes) -> None:
    piece = b"a:b\r\n" * 1000 if begin.endswith(b"\n") else b"a" * 5000
    sent = 0
    with holding_less(server, 64 * MIB), connected(server) as connection:
        connection.sendall(begin)
        try:
            while sent < 50 * MIB:
                connection.sendall(piece)
                sent += len(piece)
        except OSError:
            pass
        assert 200 not in statuses(heard(connection))
    assert sent < 20 * MIB
    check_alive(server)


@pytest.mark.parametrize(
    ("path", "more", "found"),
    [
        ("/live?" + "x" * (MOST_LINE - 20), "", [200]),
        ("/live?" + "x" * MOST_LINE, "", [400]),
        ("/live", f"Accept-Language: {'a,' * (MOST_LINE // 2)}\r\n", [200]),
        ("/live", f"Accept-Language: {'a,' * (MOST_LINE // 2)}a\r\n", [400]),
        ("/live", f"Cookie: {'x' * (MOST_LINE + 1)}\r\n", [400]),
        ("/live", "".join(f"X-{number}: {'x' * (MOST_LINE - 10)}\r\n" for number in range(4)), [200]),
        ("/live", "".join(f"X-{number}: {'x' * MOST_LINE}\r\n" for number in range(4)), [400]),
    ],
)
def test_a_line_and_a_head_have_bounds(server: Server, path: str, more: str, found: list[int]) -> None:
    assert statuses(said(server, head("GET", path, more))) == found
