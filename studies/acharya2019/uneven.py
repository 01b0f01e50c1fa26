"""acharya2019, the conclusion's open experiment: blocks of uneven size, made up and on the heatmap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from deniable.arrays import Vector
from deniable.mechanisms.context.block_hadamard import BlockHadamard
from studies import places
from studies.acharya2019.blocks import CHECK_INS, EPSILON, LABELS, USERS, answered, crowd
from studies.study import Row
from studies.survey_errors import averaged, survey_errors, total_variation

PLAIN = "plain LDP"
PARTITIONS: Mapping[str, tuple[int, ...]] = {
    PLAIN: (LABELS,),
    "even": (50,) * 20,
    "growing": (*(5 * i for i in range(1, 19)), 95, 50),
    "two sizes": (10,) * 10 + (90,) * 10,
    "one large": (525,) + (25,) * 19,
}
"""Sizes of blocks, 20 but for plain LDP."""
NUMBERS = (35, 875)
"""Blocks of Table 1's grids; 1,750 of 25 cells or more are even."""
LEAST = 25
"""Cells of the smallest block, so that no place is alone in its block."""


def uneven(seed: int, partition: str, repeats: int) -> list[Row]:
    """One line: errors at the truth that Thm 4's proof has in mind, a block's share as the square of its size."""
    sizes = PARTITIONS[partition]
    mechanism, truth = BlockHadamard(_consecutive(sizes), EPSILON), hardest(sizes)
    generator, rows = np.random.default_rng(seed), list[Row]()
    for users in USERS:
        shape = {"partition": partition, "squares": squares(sizes), "users": users, "repeats": repeats}
        rows.append({**shape, **survey_errors(mechanism, [truth] * repeats, users, generator)})
    return rows


def squares(sizes: Sequence[int]) -> int:
    """The sum of the squared sizes; by Thm 4 the number of people needed grows with it.

    >>> squares([3, 4])
    25
    """
    return sum(size**2 for size in sizes)


def hardest(sizes: Sequence[int]) -> Vector:
    """Shares in proportion to the size of a label's block, at which the proof of (20) loses nothing.

    >>> hardest([1, 2]).tolist()
    [0.2, 0.4, 0.4]
    """
    return np.repeat(sizes, sizes) / squares(sizes)


def _consecutive(sizes: Sequence[int]) -> list[list[int]]:
    ends = np.cumsum(sizes)
    return [list(range(end - size, end)) for size, end in zip(sizes, ends.tolist(), strict=True)]


def uneven_map(seed: int, smallest: int, number: int, repeats: int) -> list[Row]:
    """Table 1 with as many blocks of uneven size: few cells where many people live, many cells elsewhere."""
    people = crowd(smallest)
    blocks = places.by_people(places.heatmap(smallest).weights, number, LEAST)
    mechanism, generator = BlockHadamard(blocks, EPSILON, places.CELLS), np.random.default_rng(seed)
    truth, sizes = people / CHECK_INS, [len(block) for block in blocks]
    found = [(total_variation(answered(mechanism, people, generator), truth),) for _ in range(repeats)]
    shape: Row = {"smallest": smallest, "blocks": number, "repeats": repeats}
    return [{**shape, "least": min(sizes), "most": max(sizes), "squares": squares(sizes), **averaged(("dtv",), found)}]
