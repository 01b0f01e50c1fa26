"""Where random words come from: the operating system, and nothing else that a device may use."""

from __future__ import annotations

import os
import struct
from abc import abstractmethod
from collections.abc import Iterator

WORD = 1 << 64
_AT_ONCE = 32
_UNPACK = struct.Struct(f"<{_AT_ONCE}Q").unpack


class Words(Iterator[int]):
    """Random 64-bit words, one after another, for one report or one answer."""

    @abstractmethod
    def __next__(self) -> int:
        """The next word."""

    def part(self) -> Words:
        """The words of the next part of a draw; see wire/draws.md.

        A source that reads many words at once begins each part with fresh ones. This one reads one after another, so
        that nothing changes.
        """
        return self


class SystemWords(Words):
    """The operating system's words. Those that are left over are dropped: make a new one for each report."""

    def __init__(self) -> None:
        self._left: Iterator[int] = iter(())

    def __next__(self) -> int:
        for word in self._left:
            return word
        self._left = iter(_UNPACK(os.urandom(8 * _AT_ONCE)))
        return next(self._left)
