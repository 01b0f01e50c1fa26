"""How often one address may ask: counted in memory only, under a key that nobody can turn back into the address."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from deniable.intake.http.callers import network_of

HOUR, MINUTE = 3600.0, 60.0
MOST_KNOWN = 100_000
"""The most addresses that are counted at once; beyond it all are forgotten."""


class Rates:
    """Allows each address so many requests a minute, by a token bucket; 0 for any number."""

    def __init__(self, a_minute: int, clock: Callable[[], float]) -> None:
        self._a_minute, self._clock = a_minute, clock
        self._key, self._hour = secrets.token_bytes(32), -1
        self._left: dict[bytes, tuple[float, float]] = {}
        """Of each address how many more requests are allowed, and since when."""

    def allow(self, address: str) -> bool:
        """Whether an address may ask once more now."""
        if not self._a_minute:
            return True
        now = self._clock()
        self._forget(now)
        key = hashlib.blake2b(network_of(address).encode(), key=self._key, digest_size=16).digest()
        left, since = self._left.get(key, (float(self._a_minute), now))
        left = min(left + (now - since) * self._a_minute / MINUTE, self._a_minute)
        self._left[key] = (left - (left >= 1), now)
        return left >= 1

    def _forget(self, now: float) -> None:
        """Forget all addresses once an hour, or when too many are counted, and take another key."""
        hour = int(now // HOUR)
        if hour != self._hour or len(self._left) > MOST_KNOWN:
            self._key, self._hour = secrets.token_bytes(32), hour
            self._left.clear()


def address_of(scope: Mapping[str, Any]) -> str:
    """The address that a request came from; empty where there is none."""
    client = scope.get("client")
    return str(client[0]) if client else ""
