"""Integers of several blocks: what is joined comes apart again, block by block."""

from __future__ import annotations

import numpy as np

from deniable.reports.index_blocks import IndexBlocks


def test_reports_come_apart_as_they_were_joined() -> None:
    sizes = (3, 1, 300)
    blocks = np.repeat(np.arange(3), sizes)
    own = np.concatenate([np.arange(size) for size in sizes])
    joined = IndexBlocks(sizes)
    reports = joined.join(blocks, own)
    assert reports.tolist() == list(range(304))
    assert reports.dtype == joined.layout.dtype == np.uint16
    assert joined.heads(reports).tolist() == blocks.tolist()
    shuffled = np.random.default_rng(1).permutation(304)
    found = {block: (places, inside) for block, places, inside in joined.split(reports[shuffled])}
    assert list(found) == [0, 1, 2]
    for block, (places, inside) in found.items():
        assert blocks[shuffled[places]].tolist() == [block] * sizes[block]
        assert inside.tolist() == own[shuffled[places]].tolist()
