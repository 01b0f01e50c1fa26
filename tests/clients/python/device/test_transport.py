"""Requests: to addresses that can be asked, in a time that ends, and nothing fetched that must come with the app."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress

import deniable_client
import pytest
from deniable_client import ParameterError
from deniable_client.device import transport
from deniable_client.device.transport import MOST_REPLY, request
from tests.clients.python.device.test_device import ENDPOINT
from tests.clients.stub import Planned, Stub
from tests.wire.generate.documents import samples

ONE = samples()["one question"]


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://a.example:99999",
        "https://a.example:0",
        "https://a.example:x",
        "https://a..example",
        f"https://{'a' * 64}.example",
        "https://a.example/a b",
        "https://a.example/\u00fc",
        "https://a.exa\nmple",
        "https://[a.example",
    ],
)
def test_an_address_that_cannot_be_asked_is_refused_at_once(endpoint: str) -> None:
    with pytest.raises(ParameterError, match=r"^endpoint must be"):
        deniable_client.open(endpoint, ONE.to_json())
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
                for _ in range(20):
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
    assert time.monotonic() - begun < 3


@pytest.mark.parametrize(("more", "given"), [(0, True), (1, False)])
def test_a_reply_is_as_long_as_a_door_or_a_receipt(more: int, given: bool) -> None:
    with Stub(ONE).running() as stub:
        stub.planned = [Planned(200, b" " * (MOST_REPLY + more))]
        assert (request(stub.url, "GET", "/") is not None) == given


def test_a_mode_is_read_before_anything_is_fetched() -> None:
    with Stub(ONE).running() as stub:
        with pytest.raises(ParameterError, match=r"^mode must be"):
            deniable_client.open(stub.url, ONE.digest, mode="Background")
        assert stub.asked == []
        assert deniable_client.open(stub.url, ONE.digest, mode="asked").survey.digest == ONE.digest


def test_a_survey_of_background_mode_is_not_fetched() -> None:
    text = json.dumps({**json.loads(ONE.to_json()), "mode": "background"})
    survey = deniable_client.open(ENDPOINT, text).survey
    with Stub(ONE).running() as stub:
        stub.planned = [Planned(200, survey.to_json().encode())]
        with pytest.raises(ParameterError, match=r"must come with the app"):
            deniable_client.open(stub.url, survey.digest)
