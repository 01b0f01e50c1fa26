"""Every vector of `surveys.json` against the library."""

from __future__ import annotations

import json
import math
from datetime import datetime
from fractions import Fraction
from typing import Any

import pytest
from tests.cases import each
from tests.wire.make import FOLDER
from tests.wire.vectors import named

import deniable as dn
from deniable.protocol.questions.kinds import question_from_json
from deniable.protocol.surveys.periods import bounds_of, period_at
from deniable.surveys.questions.kinds import companion
from deniable.values.number_scale import places_on

SECTIONS: dict[str, list[dict[str, Any]]] = json.loads((FOLDER / "surveys.json").read_text(encoding="ascii"))


@each("vector", SECTIONS["good"], ids=named)
def test_good_documents_are_themselves(vector: dict[str, Any]) -> None:
    survey = dn.Survey.from_stored(vector["document"].encode())
    assert survey.digest == vector["sha256"]
    promise = survey.promise.to_dict()
    assert (promise["level"], promise["charge"]) == (vector["level"], vector["charge"])


@each("vector", SECTIONS["equivalent"], ids=named)
def test_other_writings_are_read_by_people_and_refused_where_stored(vector: dict[str, Any]) -> None:
    assert dn.Survey.from_json(vector["text"]).to_json() == vector["document"]
    assert dn.Survey.from_json(vector["text"]).digest == vector["sha256"]
    with pytest.raises(dn.FormatError):
        dn.Survey.from_stored(vector["text"].encode())


@each("vector", SECTIONS["bad"], ids=named)
def test_bad_documents_are_refused(vector: dict[str, Any]) -> None:
    with pytest.raises(dn.FormatError):
        dn.Survey.from_json(vector["document"])


@each("vector", SECTIONS["answers"])
def test_good_answers_are_counted(vector: dict[str, Any]) -> None:
    survey = dn.Survey.from_json(vector["document"])
    assert survey.check(bytes.fromhex(vector["hex"])) is None
    assert survey.tally([bytes.fromhex(vector["hex"])]).n == 1


@each("vector", SECTIONS["bad_answers"], ids=named)
def test_bad_answers_are_refused(vector: dict[str, Any]) -> None:
    survey = dn.Survey.from_json(vector["document"])
    assert survey.check(bytes.fromhex(vector["hex"])) is not None
    with pytest.raises(dn.ReportError):
        survey.tally([bytes.fromhex(vector["hex"])])


@each("vector", SECTIONS["tallies"], ids=named)
def test_tallies_are_those_of_their_answers(vector: dict[str, Any]) -> None:
    tally = dn.SurveyTally.from_bytes(bytes.fromhex(vector["hex"]), dn.Survey)
    survey = dn.Survey.from_stored(tally.document.document)
    assert survey.tally([bytes.fromhex(answer) for answer in vector["answers"]]) == tally
    assert tally.n == vector["n"]
    assert [[part.counts.tolist() for part in arm] for arm in tally.arms] == vector["counts"]
    assert tally.to_bytes().hex() == vector["hex"]


@each("vector", SECTIONS["places"])
def test_places_are_the_nearest_steps(vector: dict[str, Any]) -> None:
    """By the definition, in fractions of the decimals that people read."""
    scale = dn.Number("x", vector["low"], vector["high"], vector["step"]).scale
    for answer, place in zip(vector["answers"], vector["places"], strict=True):
        assert (answer in scale) == (place is not None)
        if isinstance(answer, int | float) and place is not None:
            steps = (Fraction(repr(answer)) - Fraction(vector["low"])) / Fraction(vector["step"])
            assert place == min(max(math.floor(steps + Fraction(1, 2)), 0), scale.steps)
            assert places_on(scale, [answer]).tolist() == [place]


@each("vector", SECTIONS["lists"], ids=lambda v: json.loads(v["question"])["name"])
def test_lists_are_answers_if_the_question_takes_them(vector: dict[str, Any]) -> None:
    """By the definition, in the labels alone."""
    question = question_from_json(json.loads(vector["question"]))
    written = question.to_json()
    labels, alone = written["labels"], written.get("exclusive", [])
    for answer, taken in zip(vector["answers"], vector["taken"], strict=True):
        is_list = isinstance(answer, list) and all(each in labels for each in answer)
        fits = is_list and len(answer) == len(set(answer)) <= (written["most"] or len(labels))
        assert taken == (fits and not (alone and (not answer or (len(answer) > 1 and set(answer) & set(alone)))))
        column = [answer]
        if taken:
            question.check(answer)
            assert companion(question).column(question, column) == column
        else:
            with pytest.raises(dn.LabelError):
                question.check(answer)
            with pytest.raises(dn.LabelError):
                companion(question).column(question, column)


@each("vector", SECTIONS["periods"])
def test_periods_have_names_and_bounds(vector: dict[str, Any]) -> None:
    one = dn.Survey.from_json(next(v for v in SECTIONS["good"] if v["name"] == "one question")["document"])
    survey = dn.Survey("one", one.questions, one.arms, period=vector["period"])
    moment = datetime.fromisoformat(vector["moment"])
    assert period_at(survey, moment) == vector["name"]
    bounds = (vector["begins"], vector["ends"])
    begins, ends = (None if each is None else datetime.fromisoformat(each) for each in bounds)
    assert bounds_of(survey, vector["name"]) == (begins, ends)
    assert begins is None or ends is None or begins <= moment < ends
