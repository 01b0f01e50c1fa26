"""Who is reading: signed cookies, which begin with a one-time link, a token, or a link that was shared."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from pathlib import Path
from typing import Any, Final, NamedTuple

from itsdangerous import BadData, Signer, URLSafeTimedSerializer

from deniable.collector.access import bearer_of, new_secret
from deniable.collector.private_files import make_folder, write_private
from deniable.collector.storage.store import Token

COOKIE: Final = "deniable-session"
LASTS: Final = 14 * 86400
"""Seconds after which one signs in again."""
KEY_FILE, KEY_BYTES = "session.key", 32
SIGNED: Final[dict[str, Any]] = {"digest_method": hashlib.sha256}
OPERATOR: Final = "operator"
SHARED: Final = "shared link"


class Visitor(NamedTuple):
    """Who reads, with the secret that every form of theirs must send along."""

    token: Token
    csrf: str


class Sessions:
    """Makes and reads cookies. What signs them is kept in the collector's folder; deleting it ends every session."""

    def __init__(self, data: Path) -> None:
        self._key = _key_in(data)
        self._cookies = URLSafeTimedSerializer(self._key, salt="session", signer_kwargs=SIGNED)
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

    def cookie_of(self, token: Token) -> str:
        """The value of a new cookie for the bearer of a token."""
        bound = "" if token.name in (OPERATOR, SHARED) else token.hash.hex()
        told = {"name": token.name, "scope": token.scope, "surveys": list(token.surveys), "bound": bound}
        return str(self._cookies.dumps({**told, "id": secrets.token_hex(8)}))

    def visitor(self, cookie: str, tokens: list[Token]) -> Visitor | None:
        """Whose cookie it is, if it still holds; a token that was replaced or deleted ends its sessions."""
        try:
            told: dict[str, Any] = self._cookies.loads(cookie, max_age=LASTS)
        except BadData:
            return None
        if told["bound"]:
            holders = [token for token in tokens if token.name == told["name"] and token.hash.hex() == told["bound"]]
            token = holders[0] if holders else None
        else:
            token = Token(told["name"], b"", told["scope"], tuple(told["surveys"]))
        return None if token is None else Visitor(token, self._forms.get_signature(cookie).decode())

    def bearer(self, tokens: list[Token], secret: str) -> Token | None:
        """Whose token was typed in."""
        return bearer_of(tokens, secret)


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
