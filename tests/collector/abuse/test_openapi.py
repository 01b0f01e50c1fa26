"""Whatever fits the collector's description, and much that does not, gets a reply that the description names."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.collector.crowds import LATER
from tests.collector.crowds import a_survey as a_survey_of
from tests.collector.servers import BYTES, Server, put
from tests.collector.worlds import a_survey, body_of
from tests.house.house_tree import ROOT
from tests.waiting import until

import deniable as dn

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "3"))
"""How many requests are made up for each operation and phase; ``make fuzz`` asks for more."""
SECONDS = 1200
OPEN, OVER, UNANSWERED = a_survey("still-open"), a_survey("over", grace=0), a_survey("unanswered")
DOOMED = a_survey("doomed")
"""The one that is deleted."""
KNOWN = {
    "digest": {"enum": [OPEN.digest, OVER.digest, UNANSWERED.digest, "0" * 64]},
    "period": {"enum": ["once", "once", "2026-W31"]},
    "arm": {"enum": [0, 1]},
    "withheld": {"enum": [1]},
    "codes": {"enum": [2]},
}
"""What requests name, lest they all end at 404."""
A_SURVEY = {"$ref": "urn:deniable:wire:1:survey"}
LAX = "positive_data_acceptance"
"""The one check left out: no schema can say which bytes are an upload, or which documents are a survey."""


def described(folder: Path, crowd: dn.Survey) -> Path:
    """The description, with what is there in it."""
    documents = [json.loads(survey.document) for survey in (OPEN, OVER, a_survey("new"))]
    api: Any = json.loads((ROOT / "wire" / "openapi.json").read_bytes())
    operations = [operation for path in api["paths"].values() for operation in path.values()]
    for operation in operations:
        for parameter in operation["parameters"]:
            parameter["schema"] = KNOWN.get(parameter["name"], parameter["schema"])
        for content in operation.get("requestBody", {"content": {}})["content"].values():
            if content["schema"] == A_SURVEY:
                content["schema"] = {"enum": documents}
            elif "contentEncoding" in content["schema"]:
                bodies = [body_of([k], b"upload number %02d" % k) for k in range(4)]
                content["schema"] = {"enum": [body.decode() for body in bodies]}  # text, whatever ran before
    parcel = api["paths"]["/v1/surveys/{digest}/periods/{period}/parcel"]
    for operation in parcel.values():
        operation["parameters"][0]["schema"] = {"enum": [crowd.digest]}
    parcel["put"]["requestBody"]["content"][BYTES]["schema"] = {"enum": [""]}
    [digest] = api["paths"]["/v1/surveys/{digest}/delete"]["post"]["parameters"]
    digest["schema"] = {"enum": [DOOMED.digest]}
    api["components"]["schemas"]["Titled"]["properties"]["title"] = {"enum": ["doomed"]}
    described = folder / "openapi.json"
    described.write_text(json.dumps(api).replace(json.dumps(A_SURVEY), "{}"), encoding="utf-8")
    return described


def served(server: Server) -> dn.Survey:
    """Surveys of which one is over, so that there is something to read; and one with a crowd, which is given."""
    key = server.ask("POST", "/v1/keys", b"", server.operator).json["key"]
    crowd = put(server, server.operator, a_survey_of(key, name="crowd", closes=LATER))
    parcel = f"/v1/surveys/{crowd.digest}/periods/once/parcel?withheld=1&codes=2"
    assert server.ask("PUT", parcel, b"", server.operator, Content_Type=BYTES).status == 200
    for survey in (OPEN, OVER, UNANSWERED, DOOMED):
        put(server, server.operator, survey)
    for survey in (OPEN, OVER):
        assert server.send(survey, body_of([1] * 60)).status == 200
    assert server.ask("POST", f"/v1/surveys/{OVER.digest}/close", b"", server.operator).status == 200
    path = f"/v1/surveys/{OVER.digest}/periods/once/answers.parquet"
    until(lambda: server.ask("GET", path, token=server.operator).status == 200, 0.1)
    return crowd


def succeeded(archive: Path) -> set[tuple[str, str]]:
    """The operations that something was done by, from the archive of all requests and replies."""
    entries = json.loads(archive.read_bytes())["log"]["entries"]
    done = [entry["request"] for entry in entries if entry["response"]["status"] < 300]
    return {(request["method"], urlsplit(request["url"]).path) for request in done}


def unused(api: Path, archive: Path) -> list[str]:
    """The operations that were only ever refused."""
    done, paths = succeeded(archive), json.loads(api.read_bytes())["paths"]
    wanted = [(method.upper(), path) for path, methods in paths.items() for method in methods]
    return [
        f"{method} {path}"
        for method, path in wanted
        if not any(method == verb and re.fullmatch(re.sub(r"{\w+}", "[^/]+", path), at) for verb, at in done)
    ]


def test_no_request_gets_a_reply_that_the_description_does_not_name(patient: Server, tmp_path: Path) -> None:
    api, archive = described(tmp_path, served(patient)), tmp_path / "replies.har"
    command = [
        sys.executable, "-m", "schemathesis.cli", "run", str(api), "--url", patient.url,
        "--header", f"Authorization: Bearer {patient.operator}", "--max-examples", str(EXAMPLES),
        "--exclude-checks", LAX, "--generation-deterministic", "--no-color", "--report-har-path", str(archive),
    ]  # fmt: skip
    found = subprocess.run(command, check=False, capture_output=True, timeout=SECONDS, cwd=tmp_path)
    said = found.stdout.decode(errors="replace")
    assert found.returncode == 0, said
    assert unused(api, archive) == []
    assert "Tested: 28" in said
    assert patient.ask("GET", "/v1/status", token=patient.operator).status == 200
