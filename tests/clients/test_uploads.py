"""Uploads: every vector, against the strict reader that clients are tried with and against what the client writes."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.clients.uploads import Refused, read_upload
from tests.house.house_tree import ROOT
from tests.wire.vectors import Vector, named, vectors

import deniable as dn
from deniable.protocol import read_survey
from deniable.protocol.device.upload import upload_of

API: Any = json.loads((ROOT / "wire" / "openapi.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("vector", vectors("uploads.json", "good"), ids=named)
def test_good_uploads(vector: Vector) -> None:
    survey, body = dn.Survey.from_json(vector["document"]), bytes.fromhex(vector["hex"])
    own_id, answers = read_upload(survey, body)
    assert (own_id.hex(), [answer.hex() for answer in answers]) == (vector["id"], vector["answers"])
    if len(answers) == 1:
        assert upload_of(read_survey(vector["document"]), own_id, answers[0]) == body


@pytest.mark.parametrize("vector", vectors("uploads.json", "bad"), ids=named)
def test_bad_uploads(vector: Vector) -> None:
    with pytest.raises(Refused):
        read_upload(dn.Survey.from_json(vector["document"]), bytes.fromhex(vector["hex"]))


def test_the_description_of_the_routes_is_whole() -> None:
    """Every reference leads somewhere, every schema is one, and every problem of the page is described."""
    assert list(API["paths"])[:3] == [
        "/v1/surveys/{digest}", "/v1/surveys/{digest}/door", "/v1/surveys/{digest}/periods/{period}/answers",
    ]  # fmt: skip
    for schema in API["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    references = {ref for ref in find_references(API) if ref.startswith("#")}
    assert references == {f"#/components/schemas/{name}" for name in API["components"]["schemas"]}
    page = (ROOT / "wire" / "upload.md").read_text(encoding="utf-8")
    answered = API["paths"]["/v1/surveys/{digest}/periods/{period}/answers"]["post"]["responses"]
    explained = [re.search(rf"^\| [0-9, ]*{status}[0-9, ]* \|", page, re.MULTILINE) for status in answered]
    assert sum(found is None for found in explained) == 1  # that of 200, which is no problem


def find_references(node: Any) -> list[str]:
    """All references of a document."""
    if isinstance(node, dict):
        own = [node["$ref"]] if "$ref" in node else []
        return own + [ref for value in node.values() for ref in find_references(value)]
    return [ref for value in node for ref in find_references(value)] if isinstance(node, list) else []
