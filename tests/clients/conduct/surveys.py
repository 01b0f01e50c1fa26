"""Surveys that devices are asked, and when."""

from __future__ import annotations

import json
from typing import Any

from tests.wire.generate.documents import WAY, samples
from tests.wire.generate.labels import labelled

import deniable as dn

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
