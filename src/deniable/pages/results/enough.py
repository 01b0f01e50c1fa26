"""How many answers it would take until something can be said."""

from __future__ import annotations

import math

from deniable.estimation.estimate import Estimate
from deniable.estimation.saying import USELESS
from deniable.pages.results.rows import LEVELS, drawn_bounds


def enough(estimate: Estimate) -> int | None:
    """About how many answers leave an interval that says something, rounded up; nothing if these are enough.

    An interval narrows with the root of the answers; one that is cut off at 0 and 100 would seem to need fewer.
    """
    bounds = drawn_bounds(estimate, LEVELS[0], simultaneous=True)
    narrowest = float((bounds[:, 1] - bounds[:, 0]).min())
    if not (math.isfinite(narrowest) and narrowest > USELESS):
        return None
    needed = estimate.n * (narrowest / USELESS) ** 2
    step = int(10 ** max(math.floor(math.log10(needed)) - 1, 0))
    return math.ceil(needed / step) * step
