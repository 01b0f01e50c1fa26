"""Links to results for whoever has them, and the cookies of those who followed one."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from deniable.collector.collector import Collector
from deniable.intake.access import hash_of, new_secret
from deniable.intake.storage.rows import SurveyRow, Token
from deniable.intake.storage.transaction import Transaction
from deniable.intake.storage.visits import ResultLinkRow
from deniable.pages.sessions import Visitor, csrf_of, holder_of

COOKIE: Final = "deniable-shared"
GUEST: Final = "shared link"
MOST_OPENED: Final = 20
"""How many links a cookie holds: browsers keep none above 4 KiB. What was opened first is forgotten first."""
SCRYPT: Final[dict[str, int]] = {"n": 1 << 14, "r": 8, "p": 1}
"""What guessing a link's password costs: 16 MiB and some hundredths of a second each time."""


def asked_link(digest: str) -> str:
    """The last part of the link for everybody who was asked: whoever knows the survey's digest knows it."""
    return f"asked-{digest}"


class Key(NamedTuple):
    """What opens a link: its secret, and what follows from its password if it has one."""

    secret: str
    proof: str = ""

    @classmethod
    def all_of(cls, cookie: str) -> list[Key]:
        """The keys that a cookie holds."""
        return [cls(*each.partition(".")[::2]) for each in cookie.split(":")[-MOST_OPENED:] if each]


class ResultLinks:
    """Makes and reads links; all processes that use the same storage know them."""

    def __init__(self, collector: Collector[Any]) -> None:
        self._collector = collector

    def link_to(
        self, survey: str, until: float, maker: Token, password: str = "", title: str = "", only: Iterable[str] = ()
    ) -> str:
        """The last part of a link to the results of a survey, which ends with the token of who makes it.

        ``title`` says for whom it is, to those who may end it; ``only`` names the questions that it opens, if not all.
        """
        secret, named = new_secret(), sorted(only)
        self._add(secret, survey, until, maker, password, title, json.dumps(named) if named else "")
        return secret

    def open_to_asked(self, row: SurveyRow, until: float, maker: Token) -> None:
        """Let everybody read the results who has the link to the survey's question page, which shows this one."""
        if self.read(asked_link(row.digest)) is None:
            self._add(asked_link(row.digest), row.name, until, maker)

    def _add(
        self, secret: str, survey: str, until: float, maker: Token, password: str = "", title: str = "",
        questions: str = "",
    ) -> None:  # fmt: skip
        """Keep a link by the hash of its secret, and note who made it."""
        salt = secrets.token_bytes(16) if password else b""
        seal = _seal(_proof(password, salt)) if password else b""
        day, now = self._collector.day(), self._collector.now()
        row = ResultLinkRow(
            hash_of(secret), survey, maker.name, maker.hash, day, until, salt, seal, title, questions=questions
        )

        def add(t: Transaction) -> None:
            t.visits.add_link(row, now)
            t.note(day, maker.name, "share", survey)

        self._collector.run(add)

    def read(self, secret: str) -> ResultLinkRow | None:
        """What a link opens, if it is good now."""
        now = self._collector.now()
        return self._collector.run(lambda t: next(_lasting(t, t.visits.links_of([hash_of(secret)]), now), None))

    def open_to(self, row: SurveyRow, cookie: str) -> str:
        """The path of a link to a survey's results without a password: everybody's, or one that a reader followed."""
        held = (asked_link(row.digest), *(key.secret for key in Key.all_of(cookie)))
        followed = {hash_of(secret): secret for secret in held}
        now = self._collector.now()
        links = self._collector.run(lambda t: list(_lasting(t, t.visits.links_of(list(followed)), now)))
        fitting = (followed[link.hash] for link in links if link.survey == row.name and not link.salt)
        return next((f"/shared/{secret}" for secret in fitting), "")

    def alive(self, survey: str) -> list[ResultLinkRow]:
        """The links to a survey's results that are good now, the oldest first."""
        return self.all(survey)[0]

    def all(self, survey: str) -> tuple[list[ResultLinkRow], list[ResultLinkRow]]:
        """The links to a survey's results that are good now, and those that were, the oldest first."""
        now = self._collector.now()

        def look(t: Transaction) -> tuple[list[ResultLinkRow], list[ResultLinkRow]]:
            links = t.visits.links(survey)
            alive = list(_lasting(t, links, now))
            return alive, [link for link in links if link not in alive]

        return self._collector.run(look)

    def ended(self, secret: str) -> ResultLinkRow | None:
        """The link of a secret that is good no longer; nothing if there never was one, or it is forgotten."""
        return self._collector.run(lambda t: next(iter(t.visits.links_of([hash_of(secret)])), None))

    def follow(self, link: ResultLinkRow) -> None:
        """Note that somebody opened a link today."""
        day = self._collector.day()
        if link.opened != day:
            self._collector.run(lambda t: t.visits.open_link(link.hash, day))

    def end_all(self, survey: str, who: str) -> None:
        """End all links to a survey's results."""
        for link in self.alive(survey):
            self.end(survey, link.hash, who)

    def end(self, survey: str, hashed: bytes, who: str) -> None:
        """End a link; whoever followed it is let in no longer."""
        now = self._collector.now()

        def end(t: Transaction) -> None:
            t.visits.end_link(survey, hashed, now)
            t.note(self._collector.day(), who, "end share", survey)

        self._collector.run(end)

    def key_to(self, secret: str, link: ResultLinkRow, password: str) -> Key | None:
        """What opens a link, if the password is right; a link without one accepts any."""
        proof = _proof(password, link.salt) if link.salt else ""
        return Key(secret, proof) if _fits(link, proof) else None

    def cookie_with(self, before: str, key: Key) -> str:
        """The value of a cookie that opens one link more than the one before."""
        others = [each for each in Key.all_of(before) if each.secret != key.secret]
        return ":".join(".".join(each) for each in [*others, key][-MOST_OPENED:])


def guest_of(t: Transaction, cookie: str, now: float) -> Visitor | None:
    """Whoever has a cookie, if any of its links is still good."""
    keys = {hash_of(each.secret): each.proof for each in Key.all_of(cookie)}
    good = _lasting(t, t.visits.links_of(keys), now) if keys else ()
    links = [link for link in good if _fits(link, keys[link.hash])]
    names = tuple(dict.fromkeys(link.survey for link in links))
    return Visitor(Token(GUEST, b"", "reader", names), csrf_of(cookie), _parts_of(links)) if names else None


def _parts_of(links: Sequence[ResultLinkRow]) -> dict[str, frozenset[str]]:
    """Of surveys that no link opens whole, the questions that their links open together."""
    whole = {link.survey for link in links if link.only is None}
    parts: dict[str, frozenset[str]] = {}
    for link in links:
        if link.survey not in whole:
            parts[link.survey] = parts.get(link.survey, frozenset()) | (link.only or frozenset())
    return parts


def _lasting(t: Transaction, links: Iterable[ResultLinkRow], now: float) -> Iterator[ResultLinkRow]:
    """Those links that nobody ended, and whose time is not over, nor that of the token they are bound to.

    Whoever ended one may have a clock that is a moment ahead of the one here.
    """
    tokens = t.tokens()
    good = (link for link in links if now < link.until and not link.ended)
    return (link for link in good if holder_of(tokens, link.name, link.bound))


def _proof(password: str, salt: bytes) -> str:
    """What a cookie holds in the place of a password."""
    return urlsafe_b64encode(hashlib.scrypt(password.encode(), salt=salt, **SCRYPT)).decode().rstrip("=")


def _seal(proof: str) -> bytes:
    """What the storage holds of it: nobody who reads that can make a cookie of it."""
    return hash_of(proof)


def _fits(link: ResultLinkRow, proof: str) -> bool:
    """Whether a proof is that of a link's password, if it has one."""
    return not link.salt or hmac.compare_digest(_seal(proof), link.seal)
