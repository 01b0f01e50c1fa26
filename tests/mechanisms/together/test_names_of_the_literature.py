"""What docs/mechanisms/names.md calls equal: the papers' tables of probabilities beside the channels."""

from __future__ import annotations

import math
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from tests.cases import each

import deniable as dn
from deniable.arrays import Matrix

EPSILONS = [0.5, 1.0, 3.0]
SMALL = 1e-12


def same(mechanism: Any, wanted: Matrix) -> bool:
    """Whether it has the same columns, in whatever order the reports are numbered."""
    found = mechanism.channel().probabilities
    if found.shape != wanted.shape or np.abs(np.sort(found, axis=1) - np.sort(wanted, axis=1)).max() >= SMALL:
        return False
    ordered = [np.array(sorted(np.round(each, 9).T.tolist())) for each in (found, wanted)]
    return bool(np.abs(ordered[0] - ordered[1]).max() < 1e-8)


def unary(d: int, kept: float, risen: float) -> Matrix:
    """A bit per label, each flipped by itself: the own bit is 1 with probability ``kept``, another with ``risen``."""
    bits = np.array(list(product([0, 1], repeat=d)))
    chances = np.where(np.eye(d, dtype=bool), kept, risen)
    return np.array([np.where(bits == 1, row, 1 - row).prod(axis=1) for row in chances])


def likelier(members: Any, epsilon: float) -> Matrix:
    """Reports (columns) are e^epsilon times as likely from the labels (rows) that they hold."""
    weights = np.where(members, math.exp(epsilon), 1.0)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


@each("epsilon", EPSILONS)
def test_responses_and_unary_codes(epsilon: float) -> None:
    """GRR; SUE with e^(eps/2); OUE with 1/2 and 1/(e^eps + 1)."""
    root = math.exp(epsilon / 2)
    assert same(dn.RandomizedResponse(5, epsilon), likelier(np.eye(5, dtype=bool), epsilon))
    assert same(dn.Rappor(4, epsilon), unary(4, root / (root + 1), 1 / (root + 1)))
    assert same(dn.OptimizedUnary(4, epsilon), unary(4, 0.5, 1 / (math.exp(epsilon) + 1)))


@each("epsilon", EPSILONS)
@each("size", [1, 2, 3])
def test_subsets(epsilon: float, size: int) -> None:
    chosen = np.array([[label in found for found in combinations(range(5), size)] for label in range(5)])
    assert same(dn.Subset(5, epsilon, size=size), likelier(chosen, epsilon))


@each("epsilon", EPSILONS)
def test_hadamard_and_projective_geometry(epsilon: float) -> None:
    """HR with the rows of a Hadamard matrix but the first; PGR with the lines of the plane of seven points."""
    signs = np.array([[(-1) ** (x & y).bit_count() for y in range(8)] for x in range(1, 8)])
    assert same(dn.Hadamard(7, epsilon, parts=1), likelier(signs > 0, epsilon))
    cyclic = dn.Cyclic(7, 1.0)
    supports: Any = cyclic.law
    blocks = supports.supports(cyclic.layout.every_report()).T
    assert blocks.sum(axis=1).tolist() in ([3] * 7, [1] * 7)
    shared = {int((blocks[x] & blocks[z]).sum()) for x, z in combinations(range(7), 2)}
    assert len(shared) == 1  # any two lines meet in as many points
    assert same(cyclic, likelier(blocks, 1.0))


@each("epsilon", EPSILONS)
def test_local_hashing_given_the_function(epsilon: float) -> None:
    """Of each cohort the reports are GRR over the symbols; OLH's variance is nearly that of many cohorts."""
    symbols = round(math.exp(epsilon)) + 1
    m = dn.HashedResponse(epsilon, symbols, 8, domain=6)
    rows = m.channel().probabilities * 8
    keep = math.exp(epsilon) / (math.exp(epsilon) + symbols - 1)
    assert np.abs(rows.reshape(6, 8, symbols).max(axis=2) - keep).max() < SMALL
    assert np.abs(rows.reshape(6, 8, symbols).min(axis=2) - (1 - keep) / (symbols - 1)).max() < SMALL
    many = dn.HashedResponse(epsilon, symbols, 4096, domain=40)
    olh = 40 * 4 * math.exp(epsilon) / math.expm1(epsilon) ** 2  # Wang et al. 2017, for rare labels
    assert many.risk(1) == pytest.approx(olh, rel=0.1)


@each("epsilon", EPSILONS)
def test_utility_optimized_response(epsilon: float) -> None:
    """Murakami and Kawamoto's c1, c2, c3 for two sensitive labels of five; Mangat's response is that of one of two."""
    for d, sensitive in ((5, 2), (2, 1)):
        total = sensitive + math.expm1(epsilon)
        wanted = np.zeros((d, d))
        wanted[:, :sensitive] = 1 / total
        wanted[range(sensitive), range(sensitive)] = math.exp(epsilon) / total
        wanted[range(sensitive, d), range(sensitive, d)] = math.expm1(epsilon) / total
        assert same(dn.HighLowResponse(d, list(range(sensitive)), epsilon), wanted)
