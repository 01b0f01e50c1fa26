"""Cumulative shares: the golden toy, dense algebra, errors, coverage, few cells and few people, many cells."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats
from tests.estimation.numbers.block_worlds import surveyed
from tests.lengths import by_length

from deniable.arrays import Counts, Matrix, Vector
from deniable.estimation.evidence import SupportEvidence
from deniable.estimation.joint_source import JointSource
from deniable.estimation.numbers.band import band_factor
from deniable.estimation.numbers.cumulative import Cumulative, PartShares, quantile_cuts
from deniable.estimation.simplex import project
from deniable.protocol.errors import TallyError
from deniable.theory.numbers.staggered import cuts, mode_variance, parts, risks
from deniable.theory.risk.joint_support import JointSupport
from deniable.theory.risk.support import Support
from deniable.theory.sizes import best_l2_size

LOG3 = 1.0986122886681098
RUNS = by_length(300, 600)
LEAST = int(stats.binom.ppf(1e-4, RUNS, 0.945))
"""Fewer intervals than this hold with a chance of one in ten thousand if each holds at 94.5%."""


def told(found: Sequence[int], n: int, counts: Sequence[int]) -> PartShares:
    """A part answered by randomized response with odds of 3."""
    labels = len(counts)
    s = Support.response(labels, LOG3)
    m = s.h + s.gap / labels
    variance = m * (1 - m) / s.gap**2 * labels / (labels - 1)
    source = JointSource(SupportEvidence(n, np.array(counts), s), JointSupport.of(s, labels, True))
    return PartShares(np.array(found), source, n / variance)


TOY = (
    told([0, 1, 2, 3, 4], 100, [40, 30, 20, 10]),
    told([0, 2, 4], 50, [30, 20]),
    told([0, 1, 3, 4], 50, [20, 20, 10]),
)


def test_golden_toy() -> None:
    found = Cumulative.of(4, TOY)
    assert found.n == 200
    assert np.allclose(found.shares, [0, 0.567368, 0.871116, 1.067368, 1], atol=6e-7)


def test_queries_by_dense_algebra() -> None:
    """Values and variances of a few queries, from the covariances of all parts."""
    found, weights = Cumulative.of(4, TOY), np.array([[0, -1, 0, 1, 0], [1, 2, 3, 4, 5.0]])
    laplacian = found.network.laplacian.toarray()
    values, variances = found.query(weights)
    maps = []
    for part in TOY:
        into = np.zeros((5, len(part.cuts) - 1))
        for edge, (one, other) in enumerate(zip(part.cuts[:-1], part.cuts[1:], strict=True)):
            into[other, edge] += part.precision
            into[one, edge] -= part.precision
        maps.append(weights[:, 1:-1] @ np.linalg.solve(laplacian[1:-1, 1:-1], into[1:-1]))
    expected = sum(part.source.covary(m, _projected(part)[None]) @ m.T for m, part in zip(maps, TOY, strict=True))
    assert np.allclose(variances, np.diag(np.asarray(expected)), rtol=1e-9)
    assert np.allclose(values, weights @ found.shares)
    assert np.allclose(found.stderr[1:-1] ** 2, found.query(np.eye(5)[1:-1])[1])
    assert found.query(np.eye(5)[[0, 4]])[1] == pytest.approx(0, abs=1e-15)


def _projected(part: PartShares) -> Vector:
    """The part's shares as a distribution; here none is far from one."""
    return project(part.source.evidence.unbiased())


def test_empty_parts_are_dropped() -> None:
    empty = told([0, 2, 4], 0, [0, 0])
    assert np.array_equal(Cumulative.of(4, (*TOY, empty)).shares, Cumulative.of(4, TOY).shares)


@pytest.mark.parametrize("kept", [(), TOY[1:]])
def test_single_cells_must_be_reported_on(kept: Sequence[PartShares]) -> None:
    with pytest.raises(TallyError, match="single cells must have been reported on"):
        Cumulative.of(4, kept)


def test_one_cell_needs_no_reports() -> None:
    found = Cumulative.of(1, ())
    assert found.shares.tolist() == [0, 1]
    assert [limit.tolist() for limit in found.band(0.95)] == [[0, 1], [0, 1]]
    assert found.query(np.array([[-1.0, 1.0]]))[1].tolist() == [0]


@pytest.mark.parametrize("cells", [2, 3, 4])
@pytest.mark.parametrize("n", [1, 2, 40])
def test_few_cells_and_few_people_at_one_end(cells: int, n: int) -> None:
    """Whoever reports on single cells is enough; limits stay in order and within 0..1."""
    truth = np.eye(cells)[-1]
    found = Cumulative.of(cells, [_all_at_the_end(cells, n), *surveyed(truth, 60, 1.0, np.random.default_rng(n)).parts])
    for bounds in (found.pointwise(0.95), found.band(0.95)):
        assert (bounds.lower <= bounds.upper).all()
        assert bounds.lower.min() >= 0
        assert bounds.upper.max() <= 1
        first, last = quantile_cuts(bounds, 0.5)
        assert 0 <= first < last <= cells
    alone = Cumulative.of(cells, [_all_at_the_end(cells, n)])
    assert np.isfinite(alone.stderr).all()
    assert alone.shares[[0, -1]].tolist() == [0, 1]


def _all_at_the_end(cells: int, n: int) -> PartShares:
    return told(range(cells + 1), n, [0] * (cells - 1) + [n])


SKEWED = np.array([0.3, 0.25, 0.15, 0.1, 0.05, 0.05, 0, 0, 0, 0.02, 0.03, 0, 0, 0.05, 0, 0])
ENDS = np.array([0.5, *[0.0] * 14, 0.5])


@pytest.mark.soak
@pytest.mark.parametrize(("epsilon", "truth"), [(1.0, SKEWED), (3.0, ENDS)])
def test_errors_and_coverage_at_500_people(epsilon: float, truth: Vector) -> None:
    """Unbiased, as far off as said, and limits hold: pointwise, everywhere at once, of quantiles.

    Where an end holds half of the people the network's own variances are less than half of the truth.
    """
    rng, cumulative = np.random.default_rng(5), np.append(0, np.cumsum(truth))
    found = [surveyed(truth, 500, epsilon, rng) for _ in range(RUNS)]
    factor = band_factor(found[0].network, 0.95)
    errors = np.array([(each.shares - cumulative)[1:-1] for each in found])
    said = np.array([each.stderr[1:-1] for each in found])
    slack = stats.norm.isf(1e-4 / 60)
    assert np.abs(errors.mean(axis=0) / errors.std(axis=0)).max() < slack / np.sqrt(RUNS)
    assert np.abs(said.mean(axis=0) / errors.std(axis=0) - 1).max() < slack / np.sqrt(2 * RUNS)
    if epsilon == 3:
        network = np.mean([each.network.resistances[1] for each in found])
        assert network < 0.5 * errors[:, 0].var()
    beyond = np.abs(errors) / said
    assert (beyond < stats.norm.isf(0.025)).sum(axis=0).min() >= LEAST
    assert (beyond.max(axis=1) < factor).sum() >= LEAST
    assert (beyond.max(axis=1) < 0.8 * factor).sum() < LEAST


@pytest.mark.soak
def test_quantiles_hold_at_500_people() -> None:
    """Each by itself from pointwise limits; too narrow ones are caught."""
    rng, cumulative = np.random.default_rng(6), np.cumsum(SKEWED)
    held = dict.fromkeys([(share, level) for share in (0.5, 0.9) for level in (0.95, 0.4)], 0)
    for _ in range(RUNS):
        found = surveyed(SKEWED, 500, 1.0, rng)
        for share, level in held:
            first, last = quantile_cuts(found.pointwise(level), share)
            held[share, level] += first <= int(np.searchsorted(cumulative, share - 1e-12)) < last
    assert held[0.5, 0.95] >= LEAST
    assert held[0.9, 0.95] >= LEAST
    assert held[0.5, 0.4] < LEAST


def test_the_error_at_uniform_people_is_that_of_theory() -> None:
    """Mean squared error over the cuts of 64 cells, with its own error below 2%."""
    rng, cells, n = np.random.default_rng(7), 64, 4000
    truth = np.full(cells, 1 / cells)
    cumulative = np.arange(cells + 1) / cells
    found = [surveyed(truth, n, 1.0, rng) for _ in range(120)]
    squares = [float(((each.shares - cumulative)[1:-1] ** 2).mean()) for each in found]
    theory = risks(cells, parts(cells), 1.0).prefix / n
    error = float(np.std(squares)) / np.sqrt(len(squares))
    assert error < 0.04 * theory
    assert abs(np.mean(squares) - theory) < stats.norm.isf(5e-4) * error
    assert np.mean([float((each.stderr[1:-1] ** 2).mean()) for each in found]) == pytest.approx(theory, rel=0.02)


def test_the_band_is_the_pointwise_one_made_wider_and_monotone() -> None:
    found = surveyed(SKEWED, 500, 1.0, np.random.default_rng(8))
    reach = band_factor(found.network, 0.9) * found.stderr
    lower, upper = np.clip(found.shares - reach, 0, 1), np.clip(found.shares + reach, 0, 1)
    bounds = found.band(0.9)
    assert bounds.lower.tolist() == [max(lower[: j + 1]) for j in range(17)]
    assert bounds.upper.tolist() == [min(upper[j:]) for j in range(17)]
    assert (found.pointwise(0.9).lower >= bounds.lower - 1e-12).sum() >= 10


def test_many_cells() -> None:
    """65,536 of them: decoded in a second, and errors that follow from the network at nearly all cuts."""
    cells = 1 << 16
    rng, truth = np.random.default_rng(9), np.full(cells, 1 / cells)
    told_parts = [_drawn(truth, size, offset, 30_000, rng) for size, offset, _ in parts(cells)]
    Cumulative.of(4, TOY).network.resistances.sum()  # compiles what is needed
    found = Cumulative.of(cells, told_parts)
    started = time.process_time()
    shares = found.shares
    assert time.process_time() - started < 1
    beyond = (shares - np.append(0, np.cumsum(truth)))[1:-1] / found.stderr[1:-1]
    assert 0.9 < float((beyond**2).mean()) < 1.1
    assert np.abs(beyond).max() < band_factor(found.network, 0.9999)
    exact = found.query(_units(cells, [1, 1000, 30_000]))[1]
    assert np.allclose(found.stderr[[1, 1000, 30_000]] ** 2, exact, rtol=0.05)


def test_many_cells_with_many_people_in_a_few() -> None:
    """At eps 3 the network alone would say less than half of the variance beside an atom; errors are still as large."""
    cells, rng = 4096, np.random.default_rng(10)
    truth = np.full(cells, 0.3 / cells)
    truth[[0, 1365, 4095]] += [0.2, 0.3, 0.2]
    drawn = [_drawn(truth, size, offset, 40_000, rng, 3.0) for size, offset, _ in parts(cells)]
    found = Cumulative.of(cells, drawn)
    some = [1, 2, 100, 1364, 1366, 1370, 2000, 3000, 4090, 4095]
    exact = found.query(_units(cells, some))[1]
    ratios = found.stderr[some] ** 2 / exact
    assert ratios.min() > 0.94
    assert ratios.max() < 1.7
    assert (found.network.resistances[some] / exact).min() < 0.5


def _units(cells: int, some: Sequence[int]) -> Matrix:
    """The queries of F at some cuts."""
    found = np.zeros((len(some), cells + 1))
    found[np.arange(len(some)), some] = 1
    return found


def _drawn(
    truth: Vector, size: int, offset: int, people: int, rng: np.random.Generator, epsilon: float = 1.0
) -> PartShares:
    """A part of many blocks, whose labels are supported as if independently, which is nearly so."""
    found = cuts(len(truth), size, offset)
    labels = len(found) - 1
    s = Support.subset(labels, best_l2_size(labels, epsilon), epsilon)
    held: Counts = rng.multinomial(people, np.add.reduceat(truth, found[:-1]))
    counts = rng.binomial(held, s.g) + rng.binomial(people - held, s.h)
    source = JointSource(SupportEvidence(people, counts, s), JointSupport.of(s, labels, True))
    return PartShares(found, source, people / mode_variance(labels, epsilon))
