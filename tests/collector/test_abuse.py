"""What strangers may try over the network: each gets a plain refusal, and nobody else notices."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.collector.test_http import Server, started, stopped
from tests.collector.test_sections import refusal_of
from tests.collector.worlds import a_survey, body_of

import deniable as dn
from deniable.errors import DenialError
from deniable.surveys.tally import SurveyTally

SURVEY = a_survey("abused")
PATH = f"/v1/surveys/{SURVEY.digest}/periods/once/answers"
TYPE = "Content-Type: application/octet-stream\r\n"
IDLE = 500


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A collector with a limit on what one address may send in a minute."""
    found = started(tmp_path_factory.mktemp("abused") / "data", "--rate", "600")
    assert found.ask("PUT", "/v1/surveys", SURVEY.document, found.operator).status == 201
    yield found
    assert stopped(found) == 0


def connected(server: Server) -> socket.socket:
    """A connection to the collector."""
    where = urlsplit(server.url)
    assert where.hostname is not None
    return socket.create_connection((where.hostname, where.port or 80), timeout=20)


def said(server: Server, *parts: bytes) -> bytes:
    """All that comes back until the connection ends, after these bytes."""
    with connected(server) as connection:
        try:
            for part in parts:
                connection.sendall(part)
        except OSError:  # it has hung up already
            pass
        found = b""
        try:
            while more := connection.recv(65536):
                found += more
        except (TimeoutError, ConnectionResetError):
            pass
        return found


def post(more: str, path: str = PATH) -> bytes:
    """The head of an upload, after which the connection is to be closed."""
    return f"POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{TYPE}{more}\r\n".encode()


def status(reply: bytes) -> int:
    """The status of a raw reply; 0 if there was none."""
    return int(reply.split(b" ", 2)[1]) if reply.startswith(b"HTTP/") else 0


def check_alive(server: Server) -> None:
    """Honest devices are served."""
    assert server.send(SURVEY, body_of([1])).status == 200


def test_ten_gigabytes_are_refused_before_they_are_read(server: Server) -> None:
    begun = time.monotonic()
    assert status(said(server, post(f"Content-Length: {10 * 1024**3}\r\n"))) == 413
    assert time.monotonic() - begun < 5
    check_alive(server)


def test_a_body_without_an_end_is_refused_where_uploads_end(server: Server) -> None:
    piece = b"10000\r\n" + bytes(0x10000) + b"\r\n"
    reply = said(server, post("Transfer-Encoding: chunked\r\n"), *[piece] * 300)
    assert status(reply) in (0, 413)  # the rest of what was sent may take the reply with it
    check_alive(server)


@pytest.mark.parametrize(
    "head",
    [
        "Content-Length: x\r\n",
        "Content-Length: -1\r\n",
        "Content-Length: 24\r\nContent-Length: 25\r\n",
        "Content-Length: 24\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip\r\n",
        "X: " + "y" * 200_000 + "\r\nContent-Length: 0\r\n",
        "Content-Length: 24\r\nContent-Encoding: gzip\r\n",
        "Content-Length: 24\r\nAuthorization: Invitation \u00e9\r\n",
        " folded: header\r\nContent-Length: 24\r\n",
    ],
    ids=range(9),
)
def test_tricks_with_headers_take_nothing(server: Server, head: str) -> None:
    before = server.ask("GET", "/v1/status", token=server.operator).json[0]["periods"]
    reply = said(server, post(head), b"\0" * 24)
    assert status(reply) in (0, 400, 411, 413, 415, 431, 501)
    assert b"Traceback" not in reply
    after = server.ask("GET", "/v1/status", token=server.operator).json[0]["periods"]
    assert after == before
    check_alive(server)


@pytest.mark.parametrize(
    "path",
    [
        "//v1/surveys/x", "/v1/surveys/../../etc/passwd", "/v1/surveys/%2e%2e/door", "/v1/surveys/%00/door",
        f"/v1/surveys/{SURVEY.digest.upper()}", f"/v1/surveys/{SURVEY.digest}%0a/door",
        f"/v1/surveys/{SURVEY.digest}/periods/..%2f../answers", f"/v1/surveys/{SURVEY.digest}/periods/once%00/answers",
        f"/v1/surveys/{SURVEY.digest}/periods/{'9' * 5000}/answers", "/v1/names/%F0%28%8C%28", "*", "/" + "a" * 60_000,
    ],
)  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "POST", "TRACE"])
def test_tricks_with_paths_find_nothing(server: Server, method: str, path: str) -> None:
    reply = said(server, f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert status(reply) in (0, 400, 404, 405, 415)
    assert b"Traceback" not in reply


def test_many_idle_connections_keep_nobody_waiting(server: Server) -> None:
    with ExitStack() as stack:
        for number in range(IDLE):
            connection = stack.enter_context(connected(server))
            connection.sendall(post("Content-Length: 100\r\n") if number % 2 else b"POST ")
        begun = time.monotonic()
        check_alive(server)
        assert time.monotonic() - begun < 5


def test_guessed_tokens_are_refused_more_and_more_curtly(server: Server) -> None:
    kinds = [server.ask("GET", "/v1/status", token=f"guess-{number}").status for number in range(40)]
    assert kinds[:30] == [401] * 30
    assert set(kinds[30:]) <= {401, 429}
    assert 429 in kinds[30:]
    assert server.ask("GET", "/v1/status", token=server.operator).status == 200


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "nul", "{}", '{"version": 1}', "[" * 100_000, '{"a":' * 50_000, '{"version": 1e999}',
        '{"version": NaN}',
        '{"name": "x", "name": "y"}', '{"name": "\\ud800"}', json.dumps({"version": 10**400}),
        SURVEY.to_json().replace('"weight":1', '"weight":-1'), SURVEY.to_json().replace('"skew":3600', '"skew":1e30'),
    ],
    ids=range(14),
)  # fmt: skip
def test_documents_that_are_none_are_refused_in_words(server: Server, text: str) -> None:
    reply = server.ask("PUT", "/v1/surveys", text.encode(), server.operator)
    assert reply.kind == "malformed"
    assert reply.status == 422
    assert len(reply.json["detail"]) < 2000


def test_one_address_that_sends_too_much_is_told_to_wait(server: Server) -> None:
    replies = (server.send(SURVEY, body_of([0])) for _ in range(3000))
    refused = next(reply for reply in replies if reply.status != 200)
    assert (refused.status, refused.kind) == (429, "busy")
    assert int(refused.headers["Retry-After"]) > 0


@given(st.binary(max_size=80))
def test_any_bytes_are_an_upload_or_refused(body: bytes) -> None:
    assert refusal_of(SURVEY, body) in {None, "malformed", "no-answer"}


@given(st.integers(0), st.integers(0, 255))
def test_a_changed_tally_is_refused(place: int, byte: int) -> None:
    written = bytearray(SURVEY.tally([b"\1", b"\2"]).to_bytes())
    if written[place % len(written)] == byte:
        return
    written[place % len(written)] = byte
    with pytest.raises(DenialError):
        SurveyTally.from_bytes(bytes(written), dn.Survey)
