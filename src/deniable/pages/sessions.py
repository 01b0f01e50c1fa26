"""Who is signed in: signed cookies, which begin with a one-time link or a token and end by signing out."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from pathlib import Path
from typing import Any, Final, NamedTuple

from itsdangerous import BadData, Signer, URLSafeTimedSerializer

from deniable.collector.access import OPERATOR, new_secret
from deniable.collector.private_files import make_folder, write_private
from deniable.collector.storage.store import Token
from deniable.pages.ended import Ended

COOKIE: Final = "deniable-session"
LASTS: Final = 14 * 86400
"""Seconds after which one signs in again."""
KEY_FILE, KEY_BYTES, ENDED_FILE = "session.key", 32, "session.ended"
SIGNED: Final[dict[str, Any]] = {"digest_method": hashlib.sha256}


class Visitor(NamedTuple):
    """Who reads, with the secret that every form of theirs must send along."""

    token: Token
    csrf: str


class Sessions:
    """Makes, reads and ends cookies. ``key`` signs them; without its file in the collector's folder all have ended."""

    def __init__(self, data: Path) -> None:
        self.key = _key_in(data)
        self._cookies = URLSafeTimedSerializer(self.key, salt="session", signer_kwargs=SIGNED)
        self._ended = Ended(data / ENDED_FILE)
        self._once: set[str] = set()
        self._taking = threading.Lock()

    def one_time_secret(self) -> str:
        """A secret that signs its first bearer in as whoever runs the server; forgotten when the server stops."""
        secret = new_secret()
        with self._taking:
            self._once.add(secret)
        return secret

    def take(self, secret: str) -> bool:
        """Whether a one-time secret is good; it is not a second time."""
        with self._taking:
            found = next((one for one in self._once if hmac.compare_digest(one.encode(), secret.encode())), None)
            self._once.discard(found or "")
            return found is not None

    def cookie_of(self, token: Token) -> str:
        """The value of a new cookie for the bearer of a token."""
        bound = "" if token.name == OPERATOR else token.hash.hex()
        told = {"name": token.name, "scope": token.scope, "surveys": list(token.surveys), "bound": bound}
        return str(self._cookies.dumps({**told, "id": secrets.token_hex(8)}))

    def visitor(self, cookie: str, tokens: list[Token]) -> Visitor | None:
        """Whose cookie it is, if it still holds; a token that was replaced or deleted ends its sessions."""
        told = self._told(cookie)
        if told is None or told["id"] in self._ended:
            return None
        if told["bound"]:
            holders = [token for token in tokens if token.name == told["name"] and token.hash.hex() == told["bound"]]
            token = holders[0] if holders else None
        else:
            token = Token(told["name"], b"", told["scope"], tuple(told["surveys"]))
        return None if token is None else Visitor(token, csrf_of(self.key, cookie))

    def end(self, cookie: str) -> None:
        """Sign out: no copy of the cookie is good any longer."""
        told = self._told(cookie)
        if told is not None:
            self._ended.add(told["id"], time.time() + LASTS)

    def _told(self, cookie: str) -> dict[str, Any] | None:
        try:
            told: dict[str, Any] = self._cookies.loads(cookie, max_age=LASTS)
        except BadData:
            return None
        return told


def csrf_of(key: bytes, cookie: str) -> str:
    """The secret of the forms of whoever has a cookie."""
    return Signer(key, salt="form", **SIGNED).get_signature(cookie).decode()


def _key_in(data: Path) -> bytes:
    """The key of a folder, made when it is first needed."""
    make_folder(data)
    path = data / KEY_FILE
    if not path.exists():
        write_private(path, secrets.token_bytes(KEY_BYTES))
    return path.read_bytes()
