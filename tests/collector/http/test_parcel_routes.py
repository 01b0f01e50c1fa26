"""Parcels over HTTP: who may send one, what is refused before it is read, and what is said of one that came."""

from __future__ import annotations

import asyncio
import hashlib
import http.client
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from starlette.types import Message, Scope
from tests.collector.crowds import APART, LATER, LEAST, a_survey, many
from tests.collector.servers import BYTES, Reply, Server, put, started, stopped
from tests.collector.worlds import a_survey as a_plain_survey
from tests.collector.worlds import body_of

import deniable as dn
from deniable.collector.desk import Desk
from deniable.collector.http import parcel_routes
from deniable.collector.http.app import App
from deniable.collector.parcels import MOST_BYTES
from deniable.intake.access import OPERATOR, hash_of
from deniable.intake.storage.rows import Token
from deniable.intake.storage.sqlite import SqliteStore

ANSWERS = [0, 1, 1, 2, 3, 3, 3, 0]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A collector."""
    found = started(tmp_path_factory.mktemp("parcels") / "data", "--rate", "0")
    yield found
    assert stopped(found) == 0


def opened(server: Server, name: str, parties: dict[str, str] | None = None) -> dn.Survey:
    """A survey whose key the collector has just made."""
    key = server.ask("POST", "/v1/keys", b"", server.operator).json["key"]
    told = {"mixer": "http://127.0.0.1:9", "collector": server.url} if parties is None else parties
    return put(server, server.operator, a_survey(key, told, name=name, closes=LATER))


def path_of(survey: dn.Survey, period: str = "once") -> str:
    """Where its parcels go."""
    return f"/v1/surveys/{survey.digest}/periods/{period}/parcel"


def put_parcel(server: Server, survey: dn.Survey, body: bytes, token: str, query: str = "?withheld=0&codes=9") -> Reply:
    """Send a parcel."""
    return server.ask("PUT", path_of(survey) + query, body, token, Content_Type=BYTES)


def test_a_parcel_is_taken_and_told_of(server: Server) -> None:
    survey = opened(server, "taken")
    token, body = server.token("m-taken", "mixer", "taken"), b"".join(sorted(many(survey, ANSWERS)))
    assert server.ask("HEAD", path_of(survey), token=token).status == 404
    for _ in range(2):
        reply = put_parcel(server, survey, body, token)
        assert (reply.status, reply.json) == (200, {"answers": 8, "repeated": 0, "unreadable": 0})
    found = server.ask("HEAD", path_of(survey), token=token)
    assert (found.status, found.headers["ETag"]) == (200, f'"{hashlib.sha256(body).hexdigest()}"')
    assert put_parcel(server, survey, body[: len(body) // 8 * 7], token).kind == "conflict"


def test_only_the_mixer_of_a_survey_and_an_admin_send_parcels(server: Server) -> None:
    survey = opened(server, "guarded")
    for scope, names in (("author", ()), ("reader", ("guarded",)), ("auditor", ("guarded",))):
        token = server.token(f"x-{scope}", scope, *names)
        assert server.ask("HEAD", path_of(survey), token=token).status in (403, 404)
        assert put_parcel(server, survey, b"", token, "?withheld=1").kind in ("scope", "unknown")
    other = server.token("m-other", "mixer", "another")
    assert put_parcel(server, survey, b"", other, "?withheld=1").kind == "unknown"
    assert put_parcel(server, survey, b"", "", "?withheld=1").kind == "token"
    own = server.token("m-own", "mixer", "guarded")
    assert put_parcel(server, survey, b"", own, "?withheld=1&codes=3").status == 200


def test_a_mixer_s_token_does_nothing_else_and_is_for_one_survey(server: Server) -> None:
    survey = opened(server, "narrow")
    token = server.token("m-narrow", "mixer", "narrow")
    start = f"/v1/surveys/{survey.digest}"
    for method, path in (
        ("GET", f"{start}/periods"), ("POST", f"{start}/close"), ("PUT", "/v1/surveys"), ("POST", "/v1/keys"),
        ("GET", "/v1/status"), ("GET", f"{start}/periods/once/tally"),
    ):  # fmt: skip
        assert server.ask(method, path, b"{}" if method != "GET" else None, token).status in (403, 404)
    for names in ([], ["one", "two"]):
        fields = json.dumps({"scope": "mixer", "surveys": names}).encode()
        assert server.ask("PUT", "/v1/tokens/m-all", fields, server.operator).kind == "malformed"


@pytest.mark.parametrize("query", ["?withheld=-1", "?withheld=x", f"?withheld={'1' * 20}", "?withheld=1&codes=1.5"])
def test_numbers_that_are_none_are_refused(server: Server, query: str) -> None:
    survey = opened(server, "numbers" + str(abs(hash(query)))[:6])
    assert put_parcel(server, survey, b"", server.operator, query).status == 422


def test_what_is_no_parcel_is_refused(server: Server) -> None:
    survey = opened(server, "shapes")
    token = server.operator
    assert put_parcel(server, survey, b"x", token).kind == "no-answer"
    assert put_parcel(server, survey, b"".join(many(survey, ANSWERS[: LEAST - 1])), token).kind == "no-answer"
    assert server.ask("PUT", path_of(survey), b"", token, Content_Type="text/plain").kind == "media-type"
    assert server.ask("PUT", path_of(survey, "2026-W31"), b"", token, Content_Type=BYTES).kind == "unknown"
    gone = f"/v1/surveys/{'0' * 64}/periods/once/parcel"
    assert server.ask("PUT", gone, b"", token, Content_Type=BYTES).kind == "unknown"
    assert server.ask("HEAD", gone, token=token).status == 404
    plain = put(server, token, a_plain_survey("plain"))
    assert put_parcel(server, plain, bytes(99), token).kind == "no-answer"


def test_a_parcel_that_is_too_large_is_refused_by_its_head(server: Server) -> None:
    survey, where = opened(server, "large"), urlsplit(server.url)
    with closing(http.client.HTTPConnection(str(where.hostname), where.port)) as connection:
        connection.putrequest("PUT", path_of(survey))
        for name, value in (("Authorization", f"Bearer {server.operator}"), ("Content-Type", BYTES)):
            connection.putheader(name, value)
        connection.putheader("Content-Length", str(MOST_BYTES + 1))
        connection.endheaders()
        assert connection.getresponse().status == 413


def test_a_parcel_that_goes_on_and_on_is_refused_where_it_becomes_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever its head says of its length; nothing of it is left."""
    monkeypatch.setattr(parcel_routes, "MOST_BYTES", 1 << 16)
    operator = Token(OPERATOR, hash_of("secret"), "admin", (), OPERATOR)
    app = App(lambda: SqliteStore(tmp_path / "data"), operator, 0, None, keys=tmp_path / "keys")
    app.collector.start()
    app.beside.start()
    try:
        survey = a_survey(app.crowds.keys.make())
        Desk(app.collector, app.keeper, app.crowds).put(survey, "ann")
        assert asyncio.run(flooded(app, path_of(survey))) == (413, 5)
    finally:
        app.beside.stop()
        app.collector.stop()


async def flooded(app: App, path: str) -> tuple[int, int]:
    """The status of a reply to pieces of 16 KiB without an end, and how many of them were read."""
    headers = [(b"authorization", b"Bearer secret"), (b"content-type", BYTES.encode())]
    scope: Scope = {
        "type": "http", "http_version": "1.1", "method": "PUT", "scheme": "http", "path": path, "root_path": "",
        "query_string": b"", "headers": headers, "server": ("localhost", 80), "client": ("127.0.0.1", 1),
    }  # fmt: skip
    said, read = list[Message](), list[int]()

    async def receive() -> Message:
        read.append(1)
        return {"type": "http.request", "body": bytes(1 << 14), "more_body": True}

    async def send(message: Message) -> None:
        said.append(message)

    await app(scope, receive, send)
    return int(said[0]["status"]), len(read)


def test_a_survey_of_a_collector_elsewhere_is_not_served(server: Server) -> None:
    key = server.ask("POST", "/v1/keys", b"", server.operator).json["key"]
    survey = a_survey(key, APART, name="elsewhere", closes=LATER)
    refused = server.ask("PUT", "/v1/surveys", survey.document, server.operator, Host="other.example")
    assert (refused.status, "the collector that serves the survey" in refused.json["detail"]) == (422, True)
    assert server.ask("PUT", "/v1/surveys", survey.document, server.operator, Host="ask.example").status == 201


def test_its_own_door_is_shut(server: Server) -> None:
    survey = opened(server, "shut")
    start = f"/v1/surveys/{survey.digest}"
    for reply in (
        server.ask("GET", f"{start}/door"), server.ask("GET", f"{start}/invitation"), server.send(survey, body_of([1])),
    ):  # fmt: skip
        assert (reply.status, reply.kind) == (409, "elsewhere")
        assert "http://127.0.0.1:9" in reply.json["detail"]
    assert server.ask("GET", start).body == survey.document
    for path, body in (("close", b""), ("invitations", b'{"people": 2}')):
        assert server.ask("POST", f"{start}/{path}", body, server.operator).kind == "conflict"


def test_no_address_is_in_what_it_keeps_or_prints(server: Server) -> None:
    survey = opened(server, "silent")
    put_parcel(server, survey, b"", server.operator, "?withheld=2&codes=9")
    assert "127.0.0.1" not in server.log.read_text().replace(server.url, "")


def test_a_survey_s_status_says_what_became_of_it(server: Server) -> None:
    survey = opened(server, "status")
    put_parcel(server, survey, b"", server.operator, "?withheld=2&codes=9")
    [told] = [row for row in server.ask("GET", "/v1/status", token=server.operator).json if row["name"] == "status"]
    assert (told["crowd"]["key"], told["crowd"]["periods"][0]["withheld"]) == ("kept", 2)


@pytest.mark.skipif(not Path("/proc/self/limits").exists(), reason="the system does not tell")
def test_no_core_is_written_of_what_holds_keys(server: Server) -> None:
    limits = Path(f"/proc/{server.process.pid}/limits").read_text().splitlines()
    [core] = [line.split() for line in limits if line.startswith("Max core file size")]
    assert core[4:6] == ["0", "0"]


def folder_of(server: Server) -> Path:
    """Where its keys are."""
    return server.data / "keys"


def test_keys_are_for_their_owner_alone(server: Server) -> None:
    opened(server, "modes")
    assert {path.stat().st_mode & 0o777 for path in folder_of(server).iterdir()} == {0o600}
    assert folder_of(server).stat().st_mode & 0o777 == 0o700
