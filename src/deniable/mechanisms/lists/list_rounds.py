"""Reports about lists that are sent again: a device keeps what it is asked, and an answer for all that it may hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from deniable.arrays import Column, Indices, Packed, Words
from deniable.mechanisms.shared.rounds import Flipped, Permanent, Replaced
from deniable.privacy.entropy import Entropy
from deniable.protocol.privacy.each_item import EachItem
from deniable.values.lists import Lists


@dataclass(frozen=True, eq=False, kw_only=True)
class WindowRounds(Replaced):
    """How reports of ``AskedItems`` are sent again: a device keeps a window of labels, a report for each pattern there.

    ``draw_windows`` draws the first labels of windows, ``patterns`` gives those of lists in windows that begin at some
    labels, and ``responses`` draws reports of patterns in such windows.
    """

    together: int
    draw_windows: Callable[[int, Entropy], Indices]
    patterns: Callable[[Indices, Indices], Words]
    responses: Callable[[Indices, Words, Entropy], Column]

    def enrol(self, permanent: Permanent, entropy: Entropy) -> Column:
        first = np.repeat(self.draw_windows(1, entropy), self.cells)
        return self.responses(first, np.arange(self.cells, dtype=np.uint64), entropy)

    def is_one_device(self, enrolled: Column) -> bool:
        """All are of one window; a report of another one would name its pattern."""
        return super().is_one_device(enrolled) and len(np.unique(enrolled >> self.together)) == 1

    def recall(self, value: Indices, enrolled: Column) -> Column:
        """The report of the list's pattern in the window of the enrolled reports."""
        first = (enrolled[:1] >> self.together).astype(np.int64)
        return enrolled[self.patterns(value, first).astype(np.int64)]


@dataclass(frozen=True, eq=False, kw_only=True)
class ItemRounds(Flipped):
    """How reports of ``ItemResponse`` are sent again: a device keeps a report of all labels and one of none.

    Each label has two cells, held and not held: its bits in these two reports. ``packed`` gives lists as such bits.
    """

    lists: Lists
    packed: Callable[[Indices], Packed]

    def guarantee(self, each: float) -> EachItem:
        return EachItem(self.lists.labels, each)

    @property
    def kept(self) -> int:
        """Two reports, whose bits are the answers about each label."""
        return 2

    def enrol(self, permanent: Permanent, entropy: Entropy) -> Column:
        none = np.zeros((1, self.lists.words), np.int64)
        every = self.lists.one(list(self.lists.labels))
        return permanent.draw(np.concatenate([none, every]), entropy)

    def recall(self, value: Indices, enrolled: Column) -> Column:
        """Of each label the bit that was drawn for holding it, or the one for not holding it."""
        held = self.packed(value)
        return np.asarray((enrolled[1:] & held) | (enrolled[:1] & ~held))
