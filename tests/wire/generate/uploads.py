"""`uploads.json`: uploads of a device and of a gateway, and bytes that are none."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from tests.wire.generate.documents import PEOPLE, samples

import deniable as dn

Json = dict[str, Any]
OWN_ID = bytes(range(16))
SEVERAL, SINGLE = "a pair and a part of each kind", "one question"


def upload_of(survey: dn.Survey, answers: list[bytes]) -> bytes:
    """The upload of answers, which are sorted by their bytes, so that their order says nothing."""
    sections = groupby(sorted(answers, key=lambda a: (arm_of(survey, a), a)), lambda answer: arm_of(survey, answer))
    return OWN_ID + b"".join(_section(survey, arm, list(own)) for arm, own in sections)


def arm_of(survey: dn.Survey, answer: bytes) -> int:
    """The number of an answer's arm."""
    return int.from_bytes(answer[:2], "little") if len(survey.arms) > 1 else 0


def _section(survey: dn.Survey, arm: int, answers: list[bytes]) -> bytes:
    reports = [answer[2:] if len(survey.arms) > 1 else answer for answer in answers]
    return arm.to_bytes(2, "little") + len(reports).to_bytes(4, "little") + b"".join(reports)


def _answers(name: str, count: int) -> list[bytes]:
    return [samples()[name].answer(PEOPLE[name], dn.SeededEntropy(seed)) for seed in range(count)]


def _good() -> Iterator[Json]:
    for name, survey in samples().items():
        yield _vector(f"a device: {name}", survey, _answers(name, 1))
    yield _vector("a gateway, several arms", samples()[SEVERAL], _answers(SEVERAL, 9))
    yield _vector("a gateway, one arm", samples()[SINGLE], _answers(SINGLE, 300))


def _vector(name: str, survey: dn.Survey, answers: list[bytes]) -> Json:
    listed = sorted(answers, key=lambda answer: (arm_of(survey, answer), answer))
    shown = {"id": OWN_ID.hex(), "answers": [answer.hex() for answer in listed]}
    return {"name": name, "document": survey.to_json(), "hex": upload_of(survey, answers).hex(), **shown}


def _bad() -> Iterator[Json]:
    survey = samples()[SEVERAL]
    answers = sorted(_answers(SEVERAL, 9))
    first, other = answers[0], next(a for a in answers if arm_of(survey, a) > arm_of(survey, answers[0]))
    one, two = upload_of(survey, [first])[16:], upload_of(survey, [other])[16:]
    bodies = {
        "nothing": b"",
        "half of an id": OWN_ID[:8],
        "an id alone": OWN_ID,
        "an arm alone": OWN_ID + one[:2],
        "a section without answers": OWN_ID + one[:2] + bytes(4),
        "a section of no answers before another": OWN_ID + one[:2] + bytes(4) + two,
        "a byte less": OWN_ID + one[:-1],
        "a byte more": OWN_ID + one + b"\0",
        "fewer answers than are said": OWN_ID + one[:2] + b"\2\0\0\0" + one[6:],
        "more answers than could ever be": OWN_ID + one[:2] + b"\xff" * 4 + one[6:],
        "arms out of order": OWN_ID + two + one,
        "an arm twice": OWN_ID + one + one,
        "an arm that is not there": OWN_ID + b"\3\0" + one[2:],
        "an answer that the survey refuses": OWN_ID + b"\0\0\1\0\0\0\xff\x01",
        "a bad answer after a good one": OWN_ID
        + upload_of(survey, [first])[16:18]
        + b"\2\0\0\0"
        + one[6:]
        + b"\xff" * len(one[6:]),
    }
    for why, body in bodies.items():
        yield {"why": why, "document": survey.to_json(), "hex": body.hex()}


def uploads() -> dict[str, list[Json]]:
    """The sections of the file."""
    return {"good": list(_good()), "bad": list(_bad())}
