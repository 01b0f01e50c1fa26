"""Why a request is refused: each reason with its HTTP status, as problems that devices and people can read."""

from __future__ import annotations

import json
from typing import Final, NamedTuple

HOUR: Final = 3600
"""The longest that anybody is told to wait: the clock may be wrong by then."""
PROBLEM: Final = "urn:deniable:problem:"


class Refusal(NamedTuple):
    """A reason, and whether to come back: what has a ``retry_after`` in seconds is not final."""

    kind: str
    status: int
    detail: str
    retry_after: int | None = None

    @property
    def body(self) -> bytes:
        """The refusal as problem+json (RFC 9457)."""
        head = {"type": PROBLEM + self.kind, "title": TITLES[self.kind]}
        return json.dumps({**head, "status": self.status, "detail": self.detail}).encode()

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """The headers of the reply beside its body's length."""
        later = [] if self.retry_after is None else [(b"retry-after", str(self.retry_after).encode())]
        return [(b"content-type", b"application/problem+json"), *later]


class Refused(Exception):
    """A request that is refused."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.detail)
        self.refusal = refusal


TITLES: Final = {
    "malformed": "The request cannot be read",
    "no-answer": "An answer is none to this survey",
    "unknown": "There is no such thing here",
    "closed": "The period is over",
    "too-early": "The period has not begun",
    "other-bytes": "The id was used before",
    "invitation": "An unused invitation is needed",
    "too-large": "The upload is too large",
    "media-type": "The media type is another one",
    "busy": "The collector is busy",
    "token": "A token is needed",
    "scope": "The token does not allow this",
    "conflict": "What is there already is another one",
    "withheld": "Too few answers have been counted",
    "not-closed": "The period is still open",
    "elsewhere": "Somebody else takes the answers",
}
"""The kinds of problems, which are part of their addresses and never change their meaning."""

MALFORMED: Final = Refusal("malformed", 400, "an upload must be an id of 16 bytes and sections of answers, got others")
NO_ANSWER: Final = Refusal("no-answer", 422, "every answer must be one to the survey, got others; none was counted")
UNKNOWN: Final = Refusal("unknown", 404, "the survey and the period must be known here, got others")
CLOSED: Final = Refusal("closed", 410, "answers must come while their period is open, got one after it was closed")
DELETED: Final = Refusal("closed", 410, "the survey must be one that is served, got one that its author deleted")
OTHER_BYTES: Final = Refusal("other-bytes", 409, "an id must belong to one upload, got it again with other bytes")
INVITATION: Final = Refusal("invitation", 401, "an answer must come with an unused invitation, got none or a spent one")
ONE_ANSWER: Final = Refusal("malformed", 400, "an upload with an invitation must hold one answer, got several")
TOO_LARGE: Final = Refusal("too-large", 413, "an upload must have at most 100,000 answers and 16 MiB, got more")
MEDIA_TYPE: Final = Refusal("media-type", 415, "an upload must be application/octet-stream, not encoded, got another")
TOKEN: Final = Refusal("token", 401, "a token must come with the request, got none that is known")
SCOPE: Final = Refusal("scope", 403, "the token must allow what is asked, got one of another scope")
SET_ASIDE: Final = Refusal(
    "busy", 503, "the period must be sound to take answers, got one that is damaged; send them again later", HOUR
)
DAMAGED: Final = Refusal(
    "conflict", 409, "a period must be as it was written, got one that is damaged; see deniable collector check"
)
SLOW: Final = Refusal("busy", 503, "an upload must arrive within 30 seconds, got a part of one", 60)
TOO_MANY: Final = Refusal("busy", 429, "requests must come one after another, got too many from one address", 60)


def full(free: int, floor: int) -> Refusal:
    """The disk is all but full."""
    detail = (
        f"the disk must have {floor >> 20} MiB free to take answers, got {free >> 20}; answers are kept and sent later"
    )
    return Refusal("busy", 503, detail, 60)


def too_early(seconds: float) -> Refusal:
    """A period that begins in so many seconds; who waits for more than an hour asks again by then."""
    wait = min(int(seconds) + 1, HOUR)
    return Refusal("too-early", 409, "answers must come when their period has begun, got one before", wait)


def busy(seconds: int = 1) -> Refusal:
    """Nothing was taken, or nobody knows whether it was: to be sent again, unchanged."""
    return Refusal("busy", 503, "the collector must have room and certainty, got neither; send the same again", seconds)
