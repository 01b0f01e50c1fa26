"""Public groups, weighed: unbiased, with the variance of the sheet, and refused where they do not go together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import deniable as dn
from deniable.protocol.errors import ParameterError

M = dn.RandomizedResponse(["yes", "no"], 1.0)


def group(share: float, n: int, seed: int) -> dn.Estimate:
    generator = np.random.default_rng(seed)
    return M.estimate(M.draw_tally(generator.multinomial(n, [share, 1 - share]), generator), "unbiased")


def test_groups_are_weighed_by_their_share_of_everybody() -> None:
    """numbers.md 6: Var = sum W_s^2 Var_s."""
    north, south = group(0.2, 500, 1), group(0.6, 2000, 2)
    found = dn.stratified([north, south], [0.75, 0.25])
    assert found.unbiased == pytest.approx(0.75 * north.unbiased + 0.25 * south.unbiased)
    assert found.stderr == pytest.approx(np.hypot(0.75 * north.stderr, 0.25 * south.stderr))
    assert found.n == 2500
    assert any("groups are weighed" in note for note in found.notes)


def test_intervals_cover() -> None:
    """1,000 surveys of small groups: fewer than 93% covered would be a chance of one in a million."""
    truth, hits = 0.75 * 0.2 + 0.25 * 0.6, 0
    for seed in range(1000):
        low, high = dn.stratified([group(0.2, 300, seed), group(0.6, 300, seed + 5000)], [0.75, 0.25]).interval()[0]
        hits += low <= truth <= high
    assert 0.95 - 5 * np.sqrt(0.95 * 0.05 / 1000) < hits / 1000 < 0.985


@pytest.mark.parametrize(
    ("groups", "weights"),
    [
        ([], []),
        ([group(0.2, 50, 1)], [0.5]),
        ([group(0.2, 50, 1)] * 2, [1.0]),
        ([group(0.2, 50, 1), None], [0.5, 0.5]),
        ([group(0.2, 50, 1), dn.simulate(dn.Subset(3, 1.0), [1, 0, 0], 10, 1)], [0.5, 0.5]),
    ],
)
def test_what_does_not_go_together_is_refused(groups: Any, weights: Any) -> None:
    with pytest.raises(ParameterError, match="must"):
        dn.stratified(groups, weights)


@pytest.mark.filterwarnings("error")
def test_a_label_that_nobody_of_a_group_was_asked_for_is_open_there_alone() -> None:
    asked = dn.AskedItems(["mail", "maps", "news", "chat"], 2.0, together=1)
    few, many = (asked.estimate(asked.tally(asked.privatize_many([["mail"]] * n, seed=n))) for n in (2, 400))
    open_labels = np.isinf(few.stderr)
    assert 0 < open_labels.sum() < 4
    found = dn.stratified([few, many], [0.5, 0.5])
    assert (np.isinf(found.stderr) == open_labels).all()
    assert (found.interval()[open_labels] == [0, 1]).all()
    assert np.isfinite(found.interval()).all()
    assert np.isfinite(dn.stratified([few, many], [0, 1]).stderr).all()
