"""Checklists with labels that stand alone: which lists are answers, and that nothing else changes."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest

import deniable as dn
from deniable.protocol.errors import LabelError

LABELS = ["desk", "outside", "none"]
PLAIN = dn.AnyOf("breaks", LABELS)
ALONE = dn.AnyOf("breaks", LABELS, exclusive=["none"])
EVERY = [list(each) for size in range(4) for each in itertools.combinations(LABELS, size)]
ANSWERS = [["desk"], ["outside"], ["desk", "outside"], ["none"]]


def asked(question: dn.AnyOf) -> dn.Survey:
    return dn.Survey("breaks", [question], [dn.Arm(dn.Part(question, dn.ItemResponse(question.labels, 1.0)))])


def faults(given: list[str]) -> list[str]:
    """What one device, a column of answers and a simulation say of a list that is none; all of them, or nobody."""
    survey, found = asked(ALONE), []
    for answered in (
        lambda: survey.answer({"breaks": given}),
        lambda: survey.answer_many({"breaks": [["desk"], given]}, seed=1),
        lambda: survey.draw_tally({"breaks": [["desk"], given]}, [3, 3], np.random.default_rng(1)),
    ):
        try:
            answered()
        except LabelError as error:
            found.append(str(error))
    assert len(found) in (0, 3)
    return found


def test_lists_that_are_answers_are_taken_and_no_others() -> None:
    assert sorted(each for each in EVERY if not faults(each)) == sorted(ANSWERS)


@pytest.mark.parametrize("given", [[], ["desk", "none"]])
def test_a_refusal_says_the_rule_and_not_the_answer(given: list[str]) -> None:
    one, *columns = faults(given)
    assert one.startswith("the answer to 'breaks' must hold ")
    rule = "the answers to 'breaks' must be lists, never empty and with an exclusive label alone, got 1 of 2"
    assert [each for each in columns if not each.startswith(rule)] == []


def test_a_table_of_booleans_is_held_to_the_same() -> None:
    survey = asked(ALONE)
    assert len(survey.answer_many({"breaks": np.array([[1, 1, 0], [0, 0, 1]], bool)}, seed=1)) == 2
    for row in ([0, 0, 0], [1, 0, 1]):
        with pytest.raises(LabelError, match=r"got 1 of 2 that are not \(the first at position 1\)"):
            survey.answer_many({"breaks": np.array([[1, 0, 0], row], bool)}, seed=1)


def test_nothing_else_knows_of_it() -> None:
    """Mechanisms, promise, label and errors to expect are those of the question without it."""
    plain, alone = asked(PLAIN), asked(ALONE)
    assert plain.arms[0].parts[0].mechanism == alone.arms[0].parts[0].mechanism
    assert plain.promise.level == alone.promise.level
    assert plain.label().statements == alone.label().statements
    assert plain.expected(500)["breaks"].error == alone.expected(500)["breaks"].error
    assert plain.digest != alone.digest


def test_the_proof_is_over_all_lists() -> None:
    """The lists that are no answers are among those whose reports differ most: without them less would be found."""
    proofs = [asked(question).audit().to_dict() for question in (PLAIN, ALONE)]
    assert proofs[0]["holds"]
    assert round(proofs[0]["epsilon"], 6) == 3  # of the empty list and the full one, neither of which is an answer
    assert proofs[0] == proofs[1]


@pytest.mark.parametrize(
    ("exclusive", "said"),
    [
        ([], "exclusive must name at least one label, got none"),
        (["none", "none"], "exclusive must not repeat a label, got 1 repeated"),
        (["never"], "exclusive must be labels of the domain, got 1 of 1 that are not"),
        ("none", "exclusive must be a list of labels"),
    ],
)
def test_what_stands_alone_is_some_of_the_labels(exclusive: Any, said: str) -> None:
    with pytest.raises(dn.ParameterError, match=rf"^question 'breaks': {said}"):
        dn.AnyOf("breaks", LABELS, exclusive=exclusive)


def test_the_document_has_it_only_where_it_is_used() -> None:
    assert "exclusive" not in PLAIN.to_json()
    assert ALONE.to_json()["exclusive"] == ["none"]
    assert dn.AnyOf("breaks", LABELS, exclusive={"none", "desk"}).exclusive == ("desk", "none")
    assert dn.Survey.from_json(asked(ALONE).to_json()).questions == (ALONE,)
    assert json.loads(asked(PLAIN).to_json())["questions"] == [PLAIN.to_json()]


def test_a_most_holds_beside_it() -> None:
    best = dn.AnyOf("best", LABELS, most=1, exclusive=["none"])
    assert [given for given in EVERY if not best.is_beyond(given)] == [["desk"], ["outside"], ["none"]]
    assert best.limit == "lists of at most 1 labels, never empty and with an exclusive label alone"


def test_advice_keeps_what_stands_alone() -> None:
    """Fewer answers keep those that are left of it; the one that fits best needs no answer for none beside it."""
    used = dn.AnyOf("used", ["none", *(f"way {number}" for number in range(1, 9))], exclusive=["none"])
    asked = [option.survey.questions[0] for option in dn.advise([used], 150, 1.0).options]
    lists = [question for question in asked if isinstance(question, dn.AnyOf) and len(question.labels) < 9]
    singles = [question for question in asked if isinstance(question, dn.OneOf) and len(question.labels) > 2]
    assert {question.exclusive for question in lists} == {("none",)}
    assert {tuple(question.labels) for question in singles} == {tuple(used.labels)}
