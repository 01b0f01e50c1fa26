"""acharya2019, sect. 7: blocks against plain LDP, on four truths and on a heatmap of real places."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import numpy as np

from deniable.arrays import Counts, Vector
from deniable.engines.simulate import draw_people, tally_reports
from deniable.mechanisms.context.block_hadamard import BlockHadamard
from deniable.mechanisms.mechanism import Mechanism
from deniable.privacy.entropy import SeededEntropy
from deniable.theory import truths
from deniable.theory.risk.context import reach
from studies import places
from studies.acharya2019.tables import LONG_LIST, SHORT_LIST
from studies.study import Row
from studies.survey_errors import averaged, nearest, seed_from, survey_errors, total_variation

LABELS, EPSILON = 1000, 1.0
USERS = [1000 * 2**i for i in range(10)]
PARTS = (1, 10, 20, 50, 100)
"""Numbers of blocks; a single block is plain LDP."""
TRUTHS: Mapping[str, Callable[[int], Vector]] = {
    "uniform": truths.uniform,
    "Geo(0.95)": lambda d: truths.geometric(d, 0.95),
    "Geo(0.95) permuted": lambda d: truths.geometric(d, 0.95),
    "Zipf(1)": truths.zipf,
}
CHECK_INS = 3_671_812
CROWD = 1
"""The seed of the people of a heatmap, so that the same people answer in every survey."""
GRIDS = ((1, 1), (5, 7), (25, 35), (25, 70))
MAPPED = {"plain": (1, 1), "blocks": (25, 70)}


def synthetic(seed: int, truth: str, blocks: int, repeats: int) -> list[Row]:
    """Fig. 2: one line of one panel. A permuted truth gets a new permutation for every survey."""
    mechanism = BlockHadamard(np.arange(LABELS).reshape(blocks, -1).tolist(), EPSILON)
    generator, ordered = np.random.default_rng(seed), TRUTHS[truth](LABELS)
    rows: list[Row] = []
    for users in USERS:
        shares = (generator.permutation(ordered) if truth.endswith("permuted") else ordered for _ in range(repeats))
        shape = {"truth": truth, "blocks": blocks, "users": users, "repeats": repeats}
        found = survey_errors(mechanism, shares, users, generator)
        rows.append({**shape, **found, "bound": block_bound(mechanism.odds.ratio, mechanism.sizes, users)})
    return rows


def block_bound(t: Fraction, sizes: Sequence[int], n: int) -> float:
    """An upper bound on E[dTV] of block Hadamard reports at any truth: half of acharya2019's (20), which is for l1.

    >>> round(block_bound(Fraction(3), [10] * 10, 10_000), 4)
    1.0954
    """
    return reach(t) * math.sqrt(3 * sum(size**2 for size in sizes) / n)


def heatmap_errors(seed: int, smallest: int, high: int, wide: int, repeats: int) -> list[Row]:
    """Table 1: one column, on our own heatmap. The same people answer every time, as in the paper."""
    return [{"smallest": smallest, **grid_errors(seed, crowd(smallest), high, wide, repeats)}]


def grid_errors(seed: int, people: Counts, high: int, wide: int, repeats: int) -> Row:
    """The error of so many surveys of the people of each cell."""
    mechanism, generator, truth = _over_cells(high, wide), np.random.default_rng(seed), people / people.sum()
    found = [(total_variation(answered(mechanism, people, generator), truth),) for _ in range(repeats)]
    shape: Row = {"high": high, "wide": wide, "blocks": high * wide, "repeats": repeats}
    return {**shape, **averaged(("dtv",), found)}


def _over_cells(high: int, wide: int) -> BlockHadamard:
    return BlockHadamard(places.blocks(high, wide), EPSILON, places.CELLS)


def crowd(smallest: int) -> Counts:
    """How many check-ins each cell has, drawn from where people live."""
    weights = places.heatmap(smallest).weights
    return draw_people(places.CELLS, weights / weights.sum(), CHECK_INS, CROWD)


def answered(mechanism: Mechanism, people: Counts, generator: np.random.Generator) -> Vector:
    """The shares estimated from one report per check-in."""
    tally = tally_reports(mechanism, people, SeededEntropy(seed_from(generator)))
    return nearest(mechanism.estimate(tally, "unbiased"))


def maps(seed: int, smallest: int) -> list[Row]:
    """Fig. 3: each cell with true or estimated check-ins, and the estimates of one survey."""
    generator, people = np.random.default_rng(seed), crowd(smallest)
    found = {"truth": people}
    for name, grid in MAPPED.items():
        shares = answered(_over_cells(*grid), people, generator)
        found[name] = np.rint(shares * CHECK_INS).astype(np.int64)
    shown = np.flatnonzero(np.any(list(found.values()), axis=0)).tolist()
    return [_cell(cell, {name: int(counts[cell]) for name, counts in found.items()}) for cell in shown]


def _cell(cell: int, counts: Mapping[str, int]) -> Row:
    return {"row": cell // places.COLUMNS, "column": cell % places.COLUMNS, **counts}


def sources(seed: int) -> list[Row]:
    """The lists of places from which the heatmaps are made."""
    del seed  # nothing is drawn
    return [_source(smallest) for smallest in (LONG_LIST, SHORT_LIST)]


def _source(smallest: int) -> Row:
    found, people = places.heatmap(smallest), crowd(smallest)
    return {
        "source": found.source,
        "smallest": smallest,
        "cities": found.cities,
        "people": found.people,
        "inside": found.inside,
        "share_inside": found.inside / found.people,
        "cells": places.CELLS,
        "cells_with_people": int(np.count_nonzero(found.weights)),
        "cells_with_check_ins": int(np.count_nonzero(people)),
    }
