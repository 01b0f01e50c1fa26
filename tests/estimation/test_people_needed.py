"""How many answers it takes until a result is as sure as wanted, and until anything can be said."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import deniable as dn
from deniable.estimation.evidence import LinearEvidence
from deniable.estimation.people_needed import people_for, people_to_say
from deniable.estimation.saying import says_nothing

CARS = {"car": 0.4, "bus": 0.2, "train": 0.13, "bike": 0.19, "foot": 0.08}


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
@pytest.mark.parametrize("people", [5, 10, 20])
def test_so_many_answers_say_something(epsilon: float, people: int) -> None:
    mechanism = dn.RandomizedResponse(list(CARS), epsilon)
    few = dn.simulate(mechanism, list(CARS.values()), users=people, seed=2)
    needed = people_to_say(few)
    assert says_nothing(few)
    assert needed is not None
    assert needed > people
    assert few.summary().endswith(f"It takes about {needed:,} answers to say something.")
    assert not says_nothing(dn.simulate(mechanism, list(CARS.values()), users=needed, seed=3))


def test_where_something_is_said_no_more_are_needed() -> None:
    many = dn.simulate(dn.RandomizedResponse(list(CARS), 2.0), list(CARS.values()), users=900, seed=1)
    assert people_to_say(many) is None


def widest(found: dn.Estimate) -> float:
    """Half of the widest interval."""
    low, high = np.asarray(found.evidence.interval(0.05)).T
    return float((high - low).max()) / 2


@pytest.mark.parametrize("margin", [0.005, 0.02, 0.05])
def test_so_many_people_leave_every_share_right_within_a_margin(margin: float) -> None:
    mechanism, shares = dn.Subset(list(CARS), 1.0), list(CARS.values())
    found = dn.simulate(mechanism, shares, users=3000, seed=1).people_needed(margin)
    assert found.people is not None
    assert widest(dn.simulate(mechanism, shares, users=found.people, seed=2)) == pytest.approx(margin, rel=0.1)
    assert ("It takes about" in str(found)) == (found.people > 3000)
    assert f"every share is right within {100 * margin:g} points in 19 of 20 surveys; 3,000 came." in str(found)


def test_one_share_may_need_fewer_than_all() -> None:
    found = dn.simulate(dn.RandomizedResponse(list(CARS), 3.0), list(CARS.values()), users=3000, seed=1)
    every, one = found.people_needed(0.01), found.people_needed(0.01, "foot")
    assert one.people is not None
    assert every.people is not None
    assert one.people < every.people
    assert "until the share of “foot” is right within 1 points" in str(one)


def test_where_reports_do_not_tell_a_share_no_number_is_enough() -> None:
    told = dn.simulate(dn.RandomizedResponse(["a", "b"], 1.0), [0.5, 0.5], users=100, seed=1)
    evidence = LinearEvidence(100, np.array([50, 50]), np.eye(2), told_apart=np.array([True, False]))
    blind = dataclasses.replace(told, decoded=told.decoded._replace(evidence=evidence))
    assert blind.people_needed(0.1, "a").people is not None
    found = blind.people_needed(0.1)
    assert found.people is None
    assert str(found) == "However many people answer, reports cannot tell every share."


def counted(people: int, answers: int, epsilon: float) -> dn.Estimate:
    """A census of so many people, of whom some answered."""
    survey = dn.Survey.plan("council", [dn.OneOf("way", list(CARS))], epsilon, people, population=people)
    given = [way for way in CARS for _ in range(answers // len(CARS))]
    return survey.estimate(survey.tally(survey.answer_many({"way": given}, seed=1)))["way"]


def test_of_more_people_than_there_are_it_is_said_what_else_would_help() -> None:
    found = counted(120, 120, 1.0).people_needed(0.02)
    assert found.people is not None
    assert found.people > 120
    assert found.is_beyond_all
    assert f"It takes about {found.people:,} answers until every share is right" in str(found)
    assert "and there are 120 people. Weaker protection" in str(found)
    assert found.to_dict()["population"] == 120


def test_a_part_of_the_people_is_asked_for_where_more_of_them_are_enough() -> None:
    found = counted(400, 200, 3.0).people_needed(0.05)
    assert found.people is not None
    assert 200 < found.people <= 400
    assert not found.is_beyond_all
    without = people_for(200, widest(counted(400, 200, 3.0)), 0.05)
    assert found.people < without  # for the more of them answer, the less the others can differ


def test_where_all_are_too_few_to_say_anything_it_is_said() -> None:
    few = counted(20, 20, 0.3)
    assert says_nothing(few)
    assert "Even if all 20 people answer, too little is told to say something" in few.summary()
    assert "It takes about" not in few.summary()


@pytest.mark.parametrize("margin", [0, -1, float("nan"), 1e-12])
def test_a_margin_must_be_one(margin: float) -> None:
    with pytest.raises(dn.ParameterError, match="margin must be"):
        dn.simulate(dn.Subset(4, 1.0), [0.25] * 4, users=100, seed=1).people_needed(margin)
