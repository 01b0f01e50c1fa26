"""A mixer in a process of its own that is killed as it takes and as it sends: nothing is lost, doubled or changed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.collector.servers import Server
from tests.mixer.servers import killed, mixing
from tests.mixer.worlds import Collected, a_survey, opened, sealed, upload_of
from tests.waiting import until

import deniable as dn

ANSWERS = (0, 1, 1, 2, 3, 3, 2, 0)


def send(server: Server, survey: dn.Survey, uploads: Sequence[bytes], codes: Sequence[str]) -> list[int]:
    """Hand in uploads; their statuses."""
    return [
        server.send(survey, upload, Authorization=f"Invitation {code}").status
        for upload, code in zip(uploads, codes, strict=True)
    ]


def allowed(server: Server, survey: dn.Survey) -> list[str]:
    """Codes to a survey that is allowed, which devices find there."""
    headers, start = {"deniable_token": "a token"}, f"/v1/surveys/{survey.digest}"
    assert server.ask("PUT", "/v1/surveys", survey.document, server.operator, **headers).status == 201
    asked = json.dumps({"people": len(ANSWERS)}).encode()
    codes: list[str] = server.ask("POST", f"{start}/invitations", asked, server.operator).json["codes"]
    assert server.ask("GET", start).body == survey.document
    door = server.ask("GET", f"{start}/door").json
    assert ([each["period"] for each in door["periods"]], door["enough"]) == (["once"], {"once": False})
    asked_of = server.ask("GET", f"{start}/invitation", Authorization=f"Invitation {codes[0]}")
    assert asked_of.json == {"state": "unused"}
    return codes


def test_a_mixer_that_is_killed_hands_over_each_answer_once_in_the_same_bytes(
    tmp_path: Path, collected: Collected
) -> None:
    closes = datetime.now(UTC) + timedelta(days=1)
    survey = a_survey(collected.url, closes=closes.strftime("%Y-%m-%dT%H:%M:%SZ"))
    server = mixing(tmp_path / "data", 0)
    port, codes = int(server.url.rpartition(":")[2]), allowed(server, survey)
    bodies = [sealed(survey, answer) for answer in ANSWERS]
    uploads = [upload_of(body) for body in bodies]
    assert send(server, survey, uploads[:4], codes[:4]) == [200] * 4
    killed(server)
    server = mixing(tmp_path / "data", port)
    assert send(server, survey, uploads, codes) == [200] * len(uploads)
    collected.failing = lambda number: 503 if number <= 2 else None
    assert server.ask("POST", f"/v1/surveys/{survey.digest}/close", token=server.operator).status == 200
    until(lambda: len(collected.puts) >= 1, 0.1)
    killed(server)
    server = mixing(tmp_path / "data", port)
    until(lambda: bool(collected.taken), 0.1)
    assert {put.body for put in collected.puts} == {b"".join(sorted(bodies))}
    assert opened(survey, collected.puts[-1].body) == sorted(ANSWERS)
    until(lambda: state_of(server) == "released", 0.1)
    assert server.ask("GET", "/v1/status").status == 401
    assert send(server, survey, [upload_of(bodies[0])], codes[:1]) == [410]
    server.process.terminate()
    assert server.process.wait(60) == 0
    assert "127.0.0.1" not in (tmp_path / "mixer.log").read_text().replace(server.url, "")


def state_of(server: Server) -> str:
    """How the one period stands, as its operator sees it."""
    [survey] = server.ask("GET", "/v1/status", token=server.operator).json
    [period] = survey["periods"]
    return str(period["state"])
