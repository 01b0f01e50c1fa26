"""Audits catch what they are for: each broken mechanism fails, its sound twin passes.

Every audit has a false-alarm rate of 1e-6, and fixed seeds make each outcome repeatable.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import deniable as dn
from deniable.arrays import Column, Exact, Indices
from deniable.estimation.laws.support_law import SupportLaw
from deniable.kernels._kernels import toss_own
from deniable.mechanisms.shared.draws import noise
from deniable.privacy.entropy import Entropy
from deniable.protocol.odds import Odds

TRIALS = 100_000


class FilledWithoutExcluding(dn.Subset):
    """The defect of public code: the rest of the subset is drawn from all labels, the value's among them."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        d, k = len(self.domain), self.size
        generator = np.random.Generator(np.random.Philox(int(entropy.words(1)[0])))
        inside = generator.random(len(values)) < float(self.law.exact_support[0])
        order = generator.random((len(values), d)).argsort(axis=1)
        bits = np.zeros((len(values), d), np.uint8)
        np.put_along_axis(bits, order[:, :k], 1, axis=1)
        missing = np.flatnonzero(inside & (bits[np.arange(len(values)), values] == 0))
        bits[missing, order[missing, 0]] = 0
        bits[missing, values[missing]] = 1
        return np.packbits(bits, axis=1, bitorder="little")


class OwnBitNotReset(dn.OptimizedUnary):
    """The coin is added to the noise instead of replacing it."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        reports = noise(len(values), self.layout.width, self.odds.below, entropy)
        own = np.zeros_like(reports)
        toss_own(own, values, self.layout.last, entropy.words(-(-len(values) // 64)))
        reports[:, -1] &= self.layout.last
        return np.asarray(reports | own)


class ShortRange(dn.RandomizedResponse):
    """An off-by-one range: the last label is never drawn by chance."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        reports = super().draw(values, entropy)
        wrong = reports == len(self.domain) - 1
        reports[wrong & (values != len(self.domain) - 1)] = 0
        return reports


class LongRange(dn.RandomizedResponse):
    """An off-by-one range: one label too many."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        reports = super().draw(values, entropy).astype(np.int64)
        return np.where(entropy.words(len(values)) % 50 == 0, len(self.domain), reports)


class Heavier(dn.RandomizedResponse):
    """The truth weighs one part in 300 more than it should."""

    @property
    def odds(self) -> Odds:
        sound = dn.RandomizedResponse(self.domain, self.epsilon).odds
        return Odds(sound.above + sound.above // 300, sound.below)


class HeavyTruth(dn.RandomizedResponse):
    """Draws with the heavier truth, and does not say so."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        return Heavier(self.domain, self.epsilon).draw(values, entropy)


class TooMuch(dn.RandomizedResponse):
    """Keeps the truth as for epsilon 2 and claims 1."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        return dn.RandomizedResponse(self.domain, 2.0).draw(values, entropy)


@pytest.mark.parametrize(
    "broken",
    [FilledWithoutExcluding(8, 1.0), OwnBitNotReset(6, 1.0), ShortRange(5, 1.0), LongRange(5, 1.0), TooMuch(4, 1.0)],
    ids=lambda m: type(m).__name__,
)
def test_planted_faults_are_caught(broken: dn.RandomizedResponse) -> None:
    found = dn.audit_sampling(broken, TRIALS, seed=1)
    assert not found.holds
    assert found.p_value < 1e-6
    assert "FAILS" in str(found)
    sound = type(broken).__mro__[1](broken.domain, broken.epsilon)
    assert dn.audit_sampling(sound, TRIALS, seed=1).holds


@pytest.mark.parametrize(
    "broken", [FilledWithoutExcluding(600, 1.0), OwnBitNotReset(1000, 1.0)], ids=lambda m: type(m).__name__
)
def test_planted_faults_of_large_domains_are_caught(broken: dn.Subset | dn.OptimizedUnary) -> None:
    assert not dn.audit_sampling(broken, 20_000, seed=1).holds


def test_one_part_in_300_needs_many_trials() -> None:
    """Declared power: missed at ten thousand trials, caught at thirty million.

    The chance of the truth, 0.731, is larger by 0.731 * 0.269 / 300 = 0.00066: 0.15 standard errors of ten thousand
    trials and 8.1 of thirty million.
    """
    broken = HeavyTruth(2, 1.0)
    assert dn.audit_sampling(broken, 10_000, seed=2).holds
    assert not dn.audit_sampling(broken, 30_000_000, seed=2).holds


def test_too_much_is_spent_provably() -> None:
    found = dn.audit_sampling(TooMuch(4, 1.0), TRIALS, seed=3)
    assert 1.5 < found.epsilon_lower <= 2.0


@pytest.mark.parametrize(
    "broken", [FilledWithoutExcluding(16, 1.0), OwnBitNotReset(13, 1.0)], ids=lambda m: type(m).__name__
)
def test_few_trials_over_many_reports_still_tell(broken: dn.Subset | dn.OptimizedUnary) -> None:
    """No report is seen often enough for a chi-square, but each label's supports are."""
    assert not dn.audit_sampling(broken, 5000, seed=1).holds


class Overclaiming(dn.RandomizedResponse):
    """Realises a ratio a hair above what it claims."""

    @property
    def law(self) -> SupportLaw:
        return replace(super().law, largest_ratio=self.odds.ratio * (1 + Fraction(1, 10**6)))


class Doubled(SupportLaw):
    """One cell of the channel counts twice."""

    def chances(self, reports: Column) -> Exact:
        chances = super().chances(reports)
        chances[0, 0] *= 2
        return chances


class Leaky(dn.Rappor):
    """Lists a channel whose rows do not add up."""

    @property
    def law(self) -> SupportLaw:
        return Doubled(**vars(super().law))


def test_the_exact_audit_fails_closed() -> None:
    assert not dn.audit(Overclaiming(4, 1.0)).holds
    found = dn.audit(Leaky(3, 1.0))
    assert not found.holds
    assert found.epsilon == float("inf")
    assert "DOES NOT HOLD" in str(found)


def test_certificates_speak() -> None:
    listed, closed = dn.audit(dn.Subset(8, 1.0)), dn.audit(dn.Subset(200, 1.0))
    assert listed.listed
    assert not closed.listed
    assert listed.to_dict()["method"] == "every cell of the channel"
    assert closed.claimed == 1.0
    assert closed.epsilon <= 1.0
    assert isinstance(closed.exact_ratio, Fraction)


@pytest.mark.parametrize("trials", [0, 1, 999, -5, 1.5, True])
def test_bad_trials(trials: int) -> None:
    with pytest.raises(dn.ParameterError):
        dn.audit_sampling(dn.RandomizedResponse(3, 1.0), trials, seed=1)
