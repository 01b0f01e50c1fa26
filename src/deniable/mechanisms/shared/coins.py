"""Certified coins, one for each person."""

from __future__ import annotations

import numpy as np

from deniable.arrays import Flags
from deniable.kernels._kernels import draw_coins
from deniable.privacy.entropy import Entropy, feed


def coins(people: int, bonus: int, total: int, entropy: Entropy) -> Flags:
    """True in ``bonus`` cases of ``total``, exactly.

    >>> from deniable.privacy.entropy import SystemEntropy
    >>> coins(3, 5, 5, SystemEntropy()).tolist()
    [True, True, True]
    """
    found = np.empty(people, np.uint8)
    weights = np.uint64(bonus), np.uint64(total)
    feed(entropy, lambda tape, done: draw_coins(tape, done, *weights, found), people, 1 + total / 2**64)
    return found.view(np.bool_)
