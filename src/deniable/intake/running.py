"""Doing something with the storage, from wherever it is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from deniable.intake.storage.transaction import Transaction

Result = TypeVar("Result")


class Run(Protocol):
    """Runs something within a transaction of its own, and waits for it."""

    def __call__(self, task: Callable[[Transaction], Result]) -> Result:
        """What the task gives."""
        ...
