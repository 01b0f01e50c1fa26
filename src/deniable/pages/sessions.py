"""Who is reading: signed cookies, which begin with a one-time link, a token, or a link that was shared."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from pathlib import Path
from typing import Any, Final, NamedTuple

from itsdangerous import BadData, Signer, URLSafeSerializer, URLSafeTimedSerializer

from deniable.collector.access import OPERATOR, new_secret
from deniable.collector.private_files import make_folder, write_private
from deniable.collector.storage.store import Token

COOKIE: Final = "deniable-session"
LASTS: Final = 14 * 86400
"""Seconds after which one signs in again."""
KEY_FILE, KEY_BYTES = "session.key", 32
SIGNED: Final[dict[str, Any]] = {"digest_method": hashlib.sha256}
SHARED: Final = "shared link"
SCRYPT: Final[dict[str, int]] = {"n": 1 << 14, "r": 8, "p": 1}
"""What guessing a link's password costs: 16 MiB and some hundredths of a second each time."""


class Visitor(NamedTuple):
    """Who reads, with the secret that every form of theirs must send along."""

    token: Token
    csrf: str


class Share(NamedTuple):
    """What a shared link opens, until when, and what is kept of its password."""

    survey: str
    until: int
    salt: bytes
    hash: bytes

    def opens_with(self, password: str) -> bool:
        """Whether a password is the link's; every one is, where it has none."""
        return not self.salt or hmac.compare_digest(_hashed(password, self.salt), self.hash)


class Sessions:
    """Makes and reads cookies. What signs them is kept in the collector's folder; deleting it ends every session."""

    def __init__(self, data: Path) -> None:
        self._key = _key_in(data)
        self._cookies = URLSafeTimedSerializer(self._key, salt="session", signer_kwargs=SIGNED)
        self._links = URLSafeSerializer(self._key, salt="share", signer_kwargs=SIGNED)
        self._forms = Signer(self._key, salt="form", **SIGNED)
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

    def cookie_of(self, token: Token, until: int | None = None) -> str:
        """The value of a new cookie for the bearer of a token, good until a moment if one is given."""
        bound = "" if token.name in (OPERATOR, SHARED) else token.hash.hex()
        told = {"name": token.name, "scope": token.scope, "surveys": list(token.surveys), "bound": bound}
        return str(self._cookies.dumps({**told, "until": until, "id": secrets.token_hex(8)}))

    def visitor(self, cookie: str, tokens: list[Token], now: float) -> Visitor | None:
        """Whose cookie it is, if it still holds; a token that was replaced or deleted ends its sessions."""
        try:
            told: dict[str, Any] = self._cookies.loads(cookie, max_age=LASTS)
        except BadData:
            return None
        if told.get("until") is not None and now >= told["until"]:
            return None
        if told["bound"]:
            holders = [token for token in tokens if token.name == told["name"] and token.hash.hex() == told["bound"]]
            token = holders[0] if holders else None
        else:
            token = Token(told["name"], b"", told["scope"], tuple(told["surveys"]))
        return None if token is None else Visitor(token, self._forms.get_signature(cookie).decode())

    def link_to(self, survey: str, until: int, password: str = "") -> str:
        """The last part of a link to the results of a survey, good until a moment in seconds since 1970."""
        salt = secrets.token_bytes(16) if password else b""
        hashed = _hashed(password, salt) if password else b""
        return str(self._links.dumps([survey, until, salt.hex(), hashed.hex()]))

    def shared(self, link: str, now: float) -> Share | None:
        """What a link opens, if it is one of ours and not too old."""
        try:
            survey, until, salt, hashed = self._links.loads(link)
        except BadData:
            return None
        return Share(survey, until, bytes.fromhex(salt), bytes.fromhex(hashed)) if now < until else None


def reader_of(name: str) -> Token:
    """Whoever holds a shared link to the results of a survey."""
    return Token(SHARED, b"", "reader", (name,))


def _key_in(data: Path) -> bytes:
    """The key of a folder, made when it is first needed."""
    make_folder(data)
    path = data / KEY_FILE
    if not path.exists():
        write_private(path, secrets.token_bytes(KEY_BYTES))
    return path.read_bytes()


def _hashed(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, **SCRYPT)
