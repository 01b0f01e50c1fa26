"""What mixer and collector have said, and so must do: a model of both that other code keeps."""

from __future__ import annotations

import copy
import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

import deniable as dn
from deniable.protocol.crowd import SUITE
from deniable.protocol.surveys.sealed_answer import SealedForm, info_of

Key = tuple[str, str]
"""A survey's digest, and the name of a period."""


@dataclass
class Held:
    """What a mixer holds of a period."""

    uploads: dict[bytes, bytes] = field(default_factory=dict)
    """Sealed answers by their outer ids."""
    parcel: bytes | None = None
    """What was frozen; of a period that was withheld nothing, and None while it is open."""


class Opened(NamedTuple):
    """What is in a parcel."""

    answers: Counter[bytes]
    repeated: int
    unreadable: int


class Ledger:
    """Who said what; whatever contradicts it is written down."""

    def __init__(self, surveys: Mapping[str, dn.Survey], keys: Mapping[str, EllipticCurvePrivateKey]) -> None:
        self.surveys, self._keys = surveys, keys
        self.wrong: list[str] = []
        self.periods: dict[Key, Held] = defaultdict(Held)
        """What the mixer's folder holds now."""
        self.acknowledged: dict[Key, set[bytes]] = defaultdict(set)
        """All sealed answers that a mixer has acknowledged."""
        self.taken: dict[Key, tuple[bytes, int]] = {}
        """The parcels in the collector's storage now, and how many were withheld."""
        self.noted: dict[Key, str] = {}
        """What stands beside its keys; nothing while these are lost."""
        self.aside: dict[Key, str] = {}
        """What stood there when they were."""
        self.opened: dict[Key, set[bytes]] = defaultdict(set)
        """All bytes that were taken as the parcel of a period, ever."""
        self._replies: dict[tuple[Key, bytes], bytes] = {}
        self.is_copied_back = self.is_restored = False
        self.stuffed: set[Key] = set()
        self.sent_again: set[Key] = set()
        """What the mixer had to send when it was last told to send again: a collector that lost it has it by now."""

    def hears(self, key: Key, upload: bytes, status: int) -> None:
        """A mixer has said what became of an upload."""
        own_id, sealed, held = upload[:16], upload[22:], self.periods[key]
        if status == 200:
            if held.uploads.setdefault(own_id, sealed) != sealed:
                self.wrong.append("other bytes of one id were acknowledged")
            if held.parcel is not None and sealed not in held.parcel:
                self.wrong.append("an answer was acknowledged after its period was shut")
            self.acknowledged[key].add(sealed)
        elif status == 409 and held.uploads.get(own_id, sealed) == sealed:
            self.wrong.append("an upload was refused as one of other bytes")

    def sends(self, key: Key, body: bytes) -> None:
        """A mixer sends a parcel: there must be no other at its collector by now."""
        before = self.taken.get(key)
        known = self.noted.get(key) if before is None else hashlib.sha256(before[0]).hexdigest()
        if known not in (None, hashlib.sha256(body).hexdigest()):
            self.wrong.append("a parcel was sent where another one had come")
        if body != self.freezes(key):
            self.wrong.append("a parcel was sent that is not the one that was frozen")

    def takes(self, key: Key, body: bytes, withheld: int, reply: bytes) -> None:
        """A collector says that it has taken a parcel."""
        before = self.taken.setdefault(key, (body, withheld))[0]
        if before != body or self._replies.setdefault((key, body), reply) != reply:
            self.wrong.append("another parcel was taken, or the same with other words")
        self.opened[key] |= {body} if body else set()
        if len(self.opened[key]) > 1:
            self.wrong.append("two parcels of one period were opened")
        self.noted[key] = hashlib.sha256(body).hexdigest()

    def freezes(self, key: Key) -> bytes:
        """The parcel that a period must be now, if it is shut."""
        held, crowd = self.periods[key], self.surveys[key[0]].crowd
        assert crowd is not None
        if held.parcel is None:
            held.parcel = b"".join(sorted(held.uploads.values())) if len(held.uploads) >= crowd.least else b""
        return held.parcel

    def copied(self) -> dict[Key, Held]:
        """The mixer's folder, as it is now."""
        return copy.deepcopy(self.periods)

    def lose_keys(self) -> None:
        """The folder of keys is elsewhere, with what stands beside them."""
        self.aside, self.noted = self.noted, {}

    def find_keys(self) -> None:
        """It is there again."""
        self.noted = {**self.noted, **self.aside}

    def read(self, key: Key, body: bytes) -> Opened:
        """What a collector must find in a parcel."""
        survey, found, unreadable, n = self.surveys[key[0]], dict[bytes, bytes](), 0, 0
        form = SealedForm.of(survey)
        for start in range(0, len(body), form.sealed):
            n += 1
            try:
                sealed = body[start : start + form.sealed]
                plain = form.read(SUITE.decrypt(sealed, self._keys[key[0]], info=info_of(key[0], key[1])))
            except (InvalidTag, ValueError):
                plain = None
            if plain is None:
                unreadable += 1
            else:
                found[plain.id] = min(plain.answer, found.get(plain.id, plain.answer))
        return Opened(Counter(found.values()), n - unreadable - len(found), unreadable)
