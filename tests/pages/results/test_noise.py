"""Where a share's give or take comes from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.pages.results.worlds import CARS

import deniable as dn
from deniable.estimation.census import Census
from deniable.estimation.census_evidence import evidence_among
from deniable.pages.results.noise import noise
from deniable.pages.results.rows import chart


def test_noise_is_split_into_sampling_and_privacy() -> None:
    estimate = dn.simulate(dn.RandomizedResponse(list(CARS), 2.0), list(CARS.values()), users=10_000, seed=1)
    found = noise(estimate, range(5))
    assert found is not None
    whole, sampling, privacy = (float(each) for each in (found.whole, found.sampling, found.privacy))
    share = estimate.unbiased[0]
    assert abs(sampling - 196 * np.sqrt(share * (1 - share) / 10_000)) < 0.06
    assert abs(whole**2 - sampling**2 - privacy**2) < 0.3
    assert 500 < found.worth < 10_000
    assert found.people == 10_000


def test_asking_some_adds_as_much_however_carefully_a_mechanism_is_proven() -> None:
    blocks = [[f"{block}{label}" for label in "abc"] for block in "xyz"]
    mechanism = dn.BlockHadamard(blocks, 2.0)
    estimate = mechanism.estimate(mechanism.draw_tally([60, *[15] * 8], np.random.default_rng(1)))
    found = noise(estimate, range(9))
    assert found is not None
    whole, sampling, privacy = (float(each) for each in (found.whole, found.sampling, found.privacy))
    share = max(estimate.unbiased)
    assert abs(sampling - 196 * np.sqrt(share * (1 - share) / 180)) < 0.06
    assert whole > 1.2 * 196 * estimate.stderr[np.argmax(estimate.unbiased)]  # few people: careful proofs
    assert abs(whole**2 - sampling**2 - privacy**2) < 1.5  # each is rounded to a tenth


def test_of_a_census_asking_adds_what_those_who_did_not_tell_leave_open() -> None:
    drawn = dn.simulate(dn.RandomizedResponse(["yes", "no"], 2.0), [0.4, 0.6], users=120, seed=1)
    share = max(drawn.unbiased)
    for size in (120, 240):
        decoded = drawn.decoded._replace(evidence=evidence_among(drawn.evidence, size))
        found = noise(replace(drawn, decoded=decoded, census=Census(size, 120)), range(2))
        assert found is not None
        assert found.of_all == (size == 120)
        assert abs(float(found.sampling) - 196 * np.sqrt(share * (1 - share) * (1 / 120 - 1 / size))) < 0.06
        assert found.worth < size


def test_the_whole_is_what_the_row_of_the_same_answer_says() -> None:
    estimate = dn.simulate(dn.RandomizedResponse(list(CARS), 2.0), list(CARS.values()), users=10_000, seed=1)
    for simultaneous in (False, True):
        for shown in (range(5), [3, 1]):
            found = noise(estimate, shown, simultaneous)
            rows = {row.label: row for row in chart(estimate, shown, simultaneous).rows}
            assert found is not None
            assert found.whole == rows[found.label].take
            assert found.label == max(rows.values(), key=lambda row: row.share).label
    assert noise(estimate, []) is None
