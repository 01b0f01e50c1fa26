"""Bodies that are too large, too slow, too many, or something else than they seem."""

from __future__ import annotations

import gzip
import http.client
import select
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
from tests.collector.abuse.wire import (
    PATH,
    SURVEY,
    answers,
    check_alive,
    check_soon,
    connected,
    head,
    heard,
    holding_less,
    post,
    said,
    spent,
    statuses,
)
from tests.collector.servers import Server
from tests.collector.worlds import body_of
from tests.waiting import PATIENCE, until

from deniable.intake.http.bodies import MOST_FORM, ROOM, SMALL
from deniable.intake.http.guard import DISCARDED_A_SECOND
from deniable.intake.uploads import MOST_BYTES

MIB = 1 << 20
MOST_SPENT = 4.0
"""Seconds of processor time that no stranger's requests of a test may cost."""


def sent_until_refused(server: Server, head: bytes, piece: bytes, most: int) -> tuple[bytes, int]:
    """What comes back to a request that goes on and on, and how much of it could be sent."""
    sent = 0
    with connected(server) as connection:
        connection.sendall(head)
        try:
            while sent < most:
                connection.sendall(piece)
                sent += len(piece)
        except OSError:
            pass
        return heard(connection), sent


@pytest.fixture(autouse=True)
def nobody_else_notices(server: Server) -> Iterator[None]:
    """Whatever happens here: honest devices are served, and memory and processor time are bounded."""
    begun = spent(server)
    with holding_less(server, 2 * ROOM):
        yield
        check_alive(server)
    assert spent(server) - begun < MOST_SPENT


def test_ten_gigabytes_are_refused_before_they_are_read(server: Server) -> None:
    assert statuses(said(server, post(f"Content-Length: {10 * 1024**3}\r\n"))) == [413]


def test_who_sends_ten_gigabytes_all_the_same_is_cut_off(server: Server) -> None:
    keep = post(f"Content-Length: {10 * 1024**3}\r\n").replace(b"Connection: close\r\n", b"")
    _, sent = sent_until_refused(server, keep, bytes(MIB), 200 * MIB)
    assert sent < 100 * MIB  # what is not read may wait in the buffers of both ends


def test_a_body_without_an_end_is_refused_where_uploads_end(server: Server) -> None:
    before = answers(server)
    piece = b"10000\r\n" + bytes(0x10000) + b"\r\n"
    reply, sent = sent_until_refused(server, post("Transfer-Encoding: chunked\r\n"), piece, 200 * MIB)
    assert statuses(reply) in ([413], [])  # that more was on its way may take the reply with it
    assert MOST_BYTES - MIB < sent < 60 * MIB
    assert answers(server) == before


FORM = "Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n"


def test_a_form_is_refused_by_its_head(server: Server) -> None:
    """Its fields are in a code that takes three bytes for one: reading 16 MiB took 8 seconds and 1.3 GiB."""
    with holding_less(server, 40 * MIB):
        for path in ("/enter", "/new/draft/learn", "/s/none/enter"):
            enter = head("POST", path, f"{FORM}Content-Length: {MOST_BYTES}\r\n")
            assert statuses(said(server, enter, b"token=" + b"%41" * 5_000_000))[:1] in ([413], [303], [404])


def test_a_form_without_a_length_is_refused_where_forms_end(server: Server) -> None:
    enter = head("POST", "/enter", FORM + "Transfer-Encoding: chunked\r\n")
    reply, sent = sent_until_refused(server, enter, b"1000\r\n" + bytes(0x1000) + b"\r\n", 50 * MIB)
    assert statuses(reply) in ([413], [])
    assert sent < 40 * MIB
    assert statuses(said(server, head("POST", "/enter", f"{FORM}Content-Length: 8\r\n"), b"token=no")) == [401]


def test_small_bodies_that_do_not_end_are_counted_too(server: Server) -> None:
    """Each may hold what counts as small for free, and only so much more in all."""
    with holding_less(server, 300 * (MOST_FORM + SMALL) + 20 * MIB), ExitStack() as stack:
        for _ in range(300):
            connection = stack.enter_context(connected(server))
            connection.sendall(post(f"Content-Length: {MOST_FORM}\r\n") + bytes(MOST_FORM - 1))
        check_alive(server)


def test_a_gzip_bomb_is_neither_unpacked_nor_counted(server: Server) -> None:
    bomb = gzip.compress(bytes(64 * MIB))
    length = f"Content-Length: {len(bomb)}\r\n"
    assert statuses(said(server, post(length + "Content-Encoding: gzip\r\n"), bomb)) == [415]
    assert statuses(said(server, post(length), bomb)) == [400]
    assert statuses(said(server, post("Transfer-Encoding: gzip, chunked\r\n"), b"0\r\n\r\n")) == [400]


def test_chunks_in_tiny_pieces_are_an_upload_like_any_other(server: Server) -> None:
    pieces = b"".join(b"1;x=y\r\n%c\r\n" % byte for byte in body_of([1])) + b"0\r\n\r\n"
    assert statuses(said(server, post("Transfer-Encoding: chunked\r\n"), pieces)) == [200]


@pytest.mark.parametrize(
    "endless", [b"0" * 4096, b"1;" + b"x" * 4096, b"a: b\r\n" * 700], ids=["size", "extension", "trailer"]
)
def test_frames_of_chunks_have_an_end(server: Server, endless: bytes) -> None:
    begin = post("Transfer-Encoding: chunked\r\n") + (b"1\r\nx\r\n0\r\n" if endless.startswith(b"a") else b"")
    reply, sent = sent_until_refused(server, begin, endless, 50 * MIB)
    assert sent < 20 * MIB
    assert 200 not in statuses(reply)


def test_large_bodies_share_their_room_and_small_ones_need_none(server: Server) -> None:
    most = ROOM // (MOST_BYTES - MIB)
    with ExitStack() as stack:
        for _ in range(most):
            connection = stack.enter_context(connected(server))
            connection.sendall(post(f"Content-Length: {MOST_BYTES}\r\n") + bytes(MOST_BYTES - MIB))
        check_alive(server)
        late = said(server, post(f"Content-Length: {MOST_BYTES}\r\n"), bytes(MOST_BYTES - MIB))
        assert statuses(late) in ([503], [])
    length = 10 * MIB + 22
    until(lambda: statuses(said(server, post(f"Content-Length: {length}\r\n"), bytes(length))) == [400])


def test_a_body_that_drips_is_given_up(hasty: Server) -> None:
    with connected(hasty) as connection:
        connection.sendall(post("Content-Length: 1000\r\n"))
        while not select.select([connection], [], [], 0.1)[0]:
            connection.sendall(b"\0")
        check_alive(hasty)
        assert statuses(heard(connection)) == [503]


@pytest.mark.parametrize("begun", [b"", b"P", b"\r\n", b"GET /live HTTP/1.1\r\nHost: x\r\nX: "])
def test_a_request_that_does_not_come_is_not_waited_for(hasty: Server, begun: bytes) -> None:
    with connected(hasty) as connection:
        connection.sendall(begun)
        check_soon(lambda: statuses(heard(connection)) in ([], [408]))


def test_a_refused_body_is_not_read_for_ever(hasty: Server) -> None:
    with connected(hasty) as connection:
        connection.sendall(
            post(f"Content-Length: {10 * MIB}\r\n").replace(b"Connection: close\r\n", b"").replace(b"octet", b"other")
        )
        connection.sendall(bytes(MIB))
        check_soon(lambda: statuses(heard(connection)) in ([], [415]))


def test_what_broke_off_is_not_counted(server: Server) -> None:
    before = answers(server)
    with connected(server) as connection:
        connection.sendall(post("Content-Length: 24\r\n") + body_of([1]))
    assert said(server, post("Content-Length: 22\r\n"), body_of([1])) != b""  # an upload without its last byte
    assert answers(server) == before
    assert server.send(SURVEY, body_of([1])).status == 200


def test_a_client_that_sends_all_of_a_large_body_first_reads_the_refusal(server: Server) -> None:
    size = 40 << 20
    assert statuses(said(server, post(f"Content-Length: {size}\r\n"), *[bytes(1 << 20)] * 40)) == [413]
    where = urlsplit(server.url)
    connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=PATIENCE)
    connection.request("POST", PATH, bytes(size), {"Content-Type": "application/octet-stream"})
    assert connection.getresponse().status == 413
    connection.close()


def test_a_document_of_millions_of_values_is_refused_before_it_is_read(server: Server) -> None:
    body = b'{"a": [' + b"{}," * (MOST_BYTES // 3 - 10) + b"{}]}"
    with holding_less(server, 4 * MOST_BYTES):
        reply = server.ask("PUT", "/v1/surveys", body, server.operator)
    assert (reply.status, reply.json["detail"]) == (422, "a document must have at most 262,144 values, got more")
    check_alive(server)


def test_what_is_read_past_refusals_is_read_slowly_of_all_together(server: Server) -> None:
    """Sixty bodies of 16 MiB, most of them refused for want of room, held up uploads for more than a second."""
    size, several = 40 << 20, 4

    def refused() -> int:
        where = urlsplit(server.url)
        connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=PATIENCE)
        connection.request("POST", PATH, bytes(size), {"Content-Type": "application/other"})
        try:
            return connection.getresponse().status
        finally:
            connection.close()

    begun = time.monotonic()
    with ThreadPoolExecutor(several) as pool:
        assert {sent.result() for sent in [pool.submit(refused) for _ in range(several)]} == {415}
    assert time.monotonic() - begun > several * size / DISCARDED_A_SECOND - 1
