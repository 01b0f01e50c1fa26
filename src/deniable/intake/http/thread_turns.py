"""Uploads beside work that takes long: threads take short turns, and nobody looks for garbage in what was loaded."""

from __future__ import annotations

import gc
import sys

TURN = 0.001
"""Seconds that a thread computes before another one may, a fifth of Python's own: an upload takes a dozen turns, and
waits for each of them while a page or a picture is worked out."""


class LoadedObjects:
    """Keeps what modules hold out of garbage collection, which stops everything, under load for half a second."""

    def __init__(self) -> None:
        self._modules = 0

    def spare(self) -> None:
        """Leave out what has been loaded; some modules come late, such as those that draw."""
        if len(sys.modules) != self._modules:
            self._modules = len(sys.modules)
            gc.freeze()


def take_short_turns() -> None:
    """Have all threads of this process take short turns from now on."""
    sys.setswitchinterval(TURN)
