"""Who is signed in: cookies, which begin with a one-time link or a token and end by signing out."""

from __future__ import annotations

import hashlib
import hmac
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from deniable.intake.access import OPERATOR, hash_of, new_secret
from deniable.intake.http.reply_headers import root_of
from deniable.intake.intake import Intake
from deniable.intake.storage.rows import Token
from deniable.intake.storage.transaction import Transaction
from deniable.intake.storage.visits import KNOWN, VisitRow

COOKIE: Final = "deniable-session"
LASTS: Final = 14 * 86400
"""Seconds after which one signs in again."""
OPERATOR_LASTS: Final = 86400
"""The same for the operator, who may do everything, and whose session no token ends."""
LINK_LASTS: Final = 15 * 60
"""Seconds after which a one-time link is good no longer: it stands in the log of whatever runs the server."""
OPERATOR_TOKEN: Final = Token(OPERATOR, b"", "admin", (), OPERATOR)


class Visitor(NamedTuple):
    """Who reads, with the secret that every form of theirs must send along."""

    token: Token
    csrf: str
    parts: Mapping[str, frozenset[str]] = {}
    """Of surveys of which they may see some questions alone, the names of these."""


class OneTimeLinks:
    """Secrets that each sign their first bearer in as whoever runs the server, within a quarter of an hour."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._ends: dict[str, float] = {}
        self._lock = threading.Lock()

    def make(self) -> str:
        """A new secret; it is forgotten when the server stops."""
        secret, now = new_secret(), self._clock()
        with self._lock:
            self._ends = {one: end for one, end in self._ends.items() if end > now} | {secret: now + LINK_LASTS}
        return secret

    def take(self, secret: str) -> bool:
        """Whether a secret is good; it is not a second time."""
        with self._lock:
            known = next((one for one in self._ends if hmac.compare_digest(one.encode(), secret.encode())), "")
            return self._ends.pop(known, 0.0) > self._clock()


class Sessions:
    """Begins and ends sessions, which all processes share that use the same storage."""

    def __init__(self, intake: Intake[Any, Any]) -> None:
        self._intake = intake

    def begin(self, token: Token) -> str:
        """The value of a new cookie for the bearer of a token."""
        cookie, now = new_secret(), self._intake.now()
        lasts = OPERATOR_LASTS if token.name == OPERATOR else LASTS
        bound = b"" if token.name == OPERATOR else token.hash
        row = VisitRow(hash_of(cookie), token.name, bound, now + lasts)
        self._intake.run(lambda t: t.visits.add(row, now))
        return cookie

    def knows(self, cookie: str) -> bool:
        """Whether a cookie is of somebody who is signed in, or whose session ended within hours."""
        return bool(cookie) and self._intake.run(lambda t: t.visits.of(hash_of(cookie))) is not None

    def end(self, cookie: str) -> None:
        """Sign out: no copy of the cookie is good any longer."""
        self._intake.run(lambda t: t.visits.end(hash_of(cookie)))

    def end_all(self, who: str) -> None:
        """Sign everybody out, the operator too."""

        def end(t: Transaction) -> None:
            t.visits.end_all()
            t.note(self._intake.day(), who, "sign out", "everybody")

        self._intake.run(end)


def visitor_of(t: Transaction, cookie: str, now: float) -> Visitor | None:
    """Whose cookie it is, if it still holds; a token that was replaced or deleted ends its sessions."""
    row = t.visits.of(hash_of(cookie))
    token = None if row is None or now >= row.until else holder_of(t.tokens(), row.name, row.bound)
    return None if token is None else Visitor(token, csrf_of(cookie))


def holder_of(tokens: Iterable[Token], name: str, bound: bytes) -> Token | None:
    """The token that something is bound to, if it is still the one of its name."""
    if name == OPERATOR:
        return OPERATOR_TOKEN
    return next((token for token in tokens if token.name == name and token.hash == bound), None)


def csrf_of(cookie: str) -> str:
    """The secret of the forms of whoever has a cookie: who does not know the one cannot tell the other."""
    return hmac.digest(cookie.encode(), b"form", hashlib.sha256).hex()


def give_cookie(reply: Response, request: Request, name: str, cookie: str) -> None:
    """Let somebody in: no script and no other site can use the cookie."""
    secure = request.url.scheme == "https"
    path = f"{root_of(request.scope)}/"
    reply.set_cookie(name, cookie, LASTS + KNOWN, path=path, httponly=True, samesite="strict", secure=secure)


def take_cookie(reply: Response, request: Request, name: str) -> None:
    """The browser forgets a cookie that it was given."""
    reply.delete_cookie(name, f"{root_of(request.scope)}/", httponly=True, samesite="strict")


def signing_in(links: OneTimeLinks, url: str) -> str:
    """What a server says once it listens at an address: where whoever runs it signs in."""
    return f"open in a browser, once, within {LINK_LASTS // 60} minutes: {url}/enter/{links.make()}"


def goes_on(request: Request) -> bool:
    """Whether a link that lets somebody in is followed from a page of ours.

    On the way from another site, such as a mailbox, browsers hold back our cookies, old and new. So the link leads to a
    page that goes on by itself; and whoever only looks where a link leads, as messengers do, uses nothing up.
    """
    return "go" in request.query_params and request.method != "HEAD"
