"""Questions with an ordered list of answers, as documents hold them."""

from __future__ import annotations

import json

import pytest

import deniable as dn
from deniable.protocol.questions.kinds import question_from_json
from deniable.protocol.questions.scale import MOST_PLACES

FAIR = dn.Scale("fair", ["no", "partly", "yes"], wording="Is your pay fair?")


def test_a_document_holds_the_labels_in_their_order() -> None:
    written = FAIR.to_json()
    assert written == {
        "kind": "scale", "name": "fair", "wording": "Is your pay fair?", "labels": ["no", "partly", "yes"],
    }  # fmt: skip
    assert question_from_json(json.loads(json.dumps(written))) == FAIR
    assert question_from_json({**written, "labels": ["yes", "partly", "no"]}) != FAIR


def test_a_scale_is_no_question_without_an_order() -> None:
    assert dn.Scale("fair", 3) != dn.OneOf("fair", 3)
    with pytest.raises(dn.FormatError, match="own fields"):
        question_from_json({**FAIR.to_json(), "no_answer": "no"})


@pytest.mark.parametrize(("labels", "wrong"), [(["yes"], "must hold between 2 and"), (33, "at most 32, got 33")])
def test_a_scale_has_two_to_thirty_two_answers(labels: object, wrong: str) -> None:
    with pytest.raises(dn.ParameterError, match=wrong):
        dn.Scale("fair", labels)


def test_both_numbers_of_answers_at_the_bounds_are_taken() -> None:
    assert [len(dn.Scale("fair", labels).labels) for labels in (2, MOST_PLACES)] == [2, MOST_PLACES]


def test_an_answer_is_one_of_the_labels() -> None:
    FAIR.check("partly")
    with pytest.raises(dn.LabelError, match="the answer to 'fair' must be one of its labels, got"):
        FAIR.check(2)
