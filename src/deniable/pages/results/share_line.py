"""A line that a reader draws at a share: how many labels surely lie above it, or below."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, NamedTuple

from deniable.estimation.estimate import Estimate
from deniable.estimation.words import as_typed
from deniable.protocol.say import Figure, Phrase, Statement

USUAL: Final = 0.1
"""Where the line is unless a reader moves it."""
LEAST: Final = 6
"""Of fewer labels nobody needs to count which lie above it."""


class ShareLine(NamedTuple):
    """Of so many labels how many surely lie above a share and below it, all at once."""

    share: float
    total: int
    above: frozenset[Hashable]
    below: frozenset[Hashable]
    is_drawn: bool
    """Whether the reader asked for it, so that it is what the page is about."""

    @property
    def written(self) -> Figure:
        """The share, in people of a hundred."""
        return as_typed(self.share)

    @property
    def sentence(self) -> Statement:
        """How many lie above it."""
        return Statement("are_surely_above", above=len(self.above), total=self.total, share=self.written)

    @property
    def rest(self) -> Statement:
        """How many lie below it, and of how many it cannot be told."""
        below = len(self.below)
        left = self.total - len(self.above) - below
        return Statement("surely_below_and_not_told", share=self.written, below=below, left=left)

    def verdict(self, label: Hashable) -> Phrase:
        """On which side a label lies."""
        if label in self.above:
            return Statement("surely")
        return Statement("surely_not") if label in self.below else Statement("cannot_be_told")


def share_line(estimate: Estimate, above: float | None) -> ShareLine | None:
    """The line that a reader drew, or the usual one, which only says how many; none of few labels."""
    if len(estimate.labels) < LEAST and above is None:
        return None
    share = USUAL if above is None else above
    higher, lower = (frozenset(ask(share)) for ask in (estimate.surely_above, estimate.surely_below))
    return ShareLine(share, len(estimate.labels), higher, lower, above is not None)
