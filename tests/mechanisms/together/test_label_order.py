"""Labels keep their own order, whatever order a guarantee or its blocks name them in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import deniable as dn
from deniable.values.values import closed_domain

NUMBER: Any = 5
"""Where something else is asked for."""
BLOCKS = dn.Blocks([["d", "b"], ["a", "c"]], 1.0, domain=["a", "b", "c", "d"])


def test_a_guarantee_is_about_labels_and_not_about_rows() -> None:
    ill = dn.HighLow(["ill", "well"], ["ill"], 1.0)
    rows = [[1, 0], [0.4, 0.6]]
    assert ill.holds(dn.Channel(["ill", "well"], rows))
    assert not ill.holds(dn.Channel(["well", "ill"], rows))  # the second report proves that one is ill
    assert not ill.holds(dn.HighLowResponse(["well", "ill"], ["well"], 1.0).channel())
    assert ill.holds(dn.HighLowResponse(["well", "ill"], ["ill"], 1.0).channel())
    turned = dn.HighLow(["well", "ill"], ["ill"], 1.0)
    assert turned.tightest(dn.Channel(["ill", "well"], rows)) == pytest.approx(np.log(2.5))
    assert turned.tightest(dn.Channel(["well", "ill"], rows)) == np.inf
    with pytest.raises(dn.ParameterError, match="about the labels of the guarantee"):
        dn.InformationPrivacy(["a", "b"], [0.8, 0.2], 1.0).holds(dn.Channel(["x", "y"], rows))


def test_blocks_in_another_order_than_the_domain() -> None:
    m = dn.BlockHadamard(BLOCKS.blocks, 1.0, BLOCKS.domain)
    assert list(m.domain) == ["a", "b", "c", "d"]
    assert m.guarantee == BLOCKS
    assert BLOCKS.holds(m)
    assert not BLOCKS.at(1.0 - 1e-6).holds(m)
    assert dn.from_spec(m.spec()) == m
    assert dn.audit(m).holds
    assert dn.audit_sampling(m, 40_000, 3).holds
    rows, reports = m.channel().probabilities, m.layout.every_report()
    single = np.array([m.estimate(reports[y : y + 1], "unbiased").unbiased for y in range(m.layout.outputs)])
    assert np.allclose(rows @ single, np.eye(4), atol=1e-9)
    truth = np.array([0.4, 0.3, 0.2, 0.1])
    marginal = truth @ rows
    assert m.risk(10, truth=truth) == pytest.approx((marginal @ single**2 - truth**2).sum() / 10)
    likely = m.estimate(m.privatize_many(np.repeat(list("abcd"), [4000, 3000, 2000, 1000]), seed=1), "likelihood")
    assert np.abs(likely.frequencies - truth).max() < 0.05
    same_order = dn.BlockHadamard(BLOCKS.blocks, 1.0)
    assert "order" not in same_order.spec()
    assert BLOCKS.holds(same_order)


def test_plans_keep_the_order_and_the_guarantee() -> None:
    plan = dn.plan(users=100, guarantee=BLOCKS)
    assert all(list(closed_domain(row.mechanism.domain)) == ["a", "b", "c", "d"] for row in plan.rows)
    assert all(BLOCKS.holds(row.mechanism) for row in plan.rows)
    ledger = dn.Ledger(BLOCKS)
    ledger.spend(next(row.mechanism for row in plan.rows if row.name == "BlockHadamard").guarantee)


def test_domains_may_be_arrays() -> None:
    assert dn.plan(np.array(["a", "b", "c"]), 1.0, 100).size == 3
    assert len(dn.optimal_channel(dn.LDP(1.0), np.array(["a", "b"])).domain) == 2


def test_ledgers_cannot_be_talked_into_more() -> None:
    for level in (-1.0, float("nan"), "x", True):
        with pytest.raises(dn.ParameterError, match="epsilon must be"):
            dn.LDP(1.0).at(level)
    from deniable.privacy.ledger import Entry

    with pytest.raises(dn.BudgetError):
        dn.Ledger(dn.LDP(1.0), [Entry("x", dn.LDP(9.0))])
    with pytest.raises(dn.ParameterError, match="entries must be"):
        dn.Ledger(dn.LDP(1.0), [NUMBER])
    ledger = dn.Ledger(dn.LDP(1.0))
    with pytest.raises(dn.ParameterError, match="survey must be text"):
        ledger.spend(dn.LDP(0.5), object())
    assert ledger.entries == []


def test_unordered_arguments_are_refused() -> None:
    for prior in ({0: 0.5, 1: 0.5}, {0.3, 0.7}):
        with pytest.raises(dn.ParameterError, match="prior must be"):
            dn.InformationPrivacy(["a", "b"], prior, 1.0)
    with pytest.raises(dn.ParameterError, match="blocks must be"):
        dn.BlockHadamard([{"Rome", "Milan"}, ["x", "y"]], 1.0)
    for wrong in (5, None, [dn.LDP(1.0), 1], "abc", dn.LDP(1.0)):
        with pytest.raises(dn.ParameterError, match="guarantees must be"):
            dn.composed(wrong)
    with pytest.raises(dn.ParameterError, match="must be a guarantee such as"):
        dn.implies(1, dn.LDP(1.0))
    with pytest.raises(dn.ParameterError, match="prior must be"):
        dn.optimal_channel(dn.LDP(1.0), 2, NUMBER)
