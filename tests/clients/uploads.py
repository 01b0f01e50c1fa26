"""A strict reader of uploads, as wire/upload.md has them: what a stub collector accepts, and nothing else."""

from __future__ import annotations

import deniable as dn
from deniable.protocol.surveys.sealed_answer import SealedForm

ID, ARM, COUNT = 16, 2, 4
MOST_ANSWERS = 100_000


class Refused(Exception):
    """An upload that is refused whole, with the kind of the problem."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


def read_upload(survey: dn.Survey, body: bytes) -> tuple[bytes, list[bytes]]:
    """The id and the answers, each with the number of its arm if there are several."""
    own_id, at, last, answers = body[:ID], ID, -1, list[bytes]()
    while at < len(body):
        arm = int.from_bytes(_take(body, at, ARM), "little")
        count = int.from_bytes(_take(body, at + ARM, COUNT), "little")
        if not last < arm < len(survey.arms) or not 0 < count <= MOST_ANSWERS:
            raise Refused("malformed")
        head = body[at : at + ARM] if len(survey.arms) > 1 else b""
        width = survey.arms[arm].width
        at, last = at + ARM + COUNT, arm
        answers += [head + _take(body, at + place * width, width) for place in range(count)]
        at += count * width
    if not answers:
        raise Refused("malformed")
    if any(survey.check(answer) is not None for answer in answers):
        raise Refused("no-answer")
    return own_id, answers


def read_sealed(survey: dn.Survey, body: bytes) -> tuple[bytes, list[bytes]]:
    """The id and the sealed answer of an upload to a mixer, which holds one and names no arm."""
    start = ID + ARM + COUNT
    if len(body) != start + SealedForm.of(survey).sealed or body[ID:start] != bytes([0, 0, 1, 0, 0, 0]):
        raise Refused("malformed")
    return body[:ID], [body[start:]]


def _take(body: bytes, at: int, length: int) -> bytes:
    if at + length > len(body):
        raise Refused("malformed")
    return body[at : at + length]
