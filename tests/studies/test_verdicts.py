"""Verdicts bite on both sides, say when they cannot tell, and know the chance that they would have told."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from studies.counted import Counted, counts, said
from studies.sources import IN_WORDS, Origin, formula, independent, printed, sentence
from studies.verdicts import (
    ENOUGH,
    MATTERS,
    Cell,
    Check,
    Verdict,
    at_most,
    in_every_cell,
    more,
    near,
    no_more,
    same,
    scored,
)

PLACE = printed("Table 1")
NAN = math.nan


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        (near("g", "w", PLACE, 1.0, 1.0499), "agrees"),
        (near("g", "w", PLACE, 1.0, 1.051), "differs"),
        (near("g", "w", PLACE, 1.0, 1.0799, 0.01), "agrees"),
        (near("g", "w", PLACE, 1.0, 1.081, 0.01), "differs"),
        (near("g", "w", PLACE, -1.0, -1.0499), "agrees"),
        (near("g", "w", PLACE, 1.0, NAN), "differs"),
        (near("g", "w", PLACE, 1.0, 1.0, 0.2), "cannot tell"),
        (same("g", "w", PLACE, 0.387, 0.3874, 3), "agrees"),
        (same("g", "w", PLACE, 0.387, 0.38755, 3), "differs"),
        (same("g", "w", PLACE, 5, 5, 0), "agrees"),
        (same("g", "w", PLACE, 5, 6, 0), "differs"),
        (scored("g", "w", PLACE, 1.0, 1.17, 0.05), "agrees"),
        (scored("g", "w", PLACE, 1.0, 1.18, 0.05), "differs"),
        (scored("g", "w", PLACE, 1.0, 1.34, 0.1), "cannot tell"),
        (scored("g", "w", PLACE, 1.0, 1.36, 0.1), "differs"),
        (scored("g", "w", PLACE, 1.0, 1.0, NAN), "differs"),
        (at_most("g", "w", PLACE, 1.0, 1.0), "agrees"),
        (at_most("g", "w", PLACE, 1.0, 1.0001), "differs"),
        (at_most("g", "w", PLACE, 1.0, 1.034, 0.01), "agrees"),
        (at_most("g", "w", PLACE, 1.0, 1.036, 0.01), "differs"),
        (at_most("g", "w", PLACE, 1.0, 0.1, 0.2), "cannot tell"),
        (at_most("g", "w", PLACE, 1.0, NAN), "differs"),
    ],
)
def test_verdicts_bite_on_both_sides(check: Check, verdict: str) -> None:
    assert check.verdict == verdict
    assert check.agrees == (verdict == "agrees")


@pytest.mark.parametrize("error", [0.01, 0.05, 0.06, 0.1])
def test_power_is_how_often_a_planted_difference_is_found(error: float) -> None:
    """10,000 draws: a share is within .025 of its chance but once in 10^6 (Hoeffding)."""
    drawn = 1 + MATTERS + error * np.random.default_rng(1).standard_normal(10_000)
    found = [scored("g", "w", PLACE, 1.0, ours, error) for ours in drawn.tolist()]
    differ = sum(check.verdict is Verdict.DIFFERS for check in found) / len(found)
    assert differ == pytest.approx(found[0].power, abs=0.027)
    assert (found[0].power >= ENOUGH) == (error <= 0.05)


@pytest.mark.parametrize(
    ("excess", "error", "verdict"),
    [
        (0.0, 0.0, "agrees"), (0.01, 0.0, "agrees"), (0.0101, 0.0, "differs"), (-9.0, 0.01, "agrees"),
        (0.039, 0.01, "agrees"), (0.041, 0.01, "differs"), (0.0, 0.03, "cannot tell"), (NAN, 0.01, "differs"),
        (-0.019, 0.03, "cannot tell"), (-0.021, 0.03, "agrees"),
    ],
)  # fmt: skip
def test_a_cell_of_no_more(excess: float, error: float, verdict: str) -> None:
    cell = no_more(excess, error, slack=0.01, matters=0.1)
    assert cell.verdict == verdict
    assert (cell.power >= ENOUGH) == (verdict != "cannot tell")


@pytest.mark.parametrize(
    ("excess", "error", "verdict"),
    [
        (0.011, 0.0, "agrees"), (0.009, 0.0, "differs"), (0.041, 0.01, "agrees"), (0.039, 0.01, "differs"),
        (0.1, 0.03, "cannot tell"), (-0.1, 0.03, "cannot tell"), (-0.13, 0.03, "differs"), (0.13, 0.03, "agrees"),
        (NAN, 0.01, "differs"),
    ],
)  # fmt: skip
def test_a_cell_of_more(excess: float, error: float, verdict: str) -> None:
    """Seen, not seen though it would be, and not seen with too few surveys."""
    cell = more(excess, error, slack=0.01, matters=0.1)
    assert cell.verdict == verdict
    assert cell.power >= ENOUGH or verdict != "agrees"


@pytest.mark.parametrize(
    ("verdicts", "verdict", "held"),
    [
        ([Verdict.AGREES, Verdict.AGREES], "agrees", 1.0),
        ([Verdict.AGREES, Verdict.UNCLEAR], "cannot tell", 0.5),
        ([Verdict.DIFFERS, Verdict.UNCLEAR], "differs", 0.0),
    ],
)
def test_a_sentence_fails_where_one_cell_does(verdicts: Sequence[Verdict], verdict: str, held: float) -> None:
    check = in_every_cell("g", "w", sentence("sect. 4"), [Cell(each, 0.5 + i / 10) for i, each in enumerate(verdicts)])
    assert (check.verdict, check.ours, check.power) == (verdict, held, 0.5)


def test_origins_are_counted_apart_and_a_number_once() -> None:
    """Two simulators beside one printed number are two comparisons with one value."""
    twice = printed("Table 1", "row 4")
    found = [
        same("by reports", "d = 4", twice, 2, 2, 0),
        same("by counts", "d = 4", twice, 2, 3, 0),
        scored("by counts", "d = 8", printed("Table 1", "row 8"), 1, 1, 0.2),
        same("g", "w", formula("eq. 7"), 1, 1, 0),
        same("g", "v", formula("eq. 7"), 1, 1, 0),
    ]
    assert counts(found) == {Origin.PRINTED: Counted(3, 2, 1, 1, 1), Origin.FORMULA: Counted(2, 2, 2, 0, 0)}
    assert said(found) == "In agreement: 1 of 3 comparisons with printed numbers (1 cannot be told), 2 of 2 formulas."


def test_every_origin_is_explained() -> None:
    assert IN_WORDS.keys() == set(Origin)
    assert independent("a linear program").origin is Origin.INDEPENDENT
