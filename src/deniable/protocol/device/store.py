"""Where a device keeps what it must not forget: texts by their keys, changed in transactions that happen or do not."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol


class Entries(Protocol):
    """The texts of a store within one transaction."""

    def get(self, key: str) -> str | None:
        """The text of a key, or None."""
        ...

    def put(self, key: str, text: str) -> None:
        """Set the text of a key."""
        ...

    def drop(self, key: str) -> None:
        """Forget a key, if it is there."""
        ...

    def keys(self, prefix: str) -> list[str]:
        """All keys that begin so, ascending."""
        ...


class Store(Protocol):
    """A store: its transactions are atomic, durable once they have ended, and one at a time, over all processes."""

    def transaction(self) -> AbstractContextManager[Entries]:
        """Begin; what was put is kept if the block ends well, and forgotten if it raises."""
        ...


class MemoryStore:
    """A store that forgets everything when the process ends: for tests, and to try a survey out."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._lock = threading.Lock()

    @contextmanager
    def transaction(self) -> Iterator[Entries]:
        """Work on a copy, which replaces the texts at the end."""
        with self._lock:
            copy = Texts(dict(self._texts))
            yield copy
            self._texts = copy.texts


class Texts:
    """The entries of a transaction, in memory."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    def get(self, key: str) -> str | None:
        """The text of a key, or None."""
        return self.texts.get(key)

    def put(self, key: str, text: str) -> None:
        """Set the text of a key."""
        self.texts[key] = text

    def drop(self, key: str) -> None:
        """Forget a key, if it is there."""
        self.texts.pop(key, None)

    def keys(self, prefix: str) -> list[str]:
        """All keys that begin so, ascending."""
        return sorted(key for key in self.texts if key.startswith(prefix))


class StoreSection:
    """The entries of a part of a store: there keys have a prefix, which is not seen here; the ``shared`` have none."""

    def __init__(self, entries: Entries, prefix: str, shared: tuple[str, ...] = ()) -> None:
        self.entries = entries
        self.prefix = prefix
        self._shared = shared

    def get(self, key: str) -> str | None:
        """The text of a key, or None."""
        return self.entries.get(self._full_key(key))

    def put(self, key: str, text: str) -> None:
        """Set the text of a key."""
        self.entries.put(self._full_key(key), text)

    def drop(self, key: str) -> None:
        """Forget a key, if it is there."""
        self.entries.drop(self._full_key(key))

    def keys(self, prefix: str) -> list[str]:
        """All keys that begin so, ascending."""
        whole = self._full_key(prefix)
        return [prefix + key.removeprefix(whole) for key in self.entries.keys(whole)]

    def _full_key(self, key: str) -> str:
        return key if key.startswith(self._shared) else self.prefix + key
