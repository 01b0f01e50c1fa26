"""A process that opens sealed answers: what can be read of them comes back, and it ends with whoever began it."""

from __future__ import annotations

import os
import struct
import subprocess
import sys

import pytest
from tests.cases import each
from tests.collector.crowds import a_survey, an_id, sealed
from tests.waiting import PATIENCE
from tests.wire.generate.crowds import private
from tests.wire.vectors import Vector, named, vectors

import deniable as dn
from deniable.collector.keys import public_of
from deniable.collector.opening import OpeningProcess
from deniable.protocol.errors import StoreError
from deniable.protocol.surveys.sealed_answer import SealedForm

KEY = private(7)


@each("vector", vectors("crowd.json", "good"), ids=named)
def test_good_answers_are_read(vector: Vector) -> None:
    survey = dn.Survey.from_json(vector["document"])
    with OpeningProcess(survey, vector["period"], private(int(vector["private"], 16))) as process:
        [found] = process.read(bytes.fromhex(vector["sealed"]))
    assert (found.id.hex(), found.answer.hex()) == (vector["id"], vector["answer"])


def test_others_are_left_out_one_by_one() -> None:
    survey = a_survey(public_of(KEY))
    good = [sealed(survey, an_id(k), bytes([k % 4])) for k in range(6)]
    bad = [sealed(survey, an_id(9), b"\4"), os.urandom(SealedForm.of(survey).sealed)]
    with OpeningProcess(survey, "once", KEY) as process:
        for rows in (good, [*good, *bad], bad, [*bad, *good]):
            wanted = [(an_id(k), bytes([k % 4])) for k, each in enumerate(good) if each in rows]
            assert process.read(b"".join(rows)) == wanted


def test_one_that_ends_is_no_result() -> None:
    survey = a_survey(public_of(KEY))
    with OpeningProcess(survey, "once", KEY) as process:
        process._process.kill()
        with pytest.raises(StoreError, match="got one that ended"):
            process.read(sealed(survey, an_id(0), b"\1"))


def test_it_ends_with_whoever_began_it() -> None:
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-m", "deniable.collector.opening"], stdin=pipe, stdout=pipe)
    assert process.stdin is not None
    process.stdin.write(struct.pack("<Q", 1000) + b"half of what was to come")
    process.stdin.close()
    assert process.wait(PATIENCE) == 0
    assert process.stdout is not None
    process.stdout.close()
