"""Draws of two-sided geometric noise that is clamped at both ends.

Every report takes a coin for its direction and then as many coins as there are steps from one end to the other, all of
them whatever they show: the report tells how many were needed, so that a draw that stopped there would tell the value
to a clock. A word that ``uniform`` rejects says nothing of the coin that follows.

Limit: one word per label.
"""

from __future__ import annotations

import numpy as np

from deniable.arrays import Indices, Integers, Words
from deniable.kernels.compiled import compiled
from deniable.kernels.draw.draws import choose, rejected_below, uniform
from deniable.kernels.early import SMALL
from deniable.kernels.words import high_product

ONE = np.uint64(1)


@compiled(early=SMALL)
def _steps(tape: Words, used: int, coins: int, above: np.uint64, below: np.uint64) -> tuple[np.uint64, int]:
    """How many of the coins go on before the first that does not, and the number of words used; -1 at the tape's end.

    A coin goes on in ``below`` of ``above`` cases.
    """
    floor, going, steps, tossed = rejected_below(above), ONE, np.uint64(0), 0
    while tossed < coins:
        if used >= len(tape):
            return steps, -1
        word = tape[used]
        used += 1
        accepted = np.uint64(word * above >= floor)
        going &= ~accepted | np.uint64(high_product(word, above) < below)
        steps += accepted & going
        tossed += int(accepted)
    return steps, used


@compiled(early=SMALL)
def draw_geometric(
    tape: Words, done: int, values: Indices, above: np.uint64, below: np.uint64, labels: int, out: Integers
) -> tuple[int, int]:
    """Up in A of A + B cases, else one down; then H more the same way, but never beyond an end."""
    used, high = 0, np.uint64(labels - 1)
    both = above + below
    floor = rejected_below(both)
    for i in range(done, len(values)):
        if len(tape) - used < labels:
            return i, used
        coin, after = uniform(tape, used, both, floor)
        if after < 0:
            return i, used
        steps, after = _steps(tape, after, labels - 1, above, below)
        if after < 0:
            return i, used
        used = after
        value = np.uint64(values[i])
        room = high - value
        up = value + choose(steps < room, steps, room)
        down = value - choose(steps + ONE < value, steps + ONE, value)
        out[i] = choose(coin < above, up, down)
    return len(values), used
