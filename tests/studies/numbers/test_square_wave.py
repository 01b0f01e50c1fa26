"""Square Wave and EMS: their privacy, their likelihood, and errors like those of the study."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from studies.numbers.square_wave import half_width, smoothed, square_wave


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_chances_keep_their_level(epsilon: float) -> None:
    chances = square_wave(20, 40, epsilon)
    assert np.allclose(chances.sum(axis=1), 1)
    ratio = (chances.max(axis=0) / chances.min(axis=0)).max()
    assert ratio == pytest.approx(math.exp(epsilon), rel=1e-9)


def test_the_width_is_that_of_most_information() -> None:
    """The information of a report about a uniform number, for widths around b."""

    def information(b: float) -> float:
        p = math.e / (2 * b * math.e + 1)
        q = p / math.e
        near = 2 * b * p
        return near * math.log(p) + (1 - near) * math.log(q) + math.log(2 * b + 1)

    b = half_width(1.0)
    assert information(b) > max(information(0.98 * b), information(1.02 * b))


def test_counts_as_expected_are_decoded_to_the_truth() -> None:
    """But for the smoothing."""
    truth = np.diff(stats.beta.cdf(np.linspace(0, 1, 33), 5, 2))
    chances = square_wave(32, 32, 3.0)
    found = smoothed(np.rint(1e9 * truth @ chances).astype(np.int64), chances)
    assert found.sum() == pytest.approx(1)
    assert float(np.abs(np.cumsum(found - truth)).mean()) < 0.006


@pytest.mark.parametrize(("a", "b", "known"), [(5, 2, 0.0051), (1, 1, 0.0044)])
def test_errors_as_in_the_study(a: float, b: float, known: float) -> None:
    """W1 from 100,000 people at eps 1, roughly."""
    cells, rng, found = 256, np.random.default_rng(1), []
    truth, chances = np.diff(stats.beta.cdf(np.linspace(0, 1, cells + 1), a, b)), square_wave(cells, cells, 1.0)
    for _ in range(12):
        shares = smoothed(rng.multinomial(100_000, truth @ chances), chances)
        found.append(float(np.abs(np.cumsum(shares - truth)).mean()))
    assert np.mean(found) == pytest.approx(known, abs=4 * float(np.std(found)) / math.sqrt(12))
    assert np.mean(found) < 2 * known
