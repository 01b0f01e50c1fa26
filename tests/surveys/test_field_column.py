"""Reports in a column of somebody else's table: the vectors, and the same estimates as of answers given directly."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.cases import each
from tests.wire.generate.fields import ANSWERS, own_id, survey_of
from tests.wire.vectors import Vector, named, vectors

import deniable as dn
from deniable.protocol.surveys.field_value import write_declined, write_field

SURVEY = survey_of("one question")
PEOPLE = 400


def values(survey: dn.Survey, people: int = PEOPLE) -> tuple[list[str], list[bytes]]:
    """What many hand over, and the same answers."""
    drawn = [survey.answer(ANSWERS["one question"], dn.SeededEntropy(seed)) for seed in range(people)]
    return [write_field(survey.digest, seed.to_bytes(8, "big"), each) for seed, each in enumerate(drawn)], drawn


@each("vector", vectors("fields.json", "bad"), ids=named)
def test_what_holds_no_answer_counts_as_what_it_is(vector: Vector) -> None:
    survey = dn.Survey.from_json(vector["document"])
    [good] = [each["value"] for each in vectors("fields.json", "good") if each["name"] == "one question, 2"]
    read = survey.read_column([good, vector["value"]])
    assert read.counts == {**dict.fromkeys(read.counts, 0), "used": 1, vector["counted"]: 1}
    assert [answer is None for answer in read.answers] == [False, True]


@each("vector", vectors("fields.json", "columns"), ids=named)
def test_columns(vector: Vector) -> None:
    read = dn.Survey.from_json(vector["document"]).read_column(vector["values"])
    assert read.counts == vector["counts"]
    assert sum(read.counts.values()) == len(vector["values"])
    assert [None if answer is None else answer.hex() for answer in read.answers] == vector["answers"]


@each(
    "kind", [list, np.array, pd.Series, pl.Series, pa.array, lambda column: pa.chunked_array([column[:9], column[9:]])]
)
def test_estimates_are_those_of_the_same_answers_given_directly(kind: Any) -> None:
    column, drawn = values(SURVEY)
    told = SURVEY.estimate(SURVEY.tally(kind(column)))["late"]
    direct = SURVEY.estimate(SURVEY.tally(drawn))["late"]
    assert told.to_json() == direct.to_json()


def test_what_tables_have_where_nothing_is_counts_as_empty() -> None:
    column, _ = values(SURVEY, 1)
    nothing = pd.Series([None, pd.NA, pd.NaT, math.nan], dtype="object")
    assert SURVEY.read_column([*column, *nothing]).counts["empty"] == 4


def test_every_single_change_is_refused() -> None:
    """Of each character to another of its alphabet; a chance of 2^-32 each is left."""
    [value], _ = values(SURVEY, 1)
    body = value.rpartition(":")[2]
    changed = [
        value[: place - len(body)] + other + value[len(value) - len(body) + place + 1 :]
        for place in range(len(body))
        for other in "Aa0-_z"
        if other != body[place]
    ]
    good = write_field(SURVEY.digest, own_id(9), b"\1")
    assert SURVEY.read_column([good, *changed]).counts["altered"] == len(changed)


def test_a_column_without_a_value_to_use_says_what_it_has() -> None:
    column = [write_declined(SURVEY.digest), "", None, math.nan, float("inf"), "secret answer"]
    told = r"can be used, got 3 empty, 1 declined, 2 altered; none begins like a report$"
    with pytest.raises(dn.ReportError, match=told) as caught:
        SURVEY.read_column(column)
    assert "secret" not in str(caught.value)
    with pytest.raises(dn.ReportError, match=r"got 1 altered; export them whole$"):
        SURVEY.read_column([write_field(SURVEY.digest, own_id(9), b"\1")[:-2]])
    with pytest.raises(dn.ReportError, match="got no rows"):
        SURVEY.read_column([])
    with pytest.raises(dn.ParameterError, match='must have carrier="field"'):
        dn.Survey("late", SURVEY.questions, SURVEY.arms).read_column([])


def test_a_value_that_hosts_would_cut_is_refused_when_the_survey_is_made() -> None:
    labels = [f"label {number}" for number in range(13_000)]
    question = dn.AnyOf("many", labels)
    arm = dn.Arm(dn.Part(question, dn.ItemResponse(labels, 1.0)))
    assert dn.Survey("many", [question], [arm]).sent_bytes[0] > 1600
    with pytest.raises(dn.CapacityError, match=r"at most 2,000 characters, got a survey whose values have 2,2"):
        dn.Survey("many", [question], [arm], carrier="field")
