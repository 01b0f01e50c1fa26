"""Links to results for whoever has them, and the cookies of those who followed one."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final, NamedTuple

from itsdangerous import BadData, URLSafeSerializer

from deniable.collector.storage.store import Token
from deniable.pages.sessions import SIGNED, Visitor, csrf_of

COOKIE: Final = "deniable-shared"
GUEST: Final = "shared link"
MOST_OPENED: Final = 20
"""How many surveys a cookie opens: browsers keep none above 4 KiB. What was opened first is forgotten first."""
SCRYPT: Final[dict[str, int]] = {"n": 1 << 14, "r": 8, "p": 1}
"""What guessing a link's password costs: 16 MiB and some hundredths of a second each time."""


class Share(NamedTuple):
    """What a link opens, until when in seconds since 1970, and what is kept of its password."""

    survey: str
    until: int
    salt: bytes
    seal: bytes


class Shares:
    """Makes and reads links. Nothing of them is stored: a link says what it opens, and is signed."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._links = URLSafeSerializer(key, salt="share", signer_kwargs=SIGNED)
        self._cookies = URLSafeSerializer(key, salt="shared", signer_kwargs=SIGNED)

    def link_to(self, survey: str, until: int, password: str = "") -> str:
        """The last part of a link to the results of a survey."""
        salt = secrets.token_bytes(16) if password else b""
        seal = self._sealed(password, salt) if password else b""
        return str(self._links.dumps([survey, until, salt.hex(), seal.hex()]))

    def read(self, link: str, now: float) -> Share | None:
        """What a link opens, if it is one of ours and not too old."""
        try:
            survey, until, salt, seal = self._links.loads(link)
        except BadData:
            return None
        return Share(survey, until, bytes.fromhex(salt), bytes.fromhex(seal)) if now < until else None

    def opens(self, share: Share, password: str) -> bool:
        """Whether a password is the link's; every one is, where it has none."""
        return not share.salt or hmac.compare_digest(self._sealed(password, share.salt), share.seal)

    def cookie_of(self, before: str, share: Share, now: float) -> str:
        """The value of a cookie that opens a survey more than the one before, each until the end of its link."""
        opened = self._opened(before, now)
        until = max(share.until, opened.pop(share.survey, 0))
        return str(self._cookies.dumps(dict([*opened.items(), (share.survey, until)][-MOST_OPENED:])))

    def guest(self, cookie: str, now: float) -> Visitor | None:
        """Whoever has a cookie, if anything that it opened is still open."""
        opened = self._opened(cookie, now)
        return Visitor(Token(GUEST, b"", "reader", tuple(opened)), csrf_of(self._key, cookie)) if opened else None

    def _opened(self, cookie: str, now: float) -> dict[str, int]:
        try:
            opened: dict[str, int] = self._cookies.loads(cookie)
        except BadData:
            return {}
        return {survey: until for survey, until in opened.items() if now < until}

    def _sealed(self, password: str, salt: bytes) -> bytes:
        """What stands in the link: without the server's key nobody can try passwords on it."""
        return hmac.digest(self._key, hashlib.scrypt(password.encode(), salt=salt, **SCRYPT), "sha256")
