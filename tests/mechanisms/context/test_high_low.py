"""High-low mechanisms: golden values, simulated errors and coverage, decoders, sensitive labels anywhere, faults.

Statistical comparisons have a false-alarm rate of 1e-9 each (``simulated.py``), audits of 1e-6.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import pytest
from tests.mechanisms.simulated import LEAST, coverage, expect_coverage, expect_predicted_errors

import deniable as dn
from deniable.arrays import Column, Indices
from deniable.mechanisms.mechanism import Mechanism
from deniable.privacy.entropy import Entropy
from deniable.protocol.odds import dyadic_odds

Family: TypeAlias = type[dn.HighLowHadamard] | type[dn.HighLowResponse] | type[dn.HighLowRappor]

FAMILIES: tuple[Family, ...] = (dn.HighLowHadamard, dn.HighLowResponse, dn.HighLowRappor)
TRUTH = np.array([0.3, 0.2, 0.1, 0.2, 0.15, 0.05])
LABELS = ["é", "ü", "日本", "", "🙂", "z"]


@pytest.fixture(params=FAMILIES, ids=lambda family: family.__name__)
def family(request: pytest.FixtureRequest) -> Any:
    """Each high-low mechanism."""
    return request.param


def test_golden_variances() -> None:
    """Maths sheet context.md, "Context-aware LDP", golden values: high-low, s=3, and uRR at symbol 0."""
    m = dn.HighLowHadamard(6, [0, 1, 2], 1.0)
    golden = [3.727113, 3.777113, 3.807113, 0.392791, 0.302093, 0.105698]
    assert m.law.variances.variances(TRUTH).round(6).tolist() == golden
    assert m.risk(1, "l2", TRUTH) == pytest.approx(sum(golden), abs=3e-6)
    assert dn.HighLowResponse(6, [0, 1, 2], 1.0).law.variances.variances(TRUTH)[0] == pytest.approx(1.643963, abs=5e-7)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_rappor_by_its_own_formulas(epsilon: float) -> None:
    """With S = e^(eps/2), theta = S/(1+S): sensitive bits are flipped with 1/(1+S), own bits set with 1 - 1/S."""
    root = math.exp(epsilon / 2)
    flip, own = 1 / (1 + root), 1 - 1 / root
    high = TRUTH[:3] * (1 - flip) + (1 - TRUTH[:3]) * flip
    low = TRUTH[3:] * own
    expected = [*(high * (1 - high) / (1 - 2 * flip) ** 2), *(low * (1 - low) / own**2)]
    assert np.allclose(dn.HighLowRappor(6, [0, 1, 2], epsilon).law.variances.variances(TRUTH), expected, rtol=1e-12)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_variances_agree_with_simulation(family: Family, epsilon: float) -> None:
    """A hundred labels, thirty of them sensitive and spread over the domain; declared power within."""
    sensitive = np.random.default_rng(1).permutation(100)[:30].tolist()
    expect_predicted_errors(family(100, sensitive, epsilon))


@pytest.mark.soak
@pytest.mark.parametrize("n", [50, 700])
@pytest.mark.parametrize("sensitive", [[1, 3, 4], [2]])
def test_coverage(family: Family, sensitive: list[int], n: int) -> None:
    expect_coverage(family(5, sensitive, 1.0), n)


@pytest.mark.soak
def test_coverage_where_all_are_sensitive(family: Family) -> None:
    expect_coverage(family(3, [0, 1, 2], 1.0), 700)


@pytest.mark.soak
def test_narrow_intervals_are_caught(family: Family) -> None:
    """Declared power: intervals a fifth too narrow."""
    m = family(5, [1, 3, 4], 1.0)
    assert coverage(m, 700, 0.95, "population", narrow=0.8).mean(axis=0).min() < LEAST


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 3.0, 10.0])
@pytest.mark.parametrize("sensitive", [[0], [2, 5], [1, 2, 3], list(range(6))])
def test_audits_are_tight(family: Family, sensitive: list[int], epsilon: float) -> None:
    m = family(6, sensitive, epsilon)
    assert dn.audit(m).holds
    assert dn.audit(m).listed
    assert m.guarantee.holds(m)
    assert not m.guarantee.at(epsilon - 1e-6).holds(m)
    assert m.guarantee.tightest(m) <= epsilon
    others = sorted(set(range(6)) - set(sensitive))
    assert not others or not dn.HighLow(6, others, 32.0).holds(m)  # whoever is not sensitive may be found out


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 10.0])
def test_a_hundred_thousand_labels_by_the_closed_form(family: Family, epsilon: float) -> None:
    found = dn.audit(family(100_000, range(0, 3000, 3), epsilon))
    assert found.holds
    assert not found.listed
    assert epsilon - 1e-6 < found.epsilon <= epsilon


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_sensitive_labels_may_be_anywhere(family: Family, seed: int) -> None:
    """A relabelled survey: the same reports, the same rows and estimates in another order."""
    order = np.random.default_rng(seed).permutation(6)
    plain, places = family(6, [0, 1], 1.0), np.empty(6, np.int64)
    m = family([LABELS[i] for i in order], [LABELS[0], LABELS[1]], 1.0)
    high, low = [i for i in order if i < 2], [i for i in order if i >= 2]
    places[[*high, *low]] = np.arange(6)  # each old label's number among the reports' labels
    values = np.random.default_rng(seed).integers(0, 6, 2000)
    reports = m.privatize_many([LABELS[i] for i in values], seed=5)
    assert np.array_equal(reports, plain.privatize_many(places[values], seed=5))
    assert np.array_equal(m.channel().exact, plain.channel().exact[places[order]])
    found, known = m.estimate(reports, "unbiased"), plain.estimate(reports, "unbiased")
    assert np.array_equal(found.frequencies, known.frequencies[places[order]])
    assert np.array_equal(found.interval(), known.interval()[places[order]])
    for decoder in ("likelihood", "posterior"):
        prior = np.arange(1, 7) / 21 if decoder == "posterior" else None
        same = plain.estimate(reports, decoder, prior=prior).frequencies[places[order]]
        moved = m.estimate(reports, decoder, prior=None if prior is None else prior[places[order]])
        assert np.allclose(moved.frequencies, same, atol=1e-5)
    truth = TRUTH[order]
    assert m.risk(9, "l2", truth) == pytest.approx(plain.risk(9, "l2", TRUTH[np.argsort(places)]), rel=1e-12)


def test_posterior_by_the_exact_channel(family: Family) -> None:
    m, prior = family(6, [1, 4], 0.8), TRUTH[::-1]
    reports = m.privatize_many(np.arange(600) % 6, seed=3)
    joint = prior[:, None] * m.channel().probabilities[:, m.layout.report_index(reports)]
    by_hand = (joint / joint.sum(axis=0)).mean(axis=1)
    assert np.allclose(m.estimate(reports, "posterior", prior=prior).frequencies, by_hand, atol=1e-12)


def test_likelihood_by_the_exact_channel(family: Family) -> None:
    """Five thousand steps of EM over the listed channel come no higher, and near."""
    m = family(5, [1, 3], 1.5)
    reports = m.privatize_many(np.repeat(np.arange(5), [500, 400, 300, 200, 0]), seed=4)
    seen = np.bincount(m.layout.report_index(reports), minlength=m.layout.outputs)
    rows, p = m.channel().probabilities, np.full(5, 0.2)
    rows, seen = rows[:, seen > 0], seen[seen > 0]
    for _ in range(5000):
        p = p * (rows @ (seen / (p @ rows))) / seen.sum()
    found = m.estimate(reports, "likelihood").frequencies
    assert seen @ np.log(found @ rows) >= seen @ np.log(p @ rows) - 1e-6
    assert np.allclose(found, p, atol=1e-3)


def test_all_sensitive_is_plain_privacy(family: Family) -> None:
    m = family(4, range(4), 1.0)
    assert dn.LDP(1.0).holds(m)
    assert not dn.LDP(1.0 - 1e-6).holds(m)
    assert m.estimate(m.privatize_many([0, 1, 2, 3] * 100, seed=1)).frequencies.sum() == pytest.approx(1)
    twins = {dn.HighLowResponse: dn.RandomizedResponse(4, 1.0), dn.HighLowRappor: dn.Rappor(4, 1.0)}
    if family in twins:
        assert np.array_equal(m.channel().exact, twins[family].channel().exact)


def test_unicode_labels(family: Family) -> None:
    m = family(LABELS, ["🙂", ""], 2.0)
    assert dn.from_spec(m.spec()) == m
    assert [m.domain[place] for place in m.guarantee.places] == ["", "🙂"]
    assert "2 sensitive" in repr(m)
    assert m.estimate(m.privatize_many(LABELS * 50, seed=2)).n == 300


@pytest.mark.parametrize("places", [[6], [-1], [0, 0], [1.5], "ab", None, []])
def test_tampered_specs(family: Family, places: Any) -> None:
    spec = family(6, [1], 1.0).spec()
    assert dn.from_spec(spec) == family(6, [1], 1.0)
    with pytest.raises(dn.FormatError):
        dn.from_spec({**spec, "sensitive": places})
    with pytest.raises(dn.FormatError):
        dn.from_spec({**spec, "sensitive": [1], "colour": 1})


def test_reports_of_rappor_that_cannot_be() -> None:
    """Two other labels' bits, or pad bits; every sensitive bit may be set beside one of the others."""
    m = dn.HighLowRappor(10, [0, 1, 2], 1.0)
    assert m.tally(np.array([[0b00001111, 0], [0b111, 0b10], [0, 0]], np.uint8)).counts.tolist() == [
        *(2, 2, 2, 1, 0, 0, 0, 0, 0, 1)
    ]
    for bad in ([0b00011000, 0], [0b1000, 0b10], [0, 0b11], [0, 0b100], [0, 0b10000000]):
        with pytest.raises(dn.ReportError, match=r"1 of 2 that have"):
            m.tally(np.array([[1, 0], bad], np.uint8))


def test_tallies_that_cannot_be() -> None:
    rappor = dn.HighLowRappor(5, [0, 1], 1.0)
    assert rappor.estimate(dn.Tally(4, [4, 4, 2, 1, 1], rappor.spec())).n == 4
    with pytest.raises(dn.TallyError, match="at most one label that is not sensitive"):
        rappor.estimate(dn.Tally(4, [0, 0, 2, 2, 1], rappor.spec()))
    with pytest.raises(dn.TallyError):
        dn.Tally(4, [5, 0, 0, 0, 0], rappor.spec())
    for m in (dn.HighLowHadamard(5, [0, 1], 1.0), dn.HighLowResponse(5, [0, 1], 1.0)):
        with pytest.raises(dn.TallyError, match="add up to 1 a report"):
            m.estimate(dn.Tally(4, [1] * m.layout.cells, m.spec()))


def test_likelihood_of_a_tally_of_bits_is_refused() -> None:
    m = dn.HighLowRappor(5, [0, 1], 1.0)
    tally = m.tally(m.privatize_many(np.arange(100) % 5, seed=1))
    for decoder, prior in (("likelihood", None), ("posterior", [0.2] * 5)):
        with pytest.raises(dn.ParameterError, match="needs the reports"):
            m.estimate(tally, decoder, prior=prior)


def test_too_many_labels_for_rappor_to_list() -> None:
    m = dn.HighLowRappor(40, range(30), 1.0)
    with pytest.raises(dn.CapacityError):
        m.layout.every_report()
    assert not dn.audit(m).listed


# --- planted faults ----------------------------------------------------------------------------------------------


class NeverHides(dn.HighLowHadamard):
    """A label that is not sensitive always answers with itself: sensitive ones are told from it for certain."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        reports, ranks = super().draw(values, entropy), self._parts.ranking.rank[values]
        s = self._parts.ranking.sensitive
        return np.where(ranks < s, reports, self.size + ranks - s).astype(reports.dtype)


class GivenAway(dn.HighLowHadamard):
    """One in a hundred sensitive people sends an own report, of the first other label."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        reports, ranks = super().draw(values, entropy), self._parts.ranking.rank[values]
        unlucky = (ranks < self._parts.ranking.sensitive) & (entropy.words(len(values)) % 100 == 0)
        return np.where(unlucky, self.size, reports).astype(reports.dtype)


class RowZero(dn.HighLowHadamard):
    """The paper's (13) as printed: label x has row x, so that the first is + everywhere."""

    def __init__(self, domain: Any, sensitive: Any, epsilon: float) -> None:
        super().__init__(domain, sensitive, epsilon)
        self._parts.sources[self.guarantee.places, 4] -= np.uint64(1)


class AllLabels(dn.HighLowResponse):
    """Noise over all labels where only the sensitive ones may stand for others."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        return dn.RandomizedResponse(len(self.domain), self.epsilon).draw(self._parts.ranking.rank[values], entropy)


class Whole(dn.HighLowRappor):
    """All of epsilon for each of the two bits that differ, not half."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        return dn.HighLowRappor(self.domain, self.guarantee.sensitive, 2 * self.epsilon).draw(values, entropy)


class WholeAndSaysSo(dn.HighLowRappor):
    """The same, and the channel that is written out has it too."""

    def __init__(self, domain: Any, sensitive: Any, epsilon: float) -> None:
        super().__init__(domain, sensitive, epsilon)
        vars(self)["_parts"] = replace(self._parts, odds=dyadic_odds(Fraction(self.epsilon)))


class OwnBitBesides(dn.HighLowRappor):
    """A sensitive value's bit is set and not flipped."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        reports, ranks = super().draw(values, entropy), self._parts.ranking.rank[values]
        held = np.flatnonzero(ranks < self._parts.ranking.sensitive)
        reports[held, ranks[held] >> 3] |= np.left_shift(1, ranks[held] & 7).astype(np.uint8)
        return reports


@pytest.mark.parametrize("broken", [NeverHides, GivenAway, RowZero, AllLabels, Whole, OwnBitBesides])
def test_planted_faults_are_caught(broken: Any) -> None:
    m: Mechanism = broken(6, [1, 3, 4], 1.0)
    found = dn.audit_sampling(m, 20_000, seed=1)
    assert not found.holds, found
    sound = broken.__mro__[1](6, [1, 3, 4], 1.0)
    assert dn.audit_sampling(sound, 20_000, seed=1).holds


@pytest.mark.parametrize("broken", [NeverHides, Whole, OwnBitBesides])
def test_what_leaks_is_proven_to_leak(broken: Any) -> None:
    """Faults against people, not only against the law: more than epsilon is provably spent."""
    found = dn.audit_sampling(broken(6, [1, 3, 4], 1.0), 100_000, seed=2)
    assert found.epsilon_lower > found.claimed == 1.0


def test_a_fault_that_is_written_out_fails_the_exact_audit() -> None:
    found = dn.audit(WholeAndSaysSo(6, [1, 3, 4], 1.0))
    assert not found.holds
    assert found.epsilon == pytest.approx(2.0, abs=1e-6)
