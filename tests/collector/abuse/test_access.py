"""Tokens guessed, tokens at the wrong door, and addresses that ask too often or say that they are another."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.collector.abuse.conftest import serving
from tests.collector.abuse.wire import SURVEY
from tests.collector.commands import command
from tests.collector.servers import Reply, Server, put
from tests.collector.worlds import a_survey, body_of
from tests.waiting import until

from deniable.intake import access
from deniable.intake.http.application import OTHER_REQUESTS, WRONG_TOKENS
from deniable.intake.http.limits import HOUR, MINUTE, Rates
from deniable.intake.http.server import check_proxies
from deniable.protocol.errors import ParameterError

RATE = 12
"""Uploads a minute from one address: a slow machine sends them faster than it earns new ones."""


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A collector that takes few uploads a minute from an address, and believes nobody on what that is."""
    yield from serving(tmp_path_factory, "--rate", str(RATE))


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that believes a proxy on this machine."""
    yield from serving(tmp_path_factory, "--rate", str(RATE), "--trusted-proxy", "127.0.0.1")


def until_refused(ask: Callable[[int], Reply], rate: int = RATE) -> tuple[int, float]:
    """How many requests are taken until one is refused, and how many may be: those of a minute, and what time earns.

    Where an hour ends meanwhile an address has its minute again; collector and test have one clock.
    """
    begun, number = time.monotonic(), 0
    while (reply := ask(number)).status != 429 and number < 10 * rate:
        number += 1
    assert reply.kind == "busy"
    assert int(reply.headers["Retry-After"]) > 0
    ended = time.monotonic()
    return number, rate * (1 + ended // HOUR - begun // HOUR) + (ended - begun) * rate / MINUTE


def sent_from(server: Server, forwarded: str) -> Callable[[int], Reply]:
    """An upload whose proxy says that it comes from an address with a number in it."""

    def by_number(number: int) -> Reply:
        reply = server.send(SURVEY, body_of([0]), X_Forwarded_For=forwarded.format(number))
        assert reply.status in (200, 429)
        return reply

    return by_number


def test_an_address_is_not_what_a_stranger_says_it_is(limited: Server) -> None:
    taken, most = until_refused(sent_from(limited, "10.0.0.{}"))
    assert RATE - 1 <= taken <= most


def test_a_trusted_proxy_tells_addresses_apart(proxied: Server) -> None:
    taken, most = until_refused(sent_from(proxied, "192.0.2.1"))
    assert RATE <= taken <= most
    other = sent_from(proxied, "192.0.2.2")
    assert [other(number).status for number in range(5)] == [200] * 5
    for forwarded in (
        "{0}.9.9.9, 192.0.2.3",  # what the client itself said before
        "2001:db8::{:x}",  # one client has 2^64 of these addresses
    ):
        taken, most = until_refused(sent_from(proxied, forwarded))
        assert RATE <= taken <= most


def test_what_a_proxy_on_this_machine_passes_on_is_not_near(limited: Server, proxied: Server) -> None:
    for server in (limited, proxied):
        assert server.ask("GET", "/metrics").status == 200
        assert server.ask("GET", "/metrics", X_Forwarded_For="127.0.0.1").status in (401, 429)
        assert server.ask("GET", "/metrics", Forwarded="127.0.0.1").status in (401, 429)
        assert server.ask("GET", "/metrics", Via="127.0.0.1").status in (401, 429)


def test_other_requests_are_limited_before_the_storage_is_read(proxied: Server) -> None:
    path, who = f"/v1/surveys/{'0' * 64}", "198.51.100.7"

    def ask(_number: int) -> Reply:
        reply = proxied.ask("GET", path, X_Forwarded_For=who)
        assert reply.status in (404, 429)
        return reply

    taken, most = until_refused(ask, OTHER_REQUESTS * RATE)
    assert OTHER_REQUESTS * RATE <= taken <= most
    refused = proxied.ask("GET", path, X_Forwarded_For=who)
    assert refused.headers["Access-Control-Allow-Origin"] == "*"
    assert proxied.ask("GET", "/live").status == 200


def test_guessed_tokens_are_refused_more_and_more_curtly(proxied: Server) -> None:
    who = "198.51.100.8"

    def guess(number: int) -> Reply:
        return proxied.ask("GET", "/v1/status", token=f"guess-{number}", X_Forwarded_For=who)

    taken, most = until_refused(guess, WRONG_TOKENS)
    assert WRONG_TOKENS <= taken <= most
    assert proxied.ask("GET", "/v1/status", token=proxied.operator).status == 200


@pytest.mark.parametrize(
    "said", ["Basic {}", "bearer {}", "Bearer  {}", "Bearer {} ", "{}", "Bearer {}x", "Invitation {}"]
)
def test_a_token_is_read_in_one_way_only(server: Server, said: str) -> None:
    assert server.ask("GET", "/v1/status", Authorization=said.format(server.operator)).status == 401


def test_whose_survey_it_is_not_finds_none(server: Server) -> None:
    author, other = server.token("ann", "author"), server.token("eve", "author")
    reader, strange = server.token("rae", "reader", "guarded"), server.token("ray", "reader", "another")
    survey = put(server, author, a_survey("guarded"))
    server.send(survey, body_of([1]))
    start = f"/v1/surveys/{survey.digest}"
    for method, path in (
        ("POST", "/close"),
        ("POST", "/delete"),
        ("POST", "/periods/once/recount"),
        ("GET", "/periods"),
        ("POST", "/invitations"),
    ):
        for token in (other, strange):
            assert server.ask(method, start + path, b'{"people": 1}' * (method == "POST"), token).kind == "unknown"
    assert server.ask("POST", start + "/close", token=reader).kind == "scope"
    assert server.ask("POST", start + "/delete", b'{"title": "guarded"}', reader).kind == "scope"
    assert server.ask("PUT", "/v1/surveys", a_survey("new").document, reader).kind == "scope"
    assert server.ask("PUT", "/v1/surveys", a_survey("guarded", title="Mine").document, other).kind == "conflict"
    assert server.ask("GET", f"{start}/periods/once/answers.parquet", token=author).kind == "scope"
    for method, path in (
        ("GET", "/v1/status"),
        ("PUT", "/v1/backups/x"),
        ("POST", "/v1/clock"),
        ("DELETE", "/v1/tokens/ann"),
    ):
        assert server.ask(method, path, token=author).kind == "scope"


def test_refusals_of_made_up_periods_fill_no_storage(server: Server) -> None:
    for number in range(40):
        path = f"/v1/surveys/{SURVEY.digest}/periods/stranger-{number}/answers"
        assert server.ask("POST", path, b"x", Content_Type="text/plain").kind == "media-type"
    refused = until(lambda: server.ask("GET", "/v1/status", token=server.operator).json[0]["refused"], 0.1)
    assert {row["period"] for row in refused} == {""}


@pytest.mark.parametrize("place", [0, 5, 9, None])
def test_as_much_is_compared_whichever_token_it_is(place: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [access.make_token(f"t{number}", "reader") for number in range(10)]
    compared: list[int] = []

    def compare(known: bytes, guessed: bytes) -> bool:
        compared.append(len(known))
        return hmac.compare_digest(known, guessed)

    monkeypatch.setattr(access, "hmac", SimpleNamespace(compare_digest=compare))
    found = access.bearer_of([token for token, _ in made], "guess" if place is None else made[place][1])
    assert found == (None if place is None else made[place][0])
    assert compared == [32] * 10


@pytest.mark.parametrize("proxy", ["*", "0.0.0.0/0", "::/0", "localhost", "10.0.0.300", ""])
def test_everybody_is_no_trusted_proxy(proxy: str) -> None:
    with pytest.raises(ParameterError, match="a trusted proxy must be"):
        check_proxies([proxy])
    assert list(check_proxies(["10.0.0.0/8", "::1"])) == ["10.0.0.0/8", "::1"]


def test_rates_neither_tell_networks_apart_nor_mix_addresses() -> None:
    rates = Rates(2, lambda: 0.0)
    assert [rates.allow(f"2001:db8::{number}") for number in range(3)] == [True, True, False]
    assert rates.allow("2001:db8:0:1::1")
    assert [rates.allow(f"10.0.0.{number}") for number in range(3)] == [True] * 3
    assert [rates.allow(f"::ffff:10.0.1.{number}") for number in range(3)] == [True] * 3
    assert [rates.allow("unknown") for _ in range(3)] == [True, True, False]


def test_a_collector_that_trusts_everybody_does_not_start(tmp_path: Path) -> None:
    found = command("serve", "--data", str(tmp_path / "data"), "--trusted-proxy", "0.0.0.0/0")
    assert found.returncode != 0
    assert "which is everybody" in found.stderr
    assert not (tmp_path / "data").exists()


def test_auditors_do_not_read_the_number_of_answers_of_an_open_period_off_a_recount(server: Server) -> None:
    author, auditor = server.token("nia", "author"), server.token("aude", "auditor")
    survey = put(server, author, a_survey("still-open", minimum=1, grace=0))
    server.send(survey, body_of([1, 2]))
    path = f"/v1/surveys/{survey.digest}/periods/once/recount"
    refused = server.ask("POST", path, token=auditor)
    assert refused.kind == "not-closed"
    assert "2" not in refused.json["detail"]
    assert server.ask("POST", path, token=author).json["answers"] == 2
    assert server.ask("POST", f"/v1/surveys/{survey.digest}/close", token=author).status == 200
    until(lambda: server.ask("POST", path, token=auditor).status == 200, 0.1)


def test_no_reply_of_the_interface_is_kept_or_guessed_at(server: Server) -> None:
    survey = put(server, server.operator, a_survey("not-kept"))
    start, token = f"/v1/surveys/{survey.digest}", server.operator
    for method, path, status in (
        ("PUT", "/v1/tokens/kim", 201),
        ("GET", "/v1/status", 200),
        ("GET", f"{start}/periods", 200),
        ("GET", f"{start}/periods/once/tally", 404),
        ("GET", "/v1/nothing", 404),
    ):
        reply = server.ask(method, path, b'{"scope": "reader"}' * (method == "PUT"), token)
        assert reply.status == status
        assert reply.headers["Cache-Control"] == "no-store"
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
    document = server.ask("GET", start)
    assert document.headers["X-Content-Type-Options"] == "nosniff"
    assert document.headers["Cache-Control"] != "no-store"
