"""Two labels: golden values, limits, and that every channel under the levels is a coarser version of the optimum."""

from __future__ import annotations

import math

import numpy as np
import pytest

from deniable.arrays import Matrix
from deniable.protocol.errors import ParameterError
from deniable.theory.best_channel.binary import binary, degradation, error_region, errors
from deniable.theory.levels import excess

INF = math.inf
PAIRS = [(0.7, 1.4), (1.0, 1.0), (0.01, 3.0), (1e-6, 1e-6), (5.0, 0.3), (INF, 0.8), (0.8, INF), (INF, INF), (0.0, 1.0)]


def test_the_golden_values() -> None:
    """Maths sheet context.md, "Context-aware LDP", golden values: binary (.7, 1.4)."""
    matrix = binary(0.7, 1.4)
    assert matrix[:, 0] == pytest.approx([0.858536, 0.426337], abs=5e-7)
    m = np.array([0.2, 0.8]) @ matrix[:, 0]
    assert m * (1 - m) / (matrix[0, 0] - matrix[1, 0]) ** 2 == pytest.approx(1.337480, abs=5e-7)


def test_warner_and_mangat_are_special_cases() -> None:
    e = math.exp(1.2)
    np.testing.assert_allclose(binary(1.2, 1.2), np.array([[e, 1], [1, e]]) / (1 + e), rtol=1e-14)
    np.testing.assert_allclose(binary(1.2, INF), np.array([[1, 0], [1 / e, 1 - 1 / e]]), rtol=1e-14)
    np.testing.assert_allclose(binary(INF, 1.2), np.array([[1 - 1 / e, 1 / e], [0, 1]]), rtol=1e-14)
    assert binary(INF, INF).tolist() == [[1, 0], [0, 1]]
    assert binary(0, 0).tolist() == [[0.5, 0.5], [0.5, 0.5]]
    for channel in (binary(0, 0.7), binary(0.7, 0)):
        assert (channel[0] == channel[1]).all()


@pytest.mark.parametrize(("e12", "e21"), PAIRS)
def test_the_optimum_keeps_its_levels_with_equality(e12: float, e21: float) -> None:
    matrix = binary(e12, e21)
    levels = np.array([[0, e12], [e21, 0]])
    assert excess(matrix, levels) < 1e-12
    np.testing.assert_allclose(matrix.sum(axis=1), 1, rtol=0, atol=1e-15)
    with np.errstate(divide="ignore"):
        logs = np.log(matrix)
    if 0 < e12 < INF and 0 < e21 < INF:
        assert [logs[0, 0] - logs[1, 0], logs[1, 1] - logs[0, 1]] == pytest.approx([e12, e21], rel=1e-9)


def test_the_corners_of_the_error_region() -> None:
    odds = math.exp(2.1) - 1
    corners = [[1, 0], [(math.exp(1.4) - 1) / odds, (math.exp(0.7) - 1) / odds], [0, 1]]
    np.testing.assert_allclose(error_region(0.7, 1.4), np.array(corners), rtol=1e-14)
    np.testing.assert_allclose(error_region(INF, 0.7)[1], [0, math.exp(-0.7)])
    np.testing.assert_allclose(error_region(0.7, INF)[1], [math.exp(-0.7), 0])
    assert error_region(INF, INF)[1].tolist() == [0, 0]
    assert sum(errors(0, 0)) == 1


def random_channel(e12: float, e21: float, rng: np.random.Generator) -> Matrix:
    """Columns anywhere in the cone: likelihood ratios from e^-e21 to e^e12, of mean 1 under the second row."""
    least, most = math.exp(-e21), min(math.exp(e12), 1e3)
    count = int(rng.integers(1, 6))
    low, high = rng.uniform(least, 1, count), rng.uniform(1, most, count)
    share = (1 - low) / (high - low)  # of the high ratio, for a mean of 1
    parts = rng.dirichlet(np.ones(count))
    second = np.concatenate([parts * (1 - share), parts * share])
    return np.stack([second * np.concatenate([low, high]), second])


def test_every_channel_under_the_levels_is_a_degradation_of_the_optimum() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        e12, e21 = rng.choice([0.05, 0.7, 1.4, 3.0, INF], 2)
        channel = random_channel(e12, e21, rng)
        assert excess(channel, np.array([[0, e12], [e21, 0]])) < 1e-12
        assert degradation(channel, binary(e12, e21)) < 1e-9


def test_a_channel_that_breaks_its_levels_is_none() -> None:
    assert degradation(binary(0.8, 1.4), binary(0.7, 1.4)) > 0.01
    assert degradation(binary(0.7, 1.5), binary(0.7, 1.4)) > 0.01
    assert degradation(binary(1.4, 0.7), binary(0.7, 1.4)) > 0.09
    assert degradation(np.eye(2), binary(3.0, INF)) > 0.02


def test_the_error_of_a_degradation_is_the_least_one() -> None:
    assert degradation(np.eye(2), np.full((2, 2), 0.5)) == pytest.approx(0.5)
    assert degradation(np.full((3, 4), 0.25), np.eye(3)) == pytest.approx(0, abs=1e-12)


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"channels must be .* as many rows, got shapes \(2, 2\) and \(3, 3\)"):
        degradation(np.eye(2), np.eye(3))
    with pytest.raises(ParameterError, match="levels must be numbers from 0 on, or inf, got -1"):
        binary(-1, 1)
