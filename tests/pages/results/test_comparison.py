"""A comparison in words: what differs, what cannot be seen, and which result is to blame where nothing can be said."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.pages.results.worlds import CARS

import deniable as dn
from deniable.estimation.evidence import LinearEvidence
from deniable.pages.results.shares import ShareResult
from deniable.protocol.say import english

compared = ShareResult().comparison

LABELS, SHARES = list(CARS), list(CARS.values())


def of(shares: list[float], seed: int, people: int = 4000, mechanism: dn.Mechanism | None = None) -> dn.Estimate:
    return dn.simulate(mechanism or dn.RandomizedResponse(LABELS, 2.0), shares, users=people, seed=seed)


def telling(*told: bool) -> dn.Estimate:
    """A result that tells these of its labels apart."""
    found = of([0.5, 0.5], 1, mechanism=dn.RandomizedResponse(["yes", "no"], 1.0))
    evidence = LinearEvidence(4000, np.array([2000, 2000]), np.eye(2), np.array(told))
    return dataclasses.replace(found, decoded=found.decoded._replace(evidence=evidence))


def test_where_the_two_differ_the_note_says_how_the_chance_was_found() -> None:
    found = compared(of(SHARES, 1), of(SHARES[::-1], 2), ("north", "south"))
    assert "chance alone would make a difference this clear less than once in 1,000" in english(found.sentence)
    assert found.test is not None
    assert english(found.test) == "The chance is found by Fisher's exact test, times 5 for the 5 answers looked at."


def test_the_finding_names_both_results_and_the_clearest_differences() -> None:
    found = compared(of(SHARES, 1), of(SHARES[::-1], 2), ("north", "south"))
    assert english(found.finding).startswith("More answer “foot” (by ")
    assert english(found.finding).endswith(" in 100) in “south” than in “north”.")
    assert " and fewer answer “car” (by " in english(found.finding)
    alike = compared(of(SHARES, 1), of(SHARES, 2), ("north", "south"))
    assert alike.finding == alike.sentence


def test_where_no_difference_is_seen_the_note_says_the_chance_itself() -> None:
    found = compared(of(SHARES, 1), of(SHARES, 2), ("north", "south"))
    assert english(found.sentence).startswith("No difference can be seen.")
    assert found.test is not None
    assert english(found.test).startswith("Were they alike, chance alone would make a difference this clear in ")
    assert english(found.test).endswith(
        "of 1,000 surveys, found by Fisher's exact test, times 5 for the 5 answers looked at."
    )


def test_of_two_answers_that_mirror_each_other_one_test_is_enough() -> None:
    yes_or_no = dn.RandomizedResponse(["yes", "no"], 1.0)
    found = compared(of([0.9, 0.1], 1, mechanism=yes_or_no), of([0.2, 0.8], 2, mechanism=yes_or_no), ("north", "south"))
    assert found.test is not None
    assert english(found.test) == "The chance is found by Fisher's exact test."


def test_two_mechanisms_are_compared_by_the_normal_approximation() -> None:
    found = compared(of(SHARES, 1), of(SHARES[::-1], 2, mechanism=dn.Subset(LABELS, 1.0)), ("north", "south"))
    assert found.test is not None
    assert "by the normal approximation" in english(found.test)


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ((False, False), (False, False), "neither result tells its answers apart"),
        ((False, False), (True, True), "the result “north” does not tell its answers apart"),
        ((True, False), (False, False), "the result “south” does not tell its answers apart"),
        ((True, False), (False, True), "no answer is told apart from the rest by both results"),
    ],
)
def test_whose_fault_it_is_that_nothing_can_be_said(
    first: tuple[bool, bool], second: tuple[bool, bool], why: str
) -> None:
    found = compared(telling(*first), telling(*second), ("north", "south"))
    assert (english(found.sentence), found.test) == (f"Nothing can be said: {why}.", None)
    assert [english(row.words) for row in found.rows] == ["nothing can be said"] * 2
