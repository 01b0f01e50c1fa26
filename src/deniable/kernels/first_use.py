"""What is said while kernels are compiled: a line on the error stream, at most once a process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from numba.core.event import Event, Listener

from deniable.kernels.cache_folder import advice

PATIENCE = 1.0
"""Seconds of compiling before anybody at a terminal is told."""
AHEAD = "compiling for first use; deniable warm does this ahead of time"


class Notice(Listener):
    """Listens to Numba. It speaks at once where compiled code will be lost, else at a terminal once it takes long.

    Kernels that call each other are compiled one within the other; Numba lets one thread compile at a time.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.silent = False
        self._clock, self._depth = clock, 0
        self._start = self._spent = 0.0

    def on_start(self, event: Event) -> None:
        """A kernel is about to be compiled."""
        if not _is_ours(event):
            return
        if self._depth == 0:
            self._start = self._clock()
        self._depth += 1
        self._speak()

    def on_end(self, event: Event) -> None:
        """A kernel has been compiled."""
        if not _is_ours(event):
            return
        self._speak()
        self._depth -= 1
        if self._depth == 0:
            self._spent += self._clock() - self._start

    def _speak(self) -> None:
        if self.silent:
            return
        with suppress(AttributeError, OSError, ValueError):  # nobody listens: there is no stream, or it was closed
            said = advice()
            if said is None and self._spent + self._clock() - self._start > PATIENCE and sys.stderr.isatty():
                said = AHEAD
            if said is not None:
                self.silent = True
                sys.stderr.write(f"deniable: {said}\n")


def _is_ours(event: Event) -> bool:
    """Whether it is a kernel of this package: a user's own Numba code is none of our business."""
    return str(event.data["dispatcher"].py_func.__module__).startswith("deniable.")


NOTICE = Notice()
"""The one that listens in this process."""
