"""Block Hadamard response: golden values, simulated errors and coverage, decoders, blocks of one, planted faults.

Statistical comparisons have a false-alarm rate of 1e-9 each (``simulated.py``), audits of 1e-6.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.mechanisms.simulated import LEAST, coverage, expect_coverage, expect_predicted_errors

import deniable as dn
from deniable.arrays import Column, Indices
from deniable.privacy.entropy import Entropy

TRUTH = np.array([0.3, 0.2, 0.1, 0.2, 0.15, 0.05])
SIZES = (7, 1, 64, 300)


def blocks(*sizes: int) -> list[list[int]]:
    """Consecutive labels, so many a block."""
    ends = np.cumsum(sizes).tolist()
    return [list(range(end - size, end)) for size, end in zip(sizes, ends, strict=True)]


def test_golden_variances() -> None:
    """Maths sheet context.md, "Context-aware LDP", golden values: blocks (3,3), and HR at symbol 0."""
    m = dn.BlockHadamard(blocks(3, 3), 1.0)
    golden = [2.719617, 2.769617, 2.799617, 1.833078, 1.850578, 1.870578]
    assert m.law.variances.variances(TRUTH).round(6).tolist() == golden
    assert m.risk(1, "l2", TRUTH) == pytest.approx(sum(golden), abs=3e-6)
    baseline = dn.Hadamard(6, 1.0, parts=1)
    t = np.e
    r = (t + 1) / (t - 1)
    assert r * r - 0.09 == pytest.approx(4.592694, abs=5e-7)  # of one block, as of Hadamard response in one part
    assert dn.BlockHadamard(blocks(6), 1.0).risk(1, "l2", TRUTH) == pytest.approx(
        baseline.risk(1, "l2", TRUTH), rel=1e-9
    )


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_variances_agree_with_simulation(epsilon: float) -> None:
    """Blocks of 7, 1, 64 and 300 labels; declared power within."""
    expect_predicted_errors(dn.BlockHadamard(blocks(*SIZES), epsilon))


@pytest.mark.soak
@pytest.mark.parametrize("n", [50, 700])
@pytest.mark.parametrize("sizes", [(3, 1, 2), (5,), (2, 3)])
def test_coverage(sizes: tuple[int, ...], n: int) -> None:
    expect_coverage(dn.BlockHadamard(blocks(*sizes), 1.0), n)


@pytest.mark.soak
def test_narrow_intervals_are_caught() -> None:
    """Declared power: intervals a fifth too narrow, where one block is everybody."""
    assert coverage(dn.BlockHadamard(blocks(5), 1.0), 700, 0.95, "population", 0.8).mean(axis=0).min() < LEAST
    # the two exact parts of the intervals of several blocks leave more room
    assert coverage(dn.BlockHadamard(blocks(2, 3), 1.0), 700, 0.95, "population", 0.7).mean(axis=0).min() < LEAST


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 3.0, 10.0])
@pytest.mark.parametrize("sizes", [(2, 4), (1, 3, 2), (6,)])
def test_audits_are_tight(sizes: tuple[int, ...], epsilon: float) -> None:
    m = dn.BlockHadamard(blocks(*sizes), epsilon)
    assert dn.audit(m).holds
    assert not m.guarantee.at(epsilon - 1e-6).holds(m)
    assert len(sizes) == 1 or not dn.LDP(32.0).holds(m)  # the block is no secret


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 10.0])
def test_a_hundred_thousand_labels_by_the_closed_form(epsilon: float) -> None:
    found = dn.audit(dn.BlockHadamard(blocks(*[1000] * 100), epsilon))
    assert found.holds
    assert not found.listed
    assert epsilon - 1e-6 < found.epsilon <= epsilon


def test_blocks_of_one_tell_the_truth() -> None:
    m = dn.BlockHadamard([["a"], ["b"], ["c"]], 1.0)
    assert dn.audit(m).holds
    assert dn.audit(m).epsilon == 0.0
    rows = m.channel().exact
    assert all(sum(rows[i][2 * i : 2 * i + 2]) == 1 for i in range(3))  # the block, for certain
    e = m.estimate(m.privatize_many(["a", "b"] * 50, seed=1), "unbiased")
    lone = dn.BlockHadamard([["a"], ["b", "c"]], 1.0)
    assert e.n == 100
    assert lone.mutual_information() > 0


def test_blocks_need_not_be_consecutive() -> None:
    """The domain is the blocks' labels one after another; a survey keeps its own order elsewhere."""
    m = dn.BlockHadamard([["日本", "é"], [""], ["🙂", "ü", "z"]], 1.5)
    assert list(m.domain) == ["日本", "é", "", "🙂", "ü", "z"]
    assert dn.from_spec(m.spec()) == m
    found = m.estimate(m.privatize_many(["é"] * 3000, seed=1), "unbiased")
    assert np.abs(found.unbiased - [0, 1, 0, 0, 0, 0]).max() < 0.25
    assert (found.unbiased[2:] == 0).all()  # no report of another block


def test_posterior_by_the_exact_channel() -> None:
    m, prior = dn.BlockHadamard(blocks(3, 1, 2), 0.8), TRUTH[::-1]
    reports = m.privatize_many(np.arange(600) % 6, seed=3)
    joint = prior[:, None] * m.channel().probabilities[:, m.layout.report_index(reports)]
    by_hand = (joint / joint.sum(axis=0)).mean(axis=1)
    assert np.allclose(m.estimate(reports, "posterior", prior=prior).frequencies, by_hand, atol=1e-12)


def test_likelihood_by_the_exact_channel() -> None:
    """Five thousand steps of EM over the listed channel come no higher, and near."""
    m = dn.BlockHadamard(blocks(2, 3), 1.5)
    reports = m.privatize_many(np.repeat(np.arange(5), [500, 400, 300, 200, 0]), seed=4)
    seen, rows, p = np.bincount(reports, minlength=m.layout.outputs), m.channel().probabilities, np.full(5, 0.2)
    rows, seen = rows[:, seen > 0], seen[seen > 0]
    for _ in range(5000):
        p = p * (rows @ (seen / (p @ rows))) / seen.sum()
    found = m.estimate(reports, "likelihood").frequencies
    assert seen @ np.log(found @ rows) >= seen @ np.log(p @ rows) - 1e-6
    assert np.allclose(found, p, atol=1e-3)
    assert found[:2].sum() == pytest.approx(900 / 1400, abs=1e-9)  # the blocks are known


@pytest.mark.parametrize("sizes", [[3, 4], [3, 2], [6, 0], [3.5, 3], "33", None, [], [-1, 7]])
def test_tampered_specs(sizes: Any) -> None:
    spec = dn.BlockHadamard(blocks(3, 3), 1.0).spec()
    assert dn.from_spec(spec) == dn.BlockHadamard(blocks(3, 3), 1.0)
    with pytest.raises(dn.FormatError):
        dn.from_spec({**spec, "sizes": sizes})


@pytest.mark.parametrize("wrong", [[], [[]], [["a", "b"], ["b"]], [["a"], "bc"], "ab", None, 4])
def test_what_are_no_blocks(wrong: Any) -> None:
    with pytest.raises(dn.ParameterError, match=r"^blocks must"):
        dn.BlockHadamard(wrong, 1.0)


def test_tallies_that_cannot_be() -> None:
    m = dn.BlockHadamard(blocks(3, 1), 1.0)
    with pytest.raises(dn.TallyError, match="add up to 1 a report"):
        m.estimate(dn.Tally(4, [1] * m.layout.cells, m.spec()))
    with pytest.raises(dn.ReportError):
        m.tally([0, m.layout.outputs])


class NextBlock(dn.BlockHadamard):
    """One report in fifty falls into the next block."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        reports = super().draw(values, entropy)
        stray = entropy.words(len(values)) % 50 == 0
        return np.where(stray, (reports.astype(np.int64) + 4) % self.layout.outputs, reports).astype(reports.dtype)


class RowZero(dn.BlockHadamard):
    """The first label of each block has row 0, which is + everywhere."""

    def __init__(self, blocks: Any, epsilon: float) -> None:
        super().__init__(blocks, epsilon)
        self._parts.sources[:, 4] -= np.uint64(1)


class Truthful(dn.BlockHadamard):
    """Always in the own half."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        return dn.BlockHadamard(self.guarantee.blocks, 32.0).draw(values, entropy)


@pytest.mark.parametrize("broken", [NextBlock, RowZero, Truthful])
def test_planted_faults_are_caught(broken: Any) -> None:
    assert not dn.audit_sampling(broken(blocks(3, 1, 2), 1.0), 20_000, seed=1).holds
    assert dn.audit_sampling(dn.BlockHadamard(blocks(3, 1, 2), 1.0), 20_000, seed=1).holds


def test_too_much_is_spent_provably() -> None:
    found = dn.audit_sampling(Truthful(blocks(3, 3), 1.0), 20_000, seed=1)
    assert found.epsilon_lower > 1.0
    assert found.claimed == 1.0
