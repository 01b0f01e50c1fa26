"""Sending a parcel to its collector: the same bytes again and again, until it says what became of them."""

from __future__ import annotations

import hashlib
import http.client
import json
import re
import urllib.error
import urllib.request
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlencode

from deniable.protocol.errors import ParameterError, StoreError

SECONDS, SECONDS_TO_TRY = 120, 10
"""How long a reply may take: to a parcel, and to a token that is tried while its operator waits."""
TAKEN, ANOTHER, CLOSED, REFUSED = "taken", "another", "closed", "refused"
KNOWN: Final = {409: ANOTHER, 410: CLOSED, 422: REFUSED}
"""What a collector's status means beside 200. All else is asked again: it may be on its way, or out of reach."""
HINTS: Final = {
    401: ", its token is not known", 403: ", its token allows something else", 404: ", the survey is not known",
    413: ", it is too large",
}  # fmt: skip
COUNTS: Final = ("answers", "repeated", "unreadable")
WRONG: Final = {
    401: "a token must be one that its collector knows, got another one: copy the whole line, or ask for a new one",
    403: "a token must be for the parcels of this survey, got one for something else: ask for another one",
    404: "a survey must be at the collector that it names, got one that is not: whoever asks must open it there first",
}
"""What a collector's status means when a token is tried."""
MOST: Final = 1 << 12
TAG: Final = re.compile('(?:W/)?"([0-9a-f]{64})"')
"""The SHA-256 of a parcel as a header has it; a proxy may have marked it as weak."""


class AddressedParcel(NamedTuple):
    """The head of a parcel: where it goes, by which token, how many answers were withheld, and codes given out."""

    collector: str
    token: str
    survey: str
    period: str
    withheld: int
    codes: int
    n: int
    """How many sealed answers are sent."""

    @property
    def url(self) -> str:
        """The address at which it is asked for, and put."""
        return f"{self.collector}/v1/surveys/{self.survey}/periods/{quote(self.period, safe='')}/parcel"

    @property
    def query(self) -> str:
        """The query of the address to which it is put: its counts."""
        return urlencode({"withheld": self.withheld, "codes": self.codes})


class Outcome(NamedTuple):
    """What became of a parcel in the end: ``TAKEN`` with its collector's counts, or why it never is."""

    kind: str
    counts: dict[str, int] | None = None

    @property
    def written(self) -> str:
        """The outcome as it is stored."""
        return self.kind if self.counts is None else json.dumps({"is": self.kind, **self.counts})


class Reply(NamedTuple):
    """What a collector replied; ``tag`` is the entity tag of the parcel that has come, if any has."""

    status: int
    tag: str
    body: bytes
    is_busy: bool
    """Whether it asks to come again."""


def send(parcel: AddressedParcel, body: bytes) -> Outcome:
    """Send a parcel to its collector; what became of it, refused while the collector does not say.

    The collector is asked first which one has come: a parcel of an older folder differs by a few people, whom the two
    together would show.
    """
    try:
        return _sent(parcel, body)
    except OSError:
        raise _no_outcome("no reply") from None
    except (http.client.HTTPException, ValueError, OverflowError, RecursionError):
        raise _no_outcome("one that cannot be read") from None


def try_token(parcel: AddressedParcel) -> bool:
    """Try the token of a survey before there is a parcel; whether its collector could be asked.

    Refused if the collector would take none: then its operator learns it while whoever asks is still at hand.
    """
    survey = parcel.url.partition("/periods/")[0]
    try:
        status = _ask(parcel, "HEAD", parcel.url, None, SECONDS_TO_TRY).status
        if status == 404:  # no parcel has come; or there is no such survey
            status = _ask(parcel, "HEAD", survey, None, SECONDS_TO_TRY).status
    except (OSError, http.client.HTTPException, ValueError):
        return False
    if status in WRONG:
        raise ParameterError(WRONG[status])
    return status == 200


def _sent(parcel: AddressedParcel, body: bytes) -> Outcome:
    """``send``, with the errors of connections and of unreadable replies as they are."""
    arrived = _ask(parcel, "HEAD", parcel.url, None)
    if arrived.status == 200:
        match = TAG.fullmatch(arrived.tag)
        if match is None:
            raise ValueError
        if match[1] != hashlib.sha256(body).hexdigest():
            return Outcome(ANOTHER)
    elif arrived.status != 404:
        return _final(arrived, {410: CLOSED})
    reply = _ask(parcel, "PUT", f"{parcel.url}?{parcel.query}", body)
    return _taken(reply.body, parcel.n) if reply.status == 200 else _final(reply, KNOWN)


def _ask(parcel: AddressedParcel, method: str, url: str, body: bytes | None, seconds: int = SECONDS) -> Reply:
    """The collector's reply to one request, whatever its status is."""
    headers = {"Authorization": f"Bearer {parcel.token}", "Content-Type": "application/octet-stream"}
    request = urllib.request.Request(url, body, headers, method=method)
    try:
        with _OPENER.open(request, timeout=seconds) as reply:
            return Reply(reply.status, reply.headers.get("ETag", ""), reply.read(MOST), False)
    except urllib.error.HTTPError as error:
        with error:
            return Reply(error.code, "", b"", error.headers.get("Retry-After") is not None)


def _final(reply: Reply, known: dict[int, str]) -> Outcome:
    """The outcome that a status means; refused where it says to come again, or nothing that is known."""
    if reply.status not in known or reply.is_busy:
        raise _no_outcome(f"status {reply.status}{HINTS.get(reply.status, '')}")
    return Outcome(known[reply.status])


def _taken(body: bytes, n: int) -> Outcome:
    """The outcome of a parcel of ``n`` answers that was taken, from the body of the reply."""
    fields = json.loads(body)
    counts: dict[str, Any] = {name: fields.get(name) for name in COUNTS} if isinstance(fields, dict) else {}
    if not counts or not all(type(count) is int and 0 <= count <= n for count in counts.values()):
        raise ValueError
    return Outcome(TAKEN, counts)


def _no_outcome(got: str) -> StoreError:
    return StoreError(f"a collector's reply must say what became of a parcel, got {got}")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: a token and a parcel are for one collector."""

    def redirect_request(self, *_: object) -> None:
        """Redirect nowhere."""


_OPENER: Final = urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler({}))
