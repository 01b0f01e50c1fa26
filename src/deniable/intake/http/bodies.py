"""Bodies of requests: each has its limit, and all that are arriving share one room."""

from __future__ import annotations

from typing import Final

from deniable.intake.refusals import TOO_LARGE, Refusal, Refused, busy

ROOM: Final = 1 << 26
"""The most bytes of bodies that may be arriving at once, beyond what of each counts as small."""
SMALL: Final = 1 << 12
MOST_FORM: Final = 1 << 16
"""The most bytes of a form, or of an object in JSON."""


class Room:
    """Counts the bytes of all bodies that are arriving."""

    def __init__(self, size: int = ROOM) -> None:
        self._left = size

    def body(self, most: int, refusal: Refusal = TOO_LARGE) -> ArrivingBody:
        """One more body, of so many bytes at most: what has arrived of it is counted."""
        return ArrivingBody(self, most, refusal)

    def take(self, size: int) -> bool:
        """Whether there is room for so many bytes more, which are taken in either case."""
        self._left -= size
        return self._left >= 0


class ArrivingBody:
    """What one body of at most ``most`` bytes takes of the room; given back when the block ends.

    ``refusal`` answers a body that is larger.
    """

    def __init__(self, room: Room, most: int, refusal: Refusal) -> None:
        self._room, self._most, self._refusal = room, most, refusal
        self._size = self._held = 0
        """How many bytes have arrived, and how many of them, all but the first ``SMALL``, take room."""

    def __enter__(self) -> ArrivingBody:
        return self

    def __exit__(self, *_: object) -> None:
        self._room.take(-self._held)

    def grow(self, size: int) -> None:
        """So many bytes more have arrived; refused where the body, or all of them together, are too large."""
        self._size += size
        if self._size > self._most:
            raise Refused(self._refusal)
        beyond_small = max(self._size - SMALL, 0) - self._held
        self._held += beyond_small
        if beyond_small and not self._room.take(beyond_small):
            raise Refused(busy(10))

    def check(self, length: bytes | str) -> None:
        """Refuse a body by what its head says of its length, before any of it is read."""
        if len(length) > len(str(self._most)) or int(length or 0) > self._most:
            raise Refused(self._refusal)
