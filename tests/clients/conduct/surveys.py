"""Surveys that devices are asked, and when."""

from __future__ import annotations

import json
from typing import Any

from tests.wire.generate.crowds import point_of, private, scalar
from tests.wire.generate.documents import WAY, samples
from tests.wire.generate.labels import labelled

import deniable as dn
from deniable.protocol.base64url import write_base64url
from deniable.protocol.crowd import SUITE
from deniable.protocol.surveys.sealed_answer import OpenedAnswer, SealedForm, info_of

ENDPOINT = "https://collector.example"
BUS = {"way": "bus"}
DAY, WEEK = 86400.0, 7 * 86400.0
START = 1785931200.0
"""Noon of 2026-08-05, the Wednesday of the week 2026-W32, when the surveys that open and close are open."""
ONE, REMEMBERED = samples()["one question"], labelled()["remembered"]
KINDS, SILENT = "a pair and a part of each kind", "labels of several kinds"
"""Samples: a survey of many arms, and one of background mode."""


def weekly(cap: float = 9.0, name: str = "weekly", level: float = 1.0, **terms: Any) -> dn.Survey:
    """A survey that is answered anew every week, each answer at the level."""
    arm = dn.Arm(dn.Part(WAY, dn.RandomizedResponse(WAY.labels, level)))
    return dn.Survey(name, [WAY], [arm], period="week", repeat="fresh", cap=cap, **{"topic": "travel", **terms})


def changed(survey: dn.Survey, **fields: Any) -> str:
    """The document of a survey with other fields."""
    return json.dumps({**json.loads(survey.to_json()), **fields})


SECRET = scalar("the collector of the crowds that devices answer in")
LABELS = [f"way {number}" for number in range(12)]


def crowded(mixer: str, *, collector: str = "http://127.0.0.1:1", least: int = 2, **terms: Any) -> dn.Survey:
    """A survey whose answers go through a mixer, in arms of answers of one byte and of two."""
    crowd = dn.Crowd(
        mixer, "Works Council", least, 0.5, made_up=0, belief=0.6, collector=collector,
        key=write_base64url(point_of(SECRET)),
    )  # fmt: skip
    asked = dn.OneOf("on", LABELS)
    arms = [
        dn.Arm(dn.Part(WAY, dn.RandomizedResponse(WAY.labels, 1.0))),
        dn.Arm(dn.Part(asked, dn.Rappor(asked.labels, 1.0))),
    ]
    known = {"owner": "North Hospital", "topic": "travel", "closes": "2999-12-31T00:00:00Z", **terms}
    return dn.Survey("crowded", [WAY, asked], arms, crowd=crowd, **known)


IN_CROWD = {"way": "bus", "on": LABELS[3]}


def sealed_in(survey: dn.Survey, upload: bytes) -> bytes:
    """The sealed answer of an upload to a mixer, which has one length and names no arm."""
    width = SealedForm.of(survey).sealed
    assert (len(upload), upload[16:22]) == (22 + width, bytes([0, 0, 1, 0, 0, 0]))
    return upload[22:]


def opened_of(survey: dn.Survey, upload: bytes) -> OpenedAnswer:
    """What was sealed in an upload for the one period."""
    return opened(survey, sealed_in(survey, upload))


def opened(survey: dn.Survey, sealed: bytes, period: str = "once") -> OpenedAnswer:
    """What was sealed for a collector."""
    plain = SUITE.decrypt(sealed, private(SECRET), info=info_of(survey.digest, period))
    found = SealedForm.of(survey).read(plain)
    assert found is not None
    return found


def drawn_in(upload: bytes) -> bytes:
    """The answer of an upload to a survey of several arms that waits to be sealed."""
    return upload[16:18] + upload[22:]
