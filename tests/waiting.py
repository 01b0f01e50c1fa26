"""Waiting for what comes about, and judging what must be quick, on machines that do much else meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 120.0
"""Seconds to wait for anything: a loaded machine takes long, and who waits for an event loses nothing by patience."""
TRIES, SPUN = 8, 0.05


def until(told: Callable[[], T | None], pause: float = 0.02, patience: float = PATIENCE) -> T:
    """What is told once it is true; asked again and again, with a pause in between."""
    deadline = time.monotonic() + patience
    while not (found := told()):
        assert time.monotonic() < deadline, f"it must come about within {patience:g} seconds, got {found!r}"
        time.sleep(pause)
    return found


def slowness() -> float:
    """How many times longer than its processor time a computation takes right now: 1 on an idle machine."""
    began, spent = time.perf_counter(), time.thread_time()
    while time.thread_time() - spent < SPUN:
        pass
    return (time.perf_counter() - began) / (time.thread_time() - spent)


def check_quick(took: Callable[[], float], most: float, alone: Callable[[], float] = lambda: 0.0) -> None:
    """Of some tries one takes at most so many seconds; what is held up takes longer in each of them.

    While a machine does much else, a try may take as many times longer as any computation takes then, and longer by
    twice what the same takes ``alone``, without what might hold it up. An idle machine grants next to nothing of both.
    """
    found = list[tuple[float, float]]()
    while len(found) < TRIES:
        if (seconds := took()) <= most:
            return
        found.append((seconds, most * slowness() + 2 * alone()))
        if seconds <= found[-1][1]:
            return
    raise AssertionError(f"one of {TRIES} tries must take at most {most:g} s, got (seconds, most then): {found}")
