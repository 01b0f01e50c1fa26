"""What made-up answers can do, held against answers that are made up."""

from __future__ import annotations

import numpy as np
import pytest

import deniable as dn
from deniable.protocol.say import english

PEOPLE, LABELS = 20_000, ["car", "bus", "bike"]


def one(mechanism: dn.Mechanism, weight: int = 1) -> dn.Survey:
    """A survey of one question, which so many of two people are asked."""
    way, late = dn.OneOf("way", LABELS), dn.OneOf("late", ["yes", "no"])
    asked = dn.Arm([dn.Part([way], mechanism)], weight)
    rest = dn.Arm([dn.Part([late], dn.RandomizedResponse(["yes", "no"], 1.0))], 2 - weight) if weight < 2 else None
    return dn.Survey("made-up", [way, late] if rest else [way], [asked, rest] if rest else [asked])


@pytest.mark.parametrize("share", [0.001, 0.01, 0.1])
def test_a_share_moves_by_the_leverage_of_a_report(share: float) -> None:
    """All reports that are made up name one label, and honest people hold another: the expected shift, exactly."""
    mechanism = dn.RandomizedResponse(LABELS, 1.0)
    survey = one(mechanism, 2)
    chances, fakes = mechanism.channel().probabilities, round(share * PEOPLE)
    honest = chances[0] * (PEOPLE - fakes)
    counts = honest + np.array([0, fakes, 0])
    moved = (counts[1] / PEOPLE - chances[0, 1]) / (chances[0, 0] - chances[0, 1])
    assert survey.manipulation(share)["way"].shift == pytest.approx(moved, rel=1e-9)


def test_asked_of_half_the_people_it_moves_twice_as_far() -> None:
    mechanism = dn.RandomizedResponse(LABELS, 1.0)
    whole, half = (one(mechanism, weight).manipulation(0.01)["way"] for weight in (2, 1))
    assert half.shift == pytest.approx(2 * whole.shift)
    assert whole.words == f"a share moves by up to {100 * whole.shift:.1f} points"


@pytest.mark.parametrize("share", [0.01, 0.2])
def test_a_mean_moves_at_most_as_far_as_is_said_and_that_far(share: float) -> None:
    """Everybody is at the lower bound; made-up reports are those that are worth most."""
    number = dn.Number("minutes", 0, 120, unit="min", want="mean")
    survey = dn.Survey.plan("numbers", [number], 1.0, PEOPLE)
    told = survey.manipulation(share)["minutes"]
    mechanism = survey.arms[0].parts[0].mechanism
    chances = mechanism.channel().probabilities
    worth = np.linalg.solve(chances, [-1.0, 1.0])
    mean = (1 - share) * -1 + share * worth.max()
    assert told.shift == pytest.approx((mean + 1) / 2, rel=1e-9)
    assert told.of_mean
    assert english(told.moved).endswith(" min")


def test_no_mean_is_told_where_none_was_asked_for() -> None:
    number = dn.Number("minutes", 0, 120, want="quantiles")
    assert dn.Survey.plan("numbers", [number], 1.0, PEOPLE).manipulation(0.01)["minutes"].words == "no mean is told"


def test_every_face_says_the_same() -> None:
    found = one(dn.RandomizedResponse(LABELS, 1.0), 1).manipulation(0.01)
    assert str(found).startswith("if 1 in 100 answers are made up, all alike")
    assert found["way"].words in str(found)
    assert found.to_dict()["question"] == ["way", "late"]
    assert one(dn.RandomizedResponse(LABELS, 1.0)).manipulation(1.0)["way"].shift == 1.0


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_must_be_one(share: float) -> None:
    with pytest.raises(dn.ParameterError, match="share must"):
        one(dn.RandomizedResponse(LABELS, 1.0)).manipulation(share)
