"""One suite for every mechanism of the registry: a new one is tested by being listed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.cases import each
from tests.lengths import by_length
from tests.mechanisms.examples import SIZES, make, weaker

import deniable as dn
from deniable.audit.conformance import CHECKS, conform, rising, single_estimates
from deniable.audit.sampling import FALSE_ALARM
from deniable.estimation.decoders import DECODERS
from deniable.estimation.laws.support_law import SupportLaw
from deniable.estimation.laws.supports import Supporting
from deniable.mechanisms.registry import FAMILIES
from deniable.values.values import closed_domain

EPSILONS = (1e-6, 0.1, 1.0, 3.0, 8.0, 32.0)
PLAIN = [family for family in FAMILIES.values() if family.plain]


def fit(name: str, d: int) -> int:
    """As many of ``d`` labels as the mechanism can have."""
    return make(name, d, 1.0).law.labels


@pytest.fixture(params=[name for name, family in FAMILIES.items() if not family.hashed and not family.lists])
def name(request: pytest.FixtureRequest) -> str:
    """Every registered mechanism of one label per person with a linear decoder; others have tests of their own."""
    return str(request.param)


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_every_family_conforms(family: Any) -> None:
    """The suite that other packages run; its checks are each tried on planted faults in tests/audit."""
    found = conform(family)
    assert found.holds, found
    assert found.checks >= 3 * len(CHECKS)


@each("epsilon", EPSILONS)
@each("d", SIZES)
def test_channel_is_exact(name: str, d: int, epsilon: float) -> None:
    """As the suite has it, and the claim does not hold at a little less: nothing is wasted."""
    m = make(name, d, epsilon)
    assert CHECKS["exact channel"](m) is None
    assert not weaker(m.guarantee, 1 - 1e-6).holds(m.channel()) or epsilon == EPSILONS[0]
    assert dn.audit(m).epsilon <= epsilon


@each("n", [2**53, 2**62, 2**63 - 1])
def test_intervals_of_the_most_people(name: str, n: int) -> None:
    """A tally holds up to 2^63 - 1 people: nothing overflows, whatever it says."""
    m = make(name, fit(name, 4), 1.0)
    small = m.tally(m.privatize_many([list(closed_domain(m.domain))[i % 2] for i in range(1000)], seed=1))
    estimate = m.estimate(dn.Tally(n // 1000 * 1000, small.counts * (n // 1000), small.spec_bytes), "unbiased")
    share = np.clip(estimate.unbiased, 0, 1)
    assert np.allclose(estimate.unbiased, m.estimate(small, "unbiased").unbiased)
    low, high = estimate.interval().T
    assert (low <= share + 1e-9).all()
    assert (share - 1e-9 <= high).all()
    low, high = estimate.interval(target="sample").T  # whose people no estimate need agree with
    assert (low <= high).all()


@each("epsilon", [0.5, 2.0])
@each("d", [*SIZES, 6])
def test_the_estimator_inverts_the_channel(name: str, d: int, epsilon: float) -> None:
    assert CHECKS["unbiased estimator"](make(name, d, epsilon)) is None


@each("d", SIZES)
def test_risks_by_enumeration(name: str, d: int) -> None:
    """Squared errors as the suite has them; absolute ones tend to the roots of the variances."""
    m = make(name, d, 1.0)
    assert CHECKS["enumerated risk"](m) is None
    truth = rising(m.law.labels)
    variance = truth @ m.channel().probabilities @ single_estimates(m) ** 2 - truth**2
    assert m.risk(10**9, "l1", truth) == pytest.approx(np.sqrt(2 * variance / (np.pi * 1e9)).sum(), rel=1e-4)


@each("epsilon", [1e-6, 1.0, 5.0])
@each("d", SIZES)
def test_mutual_information_by_enumeration(name: str, d: int, epsilon: float) -> None:
    m = make(name, d, epsilon)
    rows, d = m.channel().exact, m.law.labels
    marginal = rows.sum(axis=0) / d
    excess = (rows / marginal - 1).astype(np.longdouble)
    told = np.where(excess > -1, (1 + excess) * np.log1p(np.maximum(excess, np.nextafter(-1, 0))), 0) - excess
    by_hand = float((marginal.astype(np.longdouble) * told).sum() / d)
    assert m.mutual_information() == pytest.approx(by_hand, rel=1e-5 if epsilon < 1e-3 else 1e-9)
    most = dn.bounds.information(d, epsilon) * (1 + 1e-6)
    assert not isinstance(m.guarantee, dn.LDP) or m.mutual_information() <= most


def test_samples_follow_the_channel(name: str) -> None:
    """Chi-square at a false-alarm rate of 1e-6 a mechanism and domain, 24 in all."""
    for d in (2, 6):
        found = dn.audit_sampling(make(name, d, 1.0), trials=40_000, seed=5)
        assert found.holds, found
        assert found.p_value >= FALSE_ALARM
        assert 0.7 * found.claimed < found.epsilon_lower <= found.claimed


@pytest.mark.soak
def test_samples_of_large_domains() -> None:
    """Where channels are too large to list, every label's support is tested; 1e-6 a mechanism."""
    trials = by_length(5000, 50_000)
    for family in PLAIN:
        found = dn.audit_sampling(family.example(dn.Domain.of(1500), 2.0), trials=trials, seed=3)
        assert found.holds, found


def test_spec_round_trip(name: str) -> None:
    m = make(name, ["é", "ü", "日本", ""], 1.25)
    again = dn.from_spec(m.spec())
    assert again == m
    assert hash(again) == hash(m)
    assert again.spec() == m.spec()
    assert again != make(name, ["é", " ", "日本", ""], 1.25)
    labels = [["é", "日本", ""], ["é", "ü", "é"]][name == "BinaryResponse"] * 20
    assert np.array_equal(again.privatize_many(labels, seed=4), m.privatize_many(labels, seed=4))


def test_columns_and_single_values_count_alike(name: str) -> None:
    m = make(name, ["a", "b", "c"], 1.0)
    column = m.privatize_many(["a", "b", closed_domain(m.domain)[-1], closed_domain(m.domain)[-1]], seed=9)
    singles = [m.layout.single(column[i : i + 1]) for i in range(4)]
    assert m.tally(singles) == m.tally(column)
    assert m.tally([m.privatize("a") for _ in range(7)]).n == 7


def test_seeds_repeat_and_the_system_does_not(name: str) -> None:
    m = make(name, 3, 0.5)
    values = np.arange(3000) % fit(name, 3)
    assert np.array_equal(m.privatize_many(values, seed=1), m.privatize_many(values, seed=1))
    assert not np.array_equal(m.privatize_many(values, seed=1), m.privatize_many(values, seed=2))
    assert not np.array_equal(m.privatize_many(values), m.privatize_many(values))


def test_tallies_add(name: str) -> None:
    m = make(name, 5, 1.0)
    reports = m.privatize_many(np.arange(500) % fit(name, 5), seed=2)
    parts = [m.tally(reports[:0]), m.tally(reports[:1]), m.tally(reports[1:200]), m.tally(reports[200:])]
    assert sum(parts) == sum(reversed(parts)) == m.tally(reports)
    assert m.tally([]) + m.tally(reports) == m.tally(reports)
    assert dn.Tally.from_bytes(m.tally(reports).to_bytes()) == m.tally(reports)


def test_counts_are_added_onto_earlier_ones(name: str) -> None:
    m = make(name, 7, 1.0)
    reports = m.privatize_many(list(closed_domain(m.domain)) * 10, seed=1)
    earlier = np.arange(m.layout.cells)
    n, counts = m.layout.tally(reports, earlier.copy())
    assert n == len(reports)
    assert np.array_equal(counts - earlier, m.tally(reports).counts)


def test_every_decoder_gives_a_distribution(name: str) -> None:
    m, truth = make(name, 6, 1.0), np.array([0.4, 0.3, 0.1, 0.1, 0.1, 0.0])
    truth = np.array([0.7, 0.3]) if name == "BinaryResponse" else truth
    reports = m.privatize_many(np.repeat(np.arange(len(truth)), np.rint(truth * 3000).astype(int)), seed=6)
    for decoder in DECODERS:
        e = m.estimate(reports, decoder, prior=truth if decoder == "posterior" else None)
        assert e.decoder == decoder
        assert e.frequencies.sum() == pytest.approx(1, abs=0.15 if decoder == "unbiased" else 1e-9)
        assert np.abs(e.frequencies - truth).max() < 0.2
        assert decoder == "unbiased" or e.frequencies.min() >= 0
    assert np.array_equal(m.estimate(m.tally(reports)).frequencies, m.estimate(reports).frequencies)


def test_likelihood_is_the_highest(name: str) -> None:
    """No decoder's answer, nor the truth, is likelier than the maximum, by the exact channel."""
    m, d = make(name, 5, 1.0), fit(name, 5)
    reports = m.privatize_many(np.repeat(np.arange(d), [400, 300, 200, 100, 0][:d]), seed=8)
    rows, seen = m.channel().probabilities, np.bincount(m.layout.report_index(reports), minlength=m.layout.outputs)

    def log_likelihood(p: np.ndarray[Any, np.dtype[np.float64]]) -> float:
        return float(seen[seen > 0] @ np.log(p @ rows[:, seen > 0]))

    best = log_likelihood(m.estimate(reports, "likelihood").frequencies)
    others = [m.estimate(reports, decoder).frequencies for decoder in ("normalized", "projected")]
    truth = np.array([0.4, 0.3, 0.2, 0.1, 0.0])[:d]
    for p in (*others, truth / truth.sum(), np.full(d, 1 / d)):
        assert log_likelihood(p) <= best + 1e-3


def test_supports_by_enumeration(name: str) -> None:
    """How often each label is supported, by the exact channel; in support counting g for the value and h for others."""
    for d in SIZES:
        m = make(name, d, 1.0)
        if not isinstance(m.law, Supporting):
            assert not FAMILIES[name].plain
            continue
        rows, held = m.channel().exact, m.law.supports(m.layout.every_report())
        for x in range(d):
            chances = [sum((p for p, h in zip(rows[x], held[:, j], strict=True) if h), Fraction(0)) for j in range(d)]
            assert np.allclose(m.law.support_chances(x), np.array(chances, float), rtol=1e-12)
            if isinstance(m.law, SupportLaw):
                g, h = m.law.exact_support
                assert chances == [g if j == x else h for j in range(d)]


def test_million_labels() -> None:
    for family in PLAIN:
        m = family.example(dn.Domain.of(1_000_000), 1.0)
        assert m.tally(m.privatize_many([0, 999_999, 5], seed=1)).n == 3
        assert dn.audit(m).holds
        assert m.risk(10**6) > 0


@each("epsilon", [0, -1, float("nan"), float("inf"), "1", True, None, 1e-7, 33, [1.0]])
def test_bad_epsilon(name: str, epsilon: Any) -> None:
    if name != "Channel":
        with pytest.raises(dn.ParameterError, match=r"^epsilon(_first|_per_unit)? (and epsilon_second )?must"):
            make(name, 4, epsilon)


@each("domain", [1, 0, -3, True, 2.5, "ab", ["a"], ["a", "a"], [1, True], [float("nan"), 1], [None, 1], {}, None])
def test_bad_domain(name: str, domain: Any) -> None:
    with pytest.raises(dn.DomainError, match=r"^(domain|labels|a label) must"):
        make(name, domain, 1.0)


@each("labels", [["a", "zebra"], ["a", None], ["a", float("nan")], [], "ab", ["a", ["b"]], 5, [[]]])
def test_bad_labels(name: str, labels: Any) -> None:
    m = make(name, ["a", "b"], 1.0)
    with pytest.raises(dn.LabelError) as caught:
        m.privatize_many(labels)
    assert "zebra" not in str(caught.value)
    with pytest.raises(dn.LabelError):
        m.privatize("zebra")


def test_bad_reports(name: str) -> None:
    m = make(name, 10, 1.0)
    good = m.privatize_many(np.arange(10) % m.law.labels, seed=1)
    bad: list[Any] = [good.astype(float), good.astype(float) * np.nan, list("abc"), [None], "abc", 7, [True]]
    if good.ndim == 1:
        bad += [np.array([0, m.layout.outputs]), np.array([-1]), [0, 10**9], np.array([[1]])]
    else:
        flipped = good.copy()
        flipped[3, -1] |= 0x80
        bad += [good[:, :1], flipped, [b"123"], np.concatenate((good, good), axis=1), good.astype(np.uint16)]
    for reports in bad:
        with pytest.raises(dn.ReportError, match=r"must be"):
            m.tally(reports)


def test_bad_estimates(name: str) -> None:
    m, d = make(name, 4, 1.0), fit(name, 4)
    tally = m.tally(m.privatize_many(np.arange(d), seed=1))
    for arguments in ({"decoder": "magic"}, {"candidates": [1]}, {"prior": [1 / d] * d}):
        with pytest.raises(dn.ParameterError):
            m.estimate(tally, **arguments)
    priors: tuple[Any, ...] = (
        [0.6, 0.6, 0.5, 0.5][:d],
        [1.0, 0.0, 0.0],
        [2, -1, 0, 0][:d],
        [np.nan, 1, 0, 0][:d],
        "abcd"[:d],
        7 if name == "InformedResponse" else None,  # it knows its own
    )
    for prior in priors:
        with pytest.raises(dn.ParameterError, match=r"prior must"):
            m.estimate(tally, "posterior", prior=prior)
    with pytest.raises(dn.TallyError, match=r"at least one report"):
        m.estimate(m.tally([]))
    with pytest.raises(dn.TallyError, match=r"the tally must be of"):
        m.estimate(make(name, 5, 1.5).tally(make(name, 5, 1.5).privatize_many([0], seed=1)))
    for arguments in ({"loss": "l3"}, {"target": "all"}, {"truth": [1, 1, 1, 1]}):
        with pytest.raises(dn.ParameterError):
            m.risk(10, **arguments)
    wrong: list[Any] = [0, -1, 1.5, True, "7"]
    for n in wrong:
        with pytest.raises(dn.ParameterError):
            m.risk(n)
