"""What is sealed of an answer: one length for all, zeros behind it, and a key that is a point of P-256."""

from __future__ import annotations

import pytest
from tests.cases import each
from tests.wire.vectors import Vector, named, vectors

import deniable as dn
from deniable.protocol.crowd import HpkeSealer
from deniable.protocol.errors import ParameterError, ReportError
from deniable.protocol.surveys.crowd import POINT, read_key
from deniable.protocol.surveys.sealed_answer import TAG, SealedForm, info_of, new_inner_id

GOOD = vectors("crowd.json", "good")


@each("vector", GOOD, ids=named)
def test_good_plain_texts(vector: Vector) -> None:
    survey = dn.Survey.from_json(vector["document"])
    form, own_id, answer = SealedForm.of(survey), bytes.fromhex(vector["id"]), bytes.fromhex(vector["answer"])
    plain = form.write(own_id, answer)
    assert plain.hex() == vector["plain"]
    assert form.read(plain) == (own_id, answer)
    assert len(plain) == form.plain
    assert len(bytes.fromhex(vector["sealed"])) == form.sealed == POINT + form.plain + TAG
    assert info_of(survey.digest, vector["period"]).hex() == vector["info"]
    assert len(read_key(vector["key"])) == POINT


def test_the_answers_of_all_arms_have_one_length() -> None:
    sizes = {(vector["document"], len(vector["answer"])) for vector in GOOD}
    assert len(sizes) > len({vector["document"] for vector in GOOD}), "there must be answers of several lengths"
    assert len({(vector["document"], len(vector["sealed"])) for vector in GOOD}) == len(
        {vector["document"] for vector in GOOD}
    )


@each("vector", vectors("crowd.json", "keys"), ids=named)
def test_bad_keys(vector: Vector) -> None:
    with pytest.raises(ParameterError, match=r"^key must be a"):
        HpkeSealer().check(read_key(vector["key"]))


@each("own_id", [b"", bytes(15), bytes(17)])
def test_an_inner_id_has_16_bytes(own_id: bytes) -> None:
    with pytest.raises(ReportError, match="an id of 16 bytes"):
        SealedForm(0, (1,)).write(own_id, b"\1")


@each("answer", [b"", b"\0", b"\0\0", b"\0\0\1", b"\0\0\1\2\3", b"\1\0\1\2", b"\2\0\1"])
def test_an_answer_is_sealed_if_it_has_the_length_of_its_arm(answer: bytes) -> None:
    form = SealedForm(2, (4, 3))
    assert form.write(bytes(16), b"\1\0\7") == bytes(16) + b"\1\0\7\0"
    with pytest.raises(ReportError):
        form.write(bytes(16), answer)


def test_inner_ids_are_new_each_time() -> None:
    assert len({new_inner_id() for _ in range(100)}) == 100
    assert {len(new_inner_id())} == {16}
