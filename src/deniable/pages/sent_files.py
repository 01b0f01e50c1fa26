"""Files that are sent within a form: its parts by their names, of few parts and none within another."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from email import message_from_bytes, policy
from typing import Final, NamedTuple

from starlette.requests import Request

from deniable.intake.http.requests import bytes_of
from deniable.intake.refusals import Refusal, Refused
from deniable.pages.frame import FOREIGN, PageFrame, is_from_here, is_own_form
from deniable.protocol.errors import FormatError

MOST_PARTS: Final = 8
WITHIN: Final = re.compile(rb"^content-type:\s*(multipart|message)/", re.IGNORECASE | re.MULTILINE)
"""The head of a part that has parts itself."""
NESTED: Final = Refusal(
    "malformed", 422, f"a file must come in a form of at most {MOST_PARTS} parts, got more or nested ones"
)


class SentPart(NamedTuple):
    """A file, or what was typed in a field."""

    name: str
    """What a file is called where it comes from; empty of a field."""
    body: bytes

    @property
    def text(self) -> str:
        """What was sent, as text; refused if it is none."""
        try:
            return self.body.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise FormatError("a document must be text in UTF-8, got bytes that are not") from None


NO_PART: Final = SentPart("", b"")


async def sent_parts(site: PageFrame, request: Request, most: int) -> Mapping[str, SentPart]:
    """The parts of a form of so many bytes at most, which must be one of a page of this site."""
    if not is_from_here(request):
        raise Refused(FOREIGN)
    kind, body = request.headers.get("content-type", ""), await bytes_of(request, most)
    parts = await asyncio.to_thread(parts_of, kind, body)
    visitor = await site.visitor(request)
    if visitor is None or not is_own_form(visitor, parts.get("csrf", NO_PART).text.strip()):
        raise Refused(FOREIGN)
    return parts


def parts_of(kind: str, body: bytes) -> dict[str, SentPart]:
    """The parts by their names; a form of many parts, or with parts within parts, is not looked through."""
    head = f"Content-Type: {kind}\r\n\r\n".encode("ascii", "replace")
    boundary = message_from_bytes(head, policy=policy.HTTP).get_boundary()
    if boundary is None or body.count(f"--{boundary}".encode()) > MOST_PARTS + 1 or WITHIN.search(body):
        raise Refused(NESTED)
    form, parts = message_from_bytes(head + body, policy=policy.HTTP), dict[str, SentPart]()
    for part in form.iter_parts():
        payload = part.get_payload(decode=True)
        content = payload if isinstance(payload, bytes) else b""
        parts[str(part.get_param("name", "", "content-disposition"))] = SentPart(part.get_filename() or "", content)
    return parts
