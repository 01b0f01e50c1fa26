"""The collector over HTTP, as a process of its own: what devices, authors, readers, auditors and admins get."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.collector.commands import command
from tests.collector.servers import Server, put, released, started, stopped
from tests.collector.worlds import a_survey, body_of
from tests.house.house_tree import ROOT

import deniable as dn
from deniable import protocol
from deniable.surveys.tally import SurveyTally


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A collector for all tests of this file, each with surveys of its own."""
    found = started(tmp_path_factory.mktemp("collector") / "data", "--rate", "0")
    yield found
    assert stopped(found) == 0


def test_a_survey_is_put_once_and_served_to_the_byte(server: Server, author: str) -> None:
    survey = a_survey("served")
    body = json.dumps(json.loads(survey.document), indent=3).replace('"epsilon": 1.0', '"epsilon": 1').encode()
    made = server.ask("PUT", "/v1/surveys", body, author)
    assert (made.status, made.json) == (201, {"name": "served", "digest": survey.digest})
    assert server.ask("PUT", "/v1/surveys", survey.document, author).status == 200
    document = server.ask("GET", f"/v1/surveys/{survey.digest}")
    assert document.body == survey.document
    assert "immutable" in document.headers["Cache-Control"]
    [version] = server.ask("GET", "/v1/names/served").json
    assert version["digest"] == survey.digest
    other = server.token("bob", "author")
    assert server.ask("PUT", "/v1/surveys", a_survey("served", title="Other").document, other).kind == "conflict"


def test_a_device_answers_from_end_to_end(server: Server, author: str) -> None:
    survey = put(server, author, a_survey("device"))
    device = protocol.open(server.url, survey.digest)
    device.consent().grant(device.survey.sentences)
    device.answer({"way": "bus"})
    [receipt] = device.flush()
    assert (receipt.state, receipt.period) == ("sent", "once")
    door = server.ask("GET", f"/v1/surveys/{survey.digest}/door")
    assert door.json["periods"] == [{"period": "once", "opens": None, "closes": None}]
    assert door.headers["Cache-Control"] == "no-store"
    assert door.headers["Access-Control-Allow-Origin"] == "*"


def test_uploads_are_answered_as_wire_says(server: Server, author: str) -> None:
    survey = put(server, author, a_survey("uploads"))
    body = body_of([1])
    for _ in range(2):
        reply = server.send(survey, body)
        assert (reply.status, reply.json) == (200, {"answers": 1})
    found = {
        server.send(survey, body[:-1] + b"\2").kind: 409,
        server.send(survey, b"short").kind: 400,
        server.send(survey, body_of([9])).kind: 422,
        server.send(survey, body_of([0]), period="2026-08-03").kind: 404,
        server.send(a_survey("not here"[:3]), body_of([0])).kind: 404,
        server.send(survey, body_of([0]), Content_Type="text/plain").kind: 415,
        server.send(survey, body_of([0]), Content_Encoding="gzip").kind: 415,
        server.send(survey, body_of([0] * 100_001)).kind: 413,
    }
    assert found == {
        "other-bytes": 409, "malformed": 400, "no-answer": 422, "unknown": 404, "media-type": 415, "too-large": 413,
    }  # fmt: skip


def test_browsers_may_ask_from_any_page_but_only_what_devices_ask(server: Server, author: str) -> None:
    survey = put(server, author, a_survey("cors"))
    start = f"/v1/surveys/{survey.digest}"
    for path in (start, f"{start}/door", f"{start}/periods/once/answers"):
        preflight = server.ask("OPTIONS", path)
        assert preflight.status == 204
        assert preflight.headers.get_all("Access-Control-Allow-Origin") == ["*"]
        assert "POST" in preflight.headers["Access-Control-Allow-Methods"]
    for path in (f"{start}/periods", "/v1/surveys", "/v1/status"):
        assert "Access-Control-Allow-Origin" not in server.ask("OPTIONS", path).headers
        assert "Access-Control-Allow-Origin" not in server.ask("GET", path, token=author).headers


def test_each_scope_may_do_what_it_is_for_and_nothing_else(server: Server, author: str) -> None:
    survey = put(server, author, a_survey("scopes"))
    server.send(survey, body_of([1]))
    tokens = {
        "author": author, "reader": server.token("rae", "reader"), "auditor": server.token("aud", "auditor"),
        "admin": server.operator, "other author": server.token("eve", "author"),
        "reader of another": server.token("ray", "reader", "something-else"), "nobody": "",
    }  # fmt: skip
    start = f"/v1/surveys/{survey.digest}"
    asked = {
        "periods": ("GET", f"{start}/periods"), "tally": ("GET", f"{start}/periods/once/tally"),
        "export": ("GET", f"{start}/periods/once/answers.parquet"), "status": ("GET", "/v1/status"),
        "recount": ("POST", f"{start}/periods/once/recount"), "close": ("POST", f"{start}/close"),
    }  # fmt: skip
    found = {
        who: {
            what for what, (method, path) in asked.items() if server.ask(method, path, token=token).status in (200, 409)
        }
        for who, token in tokens.items()
    }
    everything = set(asked)
    assert found == {
        "author": everything - {"export", "status"}, "reader": {"periods", "tally"},
        "auditor": {"periods", "tally", "export", "recount"}, "admin": everything,
        "other author": set(), "reader of another": set(), "nobody": set(),
    }  # fmt: skip
    assert server.ask("GET", f"{start}/periods", token=tokens["other author"]).kind == "unknown"
    assert server.ask("POST", f"{start}/close", token=tokens["reader"]).kind == "scope"
    assert server.ask("GET", "/v1/status", token=tokens["nobody"]).kind == "token"


def test_readers_see_a_snapshot_and_authors_every_answer(server: Server, author: str) -> None:
    survey = put(server, author, a_survey("numbers", minimum=5))
    reader = server.token("reader-of-numbers", "reader", "numbers")
    server.send(survey, body_of([1, 2, 3, 0]))
    path = f"/v1/surveys/{survey.digest}/periods"
    [exact] = server.ask("GET", path, token=author).json
    [shown] = server.ask("GET", path, token=reader).json
    assert exact == {"period": "once", "state": "open", "answers": 4, "minimum": 5}
    assert shown == {**exact, "answers": 0}
    refused = server.ask("GET", f"{path}/once/estimate.json", token=reader)
    assert (refused.kind, refused.json["title"]) == ("withheld", "Too few answers have been counted")


def test_a_closed_survey_is_released_exported_and_counted_to_the_same(
    server: Server, author: str, tmp_path: Path
) -> None:
    survey = put(server, author, a_survey("released", minimum=3, grace=0))
    answers = [0, 1, 1, 2, 3, 3]
    server.send(survey, body_of(answers))
    start = f"/v1/surveys/{survey.digest}"
    released(server, survey, author)
    tally = server.ask("GET", f"{start}/periods/once/tally", token=author)
    expected = survey.tally([bytes([answer]) for answer in answers])
    assert SurveyTally.from_bytes(tally.body) == expected
    assert tally.headers["X-Deniable-Note"] == "closed by hand at 6"
    found = server.ask("GET", f"{start}/periods/once/estimate.json", token=author).json
    assert found["questions"]["way"]["frequency"] == pytest.approx(
        survey.estimate(expected)["way"].frequencies.tolist()
    )
    table = server.ask("GET", f"{start}/periods/once/estimate.csv", token=author).body.decode().splitlines()
    assert [line.split(",")[:2] for line in table[1:]] == [["way", label] for label in ("car", "bus", "bike", "foot")]
    assert server.ask("POST", f"{start}/periods/once/recount", token=author).json == {
        "answers": 6, "kept": True, "same": True,
    }  # fmt: skip
    folder = tmp_path / "answers"
    done = command("collector", "export", "released", "--data", str(server.data), "--out", str(folder))
    assert done.returncode == 0, done.stderr
    assert dn.files.tally_survey_files([folder]) == expected
    assert server.ask("GET", f"{start}/door").kind == "closed"


def test_invited_people_answer_once(server: Server, author: str) -> None:
    survey = put(server, author, a_survey("invited"))
    path = f"/v1/surveys/{survey.digest}/invitations"
    codes = server.ask("POST", path, b'{"people": 2}', author).json["codes"]
    assert len(set(codes)) == 2
    body = body_of([1])
    assert server.send(survey, body).kind == "invitation"
    for _ in range(2):
        assert server.send(survey, body, Authorization=f"Invitation {codes[0]}").status == 200
    assert server.send(survey, body_of([1]), Authorization=f"Invitation {codes[0]}").kind == "invitation"
    typed = codes[1].lower().replace("-", " ")
    assert server.send(survey, body_of([1]), Authorization=f"Invitation {typed}").status == 200
    assert server.send(survey, body_of([1]), Authorization=f"Invitation {codes[1]}").kind == "invitation"
    late = put(server, author, a_survey("invited-late"))
    server.send(late, body_of([1]))
    path = f"/v1/surveys/{late.digest}/invitations"
    assert server.ask("POST", path, b'{"people": 2}', author).kind == "conflict"
    assert server.ask("POST", path, b'{"people": 0}', author).kind == "malformed"
    assert server.ask("POST", path, b"[]", author).kind == "malformed"


def test_a_page_may_ask_whether_an_invitation_is_good_without_spending_it(server: Server, author: str) -> None:
    survey, other = (put(server, author, a_survey(name)) for name in ("looked-at", "looked-at-too"))
    made = server.ask("POST", f"/v1/surveys/{survey.digest}/invitations", b'{"people": 1}', author)
    [code] = made.json["codes"]
    time.sleep(1.1)  # a survey is read anew after a second

    def state(digest: str, written: str) -> Any:
        reply = server.ask("GET", f"/v1/surveys/{digest}/invitation", Authorization=f"Invitation {written}")
        assert reply.headers["Cache-Control"] == "no-store"
        assert reply.headers["Access-Control-Allow-Origin"] == "*"
        return reply.json.get("state") or reply.kind

    assert [state(survey.digest, code) for _ in range(2)] == ["unused", "unused"]
    assert state(survey.digest, "made up") == "unknown"
    assert state(other.digest, code) == "unknown"
    assert server.send(survey, body_of([1]), Authorization=f"Invitation {code}").status == 200
    assert state(survey.digest, code) == "spent"
    assert server.ask("GET", f"/v1/surveys/{survey.digest}/invitation").json == {"state": "missing"}
    assert state("0" * 64, code) == "unknown", "of no survey, as a problem"
    asked = [state(survey.digest, code) for _ in range(40)]
    assert set(asked) == {"spent", "busy"}, "nobody tries codes without an end"


def test_the_description_is_served_and_says_every_route(server: Server) -> None:
    served = server.ask("GET", "/v1/openapi.json").body
    assert served == (ROOT / "wire" / "openapi.json").read_bytes()
    assert server.ask("GET", "/live").body == b"live\n"
    assert server.ask("GET", "/ready").body == b"ready\n"
    assert b"deniable_uploads_total" in server.ask("GET", "/metrics").body
    assert server.ask("GET", "/nothing/here").kind == "unknown"
    assert server.ask("DELETE", "/v1/surveys").status == 405


def test_a_token_can_be_replaced_and_deleted(server: Server) -> None:
    first = server.token("temporary", "reader")
    second = server.token("temporary", "admin")
    assert server.ask("GET", "/v1/status", token=first).kind == "token"
    assert server.ask("GET", "/v1/status", token=second).status == 200
    assert server.ask("DELETE", "/v1/tokens/temporary", token=second).status == 204
    assert server.ask("GET", "/v1/status", token=second).kind == "token"
    assert server.ask("PUT", "/v1/tokens/x", b'{"scope": "king"}', server.operator).kind == "malformed"
    assert server.ask("PUT", "/v1/tokens/UPPER", b'{"scope": "reader"}', server.operator).kind == "malformed"


def test_a_backup_is_a_storage_that_says_that_answers_may_be_missing(
    server: Server, author: str, tmp_path: Path
) -> None:
    survey = put(server, author, a_survey("backed-up", minimum=1))
    server.send(survey, body_of([1]))
    made = server.ask("PUT", "/v1/backups/monday.sqlite", token=server.operator)
    assert made.status == 201
    assert server.ask("PUT", "/v1/backups/monday.sqlite", token=server.operator).kind == "conflict"
    assert server.ask("PUT", "/v1/backups/..%2Fx", token=server.operator).status in (404, 422)
    restored = tmp_path / "restored"
    restored.mkdir()
    Path(made.json["path"]).rename(restored / "collector.sqlite")
    again = started(restored)
    [row] = [row for row in again.ask("GET", "/v1/status", token=again.operator).json if row["name"] == "backed-up"]
    assert [(period["answers"], period["gaps"]) for period in row["periods"]] == [(1, True)]
    assert stopped(again) == 0


def test_the_files_are_private_and_a_second_collector_is_refused(server: Server) -> None:
    for path in [server.data, *server.data.glob("*")]:
        assert path.stat().st_mode & 0o077 == 0, path
    second = command("serve", "--data", str(server.data), "--port", "0")
    assert second.returncode != 0
    assert "another process" in second.stderr
    assert "Traceback" not in second.stderr
