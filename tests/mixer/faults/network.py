"""The network of a crowd: it loses requests and replies, doubles them, and brings some a week later."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.mixer.faults.ledger import Key, Ledger
from tests.mixer.faults.parties import CollectorHere, MixerHere

from deniable.mixer.sending import AddressedParcel, Reply
from deniable.protocol.device import transport
from deniable.protocol.surveys.sealed_answer import SealedForm

TO_MIXER: Mapping[str, int] = {"fine": 14, "lost": 2, "unheard": 3, "doubled": 1}
TO_COLLECTOR: Mapping[str, int] = {"fine": 4, "lost": 3, "unheard": 4, "doubled": 2, "cut": 1, "busy": 1, "late": 2}
"""What becomes of a request, and how often: `unheard` is one whose reply is lost."""
WEEK = 7 * 86400.0


class Network:
    """Carries what devices and mixers ask; what is said in reply goes into the ledger."""

    def __init__(self, mixer: MixerHere, collector: CollectorHere, ledger: Ledger, draw: random.Random) -> None:
        self.mixer, self.collector, self.ledger, self._draw = mixer, collector, ledger, draw
        self.is_fine = False
        """Whether nothing is lost but what was planned."""
        self.planned: list[str] = []
        """What becomes of the next requests."""
        self.address = ""
        """Where the device is that speaks."""
        self.late: list[tuple[float, str, bytes]] = []
        self.asked: list[tuple[str, str, bytes]] = []
        """All that the collector has ever heard."""
        self.stuffs = False
        """Whether the mixer adds to the next parcel."""

    def _fate(self, fates: Mapping[str, int]) -> str:
        if self.planned or self.is_fine:
            return self.planned.pop(0) if self.planned else "fine"
        return self._draw.choices(list(fates), list(fates.values()))[0]

    def from_device(
        self, _: str, method: str, path: str, body: bytes | None = None, code: str | None = None, **__: Any
    ) -> transport.Reply | None:
        """In place of the request of a device."""
        fate = self._fate(TO_MIXER)
        if fate == "lost":
            return None
        replies = [self._at_mixer(method, path, body or b"", code) for _ in range(1 + (fate == "doubled"))]
        return None if fate == "unheard" else replies[-1]

    def _at_mixer(self, method: str, path: str, body: bytes, code: str | None) -> transport.Reply:
        """Something arrives at the mixer."""
        reply = self.mixer.answer(self.address, method, path, body, code)
        if method == "POST":
            parts = path.split("/")
            self.ledger.hears((parts[3], parts[5]), body, reply.status)
        return reply

    def to_collector(self, parcel: AddressedParcel, method: str, url: str, body: bytes | None) -> Reply:
        """In place of a request of a mixer."""
        key, fate = (parcel.survey, parcel.period), self._fate(TO_COLLECTOR)
        if method == "PUT":
            self.ledger.sends(key, body or b"")
            if self.stuffs and body:
                self.stuffs, body = False, self._stuffed(key, body)
                self.ledger.stuffed.add(key)
        if fate == "late" and method == "PUT":
            self.late.append((self.collector.clock() + WEEK, url, body or b""))
        if fate in ("lost", "late"):
            raise OSError
        if fate == "busy":
            return Reply(503, "", b"", True)
        replies = [self.deliver(method, url, body or b"") for _ in range(1 + (fate == "doubled"))]
        if fate == "unheard":
            raise OSError
        return replies[-1]._replace(body=replies[-1].body[:-1]) if fate == "cut" else replies[-1]

    def deliver(self, method: str, url: str, body: bytes) -> Reply:
        """Something arrives at the collector."""
        self.asked.append((method, url, body))
        reply = self.collector.answer(method, url, body)
        if method == "PUT" and reply.status == 200:
            self.ledger.takes(key_of(url), body, int(parse_qs(urlsplit(url).query)["withheld"][0]), reply.body)
            self._check(key_of(url), body, json.loads(reply.body))
        return reply

    def deliver_late(self) -> None:
        """What was held up long enough arrives."""
        due = [each for each in self.late if each[0] <= self.collector.clock()]
        self.late = [each for each in self.late if each not in due]
        for _, url, body in due:
            self.deliver("PUT", url, body)

    def _check(self, key: Key, body: bytes, told: Any) -> None:
        found = self.ledger.read(key, body)
        wanted = {"answers": found.answers.total(), "repeated": found.repeated, "unreadable": found.unreadable}
        if told != wanted:
            self.ledger.wrong.append("a collector has counted what is not in a parcel")

    def _stuffed(self, key: Key, body: bytes) -> bytes:
        """A parcel with one row twice, and one that nobody sealed."""
        width = SealedForm.of(self.ledger.surveys[key[0]]).sealed
        rows = [body[start : start + width] for start in range(0, len(body), width)]
        return b"".join(sorted([*rows, rows[0], self._draw.randbytes(width)]))


def key_of(url: str) -> Key:
    """What a parcel is of."""
    _, _, _, survey, _, period, _ = urlsplit(url).path.split("/")
    return survey, period
