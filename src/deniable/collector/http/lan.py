"""A second address, for phones in one room: over plain HTTP, where people can do no more than answer."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from starlette.routing import BaseRoute, Route
from starlette.types import Scope

from deniable.intake.http.certificates import own_address
from deniable.protocol.errors import ParameterError

NETWORKS: Final = tuple(
    ipaddress.ip_network(each)
    for each in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7")
)
"""Where devices send to over plain HTTP, but for addresses that no browser can open."""
PATHS: Final = frozenset(
    {"/v1/surveys/{digest}", "/v1/surveys/{digest}/door", "/v1/surveys/{digest}/invitation"}
    | {"/q/{digest}", "/label/{digest}", "/label/{digest}.json", "/label/{digest}.txt"}
    | {"/to/{digits}", "/me", "/static/{name}"}
)
"""All that is there beside uploads, to be read by whoever is asked: nothing that takes a token, a form or a cookie."""
NEWEST: Final = "/to/newest"
"""Where the bare address leads, which people type."""
READING: Final = {"GET", "HEAD", "OPTIONS"}
PATIENCE: Final = 60.0
"""Seconds after which it is said that no phone has come: networks of schools often keep devices apart."""


@dataclass
class Lan:
    """An address of this machine in a private network, and which surveys phones have found there."""

    host: str
    url: str = ""
    """Where phones reach it, once it listens."""
    _reached: set[str] = field(default_factory=set)
    """The digests of surveys whose page a phone has asked for."""
    _awaited: dict[str, float] = field(default_factory=dict)
    """By the digest of a survey, when it was first asked whether a phone has come."""

    def has(self, scope: Scope) -> bool:
        """Whether a request came in there, whatever host it names."""
        return scope["type"] == "http" and (scope.get("server") or ("",))[0] == self.host

    def scope(self, scope: Scope) -> Scope:
        """A request as it is answered there: it brings no cookie, and at the bare address it is the newest survey's."""
        headers = [header for header in scope["headers"] if header[0] != b"cookie"]
        return {**scope, "headers": headers, "path": NEWEST if scope["path"] == "/" else scope["path"]}

    def routes(self, routes: Iterable[BaseRoute]) -> list[BaseRoute]:
        """Those of all routes that are there."""
        served = (each for each in routes if isinstance(each, Route) and each.path in PATHS)
        return [each for each in served if (each.methods or READING) <= READING]

    def found(self, scope: Scope, digest: str) -> None:
        """Somebody has asked for the page of a survey: a phone, if they did so there, and from another device."""
        if self.has(scope) and scope["client"][0] != self.host:
            self._reached.add(digest)

    def waits(self, digest: str, now: float) -> bool:
        """Whether nobody has found the page of a survey for a while, since it was first asked."""
        return digest not in self._reached and now >= self._awaited.setdefault(digest, now) + PATIENCE


def lan_address(named: str | None) -> str:
    """The address of this machine in its own network, or one that is named, if phones may be asked there."""
    host = own_address() if named is None else named
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        raise ParameterError(f"--lan-address must be an address of a private network, got {host!r}") from None
    if not any(address in network for network in NETWORKS if network.version == address.version):
        how = "; join the network of the room first, or name an address by --lan-address" if named is None else ""
        raise ParameterError(f"--lan must be at an address of a private network, such as 192.168.1.24, got {host}{how}")
    return str(address)
