"""Where a share's give or take comes from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import deniable as dn
from deniable.estimation.census import Census
from deniable.estimation.census_evidence import evidence_among

CARS = {"car": 0.4, "bus": 0.2, "train": 0.13, "bike": 0.19, "foot": 0.08}


def test_noise_is_split_into_sampling_and_privacy() -> None:
    estimate = dn.simulate(dn.RandomizedResponse(list(CARS), 2.0), list(CARS.values()), users=10_000, seed=1)
    found = estimate.error_sources()
    assert found is not None
    share = estimate.unbiased[0]
    assert found.sampling == pytest.approx(1.96 * np.sqrt(share * (1 - share) / 10_000), rel=1e-4)
    assert found.whole**2 == pytest.approx(found.sampling**2 + found.privacy**2)
    assert 500 < found.worth < 10_000
    assert (found.label, found.n, found.unit) == ("car", 10_000, None)
    assert str(found).startswith(
        f"For “car”, ± {100 * found.whole:.1f} points: ± {100 * found.sampling:.1f} from asking 10,000 people"
    )
    assert found.to_dict()["sentence"] == str(found)


def test_asking_some_adds_as_much_however_carefully_a_mechanism_is_proven() -> None:
    blocks = [[f"{block}{label}" for label in "abc"] for block in "xyz"]
    mechanism = dn.BlockHadamard(blocks, 2.0)
    estimate = mechanism.estimate(mechanism.draw_tally([60, *[15] * 8], np.random.default_rng(1)))
    found = estimate.error_sources()
    assert found is not None
    share = max(estimate.unbiased)
    assert found.sampling == pytest.approx(1.96 * np.sqrt(share * (1 - share) / 180), rel=1e-4)
    assert found.whole > 1.2 * 1.96 * estimate.stderr[np.argmax(estimate.unbiased)]  # few people: careful proofs
    assert found.whole**2 == pytest.approx(found.sampling**2 + found.privacy**2)


@pytest.mark.parametrize("size", [120, 240])
def test_of_a_census_asking_adds_what_those_who_did_not_tell_leave_open(size: int) -> None:
    drawn = dn.simulate(dn.RandomizedResponse(["yes", "no"], 2.0), [0.4, 0.6], users=120, seed=1)
    share = max(drawn.unbiased)
    decoded = drawn.decoded._replace(evidence=evidence_among(drawn.evidence, size))
    found = replace(drawn, decoded=decoded, census=Census(size, 120)).error_sources()
    assert found is not None
    assert found.of_all == (size == 120)
    assert found.sampling == pytest.approx(1.96 * np.sqrt(share * (1 - share) * (1 / 120 - 1 / size)), rel=1e-4)
    assert found.worth < size
    assert ("as many answered this question as are asked" in str(found)) == (size == 120)


def test_a_share_of_none_cannot_be_split() -> None:
    mechanism = dn.RandomizedResponse(["a", "b"], 2.0)
    nobody = mechanism.estimate(mechanism.tally([0] * 1000))
    assert nobody.error_sources("b") is None


def test_without_protection_all_of_it_comes_from_asking_some() -> None:
    """Of reports that are all but the answers themselves so many people tell as much as they are."""
    open_answers = dn.simulate(dn.RandomizedResponse(["a", "b"], 12.0), [0.3, 0.7], users=5000, seed=1)
    found = open_answers.error_sources("a")
    assert found is not None
    assert 0.98 * 5000 < found.worth <= 5000
    assert found.privacy < 0.25 * found.whole  # exact intervals reach a little farther than normal ones
