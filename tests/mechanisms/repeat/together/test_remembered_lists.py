"""Remembered checklists: exact channels against their definition, what a device keeps, and what a life costs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.mechanisms.repeat.kept import coin

import deniable as dn
from deniable.arrays import Exact
from deniable.audit.conformance import CHECKS
from deniable.mechanisms.mechanism import Mechanism
from deniable.privacy.entropy import SeededEntropy

PERMANENT: list[Mechanism] = [
    dn.AskedItems(4, 2.0, together=1),
    dn.AskedItems(4, 2.0, together=2),
    dn.AskedItems(3, 3.0, together=3),
    dn.ItemResponse(3, 2.0),
]
EACH = pytest.mark.parametrize("permanent", PERMANENT, ids=repr)


def rounds(m: dn.Remembered) -> Exact:
    """[permanent, sent]: the exact probability of each report in a round, for each permanent one."""
    reports, kept = m.layout.every_report(), coin(m)
    if isinstance(m.permanent, dn.ItemResponse):
        apart, d = np.bitwise_count(reports[:, None, :] ^ reports[None, :, :]).sum(axis=2), m.law.labels
        by_number = np.array([(1 - kept) ** flipped * kept ** (d - flipped) for flipped in range(d + 1)])
        return np.asarray(by_number[apart])
    assert isinstance(m.permanent, dn.AskedItems)
    windows = reports >> m.permanent.together
    alike = np.equal.outer(windows, windows).astype(np.int64).astype(object)
    whole, uniform = np.eye(len(reports), dtype=np.int64), (1 - kept) / (1 << m.permanent.together)
    return np.asarray(kept * whole.astype(object) + uniform * alike)


@EACH
@pytest.mark.parametrize("part", [0.1, 0.5, 1.0])
def test_the_channel_is_the_permanent_one_followed_by_a_round(permanent: Mechanism, part: float) -> None:
    m = dn.Remembered(permanent, part * permanent.guarantee.claimed)
    assert (m.channel().exact == permanent.channel().exact @ rounds(m)).all()
    assert m.guarantee.claimed == part * permanent.guarantee.claimed
    assert m.guarantee.holds(m.channel())
    assert type(m.guarantee) is type(permanent.guarantee)
    assert dn.audit(m).holds
    assert {check: found for check, run in CHECKS.items() if (found := run(m)) is not None} == {}


@pytest.mark.parametrize(
    ("permanent", "cost"),
    [(PERMANENT[0], 4.0), (PERMANENT[1], 8.0), (PERMANENT[2], 24.0), (PERMANENT[3], 12.0)],
    ids=repr,
)
def test_a_life_costs_a_level_for_each_cell(permanent: Mechanism, cost: float) -> None:
    """Patterns of the labels asked; of items two each, added up."""
    m = dn.Remembered(permanent, 0.5)
    assert dn.linked.lifetime(m) == dn.LDP(cost)
    assert m.linked_level(10_000) <= permanent.guarantee.claimed


def test_a_device_answers_about_its_own_window() -> None:
    m = dn.Remembered(dn.AskedItems(5, 2.0, together=2), 1.0)
    for seed in range(20):
        kept = dn.linked.enrol(m, SeededEntropy(seed))
        windows = {int(report) >> 2 for report in kept}
        assert len(windows) == 1
        window = windows.pop()
        for held in ([], [0], [1, 2], [0, 1, 2, 3, 4]):
            pattern = sum(((window + place) % 5 in held) << place for place in range(2))
            assert dn.linked.recall(m, kept, held) == kept[pattern]


def test_items_are_answered_bit_by_bit() -> None:
    m = dn.Remembered(dn.ItemResponse(70, 2.0), 2.0)
    none, full = dn.linked.enrol(m, SeededEntropy(1))
    held = [0, 5, 69]
    found = np.frombuffer(bytes(dn.linked.recall(m, np.array([none, full]), held)), np.uint8)
    bits = [np.unpackbits(column, count=70, bitorder="little") for column in (none, full, found)]
    own = np.isin(np.arange(70), held)
    assert (bits[2] == np.where(own, bits[1], bits[0])).all()


def test_permanent_answers_are_as_probable_as_the_odds_say() -> None:
    """At 6 standard errors: of the empty list and the full one, by devices that enrol."""
    m = dn.Remembered(dn.ItemResponse(4, 1.0), 0.5)
    kept = np.array([dn.linked.enrol(m, SeededEntropy(seed)) for seed in range(4000)])
    share = np.unpackbits(kept, axis=2, count=4, bitorder="little").mean(axis=0)
    g, h = (float(chance) for chance in dn.ItemResponse(4, 1.0).law.exact_support)
    error = np.sqrt(g * h / 4000)
    assert np.abs(share - np.array([[h], [g]])).max() < 6 * error


@EACH
def test_estimates_are_those_of_one_round(permanent: Mechanism) -> None:
    m = dn.Remembered(permanent, 0.7 * permanent.guarantee.claimed)
    people: list[Any] = [[0]] * 3000 + [[0, 2]] * 3000
    found = m.estimate(m.tally(m.privatize_many(people, seed=1)), "unbiased")
    truth = np.array([1.0, 0.0, 0.5, 0.0])[: m.law.labels]
    assert (np.abs(found.unbiased - truth) < 6 * found.stderr).all()
    pair = dn.both_held(m, m.privatize_many(people, seed=2), 0, 2) if not _alone(permanent) else None
    assert pair is None or abs(pair.unbiased[0] - 0.5) < 6 * pair.stderr[0]


def _alone(permanent: Mechanism) -> bool:
    """Whether devices are asked too few labels together for both."""
    return isinstance(permanent, dn.AskedItems) and permanent.together < 3


def test_what_cannot_be_sent_again_is_refused() -> None:
    for permanent in (dn.PrivateSet(5, 1.0, 2), dn.ItemResponse(5, 1.0, one_sided=True)):
        with pytest.raises(dn.ParameterError, match="whose reports can be sent again"):
            dn.Remembered(permanent, 0.5)
    assert Fraction(dn.Remembered(dn.ItemResponse(5, 1.0), 1.0).spec()["u"], 1 << 40) == 1
