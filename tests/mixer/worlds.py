"""A small world for the tests of a mixer: surveys with a crowd, sealed uploads, and a collector that takes parcels."""

from __future__ import annotations

import hashlib
import itertools
import json
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.collector.worlds import DAY, Clock, kinds
from tests.wire.generate.crowds import point_of, private, scalar

import deniable as dn
from deniable.collector.opener import Opener
from deniable.intake.intake import Intake
from deniable.intake.storage.parcels import ParcelRow, Parcels
from deniable.intake.storage.store import Store
from deniable.intake.taking import Outcome
from deniable.mixer.desk import Desk
from deniable.mixer.terms import SealedUploads, sealed_uploads
from deniable.mixer.upkeep import Mixer
from deniable.protocol.base64url import write_base64url
from deniable.protocol.crowd import HpkeSealer
from deniable.protocol.surveys.crowd import read_key
from deniable.protocol.surveys.sealed_answer import SealedForm, info_of

SECRET = scalar("the collector of the mixer's tests")
TOKEN = "a token of the collector's"
END = 7 * DAY
"""Until the survey closes, whose grace is nothing."""
ANSWERS = (0, 1, 1, 2, 3, 3)
_numbers = itertools.count()


def a_survey(collector: str, name: str = "commute", least: int = 5, **terms: Any) -> dn.Survey:
    """A survey of one question, whose sealed answers go to a collector once there are so many."""
    crowd = dn.Crowd(
        mixer="http://127.0.0.1:8090", operator="Works Council", least=least, level=0.5, belief=0.6, made_up=0,
        collector=collector, key=write_base64url(point_of(SECRET)),
    )  # fmt: skip
    way = dn.OneOf("way", ["car", "bus", "bike", "foot"])
    arms = [dn.Arm([dn.Part([way], dn.RandomizedResponse(list(way.labels), 2.0))])]
    told = {"owner": "Company", "closes": "2026-08-10T00:00:00Z", "grace": 0, "crowd": crowd, **terms}
    return dn.Survey(name, [way], arms, **told)


def sealed(survey: dn.Survey, answer: int, inner: bytes | None = None, period: str = "once") -> bytes:
    """A sealed answer."""
    own_id = inner or hashlib.sha256(str(next(_numbers)).encode()).digest()[:16]
    plain = SealedForm.of(survey).write(own_id, bytes([answer]))
    assert survey.crowd is not None
    return HpkeSealer().seal(read_key(survey.crowd.key), info_of(survey.digest, period), plain)


def upload_of(body: bytes, own_id: bytes | None = None) -> bytes:
    """The upload of a sealed answer."""
    outer = own_id or hashlib.sha256(f"outer {next(_numbers)}".encode()).digest()[:16]
    return outer + struct.pack("<HI", 0, 1) + body


def opened(survey: dn.Survey, parcel: bytes, period: str = "once") -> list[int]:
    """The answers in a parcel, in order of their values."""
    opener, width = Opener.of(private(SECRET), survey, survey.digest, period), SealedForm.of(survey).sealed
    found = [opener.open(parcel[start : start + width]) for start in range(0, len(parcel), width)]
    return sorted(each.answer[0] for each in found if each is not None)


@dataclass
class Put:
    """A parcel as it came."""

    path: str
    token: str
    body: bytes
    told: dict[str, int]
    headers: dict[str, str]


@dataclass
class Collected:
    """A collector that takes one parcel a period for ever."""

    puts: list[Put] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    """The paths at which it was asked which parcel has come."""
    asking: tuple[int, str] | None = None
    """The status and the tag of its reply to that, in place of the true ones."""
    replying: bytes | None = None
    """What it says of a parcel that it took, in place of the numbers."""
    taken: dict[str, bytes] = field(default_factory=dict)
    failing: Callable[[int], int | None] = lambda _: None
    """Gives the status with which a request is answered in place of being taken, by its number."""
    url: str = ""

    def reply(self, put: Put) -> tuple[int, bytes]:
        """What becomes of a parcel."""
        self.puts.append(put)
        status = self.failing(len(self.puts))
        if status is not None:
            return status, b""
        if self.taken.setdefault(put.path, put.body) != put.body:
            return 409, b""
        counts = {"answers": len(put.body) // SealedForm.of(a_survey(self.url)).sealed, "repeated": 0, "unreadable": 0}
        return 200, json.dumps(counts).encode() if self.replying is None else self.replying

    def came(self, path: str) -> tuple[int, str]:
        """Which parcel has come, as a status and a tag; a survey is always there."""
        if not path.endswith("/parcel"):
            return 200, ""
        self.heads.append(path)
        if self.asking is not None:
            return self.asking
        body = self.taken.get(path)
        return (404, "") if body is None else (200, f'"{hashlib.sha256(body).hexdigest()}"')


@contextmanager
def collecting(port: int = 0) -> Iterator[Collected]:
    """A collector on this machine."""
    collected = Collected()

    def put(handler: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(handler.path)
        told = {name: int(value) for name, [value] in parse_qs(parts.query).items()}
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        token = handler.headers["Authorization"].removeprefix("Bearer ")
        status, reply = collected.reply(Put(parts.path, token, body, told, dict(handler.headers)))
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(reply)))
        handler.end_headers()
        handler.wfile.write(reply)

    def head(handler: BaseHTTPRequestHandler) -> None:
        assert handler.headers["Authorization"]
        assert "Content-Length" not in handler.headers
        status, tag = collected.came(handler.path)
        handler.send_response(status)
        handler.send_header("ETag", tag)
        handler.end_headers()

    vars_of = {"do_PUT": put, "do_HEAD": head, "log_message": lambda *_: None}
    server = ThreadingHTTPServer(("127.0.0.1", port), type("Handler", (BaseHTTPRequestHandler,), vars_of))
    collected.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield collected
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class Mixing:
    """A whole mixer in this process, with its writer's thread."""

    clock: Clock
    open_store: Callable[[], Store]
    told: list[tuple[int, Outcome]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.intake: Intake[int, SealedUploads] = Intake(
            self.open_store, self.told.extend, sealed_uploads, self.clock.steady
        )
        self.mixer = Mixer(self.intake)
        self.desk = Desk(self.intake, self.mixer)

    def __enter__(self) -> Mixing:
        self.intake.start()
        self.mixer.begin()
        return self

    def __exit__(self, *_: object) -> None:
        self.intake.stop()

    def allowed(self, survey: dn.Survey, people: int) -> list[str]:
        """Codes to a survey that is allowed."""
        self.desk.allow(survey, TOKEN, confirmed=False)
        return self.desk.codes(self.intake.survey(survey.digest), people)

    def send(self, survey: dn.Survey, bodies: Sequence[bytes], codes: Sequence[str], period: str = "once") -> list[Any]:
        """Hand in uploads, each with a code, and wait for what becomes of them."""
        row, first = self.intake.survey(survey.digest), len(self.told)
        found: dict[int, Outcome] = {}
        for place, (body, code) in enumerate(zip(bodies, codes, strict=True)):
            refusal = self.intake.offer(row, period, body, code, first + place)
            if refusal is not None:
                found[place] = refusal
        while len(self.told) < first + len(bodies) - len(found):
            self.intake.run(lambda t: None)
        found |= {slot - first: outcome for slot, outcome in self.told[first:]}
        return kinds([found[place] for place in range(len(bodies))])

    def pass_time(self, seconds: float) -> None:
        """Let time go by, half a day at a time."""
        while seconds > 0:
            step = min(seconds, 43200.0)
            self.clock.advance(step)
            self.keep()
            seconds -= step

    def keep(self) -> None:
        """What is over is shut, and sent."""
        self.mixer.keep()
        self.mixer.courier.look()
        self.mixer.courier.wait()


def parcel(mixing: Mixing) -> ParcelRow:
    """The one that there is."""
    [found] = mixing.intake.run(lambda t: Parcels(t.run).all())
    return found


def answered(mixing: Mixing, survey: dn.Survey, bodies: Sequence[bytes]) -> list[str]:
    """Codes, each spent on one sealed answer."""
    codes = mixing.allowed(survey, len(bodies) + 1)
    assert mixing.send(survey, [upload_of(body) for body in bodies], codes[:-1]) == [1] * len(bodies)
    return codes
