"""Cyclic's promises: nearly Subset's error in the bits of a label, and a decoder for a million labels."""

from __future__ import annotations

import time

import numpy as np
import pytest
from scipy import fft
from tests.lengths import by_length

import deniable as dn

EPSILONS = (0.5, 1.0, 2.0, 3.0)


def excess(d: int, epsilon: float, max_bits: int | None = None) -> float:
    """How much more squared error than Subset's, for both targets the larger."""
    cyclic, subset = dn.Cyclic(d, epsilon, max_bits=max_bits), dn.Subset(d, epsilon)
    assert max_bits is None or cyclic.report_bits <= max_bits
    population = cyclic.risk(1000) / subset.risk(1000)
    return max(population, cyclic.risk(1000, target="sample") / subset.risk(1000, target="sample")) - 1


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_thousand_labels(epsilon: float) -> None:
    assert dn.Cyclic(1000, epsilon).report_bits <= 13
    assert excess(1000, epsilon) < 0.015
    assert excess(1000, epsilon, max_bits=13) < 0.015
    assert excess(1000, epsilon, max_bits=11) < 0.05


@pytest.mark.parametrize("d", [100_000, 1_000_000])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_many_labels(d: int, epsilon: float) -> None:
    assert excess(d, epsilon) < 0.01


@pytest.mark.soak
def test_simulated_error_is_subsets_within_the_promise() -> None:
    """Mean squared errors of some surveys a mechanism differ by less than 1.5% and 6 standard errors."""
    d, n, truth, surveys = 1000, 20_000, np.full(1000, 1 / 1000), by_length(20, 200)
    for epsilon in EPSILONS:
        errors = []
        for m in (dn.Cyclic(d, epsilon), dn.Subset(d, epsilon)):
            found = [dn.simulate(m, truth, n, seed, "unbiased").frequencies for seed in range(surveys)]
            errors.append([float(((e - truth) ** 2).sum()) for e in found])
        ratio = np.mean(errors[0]) / np.mean(errors[1])
        noise = np.hypot(*(np.std(e) / np.mean(e) / np.sqrt(surveys) for e in errors))
        assert abs(ratio - 1) < 0.015 + 6 * noise


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_million_labels_decode_like_a_few_transforms(epsilon: float) -> None:
    """A decoder that looked at every label and residue of D would take some hundred thousand times as long."""
    m = dn.Cyclic(1_000_000, epsilon)
    tally = m.tally(m.privatize_many(np.arange(50_000) * 20, seed=1))
    start = time.process_time()
    e = m.estimate(tally)
    decoded = time.process_time()
    fft.irfft(fft.rfft(tally.counts.astype(np.float64)), len(tally.counts))
    assert decoded - start < 100 * (time.process_time() - decoded)
    assert e.frequencies.sum() == pytest.approx(1)


def test_a_spec_keeps_its_design() -> None:
    m = dn.Cyclic(1000, 2.0, max_bits=11)
    again = dn.from_spec(m.spec())
    assert isinstance(again, dn.Cyclic)
    assert again.design == m.design
    assert again.report_bits == 11
    for change in ({"q": 6}, {"q": 2, "t": 3}, {"q": None}, {"t": "x"}, {"q": 2, "t": 10**9}, {"q": 10**30, "t": 3}):
        with pytest.raises(dn.FormatError):
            dn.from_spec({**m.spec(), **change})


@pytest.mark.parametrize("max_bits", [9, 0, -1, 2.5, True, "12"])
def test_too_few_bits(max_bits: int) -> None:
    with pytest.raises(dn.ParameterError, match=r"^max_bits must be"):
        dn.Cyclic(1000, 1.0, max_bits=max_bits)
