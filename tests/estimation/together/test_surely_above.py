"""Labels that surely exceed a share: all of them do, as often as is said, wherever the line is drawn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import deniable as dn
from deniable.protocol.errors import ParameterError

LINE, ON_IT, SURVEYS = 0.04, 20, 300
MECHANISM = dn.Subset(ON_IT + 1, 2.0)


def of(people: int, seed: int = 1) -> dn.Estimate:
    """Twenty labels that are held by exactly as many as the line says, and one by far more."""
    return dn.simulate(MECHANISM, [*[LINE] * ON_IT, 1 - LINE * ON_IT], users=people, seed=seed)


@pytest.mark.parametrize("level", [0.95, 0.5])
def test_labels_on_the_line_are_named_no_more_often_than_is_said(level: float) -> None:
    """More by chance less than once in 10^6 such tests. By own intervals, which is planted here, most err."""
    wrong, planted = 0, 0
    for seed in range(SURVEYS):
        found = of(2000, seed)
        wrong += bool({*found.surely_above(LINE, level), *found.surely_below(LINE, level)} - {ON_IT})
        planted += bool((found.interval(level)[:ON_IT, 0] > LINE).any())
    most = stats.binom.ppf(1 - 1e-6, SURVEYS, 1 - level)
    assert wrong <= most
    assert planted > stats.binom.ppf(1 - 1e-6, SURVEYS, 0.05)


def test_what_is_clear_is_named_in_the_order_of_the_labels() -> None:
    found = dn.simulate(dn.Subset(["bus", "car", "bike"], 2.0), [0.3, 0.6, 0.1], users=9000, seed=1)
    assert (found.surely_above(0.2), found.surely_below(0.2)) == (["bus", "car"], ["bike"])
    low, high = found.interval(simultaneous=True)[0]
    assert "bus" in found.surely_above(low - 1e-9)
    assert "bus" not in [*found.surely_above(low), *found.surely_below(high)]
    assert "bus" in found.surely_below(high + 1e-9)


def test_a_line_moved_to_the_ends_names_nothing_that_cannot_be() -> None:
    found = of(2000)
    assert found.surely_above(1) == found.surely_below(0) == []


@pytest.mark.parametrize("share", [-0.1, 1.5, np.nan, "much"])
def test_a_line_that_is_no_share_is_refused(share: float) -> None:
    for ask in (of(500).surely_above, of(500).surely_below):
        with pytest.raises(ParameterError, match="share must be"):
            ask(share)


@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_level_must_lie_between_none_and_all(level: float) -> None:
    with pytest.raises(ParameterError, match="level must be"):
        of(500).surely_above(0.1, level)
