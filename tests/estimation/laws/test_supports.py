"""Sets of labels as reports: sums follow from the table, and probabilities that do not fit together are refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import deniable as dn
from deniable.estimation.laws.support_law import CHECKED, SupportLaw
from deniable.estimation.laws.supports import IndexSupports

FANO = np.array([[i in {(line + step) % 7 for step in (0, 1, 3)} for i in range(7)] for line in range(7)])
"""Seven lines of three points; three lines go through a point, and one through any two."""
A, B = Fraction(2, 10), Fraction(1, 10)
"""Three lines of 2/10 and four of 1/10."""
G, H = 3 * A, A + 2 * B


def law(one_report: Any, support: Any, table: Any = FANO) -> SupportLaw:
    """The law of sets."""
    return SupportLaw(7, support, Fraction(2), IndexSupports.of_table(one_report, table), lambda: 0.0, closed=True)


def test_the_sums_of_a_table_are_those_over_its_sets() -> None:
    held, source = IndexSupports.of_table((A, B), FANO), np.random.default_rng(1)
    p, weights = source.random(7), source.random(7)
    assert held.mass(p) == pytest.approx([sum(p[x] for x in range(7) if line[x]) for line in FANO])
    assert held.collect(weights) == pytest.approx([sum(weights[y] for y in range(7) if FANO[y, x]) for x in range(7)])
    assert held.table(np.array([4, 0])).tolist() == FANO[[4, 0]].tolist()


def test_probabilities_that_add_up_are_taken() -> None:
    chances = law((A, B), (G, H)).chances(np.arange(7))
    assert chances.sum(axis=1).tolist() == [1] * 7
    assert (chances @ FANO).tolist() == [[G if x == j else H for j in range(7)] for x in range(7)]


def test_g_and_h_are_not_the_probabilities_of_one_report() -> None:
    """The mistake that a set system invites: 3 times 6/10 and 4 times 4/10."""
    with pytest.raises(
        dn.ParameterError, match=r"must add up to 1 from every label, got 3\.4; one_report .* not g and"
    ):
        law((G, H), (G, H))


def test_other_g_and_h_than_the_sets_have_are_refused() -> None:
    with pytest.raises(dn.ParameterError, match=r"g and h must be 3/5 and 2/5, by which labels .* got 1/5 and 1/10"):
        law((A, B), (A, B))


def test_sets_that_treat_labels_unlike_are_refused() -> None:
    """Without one point of a line its reports add up to less, and its holders are not supported as often."""
    torn = FANO.copy()
    torn[0, np.flatnonzero(FANO[0])[0]] = False
    with pytest.raises(dn.ParameterError, match=r"got 0\.9 and 1;"):
        law((A, B), (G, H), torn)


def test_pairs_that_share_unlike_are_taken_by_their_mean_and_labels_that_do_not_are_refused() -> None:
    """Three labels in a row on a circle of seven: neighbours share two sets and others fewer, alike for every label."""
    arcs = np.array([[(i - line) % 7 < 3 for i in range(7)] for line in range(7)])
    assert law((A, B), (G, H), arcs).supports(np.arange(7)).tolist() == arcs.tolist()
    uneven = FANO.copy()  # two lines exchange a point: as many lines go through each, but not of the same sizes
    uneven[[0, 1]] = [FANO[0] | FANO[1], FANO[0] & FANO[1]]
    with pytest.raises(dn.ParameterError, match="g and h must be"):
        law((A, B), (G, H), uneven)


def test_large_laws_are_not_looked_at() -> None:
    """A check of every label would cost more than the law itself."""
    asked = list[int]()

    def sums(p: Any) -> Any:
        asked.append(len(p))
        return np.asarray(p)

    for labels in (CHECKED, CHECKED + 1):
        own = Fraction(2, labels + 1)
        level = own, Fraction(1, labels + 1)
        named = IndexSupports(level, np.asarray, sums, sums)
        SupportLaw(labels, level, Fraction(2), named, lambda: 0.0, closed=True)
    assert set(asked) == {CHECKED}


@pytest.mark.parametrize("mechanism", [dn.RandomizedResponse(3, 0.5), dn.Cyclic(8, 1.0), dn.Cyclic(100, 3.0)])
def test_laws_that_are_not_checked_when_they_are_made_would_pass(mechanism: Any) -> None:
    law = mechanism.law
    assert law.reports.known
    law.reports.check(law.labels, law.exact_support)
    with pytest.raises(dn.ParameterError, match="g and h must be"):
        law.reports.check(law.labels, (law.exact_support[0], law.exact_support[0] / 2))
