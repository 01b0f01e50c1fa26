"""Every writing of a spec that a person's file may hold, what it is read as, and what no reader takes."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from tests.cases import each
from tests.wire.generate.equivalent import BASES
from tests.wire.make import FOLDER
from tests.wire.vectors import named

import deniable as dn
from deniable.mechanisms.registry import from_spec_bytes
from deniable.reports.spec import parse
from deniable.values.values import closed_domain

Vector = dict[str, Any]
SPECS: dict[str, list[Vector]] = json.loads((FOLDER / "specs.json").read_text(encoding="ascii"))


@each("vector", SPECS["equivalent"], ids=named)
def test_every_writing_is_read_as_the_canonical_one(vector: Vector) -> None:
    mechanism = dn.from_spec(vector["text"])
    assert mechanism.spec_bytes == vector["spec"].encode()
    assert hashlib.sha256(mechanism.spec_bytes).hexdigest() == vector["sha256"]
    assert dn.from_spec(json.loads(vector["text"])) == dn.from_spec(vector["text"].encode()) == mechanism
    assert dn.from_spec(vector["spec"]) == from_spec_bytes(vector["spec"].encode()) == mechanism


@each("vector", SPECS["equivalent"], ids=named)
def test_what_is_stored_is_canonical(vector: Vector) -> None:
    assert vector["text"] != vector["spec"]
    with pytest.raises(dn.FormatError, match=r"^a spec must be"):
        from_spec_bytes(vector["text"].encode())


@each("vector", SPECS["good"], ids=named)
def test_a_canonical_spec_is_one_of_its_writings(vector: Vector) -> None:
    written, spec = vector["spec"].encode(), json.loads(vector["spec"])
    for text in (vector["spec"], json.dumps(spec, indent=1), json.dumps(dict(reversed(spec.items())))):
        assert dn.from_spec(text).spec_bytes == written


@each("vector", SPECS["bad"], ids=named)
def test_bad_specs_have_no_reader(vector: Vector) -> None:
    for text in (vector["spec"], vector["spec"].encode()):
        with pytest.raises(dn.FormatError, match=r"^a spec"):
            dn.from_spec(text)
    with pytest.raises(dn.FormatError, match=r"^a spec"):
        from_spec_bytes(vector["spec"].encode())


@each("text", BASES)
def test_bad_specs_are_bad_for_one_reason(text: str) -> None:
    """What they are made from is good."""
    assert dn.from_spec(text).spec() == json.loads(text)


def test_the_labels_of_a_spec_are_not_rewritten() -> None:
    integers, floats = (dn.from_spec(SPECS["good"][0]["spec"].replace('"yes","no"', two)) for two in ("1,2", "1.0,2.0"))
    assert [type(label) for label in closed_domain(integers.domain)] == [int, int]
    assert [type(label) for label in closed_domain(floats.domain)] == [float, float]
    assert integers != floats


@each("text", ['{"a":1,"a":1}', '{"a":{"b":1,"b":2}}', '{"a":NaN}', '{"a":-Infinity}', "[" * 100_000])
def test_text_of_which_something_would_be_lost(text: str) -> None:
    with pytest.raises(dn.FormatError, match=r"^a spec must be JSON without a key twice"):
        dn.from_spec(text)


def test_the_stored_reader_sees_more_than_the_bytes() -> None:
    """An integer for a float is canonical JSON, but no canonical spec."""
    written = SPECS["good"][0]["spec"].replace("1.0", "1").encode()
    assert parse(written)["epsilon"] == 1
    with pytest.raises(dn.FormatError, match="canonical form where it is stored"):
        from_spec_bytes(written)
