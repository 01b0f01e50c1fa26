"""What a plan says in words holds in simulated surveys: margins, what open answers are worth, what is found.

Each check has a false-alarm rate below 1e-6 (5 standard errors of the share of surveys), and a planted fault is caught.
"""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest

import deniable as dn
from deniable.arrays import Vector
from deniable.planning.outlook import Outlook

LABELS, PEOPLE, SURVEYS = 4, 4000, 4000
PLAN = dn.plan(LABELS, 1.0, PEOPLE)
SURE = 5
PRIOR = dn.InformationPrivacy(["yes", "no"], [0.7, 0.3], 1.0)


def outlook() -> Outlook:
    assert PLAN.outlook is not None
    return PLAN.outlook


def shares(truth: Vector, people: int, seed: int) -> Vector:
    """The shares of the first label in surveys of people who are a sample."""
    generator = np.random.default_rng(seed)
    mechanism = PLAN.best
    found = [
        mechanism.estimate(mechanism.draw_tally(generator.multinomial(people, truth), generator), decoder="unbiased")
        for _ in range(SURVEYS)
    ]
    return np.array([each.frequencies[0] for each in found])


def near(seen: float, expected: float) -> bool:
    """Whether a share of surveys is what it should be, give or take 5 standard errors and a hundredth."""
    return abs(seen - expected) < SURE * math.sqrt(expected * (1 - expected) / SURVEYS) + 0.01


def test_nineteen_in_twenty_surveys_are_right_within_the_margin() -> None:
    even = np.full(LABELS, 1 / LABELS)
    errors = np.abs(shares(even, PEOPLE, 1) - 1 / LABELS)
    assert near(float(np.mean(errors < outlook().margin)), 0.95)
    assert not near(float(np.mean(errors < outlook().margin / 1.2)), 0.95)


def test_so_many_open_answers_are_worth_the_same() -> None:
    generator, worth = np.random.default_rng(2), outlook().worth
    openly = generator.multinomial(round(worth), np.full(LABELS, 1 / LABELS), SURVEYS)[:, 0] / round(worth)
    assert np.std(openly) == pytest.approx(outlook().error, rel=0.06)  # 5 standard errors


@pytest.mark.parametrize(("people", "size"), [(PEOPLE, outlook().change), (PEOPLE // 2, outlook().difference)])
def test_four_times_in_five_a_difference_of_that_size_is_found(people: int, size: float) -> None:
    even = np.full(LABELS, 1 / LABELS)
    moved = even + size * np.array([1, -1 / 3, -1 / 3, -1 / 3])
    error = outlook().error * math.sqrt(PEOPLE / people)
    apart = (shares(moved, people, 3) - shares(even, people, 4)) / (math.sqrt(2) * error)
    assert near(float(np.mean(apart > 1.96)), 0.8)


def test_a_plan_says_it_in_every_form() -> None:
    text = str(PLAN)
    for sentence in outlook().sentences:
        assert sentence in text
    assert PLAN.to_dict()["outlook"] == outlook().to_dict()
    assert outlook().sentences[2].endswith("who answered openly.")


def test_useless_surveys_and_priors_promise_nothing() -> None:
    useless = dn.plan(4, 0.1, 100)
    assert useless.warnings
    assert "In 19 of 20" not in str(useless)
    informed = dn.plan(guarantee=PRIOR, users=100)
    assert informed.outlook is None
    assert informed.to_dict()["outlook"] is None


def test_the_picture_shows_the_plan_and_open_answers() -> None:
    [axes] = dn.pictures.margins(PLAN).axes
    names = [str(line.get_label()) for line in axes.get_lines()]
    assert names[-2:] == ["open answers", "4,000 people"]
    dot = np.asarray(axes.get_lines()[-1].get_data(), np.float64)
    assert dot[:, 0] == pytest.approx((PEOPLE, 100 * outlook().margin))
    with pytest.raises(dn.ParameterError, match="plan must be one whose error is that of a share"):
        dn.pictures.margins(dn.plan(guarantee=PRIOR, users=100))


def test_pictures_need_matplotlib_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "deniable.estimation.shown_figure", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(dn.ParameterError, match=r"pip install 'deniable\[pictures\]'"):
        dn.pictures.margins(PLAN)
