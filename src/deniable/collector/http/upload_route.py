"""The route of uploads, in bare ASGI: it is asked more often than all others together."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Final

from starlette.types import Receive, Scope, Send

from deniable.collector.collector import Collector
from deniable.collector.http.limits import Rates
from deniable.collector.http.replies import PREFLIGHT, send_outcome, send_reply
from deniable.collector.http.rows import Rows
from deniable.collector.refusals import MEDIA_TYPE, SLOW, TOO_LARGE, TOO_MANY, Refusal, Refused, busy
from deniable.collector.taking import Outcome
from deniable.collector.uploads import MOST_BYTES
from deniable.errors import StoreError

PATH: Final = re.compile("/v1/surveys/([0-9a-f]{64})/periods/([^/]{1,20})/answers")
TYPE: Final = b"application/octet-stream"
SECONDS: Final = 30
"""How long a body may take to arrive."""
INVITATION: Final = b"Invitation "
Slot = asyncio.Future[Outcome]


class UploadRoute:
    """Takes uploads for a collector."""

    def __init__(self, collector: Collector[Slot], rows: Rows, rates: Rates) -> None:
        self._collector, self._rows, self._rates = collector, rows, rates

    def matches(self, scope: Scope) -> re.Match[str] | None:
        """The survey and the period of a request for this route."""
        return PATH.fullmatch(scope["path"]) if scope["type"] == "http" else None

    async def __call__(self, found: re.Match[str], scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["method"] == "OPTIONS":
            await send_reply(send, 204, b"", PREFLIGHT[2:])
        elif scope["method"] != "POST":
            await send_reply(send, 405, b"", [(b"allow", b"POST, OPTIONS")])
        else:
            await send_outcome(send, await self._outcome(found[1], found[2], scope, receive))

    async def _outcome(self, digest: str, period: str, scope: Scope, receive: Receive) -> Outcome:
        """What becomes of an upload."""
        try:
            survey = await self._rows.survey(digest)
            headers = dict(scope["headers"])
            self._check(survey.digest, period, headers, scope)
            async with asyncio.timeout(SECONDS):
                body = await _body(receive)
            slot = asyncio.get_running_loop().create_future()
            refusal = self._collector.offer(survey, period, body, _code(headers), slot)
            return await slot if refusal is None else refusal
        except Refused as refused:
            return refused.refusal
        except TimeoutError:
            return SLOW
        except StoreError:  # the survey could not be read
            return busy()

    def _check(self, digest: str, period: str, headers: Mapping[bytes, bytes], scope: Scope) -> None:
        """Refuse what needs no reading."""
        client = scope.get("client")
        if client is not None and not self._rates.allow(client[0]):
            self._refuse(digest, period, TOO_MANY)
        if headers.get(b"content-type") != TYPE or b"content-encoding" in headers:
            self._refuse(digest, period, MEDIA_TYPE)
        length = headers.get(b"content-length", b"0")
        if len(length) > 9 or int(length) > MOST_BYTES:
            self._refuse(digest, period, TOO_LARGE)

    def _refuse(self, digest: str, period: str, refusal: Refusal) -> None:
        self._collector.count_refusal(digest, period, refusal)
        raise Refused(refusal)


async def _body(receive: Receive) -> bytes:
    """The body of a request, once all of it is there; refused as soon as it is longer than any upload."""
    body, more = await _part(receive)
    if not more:
        return body
    parts, size = [body], len(body)
    while more:
        body, more = await _part(receive)
        parts.append(body)
        size += len(body)
        if size > MOST_BYTES:
            raise Refused(TOO_LARGE)
    return b"".join(parts)


async def _part(receive: Receive) -> tuple[bytes, bool]:
    """The next part of a body, and whether more is to come; of who hangs up, what came is no upload."""
    message = await receive()
    if message["type"] != "http.request":
        raise Refused(SLOW)
    return message.get("body", b""), message.get("more_body", False)


def _code(headers: Mapping[bytes, bytes]) -> str | None:
    """The invitation that came with an upload."""
    said = headers.get(b"authorization", b"")
    return said[len(INVITATION) :].decode("latin-1") if said.startswith(INVITATION) else None
