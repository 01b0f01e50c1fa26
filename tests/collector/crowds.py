"""Surveys with a crowd, and parcels as a mixer sends them."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from typing import Any

from tests.collector.worlds import Service

import deniable as dn
from deniable.collector.keys import KeyFolder
from deniable.collector.parcels import SentParcel
from deniable.intake.storage.arrivals import ArrivalRow
from deniable.protocol.crowd import HpkeSealer
from deniable.protocol.privacy.levels import rounded_up
from deniable.protocol.surveys.crowd import read_key
from deniable.protocol.surveys.sealed_answer import SealedForm, info_of

LEAST, DELTA = 6, 0.1
LATER = "2999-01-01T00:00:00Z"
"""When a survey closes that is asked in real time."""
WAY = dn.OneOf("way", ["car", "bus", "bike", "foot"])
RESPONSE = dn.RandomizedResponse(list(WAY.labels), 2.0)
APART = {"mixer": "https://mixer.example", "collector": "https://ask.example"}
NEAR = {"mixer": "http://127.0.0.1:8090", "collector": "http://127.0.0.1:8080"}


def a_crowd(key: str | None, parties: dict[str, str] = NEAR, **given: Any) -> dn.Crowd:
    """A crowd whose levels are those that are proven of it."""
    least, made_up = given.pop("least", LEAST), given.pop("made_up", 0)
    honest = least - made_up
    told = {
        "level": rounded_up(dn.crowd.level(RESPONSE, honest, DELTA) * 1.001),
        "belief": rounded_up(dn.crowd.belief(RESPONSE, honest, DELTA / 2) * 1.001),
        "delta": DELTA, "least": least, "made_up": made_up, "operator": "Works Council", **parties, "key": key, **given,
    }  # fmt: skip
    if key is None:
        del told["collector"]
    return dn.Crowd(**told)


def a_survey(key: str | None, parties: dict[str, str] = NEAR, name: str = "commute", **terms: Any) -> dn.Survey:
    """A survey of one question; every byte from 0 to 3 is an answer."""
    crowd = terms.pop("crowd", None) or a_crowd(key, parties)
    told = {"owner": "Company", "closes": "2026-08-10T00:00:00Z", "grace": 0, "minimum": 2, "crowd": crowd, **terms}
    return dn.Survey(name, [WAY], [dn.Arm([dn.Part([WAY], RESPONSE)])], **told)


def served(service: Service, **terms: Any) -> dn.Survey:
    """A survey whose key was made for it."""
    survey = a_survey(service.keys.make(), **terms)
    assert service.desk.put(survey, "ann")
    return survey


def an_id(number: int) -> bytes:
    """The id within a seal."""
    return hashlib.sha256(f"inner {number}".encode()).digest()[:16]


def sealed(survey: dn.Survey, own_id: bytes, answer: bytes, period: str = "once") -> bytes:
    """A sealed answer."""
    assert survey.crowd is not None
    plain = SealedForm.of(survey).write(own_id, answer)
    return HpkeSealer().seal(read_key(survey.crowd.key), info_of(survey.digest, period), plain)


def many(survey: dn.Survey, answers: Sequence[int], period: str = "once", first: int = 0) -> list[bytes]:
    """Sealed answers, each of somebody else."""
    return [sealed(survey, an_id(first + k), bytes([answer]), period) for k, answer in enumerate(answers)]


def parcel(bodies: Sequence[bytes], withheld: int = 0, codes: int = 100) -> SentParcel:
    """A parcel of sealed answers as a mixer sends it."""
    return as_sent(b"".join(sorted(bodies)), withheld, codes)


def as_sent(body: bytes, withheld: int = 0, codes: int = 100) -> SentParcel:
    """Bytes that are sent as a parcel."""
    return SentParcel(io.BytesIO(body), len(body), hashlib.sha256(body).hexdigest(), withheld, codes)


def sent(service: Service, survey: dn.Survey, parcel: SentParcel, period: str = "once") -> ArrivalRow:
    """What becomes of a parcel."""
    return service.parcels.take(service.parcels.survey(survey.digest), period, parcel)


def counts(row: ArrivalRow) -> tuple[int, int, int]:
    """What the mixer is told."""
    return row.answers, row.repeated, row.unreadable


def wrong_key(folder: KeyFolder, one: str, other: str) -> None:
    """Put the private key of a document in the place of another's."""
    paths = sorted(folder.folder.glob("*.pem"))
    loaded = {path: path.read_bytes() for path in paths}
    assert len(loaded) == 2
    assert one != other
    first, second = paths
    first.write_bytes(loaded[second])
    second.write_bytes(loaded[first])
