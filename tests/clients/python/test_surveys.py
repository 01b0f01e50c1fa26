"""Surveys: every vector, the same sentences and facts as the library's label, and every payload before it is drawn."""

from __future__ import annotations

import json
import math
from collections import Counter
from contextlib import nullcontext
from datetime import datetime
from fractions import Fraction
from typing import Any

import pytest
from tests.cases import each
from tests.clients.python.words import SeededWords, words_of
from tests.lengths import by_length
from tests.wire.generate.documents import PEOPLE, samples
from tests.wire.generate.labels import labelled
from tests.wire.generate.tape import Tape
from tests.wire.vectors import Taped, Vector, named, reading, vectors

import deniable as dn
from deniable.protocol import FormatError, LabelError, ParameterError, read_survey
from deniable.protocol.questions.kinds import question_from_json
from deniable.protocol.surveys.answers import fault_of
from deniable.protocol.surveys.periods import bounds_of, period_at
from deniable.protocol.testing import answer_from

GOOD = vectors("surveys.json", "good")
EVERY = {**samples(), **labelled()}
OTHERS: tuple[Any, ...] = (None, 0, 1, -1, 0.5, "x", [], {}, True)


@each("vector", GOOD, ids=named)
def test_good_documents(vector: Vector) -> None:
    survey = read_survey(vector["document"].encode())
    assert (survey.to_json(), survey.digest) == (vector["document"], vector["sha256"])
    level = "inf" if survey.promise.level == math.inf else survey.promise.level
    assert (level, survey.promise.charge) == (vector["level"], vector["charge"])


@each("vector", vectors("surveys.json", "equivalent"), ids=named)
def test_other_writings(vector: Vector) -> None:
    survey = read_survey(vector["text"])
    assert (survey.to_json(), survey.digest) == (vector["document"], vector["sha256"])


@each("vector", vectors("surveys.json", "bad"), ids=named)
def test_bad_documents(vector: Vector) -> None:
    with pytest.raises(FormatError, match=r"^a survey must"):
        read_survey(vector["document"])


@each("vector", vectors("surveys.json", "answers"), ids=named)
def test_answers_are_understood(vector: Vector) -> None:
    assert fault_of(read_survey(vector["document"]), bytes.fromhex(vector["hex"])) is None


@each("vector", vectors("surveys.json", "bad_answers"), ids=named)
def test_bad_answers_are_seen(vector: Vector) -> None:
    assert fault_of(read_survey(vector["document"]), bytes.fromhex(vector["hex"])) is not None


@each("vector", vectors("surveys.json", "periods"), ids=lambda v: f"{v['period']} {v['moment']}")
def test_periods(vector: Vector) -> None:
    document = json.loads(samples()["one question"].to_json())
    survey = read_survey(json.dumps({**document, "period": vector["period"]}))
    moment = datetime.fromisoformat(vector["moment"])
    assert period_at(survey, moment) == vector["name"]
    begins, ends = bounds_of(survey, vector["name"])
    written = [None if each is None else each.strftime("%Y-%m-%dT%H:%M:%SZ") for each in (begins, ends)]
    assert written == [vector["begins"], vector["ends"]]


@each("vector", vectors("surveys.json", "places"), ids=lambda v: f"{v['low']} to {v['high']}")
def test_places(vector: Vector) -> None:
    written = {"kind": "number", "name": "x", "wording": "", "unit": "", "want": ["mean"]}
    question = question_from_json({**written, **{field: vector[field] for field in ("low", "high", "step")}})
    for answer, place in zip(vector["answers"], vector["places"], strict=True):
        if place is None:
            with pytest.raises(LabelError, match="the answer to 'x' must be"):
                question.check(answer)
        else:
            question.check(answer)
            assert question.encoder_input(answer) == place


@each("vector", vectors("surveys.json", "lists"), ids=lambda v: json.loads(v["question"])["name"])
def test_lists(vector: Vector) -> None:
    question = question_from_json(json.loads(vector["question"]))
    for answer, taken in zip(vector["answers"], vector["taken"], strict=True):
        with nullcontext() if taken else pytest.raises(LabelError, match=r"^the answer to '\w+' must "):
            question.check(answer)


@each("name", ["2026-13", "2026-W54", "2026-8", "once", "2026-08-01 ", "٢٠٢٦-08"])
def test_a_strange_period_is_refused(name: str) -> None:
    document = json.loads(samples()["one question"].to_json())
    survey = read_survey(json.dumps({**document, "period": "month"}))
    with pytest.raises(ParameterError, match=r"^the period must be"):
        bounds_of(survey, name)


@each("name", EVERY)
def test_sentences_and_facts_are_the_library_s(name: str) -> None:
    survey, label = read_survey(EVERY[name].to_json()), EVERY[name].label()
    assert survey.sentences == label.sentences
    facts, known = survey.facts(), label.to_dict()
    assert {field: facts[field] for field in known if field not in ("arms", "promise")} == {
        field: known[field] for field in known if field not in ("arms", "promise")
    }
    assert (facts["level"], facts["charge"]) == (known["promise"]["level"], known["promise"]["charge"])
    for arm, other in zip(facts["arms"], known["arms"], strict=True):
        assert arm["weight"] == other["weight"]
        own = [
            {field: value for field, value in part.items() if field not in ("odds", "chances")} for part in arm["parts"]
        ]
        assert own == other["parts"]


@each("vector", vectors("surveys.json", "labels"), ids=named)
def test_labels(vector: Vector) -> None:
    assert [each.to_json() for each in read_survey(vector["document"]).statements] == vector["statements"]


@each("name", samples())
def test_an_answer_is_one_of_its_outcomes(name: str) -> None:
    survey, library, given = read_survey(samples()[name].to_json()), samples()[name], PEOPLE[name]
    outcomes = survey.outcomes(given)
    assert sum(outcomes.payloads.values()) == 1
    for _ in range(30):
        answer = survey.answer(given)
        assert outcomes.payloads[answer] > 0
        assert library.check(answer) is None
        assert outcomes.least_bytes <= len(answer) <= outcomes.most_bytes


def test_arms_are_drawn_by_their_weights() -> None:
    """3, 2 and 1 of 6; a deviation of seven standard errors is no chance."""
    survey, words = read_survey(samples()["a pair and a part of each kind"].to_json()), SeededWords(3)
    n, given = 3000, PEOPLE["a pair and a part of each kind"]
    found = Counter(answer_from(survey, given, words)[0] for _ in range(n))
    for arm, weight in enumerate((3, 2, 1)):
        assert abs(found[arm] - n * weight / 6) < 7 * math.sqrt(n * weight * (6 - weight) / 36)


def test_facts_hold_the_odds_and_every_probability() -> None:
    odds = dn.RandomizedResponse(3, 1.0).odds
    (part,) = read_survey(samples()["one question"].to_json()).facts()["arms"][0]["parts"]
    total = odds.above + 2 * odds.below
    assert part["odds"] == {"above": str(odds.above), "below": str(odds.below)}
    assert [row["value"] for row in part["chances"]] == ["car", "bus", "bike"]
    assert part["chances"][1]["reports"] == {
        "00": odds.below / total,
        "01": odds.above / total,
        "02": odds.below / total,
    }
    assert read_survey(samples()["words"].to_json()).facts()["arms"][0]["parts"][0]["chances"] is None


@pytest.mark.soak
@each("name", samples())
def test_the_library_answers_the_same_from_the_same_words(name: str) -> None:
    survey, library = read_survey(samples()[name].to_json()), samples()[name]
    for seed in range(by_length(40, 400)):
        tape = Tape(seed)
        answer = answer_from(survey, PEOPLE[name], tape)
        left = Taped([[str(word) for word in part] for part in tape.parts], seed)
        assert library.answer(PEOPLE[name], left) == answer
        assert left.parts == []


@each("vector", vectors("surveys.json", "draws"), ids=named)
def test_drawn_answers(vector: Vector) -> None:
    documents = {good["name"]: good["document"] for good in GOOD}
    words = words_of(vector)
    assert answer_from(read_survey(documents[vector["name"]]), vector["answers"], words).hex() == vector["hex"]
    assert words.left == 0


def test_payloads_have_their_exact_probability() -> None:
    survey = read_survey(samples()["one question"].to_json())
    payloads = survey.outcomes({"way": "bus"}).payloads
    odds = dn.RandomizedResponse(3, 1.0).odds
    assert payloads[b"\1"] == Fraction(odds.above, odds.above + 2 * odds.below)
    assert str(survey.outcomes({"way": "bus"})) == "One of 3 payloads of 1 bytes is sent."


def test_many_payloads_are_counted_and_not_listed() -> None:
    wide = dn.OneOf("day", 40)
    survey = dn.Survey("wide", [wide], [dn.Arm(dn.Part(wide, dn.Rappor(40, 1.0)))])
    found = read_survey(survey.to_json()).outcomes({"day": 3})
    assert (found.count, dict(found.payloads)) == (1 << 40, {})
    assert str(found) == f"One of {1 << 40} payloads of 5 bytes is sent."
    assert found.shapes == (("40 bits",),)


def test_what_reports_look_like_is_said_arm_by_arm() -> None:
    name = "a pair and a part of each kind"
    found = read_survey(samples()[name].to_json()).outcomes(PEOPLE[name])
    two = "one of 2 numbers"
    assert found.shapes == (("9 bits, 2 of them set",), ("one of 3 numbers", "one of 6 numbers"), (two, two))


@each(
    ("given", "error"),
    [
        ({}, LabelError),
        ({"way": "a secret"}, LabelError),
        ({"way": ["bus"]}, LabelError),
        ({"way": "bus", "secret": 1}, ParameterError),
        (["bus"], ParameterError),
    ],
)
def test_what_is_no_answer_is_refused_and_never_shown(given: Any, error: type[Exception]) -> None:
    survey = read_survey(samples()["one question"].to_json())
    for answered in (survey.answer, survey.outcomes):
        with pytest.raises(error) as refusal:
            answered(given)
        assert "secret" not in str(refusal.value)


def changed(document: Any) -> list[str]:
    """The document with each field, at any depth, left out or replaced."""
    found = []

    def walk(node: Any) -> None:
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            kept = node[key]
            for value in OTHERS:
                node[key] = value
                found.append(json.dumps(document))
            node[key] = kept
            if isinstance(node, dict):
                del node[key]
                found.append(json.dumps(document))
                node[key] = kept
            if isinstance(kept, dict | list):
                walk(kept)

    walk(document)
    return found


@pytest.mark.soak
@each("name", EVERY)
def test_a_changed_document_is_read_as_the_library_reads_it(name: str) -> None:
    """Refused by both, or read by both as the same canonical document."""
    document = json.loads(EVERY[name].to_json())
    texts = changed(document)[:: by_length(7, 1)]
    assert [t for t in texts if reading(read_survey, t) != reading(dn.Survey.from_json, t)] == []


def test_a_remembered_survey_needs_a_device() -> None:
    with pytest.raises(ParameterError, match=r"keeps its permanent reports"):
        read_survey(EVERY["remembered"].to_json()).answer({"way": "bus"})
