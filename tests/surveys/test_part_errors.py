"""What is stated of a question whose answers are protected unlike, beside the exact error of each answer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import deniable as dn
from deniable.estimation.laws.linear_law import inverse_of
from deniable.surveys.part_errors import labels_error, worst_error

LABELS = ["car", "bus", "bike", "foot"]


@pytest.mark.parametrize(
    ("terms", "epsilon"),
    [
        ({"sensitive": ["car"]}, 2.0),
        ({"blocks": [["car"], ["bus", "bike", "foot"]]}, 1.0),
        ({"prior": [0.6, 0.2, 0.1, 0.1]}, 1.0),
    ],
)
def test_what_is_stated_is_the_error_of_the_answer_that_is_told_least_well(
    terms: dict[str, Any], epsilon: float
) -> None:
    """Where answers are protected unlike; of a census, so that the exact variance is that of the reports alone."""
    asked = dn.OneOf("way", LABELS, **terms)
    survey = dn.Survey.plan("council", [asked], epsilon, 120, population=120)
    [part] = survey.arms[0].parts
    chances = np.asarray(part.mechanism.channel().probabilities)
    inverse, even = inverse_of(chances), np.full(4, 0.25)
    squares = chances @ (inverse**2).T - (chances @ inverse.T) ** 2
    each = np.sqrt(even @ squares / 120)
    row = survey.expected(120)["way"]
    assert row.error == pytest.approx(each.max(), rel=1e-6)
    assert each.max() > 1.1 * math.sqrt((each**2).mean())  # what was stated before: the average's
    assert row.note.startswith("the share that is told least well")


def test_where_all_are_protected_alike_the_worst_is_any() -> None:
    survey = dn.Survey.plan("council", [dn.OneOf("way", LABELS)], 1.0, 120)
    asked = [(part, 60.0) for part in (*survey.arms[0].parts, dn.Part(survey.questions[0], dn.Subset(LABELS, 2.0)))]
    assert worst_error(asked, 4) == pytest.approx(labels_error(asked, 4))


def test_two_kinds_of_reports_err_at_most_as_the_worst_of_each() -> None:
    """Two arms of one kind are one with as many people."""
    asked = dn.OneOf("way", LABELS, sensitive=["car"])
    part = dn.Part(asked, dn.HighLowResponse(LABELS, ["car"], 2.0))
    assert worst_error([(part, 30.0), (part, 90.0)], 4) == pytest.approx(worst_error([(part, 120.0)], 4))
    weaker = dn.Part(asked, dn.HighLowResponse(LABELS, ["car"], 3.0))
    both = worst_error([(part, 60.0), (weaker, 60.0)], 4)
    assert worst_error([(weaker, 120.0)], 4) < both < worst_error([(part, 120.0)], 4)


def test_advice_states_the_error_of_the_answer_that_is_protected() -> None:
    """30 people, one of four answers protected, middling: half of the interval is 1.96 sqrt(p h / (1 - h) / n).

    Half a person is added, for bounds of so few lie on whole ones.
    """
    asked = dn.OneOf("way", LABELS, sensitive=["car"])
    now = dn.advise([asked], 30, 2.0, population=30).now
    h = math.exp(-2.0)
    assert now.errors["way"] == pytest.approx(1.96 * math.sqrt(0.75 * h / (1 - h) / 30) + 0.5 / 30, rel=0.02)
