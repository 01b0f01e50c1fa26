"""Whether an estimate can come from honest answers at all."""

from __future__ import annotations

from typing import Final

import numpy as np

from deniable.estimation.share import Estimated
from deniable.protocol.say import Statement

UNLIKELY: Final = 1e-4
"""How often it is said of honest answers that they are none, at most."""
IMPOSSIBLE: Final = Statement("honest_answers_give_such")


def is_impossible(estimate: Estimated) -> bool:
    """Whether some share is surely no share, by intervals of all labels at once that are not cut off at 0 and 1."""
    if not len(estimate.labels):
        return False
    low, high = np.asarray(estimate.evidence.interval(UNLIKELY / len(estimate.labels))).T
    return bool(((high < 0) | (low > 1)).any())
