"""Bounds of shares that are added up or weighed: exact where one count tells them, and how often the others miss."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.estimation.crossed_worlds import ALIKE, ALONE, CHAIN, EVEN, FALSE_ALARM, PAIR, RARE, World
from tests.lengths import by_length

import deniable as dn
from deniable.arrays import Matrix, Vector
from deniable.estimation.binomial import clopper_pearson
from deniable.estimation.cross import CrossTable
from deniable.estimation.evidence import SupportEvidence
from deniable.estimation.joint_source import JointSource
from deniable.theory.risk.joint_support import JointSupport

ALL_PAIRS = ((0, 1), (1, 2), (0, 2))


def source_of(mechanism: dn.RandomizedResponse | dn.Subset, held: list[int]) -> JointSource:
    law, tally = mechanism.law, mechanism.draw_tally(held, np.random.default_rng(3))
    evidence = law.evidence(tally.n, tally.counts)
    assert isinstance(evidence, SupportEvidence)
    return JointSource(evidence, JointSupport.of(law.support, law.labels, law.closed))


def test_a_sum_that_one_count_tells_has_the_bounds_of_that_count() -> None:
    """Of randomized response any labels together are supported by a binomial number of reports."""
    source = source_of(dn.RandomizedResponse(6, 2.0), [30, 5, 5, 0, 10, 0])
    weights = np.array([[0, 1, 0, 0, 0, 0], [1, 1, 0, 0, 1, 0], [0.5, 0.2, 0.2, 0.5, 0.2, 0.2], [-1, 0, 0, -1, 0, 0]])
    support, counts = source.joint.support, source.evidence.counts
    found = weights @ source.evidence.unbiased()
    for row, together in ((0, [1]), (1, [0, 1, 4]), (2, [0, 3]), (3, [0, 3])):
        step = [1.0, 1.0, 0.3, -1.0][row] / support.gap
        moved = step * (clopper_pearson(counts[together].sum(keepdims=True), 50, 0.05)[0] - counts[together].sum() / 50)
        low, high = source.sums(weights).reaches(0.05)[row]
        assert [found[row] - low, found[row] + high] == pytest.approx(found[row] + np.sort(moved))
    assert source.sums(weights).exact.all()
    assert source.sums(np.ones((1, 6))).reaches(0.05) == pytest.approx(np.zeros((1, 2)))


def test_only_single_labels_of_subsets_are_told_by_one_count() -> None:
    source = source_of(dn.Subset(6, 0.5, size=2), [30, 5, 5, 0, 10, 0])
    weights = np.array([[0, 0, 0.5, 0, 0, 0], [1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]])
    assert source.sums(weights).exact.tolist() == [True, False, True]
    own = source.evidence.interval(0.05)[2] - source.evidence.unbiased()[2]
    assert source.sums(weights).reaches(0.05)[0] == pytest.approx(0.5 * np.abs(own))
    assert source.sums(weights).reaches(0.05)[2] == pytest.approx([0, 0])


def test_the_score_is_the_root_of_its_equation() -> None:
    """At the bound the share is z errors away, where its variance is that of people who move to the label."""
    source, alpha = source_of(dn.RandomizedResponse(4, 3.0), [10, 20, 6, 4]), 0.1
    weights, n, z = np.array([[0.9, 0.4, 0.1, 0.0]]), 40, stats.norm.isf(0.05)
    found, truth = (weights @ source.evidence.unbiased()).item(), np.maximum(source.evidence.unbiased(), 0)
    truth /= truth.sum()
    for side, far in ((-1, 3), (1, 0)):
        reach = source.sums(weights).reaches(alpha)[0, int(side > 0)]
        moved = found + side * (reach) - (found + side * 0.5 * 0.9 / (source.joint.support.gap * n))
        part = (found + side * reach - (weights @ truth).item()) / (weights[0, far] - (weights @ truth).item())
        there = (1 - part) * truth + part * np.eye(4)[far]
        assert abs(moved) == pytest.approx(z * np.sqrt(source.joint.variances(weights, there).item() / n), rel=1e-6)


def crossed(world: World, runs: int) -> tuple[list[CrossTable], list[Vector]]:
    """Tables of surveys of independent answers, and the shares of both questions."""
    survey, generator = world.survey(), np.random.default_rng([world.people, 7])
    cells = list(itertools.product(*map(range, world.labels)))
    shares = [np.prod([m[k] for m, k in zip(world.margins, c, strict=True)]) for c in cells]
    table = {f"q{k}": [str(cell[k]) for cell in cells] for k in range(len(world.labels))}
    found: list[CrossTable] = []
    while len(found) < runs:
        tally = survey.draw_tally(table, generator.multinomial(world.people, shares), generator)
        if all(part.n for arm in tally.arms for part in arm):  # of few people nobody may be asked one of the arms
            found.append(survey.estimate(tally).cross("q0", "q1"))
    return found, world.margins[:2]


def misses(bounds: list[Matrix], truth: Matrix | Vector) -> int:
    """How many surveys' bounds of the share that is missed most often miss it by more than rounding."""
    low, high = np.moveaxis(np.array(bounds), -1, 0)
    return int(((low > truth + 1e-9) | (high < truth - 1e-9)).sum(axis=0).max())


ASKED = (((3, 3), PAIR), ((3, 2, 2), CHAIN), ((3, 3, 3), ALL_PAIRS), ((2, 2), ALONE))
CHOICES: tuple[Any, ...] = (ASKED, (EVEN, RARE, ALIKE), (20, 100, 300), (1.0, 5.0))
PLACES = list(itertools.product(*map(range, map(len, CHOICES))))
PAIRED = [places for places in PLACES if sum(places) % 3 == 0]
"""A third of all worlds, among which every choice stands beside every choice of another kind."""


@pytest.mark.soak
@pytest.mark.parametrize("places", by_length(PAIRED, PLACES), ids=str)
def test_bounds_of_cells_and_margins_hold_for_few_people(places: tuple[int, ...]) -> None:
    """The worst cell's misses are binomial, and beyond this bound with a probability of one in ten million."""
    runs, (asked, *others) = by_length(30, 1000), (each[k] for each, k in zip(CHOICES, places, strict=True))
    tables, (row, column) = crossed(World(*asked, *others), runs)
    most = stats.binom.isf(FALSE_ALARM, runs, 0.05)
    assert misses([table.interval() for table in tables], np.outer(row, column)) <= most
    assert misses([table.margin(0)[1] for table in tables], row) <= most
    assert misses([table.margin(1)[1] for table in tables], column) <= most


@pytest.mark.parametrize("mechanism", [dn.Subset(9, 1.0), dn.Subset(5, 0.5, size=2), dn.RandomizedResponse(4, 1.0)])
def test_errors_are_drawn_with_the_covariance_of_the_shares(mechanism: dn.Subset | dn.RandomizedResponse) -> None:
    """The drawing is linear: what becomes of each single normal error tells the covariance exactly."""
    joint, d = source_of(mechanism, [10] * mechanism.law.labels).joint, mechanism.law.labels
    for truth in (np.full(d, 1 / d), np.eye(d)[1], np.arange(d) / np.arange(d).sum()):
        root = joint.normal(truth, np.eye(d))
        assert root.T @ root == pytest.approx(joint.covariance(truth), abs=1e-12)
