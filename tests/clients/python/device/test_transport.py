"""Requests: to addresses that can be asked, in a time that ends."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest
from deniable_client.device import transport
from deniable_client.device.transport import request


@pytest.mark.parametrize("endpoint", ["https://a.example:0", "https://a..example", "https://[a.example"])
def test_an_address_that_cannot_be_asked_is_no_reply(endpoint: str) -> None:
    assert request(endpoint, "GET", "/") is None


def test_a_request_that_cannot_be_written_is_no_reply() -> None:
    assert request("http://127.0.0.1:1", "GET", "/\u00fc") is None


@pytest.fixture
def dripping(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server whose headers never end: a byte every fifth of a second, under a time limit of one."""
    monkeypatch.setattr(transport, "TIMEOUT", 1.0)
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def drip() -> None:
            connection, _ = server.accept()
            with closing(connection):
                connection.sendall(b"HTTP/1.1 200 OK\r\nA: ")
                for _ in range(600):
                    time.sleep(0.2)
                    connection.sendall(b"a")

        def until_it_is_cut() -> None:
            with suppress(OSError):
                drip()

        threading.Thread(target=until_it_is_cut, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def test_a_reply_that_drips_is_none_once_the_time_is_over(dripping: str) -> None:
    begun = time.monotonic()
    assert request(dripping, "GET", "/") is None
    assert time.monotonic() - begun < 60
