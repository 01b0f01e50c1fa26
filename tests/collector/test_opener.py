"""Opening what was sealed: every good vector, and of every bad one nothing."""

from __future__ import annotations

from tests.cases import each
from tests.wire.generate.crowds import private
from tests.wire.vectors import Vector, named, vectors

import deniable as dn
from deniable.collector.opener import Opener
from deniable.protocol.surveys.sealed_answer import SealedForm, info_of


@each("vector", vectors("crowd.json", "good"), ids=named)
def test_good_answers_are_opened(vector: Vector) -> None:
    survey = dn.Survey.from_json(vector["document"])
    opener = Opener.of(private(int(vector["private"], 16)), survey, survey.digest, vector["period"])
    own_id, answer = opener.open(bytes.fromhex(vector["sealed"])) or (b"", b"")
    assert (own_id.hex(), answer.hex()) == (vector["id"], vector["answer"])
    assert survey.tally([answer]).n == 1


@each("vector", vectors("crowd.json", "bad"), ids=named)
def test_bad_answers_are_none(vector: Vector) -> None:
    form = SealedForm(vector["head"], tuple(vector["lengths"]))
    opener = Opener(private(int(vector["private"], 16)), form, info_of(vector["digest"], vector["period"]))
    assert opener.open(bytes.fromhex(vector["sealed"])) is None
