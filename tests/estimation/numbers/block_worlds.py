"""Surveys of staggered blocks, drawn by the mechanisms themselves."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

import deniable as dn
from deniable.arrays import Counts, Vector
from deniable.estimation.evidence import SupportEvidence
from deniable.estimation.joint_source import JointSource
from deniable.estimation.numbers.cumulative import Cumulative, PartShares
from deniable.theory.numbers.staggered import cuts, mode_variance, parts
from deniable.theory.risk.joint_support import JointSupport


@lru_cache(maxsize=200)
def survey(labels: int, epsilon: float) -> dn.Subset:
    """The survey of one part."""
    return dn.Subset(labels, epsilon=epsilon)


def surveyed(truth: Vector, n: int, epsilon: float, rng: np.random.Generator) -> Cumulative:
    """What people drawn from ``truth`` report, each of a part drawn by its weight."""
    cells = len(truth)
    design = parts(cells)
    weights = np.array([part.weight for part in design])
    told = []
    for (size, offset, _), people in zip(design, rng.multinomial(n, weights / weights.sum()), strict=True):
        found = cuts(cells, size, offset)
        held = np.add.reduceat(rng.multinomial(people, truth), found[:-1])
        told.append(reported(found, held, epsilon, rng))
    return Cumulative.of(cells, told)


def reported(found: Counts, held: Counts, epsilon: float, rng: np.random.Generator) -> PartShares:
    """What so many people in each block report."""
    labels, people = len(held), int(held.sum())
    law = survey(labels, epsilon).law
    counts = survey(labels, epsilon).draw_counts(held, rng)
    source = JointSource(SupportEvidence(people, counts, law.support), JointSupport.of(law.support, labels, True))
    return PartShares(found, source, people / mode_variance(labels, epsilon))
