"""Where quantiles lie: the hull by its definition, whatever the bounds."""

from __future__ import annotations

import numpy as np
import pytest

from deniable.estimation.numbers.cumulative import Bounds, quantile_cuts
from deniable.protocol.errors import ParameterError


def test_the_hull_by_its_definition() -> None:
    """Also for limits that fall, and there is always a cell."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        cells = int(rng.integers(1, 9))
        ends = np.sort(rng.random((2, cells + 1)), axis=0)
        ends[:, 0], ends[:, -1] = 0, 1
        share = float(rng.uniform(0.01, 0.99))
        allowed = [c for c in range(cells) if ends[0, c] < share <= ends[1, c + 1]]
        assert quantile_cuts(Bounds(ends[0], ends[1]), share) == (allowed[0], allowed[-1] + 1)


@pytest.mark.parametrize("share", [0.0, 1.0, -0.5, float("nan")])
def test_a_quantile_is_of_a_share_between(share: float) -> None:
    with pytest.raises(ParameterError, match="share must be above 0 and below 1"):
        quantile_cuts(Bounds(np.array([0, 1.0]), np.array([0, 1.0])), share)
