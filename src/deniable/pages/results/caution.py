"""A warning to whoever reads a result."""

from __future__ import annotations

from typing import NamedTuple

from deniable.protocol.say import Phrase


class Caution(NamedTuple):
    """A warning: a bold beginning, and the rest."""

    head: Phrase
    rest: Phrase
