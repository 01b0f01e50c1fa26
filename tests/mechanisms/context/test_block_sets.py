"""BlockSubset and BlockCyclic: near the optimum, exact block totals in every decoder, coverage, planted faults."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.lengths import by_length

import deniable as dn
from deniable.arrays import Column, Indices
from deniable.estimation.decoders import DECODERS
from deniable.privacy.entropy import Entropy
from deniable.theory.risk.variance import Target

FAMILIES: list[Any] = [dn.BlockSubset, dn.BlockCyclic]
ALL: list[Any] = [*FAMILIES, dn.BlockHadamard]
SHAPES = [(2, 3), (1, 5, 2), (6,), (9, 1, 4)]
pytestmark = pytest.mark.soak
TARGETS: tuple[Target, ...] = ("population", "sample")
SURVEYS, ERRING = by_length((100, 500), (1500, 2000))
LEAST = float(stats.binom.ppf(1e-9, SURVEYS, 0.95)) / SURVEYS
"""Intervals of 95% cover at least this share of the surveys but for a false alarm of 1e-9."""


BEST = list(itertools.product([(2, 3), (1, 4), (5, 1)], [0.1, 0.5, 1.0, 2.0, 4.0, 8.0]))
"""An optimum takes a second to find: `make test` looks at every shape, and at three levels."""


def blocks(*sizes: int) -> list[list[int]]:
    """Consecutive labels, so many in each block."""
    ends = np.cumsum(sizes).tolist()
    return [list(range(end - size, end)) for size, end in zip(sizes, ends, strict=True)]


@pytest.mark.parametrize(("sizes", "epsilon"), by_length(BEST[::4], BEST))
def test_small_blocks_are_within_two_percent_of_the_optimum(sizes: tuple[int, ...], epsilon: float) -> None:
    best = dn.optimal_channel(dn.Blocks(blocks(*sizes), epsilon), goal="minimax").risk(1000)
    assert dn.BlockSubset(blocks(*sizes), epsilon).risk(1000) <= 1.02 * best
    assert dn.BlockHadamard(blocks(*sizes), epsilon).risk(1000) >= 1.5 * best


@pytest.mark.parametrize("family", FAMILIES)
def test_error_goes_on_falling_with_epsilon(family: Any) -> None:
    """Block Hadamard ends at an error of nearly every label of the block; sets end at that of drawing people."""
    shape = blocks(20, 30, 50)
    errors = [family(shape, epsilon).risk(1) for epsilon in (1.0, 2.0, 4.0, 8.0)]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 1.1 < 40 < dn.BlockHadamard(shape, 8.0).risk(1)


@pytest.mark.parametrize("family", ALL)
@pytest.mark.parametrize("sizes", SHAPES)
def test_every_decoder_keeps_the_blocks_shares(family: Any, sizes: tuple[int, ...]) -> None:
    """To rounding; block Hadamard's unbiased estimates are acharya2019's, which do not."""
    m, d = family(blocks(*sizes), 0.7), sum(sizes)
    people = np.random.default_rng(1).multinomial(800, np.arange(1, d + 1) / (d * (d + 1) / 2))
    reports = m.privatize_many(np.repeat(np.arange(d), people), seed=2)
    known = np.array([people[block].sum() / 800 for block in blocks(*sizes)])
    for decoder in DECODERS:
        if family is dn.BlockHadamard and decoder == "unbiased":
            continue
        prior = np.full(d, 1 / d) if decoder == "posterior" else None
        found = m.estimate(reports, decoder, prior=prior).frequencies
        assert np.allclose([found[block].sum() for block in blocks(*sizes)], known, rtol=0, atol=1e-12), decoder
    if family is dn.BlockSubset:
        found = m.estimate(m.tally(reports), "likelihood")
        assert found.decoder == "composite likelihood"
        assert np.allclose([found.frequencies[block].sum() for block in blocks(*sizes)], known, atol=1e-12)


@pytest.mark.parametrize("family", FAMILIES)
def test_blocks_that_nobody_is_in(family: Any) -> None:
    m = family(blocks(3, 4, 1), 1.0)
    reports = m.privatize_many([0] * 30 + [7] * 10, seed=1)
    for decoder in ("unbiased", "normalized", "projected", "likelihood"):
        found = m.estimate(reports, decoder)
        assert (found.frequencies[3:7] == 0).all()
        assert found.frequencies[7] == 0.25
        assert (found.stderr > 0).all()
        low, high = found.interval().T
        assert (low[3:7] == 0).all()
        assert (high[3:7] > 0).all()
        assert (found.interval(target="sample")[3:7] == 0).all()  # of the people asked none is there


@pytest.mark.parametrize("n", [40, 700])
@pytest.mark.parametrize("family", FAMILIES)
def test_coverage(family: Any, n: int) -> None:
    """Of labels in a block of 5 with spare residues, of 2 and alone; the last of the first block nobody holds."""
    m, truth = family(blocks(5, 2, 1), 0.5), np.array([0.3, 0.1, 0.1, 0.05, 0.0, 0.2, 0.05, 0.2])
    generator, held = np.random.default_rng(5), {target: np.zeros(8) for target in TARGETS}
    for _ in range(SURVEYS):
        people = generator.multinomial(n, truth)
        found = m.estimate(m.draw_tally(people, generator), "unbiased")
        for target, meant in zip(TARGETS, (truth, people / n), strict=True):
            low, high = found.interval(target=target).T
            held[target] += (low <= meant + 1e-12) & (meant <= high + 1e-12)
    assert min(each.min() for each in held.values()) / SURVEYS >= LEAST


@pytest.mark.parametrize("family", FAMILIES)
def test_errors_are_those_predicted(family: Any) -> None:
    """Sums of squares of surveys of 5000 people, within five of their standard errors; a fifth off is refuted."""
    m, truth = family(blocks(5, 2, 1), 0.5), np.array([0.3, 0.1, 0.1, 0.05, 0.05, 0.15, 0.05, 0.2])
    generator, people = np.random.default_rng(6), np.array([1500, 500, 500, 250, 250, 750, 250, 1000])
    found = np.array([m.estimate(m.draw_tally(people, generator), "unbiased").unbiased for _ in range(ERRING)])
    squares = ((found - truth) ** 2).sum(axis=1)
    predicted, error = m.risk(5000, "l2", truth, "sample"), squares.std() / np.sqrt(ERRING)
    assert abs(squares.mean() - predicted) < 5 * error < 0.2 * predicted


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 3.0])
@pytest.mark.parametrize("sizes", [(2, 4), (1, 3, 2), (6,), (1, 1)])
def test_audits_are_tight(family: Any, sizes: tuple[int, ...], epsilon: float) -> None:
    m = family(blocks(*sizes), epsilon)
    assert dn.audit(m).holds
    assert max(sizes) == 1 or not m.guarantee.at(epsilon - 1e-6).holds(m)
    assert dn.audit_sampling(m, 20_000, seed=1).holds
    reports = m.layout.every_report()
    single = [m.estimate(reports[y : y + 1], "unbiased").unbiased.max() for y in range(m.layout.outputs)]
    assert max(single) == pytest.approx(m.law.leverage)


@pytest.mark.parametrize("family", FAMILIES)
def test_blocks_in_another_order_than_the_domain(family: Any) -> None:
    m = family([["c", "a", "e"], ["b", "d"]], 4.0, ["a", "b", "c", "d", "e"])
    assert m.spec()["order"] == [2, 0, 4, 1, 3]
    assert dn.from_spec(m.spec()) == m
    found = m.estimate(m.privatize_many(["a"] * 3000 + ["d"] * 1000, seed=1)).frequencies
    assert np.abs(found - [0.75, 0, 0, 0.25, 0]).max() < 0.05


@pytest.mark.parametrize(
    "changed",
    [
        {"weights": [1, 3, 1]}, {"weights": [1, 1]}, {"weights": [0, 1, 1]}, {"weights": [1, 1, 2]}, {"weights": None},
        {"weights": [1.5, 1, 1]}, {"sizes": [3, 3]}, {"designs": []},
    ],
)  # fmt: skip
def test_tampered_subsets(changed: dict[str, Any]) -> None:
    spec = dn.BlockSubset(blocks(2, 3, 1), 1.0).spec()
    assert spec["weights"] == [1, 1, 1]
    assert dn.from_spec({**spec, "weights": [1, 2, 1]}) == dn.BlockSubset(blocks(2, 3, 1), 1.0, weights=(1, 2, 1))
    with pytest.raises(dn.FormatError):
        dn.from_spec({**spec, **changed})


@pytest.mark.parametrize(
    "designs", [[[2, 3]], [[2, 3], [2, 2]], [[None, 3], [None, None]], [[None, None], [2, 3], [2, 3]], None, 3]
)
def test_tampered_designs(designs: Any) -> None:
    spec = dn.BlockCyclic(blocks(5, 1), 0.5).spec()
    assert spec["designs"] == [[2, 3], [None, None]]
    with pytest.raises(dn.FormatError):
        dn.from_spec({**spec, "designs": designs})


def test_more_blocks_than_a_report_can_name() -> None:
    with pytest.raises(dn.CapacityError, match="at most 65536"):
        dn.BlockSubset([[i] for i in range(65537)], 1.0)
    assert dn.BlockCyclic([[2 * i, 2 * i + 1] for i in range(40000)], 1.0).report_bits == 17


class Truthful(dn.BlockSubset):
    """Always holds the value."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        return dn.BlockSubset(self.guarantee.blocks, 20.0, weights=self.weights).draw(values, entropy)


class NextBlock(dn.BlockCyclic):
    """One report in fifty is moved on by a residue, across the borders of blocks."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        reports = super().draw(values, entropy)
        stray = entropy.words(len(values)) % 50 == 0
        moved = (reports.astype(np.int64) + 1) % self.layout.outputs
        return np.where(stray, moved, reports).astype(reports.dtype)


@pytest.mark.parametrize("broken", [Truthful, NextBlock])
def test_planted_faults_are_caught(broken: Any) -> None:
    assert not dn.audit_sampling(broken(blocks(3, 1, 2), 1.0), 20_000, seed=1).holds
