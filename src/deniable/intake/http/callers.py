"""How many connections one address has at once: who opens thousands shuts nobody else out."""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Iterable
from typing import Final

MOST_CALLS: Final = 1000
"""The most connections at once from one address, or in IPv6 from one network of 2^64 of them."""


class Callers:
    """Counts the connections of each address; of proxies, and of this machine, there may be any number."""

    def __init__(self, proxies: Iterable[str] = (), most: int = MOST_CALLS) -> None:
        self._unlimited = [ipaddress.ip_network(proxy, strict=False) for proxy in ("127.0.0.1", "::1", *proxies)]
        self._most = most
        self._open: Counter[str] = Counter()

    def begin(self, address: str) -> bool:
        """A connection from an address is there; whether it may stay."""
        self._open[network_of(address)] += 1
        return self._open[network_of(address)] <= self._most or self._is_unlimited(address)

    def end(self, address: str) -> None:
        """A connection of this address is gone."""
        network = network_of(address)
        self._open[network] -= 1
        if not self._open[network]:
            del self._open[network]

    def _is_unlimited(self, address: str) -> bool:
        try:
            caller = ipaddress.ip_address(address)
        except ValueError:  # a socket in the file system has no addresses
            return True
        return any(caller in network for network in self._unlimited)


def network_of(address: str) -> str:
    """What one client has: an address, or in IPv6 a network of 2^64 of them."""
    try:
        caller = ipaddress.ip_address(address)
    except ValueError:  # a trusted proxy may say anything
        return address
    if isinstance(caller, ipaddress.IPv6Address):
        return str(caller.ipv4_mapped or ipaddress.ip_network((int(caller) >> 64 << 64, 64)))
    return str(caller)
