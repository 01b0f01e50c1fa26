"""Opening storage that may be out of reach for a while, such as a database that starts later than its collector."""

from __future__ import annotations

import time
from collections.abc import Callable

from deniable.intake.events import warn
from deniable.intake.storage.store import Store, UncertainError

LONGEST = 30.0
"""Seconds between two tries at most: they are twice as long after each failure."""


def opened_in_time(open_store: Callable[[], Store], is_over: Callable[[], bool]) -> Store:
    """Open the storage, trying again until it is there or nobody waits for it any longer."""
    pause = 0.5
    while True:
        try:
            return open_store()
        except UncertainError as error:
            if is_over():
                raise
            warn(f"the storage is tried again in {pause:g} s", error)
        ends = time.monotonic() + pause
        while time.monotonic() < ends and not is_over():
            time.sleep(0.1)
        pause = min(2 * pause, LONGEST)
