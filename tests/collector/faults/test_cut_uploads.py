"""Uploads that break off: what did arrive may look like a whole upload, and is none."""

from __future__ import annotations

import socket
import struct
import time
from contextlib import closing

from tests.collector.faults.serving import Serving, path_of, send
from tests.collector.worlds import an_id

import deniable as dn

WAY, LATE = dn.OneOf("way", ["car", "bus"]), dn.OneOf("late", ["yes", "no"])
SURVEY = dn.Survey(
    "gateway",
    [WAY, LATE],
    [dn.Arm([dn.Part([one], dn.RandomizedResponse(list(one.labels), 1.0))]) for one in (WAY, LATE)],
)


def test_a_part_of_an_upload_is_not_taken_for_the_whole(serving: Serving) -> None:
    serving.start()
    assert serving.ask("PUT", "/v1/surveys", SURVEY.document)["digest"] == SURVEY.digest
    first, second = (struct.pack("<HI", arm, 3) + bytes([0, 1, 0]) for arm in (0, 1))
    for chunked in (False, True):
        body = an_id() + first + second
        broken_off(serving, body, len(body) - len(second), chunked)
        with closing(serving.connection()) as connection:
            assert send(connection, SURVEY, body) == 200
    [period] = serving.ask("GET", f"/v1/surveys/{SURVEY.digest}/periods")
    assert period["answers"] == 12
    assert serving.stop() == 0


def broken_off(serving: Serving, body: bytes, length: int, chunked: bool) -> None:
    """Send the first bytes of an upload, and hang up."""
    kind = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {len(body)}"
    head = f"POST {path_of(SURVEY)} HTTP/1.1\r\nHost: here\r\nContent-Type: application/octet-stream\r\n{kind}\r\n\r\n"
    sent = b"%x\r\n%s\r\n" % (length, body[:length]) if chunked else body[:length]
    host, port = serving.netloc.split(":")
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(head.encode() + sent)
    time.sleep(0.3)  # for the collector to notice
