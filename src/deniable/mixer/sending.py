"""Sending a parcel to its collector: the same bytes again and again, until it says what became of them."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Final, NamedTuple
from urllib.parse import quote, urlencode

SECONDS: Final = 120
KNOWN: Final = {200: "taken", 409: "another", 410: "closed", 422: "refused"}
"""What a collector's reply means. All else is asked again: it may be on its way, or out of reach."""
COUNTS: Final = ("answers", "repeated", "unreadable")
MOST: Final = 1 << 12


class Addressed(NamedTuple):
    """A parcel with where it goes."""

    collector: str
    token: str
    survey: str
    period: str
    withheld: int
    codes: int

    @property
    def url(self) -> str:
        """Where it is put."""
        told = urlencode({"withheld": self.withheld, "codes": self.codes})
        return f"{self.collector}/v1/surveys/{self.survey}/periods/{quote(self.period, safe='')}/parcel?{told}"


def send(parcel: Addressed, body: bytes) -> str:
    """What the collector says of a parcel; nothing while it has not said anything final."""
    headers = {"Authorization": f"Bearer {parcel.token}", "Content-Type": "application/octet-stream"}
    request = urllib.request.Request(parcel.url, body, headers, method="PUT")
    try:
        with _OPENER.open(request, timeout=SECONDS) as reply:
            return _reply(reply.status, reply.read(MOST))
    except urllib.error.HTTPError as error:
        with error:
            return _reply(error.code, b"") if error.headers.get("Retry-After") is None else ""
    except OSError:
        return ""


def _reply(status: int, body: bytes) -> str:
    """What is kept of a reply: a word, and of one that was taken the numbers."""
    if status != 200:
        return KNOWN.get(status, "")
    try:
        told = json.loads(body)
        counts = {name: int(told[name]) for name in COUNTS}
    except (ValueError, KeyError, TypeError):
        return ""
    return json.dumps({"is": KNOWN[status], **counts})


class _Staying(urllib.request.HTTPRedirectHandler):
    """Goes nowhere else: a token and what waits are for one collector."""

    def redirect_request(self, *_: object) -> None:
        """No other address."""


_OPENER: Final = urllib.request.build_opener(_Staying, urllib.request.ProxyHandler({}))
