"""Lists cut to a length: of longer ones a uniform choice of their labels, shorter ones filled up.

The same words are read, in the same steps, whatever a list holds: all labels are shuffled, and the first ones that are
in the list stay. The tape convention is that of kernels/draw/draws.py.

Limit: random words, one for each label of the domain.
"""

from __future__ import annotations

import numpy as np

from deniable.arrays import Words
from deniable.kernels.compiled import compiled
from deniable.kernels.draw.draws import rejected_below, uniform
from deniable.kernels.early import SMALL

SIX, IN_WORD = np.uint64(6), np.uint64(63)


@compiled(early=SMALL)
def cut_lists(tape: Words, done: int, lists: Words, labels: int, most: int, out: Words) -> tuple[int, int]:
    """Write ``most`` places of each list into ``out``: labels of the list, then as many of those after all labels.

    Rows of ``lists`` and ``out`` hold one bit per place; ``out`` must be clear.
    """
    used = 0
    order = np.empty(labels, np.uint64)
    for i in range(done, len(lists)):
        after = used
        for place in range(labels):
            order[place] = np.uint64(place)
        for place in range(labels - 1):
            bound = np.uint64(labels - place)
            chosen, after = uniform(tape, after, bound, rejected_below(bound))
            if after < 0:
                return i, used
            other = np.int64(chosen) + place
            order[place], order[other] = order[other], order[place]
        used = after
        room = np.int64(most)
        for label in order:
            held = (lists[i, label >> SIX] >> (label & IN_WORD)) & np.uint64(room > 0)
            out[i, label >> SIX] |= held << (label & IN_WORD)
            room -= np.int64(held)
        for filled in range(most):
            dummy = np.uint64(labels + filled)
            out[i, dummy >> SIX] |= np.uint64(filled < room) << (dummy & IN_WORD)
    return len(lists), used
