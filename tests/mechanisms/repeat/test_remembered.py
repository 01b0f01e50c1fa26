"""Remembered mechanisms: golden values, exact channels against their definition, and draws that follow them.

Sampling is tested at a false-alarm rate of one in a million per mechanism, with fixed seeds: twelve tests.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.lengths import by_length
from tests.mechanisms.repeat.kept import BITS, PERMANENT, coin, remembered, rounds

import deniable as dn
from deniable.audit.conformance import CHECKS
from deniable.audit.sampling import FALSE_ALARM
from deniable.estimation.laws.cohort_law import CohortLaw
from deniable.mechanisms.mechanism import Mechanism
from deniable.privacy.entropy import SeededEntropy
from deniable.protocol.designs import Design
from deniable.theory.risk.hashed import noise

NAMES = pytest.mark.parametrize("name", PERMANENT)

ERRORS = [  # maths sheet time.md, section 1: n times the mean squared error of a label, at the level of one round
    (dn.Subset(16, 2.0, size=4), 1.0, 3.18602),
    (dn.Subset(256, 2.0, size=69), 1.0, 3.65010),
    (dn.Subset(4096, 3.0, size=1102), 1.0, 3.68065),
    (dn.Subset(256, 4.0, size=31), 2.0, 0.714582),
    (dn.OptimizedUnary(16, 2.0), 1.0, 3.74519),
    (dn.OptimizedUnary(256, 3.0), 1.0, 3.68660),
    (dn.OptimizedUnary(4096, 1.5), 1.0, 3.68294),
    (dn.OptimizedUnary(256, 4.0), 2.0, 0.727968),
    (dn.RandomizedResponse(16, 2.0), 1.0, 6.17166),
    (dn.RandomizedResponse(256, 2.0), 1.0, 87.5271),
    (dn.RandomizedResponse(4096, 2.0), 1.0, 1388.13),
    (dn.RandomizedResponse(256, 4.0), 2.0, 6.55874),
    (dn.RandomizedResponse(2, 2.0), 1.0, 0.920674),
    (dn.RandomizedResponse(2, 3.0), 2.0, 0.181015),
    (dn.Cyclic(256, 2.0, design=Design.singer(4, 5)), 1.0, 3.66903),
    (dn.Cyclic(4096, 2.0, design=Design.singer(4, 7)), 1.0, 3.69024),
]
HASHED = [(1.0, 16, 3.76782), (1.0, 256, 3.69642), (1.0, 4096, 3.69195), (2.0, 256, 0.728226)]


@pytest.mark.parametrize(("permanent", "each", "error"), ERRORS, ids=repr)
def test_the_error_is_that_of_one_round(permanent: Mechanism, each: float, error: float) -> None:
    m = dn.Remembered(permanent, each)
    assert m.risk(1, target="sample") / m.law.labels == pytest.approx(error, rel=3e-6)


@pytest.mark.parametrize(("each", "d", "error"), HASHED)
def test_the_error_of_hashes_at_the_best_number_of_symbols(each: float, d: int, error: float) -> None:
    """With so many cohorts that collisions average out."""
    made = [dn.Remembered(dn.HashedResponse(2 * each, r, 64), each) for r in range(2, 12)]
    found = [noise(m.law.support, d) / d for m in made if isinstance(m.law, CohortLaw)]
    assert min(found) == pytest.approx(error, rel=3e-6)


@pytest.mark.parametrize(
    ("permanent", "kept"),
    [
        (dn.RandomizedResponse(16, 2.0), 0.339838),
        (dn.Cyclic(256, 2.0, design=Design.singer(4, 5)), 0.488166),
        (dn.OptimizedUnary(16, 2.0), 1 - 0.196612),
        (dn.Rappor(16, 2.0), 1 - 0.235004),
    ],
    ids=repr,
)
def test_golden_coins(permanent: Mechanism, kept: float) -> None:
    """Maths sheet time.md, section 1, at levels 2 and 1."""
    assert float(coin(dn.Remembered(permanent, 1.0))) == pytest.approx(kept, abs=6e-7)


@NAMES
@pytest.mark.parametrize(("d", "ever", "each"), [(3, 2.0, 1.0), (5, 4.0, 0.1), (4, 1.0, 1.0)])
def test_the_channel_is_the_permanent_one_followed_by_a_round(name: str, d: int, ever: float, each: float) -> None:
    m = remembered(name, d, ever, each)
    by_definition = m.permanent.channel().exact @ rounds(m)
    assert (m.channel().exact == by_definition).all()


@NAMES
def test_the_level_of_a_round_holds_and_a_little_less_does_not(name: str) -> None:
    for ever, each in ((2.0, 1.0), (0.5, 0.1), (8.0, 3.0), (1.0, 1.0), (32.0, 1e-3)):
        m = remembered(name, 4, ever, each)
        assert m.guarantee == dn.LDP(each)
        assert m.guarantee.holds(m.channel())
        assert not dn.LDP(each * (1 - 1e-6)).holds(m.channel())
        assert dn.audit(m).holds


@NAMES
def test_all_that_the_suite_checks(name: str) -> None:
    m = remembered(name, 5, 2.0, 1.0)
    assert {check: found for check, run in CHECKS.items() if (found := run(m)) is not None} == {}


@NAMES
def test_a_round_at_the_level_of_all_keeps_every_report(name: str) -> None:
    m = remembered(name, 6, 1.0, 1.0)
    assert coin(m) == 1
    assert m.channel() == m.permanent.channel()
    kept = m.remember(3)
    assert {m.again(kept) for _ in range(20)} == {kept}
    assert m.linked_level(1) == m.linked_level(9) <= 1.0


@NAMES
def test_rounds_are_new_and_permanent_reports_stay(name: str) -> None:
    m = remembered(name, 6, 2.0, 0.5)
    kept = m.remember(3, SeededEntropy(1))
    assert kept == m.permanent.privatize(3, SeededEntropy(1))
    sent = [m.again(kept, SeededEntropy(seed)) for seed in range(60)]
    assert len(set(sent)) > 1
    assert sent == [m.again(kept, SeededEntropy(seed)) for seed in range(60)]
    assert m.tally(sent).n == 60


def test_a_hashed_report_keeps_its_cohort() -> None:
    m = dn.Remembered(dn.HashedResponse(2.0, 8, 64), 0.1)
    kept = m.remember("a page")
    assert isinstance(kept, int)
    assert {int(sent) // 8 for sent in (m.again(kept) for _ in range(50)) if isinstance(sent, int)} == {kept // 8}


def test_texts_are_looked_for_as_ever() -> None:
    """Ten standard errors: it never fails by chance."""
    m = dn.Remembered(dn.HashedResponse(4.0, 16, 64), 3.0)
    reports = m.privatize_many(["news"] * 6000 + ["mail"] * 3000 + ["unlisted"] * 1000, seed=1)
    found = m.estimate(m.tally(reports), "unbiased", candidates=["news", "mail", "maps"])
    assert np.all(np.abs(found.unbiased - [0.6, 0.3, 0.0]) < 10 * found.stderr)
    assert found.stderr.max() < 0.03
    assert m.draw_tally([5, 6], np.random.default_rng(1), candidates=["news", "mail"]).n == 11


@NAMES
def test_draws_of_large_domains(name: str) -> None:
    """Supports of some labels by exact binomial tests, for those that are too large to be listed."""
    if name != "Cyclic of a plane" and not name.startswith("Hash"):
        found = dn.audit_sampling(remembered(name, 600, 3.0, 2.0), trials=20_000, seed=3)
        assert found.p_value >= FALSE_ALARM


def test_a_coin_that_is_off_by_a_hundredth_is_caught() -> None:
    """The lie of a sampler: its report is kept one time in a hundred more often than the channel says."""
    m = remembered("RandomizedResponse", 2, 3.0, 1.0)
    assert dn.audit_sampling(m, trials=6_000_000, seed=1).holds
    assert m.law.exact_ratio() > 1  # of the right coin, and kept
    vars(m)["_keep"] = m.spec()["u"] * 101 // 100
    assert not dn.audit_sampling(m, trials=6_000_000, seed=1).holds


@pytest.mark.soak
def test_intervals_cover() -> None:
    """At least 95% of the surveys of 300 people, less five standard errors."""
    runs = by_length(800, 4000)
    m = dn.Remembered(dn.Subset(4, 3.0, size=1), 1.5)
    people, rng = np.array([150, 90, 60, 0]), np.random.default_rng(2)
    shares = people / people.sum()
    tallies = [m.draw_tally(people, rng) for _ in range(runs)]
    found = np.array([m.estimate(tally).interval(target="sample") for tally in tallies])
    covered = ((found[:, :, 0] <= shares) & (shares <= found[:, :, 1])).mean(axis=0)
    assert covered.min() > 0.95 - 5 * np.sqrt(0.95 * 0.05 / runs)


def other_bits_that_agree(first: Any, second: Any) -> int:
    """Of two packed columns over ten labels, bits that agree, those of the labels 0 and 1 apart."""
    same = np.unpackbits(~(first ^ second), axis=1, bitorder="little")[:, 2:10]
    return int(same.sum())


@pytest.mark.parametrize("name", BITS)
def test_reports_are_kept_and_not_bits(name: str) -> None:
    """Each answer has bits of its own, at a false-alarm rate of 1e-9; a device that kept bits by label is caught."""
    m, n = remembered(name, 10, 2.0, 1.0), 5000
    permanent = m.permanent
    first, second = (permanent.privatize_many(np.full(n, label), seed=label) for label in (0, 1))
    h = permanent.law.support_chances(0)[5] if hasattr(permanent.law, "support_chances") else 0.5
    agree = stats.binom(8 * n, h**2 + (1 - h) ** 2)
    low, high = agree.ppf([5e-10, 1 - 5e-10])
    assert low <= other_bits_that_agree(first, second) <= high
    kept_bits = first.copy()
    kept_bits[:, 0] = (first[:, 0] & 0xFC) | (second[:, 0] & 3)
    assert other_bits_that_agree(first, kept_bits) > high
    enrolled = np.array([dn.linked.enrol(m, SeededEntropy(seed))[:2] for seed in range(n)])
    assert low <= other_bits_that_agree(enrolled[:, 0], enrolled[:, 1]) <= high


def test_bad_input() -> None:
    m = dn.Remembered(dn.Subset(6, 2.0), 1.0)
    bad: list[tuple[Any, Any]] = [
        (dn.RandomizedResponse(4, 1.0), 1.5),
        (dn.RandomizedResponse(4, 1.0), 0.0),
        (dn.RandomizedResponse(4, 1.0), "1"),
        (dn.RandomizedResponse(4, 1.0), True),
        (dn.BlockHadamard([[0, 1], [2]], 1.0), 0.5),
        (dn.HighLowResponse(4, [0], 1.0), 0.5),
        (dn.HashedRappor(1.0, 8, 4), 0.5),
        (dn.Channel(2, [[0.6, 0.4], [0.4, 0.6]]), 0.1),
        (m, 0.5),
        (4, 0.5),
        (None, 0.5),
    ]
    for permanent, each in bad:
        with pytest.raises(dn.ParameterError, match=r"^(each|mechanism) must"):
            dn.Remembered(permanent, each)
    with pytest.raises(dn.CapacityError, match=r"^each must leave"):
        dn.Remembered(dn.RandomizedResponse(1 << 24, 32.0), 1e-6)
    reports: list[Any] = [None, b"", b"\xff", "a", 3]
    for report in reports:
        with pytest.raises(dn.ReportError):
            m.again(report)
    with pytest.raises(dn.LabelError):
        m.remember(6)
    wrong: list[Any] = [0, -1, 1.5, 10_001, True]
    for days in wrong:
        with pytest.raises(dn.ParameterError, match=r"^rounds must"):
            m.linked_level(days)


def test_the_planner_leaves_it_out() -> None:
    assert all(row.mechanism.name != "Remembered" for row in dn.plan(8, 1.0, 1000).rows)


def test_labels_within_the_permanent_spec_keep_their_kind() -> None:
    m = dn.Remembered(dn.Subset([1, 2.0, "3"], 2.0), 1.0)
    again = dn.from_spec(m.spec_bytes.decode().replace('"each":1.0', '"each":1'))
    assert again == m
    assert isinstance(again.domain, dn.Domain)
    assert [type(label) for label in again.domain] == [int, float, str]
