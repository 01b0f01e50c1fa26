"""The chance that a report names another label: what the exact channel says, as a formula."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import deniable as dn


@pytest.mark.parametrize(("labels", "epsilon"), [(2, 0.1), (2, 1.0), (3, 2.0), (17, 5.0), (300, 1.0)])
def test_the_flip_is_what_the_channel_leaves_beside_the_truth(labels: int, epsilon: float) -> None:
    m = dn.RandomizedResponse(labels, epsilon)
    assert isinstance(m.flip, Fraction)
    assert {1 - m.channel().exact[label, label] for label in range(labels)} == {m.flip}
    assert float(m.flip) == pytest.approx((labels - 1) / (math.exp(epsilon) + labels - 1), rel=1e-6)
