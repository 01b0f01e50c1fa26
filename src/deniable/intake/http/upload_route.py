"""The route of uploads, in bare ASGI: it is asked more often than all others together."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any, Final

from starlette.types import Receive, Scope, Send

from deniable.intake.http.bodies import Room
from deniable.intake.http.limits import Rates, address_of
from deniable.intake.http.replies import OPEN_TO_ALL, PREFLIGHT, send_outcome, send_reply
from deniable.intake.http.survey_cache import SurveyCache
from deniable.intake.intake import Intake
from deniable.intake.refusals import MEDIA_TYPE, SLOW, TOO_LARGE, TOO_MANY, Refused, busy
from deniable.intake.storage.rows import SurveyRow
from deniable.intake.taking import Outcome
from deniable.intake.uploads import MOST_BYTES
from deniable.protocol.errors import StoreError

PATH: Final = re.compile("/v1/surveys/([0-9a-f]{64})/periods/([^/]{1,20})/answers")
TYPE: Final = b"application/octet-stream"
SECONDS: Final = 30
"""How long a body may take to arrive."""
SCHEME: Final = "Invitation "
"""Before a code in the header ``Authorization``."""
Slot = asyncio.Future[Outcome]
"""Where a request waits for what becomes of its upload."""


class UploadRoute:
    """Takes uploads for an intake."""

    def __init__(self, intake: Intake[Slot, Any], cache: SurveyCache, rates: Rates, room: Room) -> None:
        self._intake, self._cache, self._rates = intake, cache, rates
        self._room = room

    def matches(self, scope: Scope) -> re.Match[str] | None:
        """The survey and the period of a request for this route."""
        return PATH.fullmatch(scope["path"]) if scope["type"] == "http" else None

    async def __call__(self, upload: re.Match[str], scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["method"] == "OPTIONS":
            await send_reply(send, 204, b"", PREFLIGHT[len(OPEN_TO_ALL) :])  # which are sent in any case
        elif scope["method"] != "POST":
            await send_reply(send, 405, b"", [(b"allow", b"POST, OPTIONS")])
        else:
            await send_outcome(send, await self._outcome(upload[1], upload[2], scope, receive))

    async def _outcome(self, digest: str, period: str, scope: Scope, receive: Receive) -> Outcome:
        """What becomes of an upload."""
        try:
            if not self._rates.allow(address_of(scope)):
                raise Refused(TOO_MANY)
            survey = await self._cache.survey(digest)
            headers = dict(scope["headers"])
            _check_headers(headers)
            authorization = headers.get(b"authorization", b"").decode("latin-1")
            return await self._handed_in(survey, period, await self._body(receive), code_of(authorization))
        except Refused as refused:
            if self._cache.knows(digest):
                self._intake.count_refusal(digest, period, refused.refusal)
            return refused.refusal
        except StoreError:  # the survey could not be read, or the collector is about to stop
            return busy(60)

    async def _handed_in(self, survey: SurveyRow, period: str, body: bytes, code: str | None) -> Outcome:
        """Hand an upload that has arrived in to the intake, and wait for its outcome."""
        slot = asyncio.get_running_loop().create_future()
        refusal = self._intake.offer(survey, period, body, code, slot)
        return await slot if refusal is None else refusal

    async def _body(self, receive: Receive) -> bytes:
        """The body of a request, once all of it is there; refused if it takes too long."""
        try:
            async with asyncio.timeout(SECONDS):
                body, more = await _part(receive)
                return await self._long_body(body, receive) if more else body
        except TimeoutError:
            raise Refused(SLOW) from None

    async def _long_body(self, first: bytes, receive: Receive) -> bytes:
        """A body in several parts; refused once it is larger than MOST_BYTES, or all that are arriving are too much."""
        parts, more = [first], True
        with self._room.body(MOST_BYTES) as arriving:
            arriving.grow(len(first))
            while more:
                part, more = await _part(receive)
                parts.append(part)
                arriving.grow(len(part))
            return b"".join(parts)


def settle(outcomes: list[tuple[Slot, Outcome]]) -> None:
    """Let requests go on that wait in the event loop; called by the writer's thread, once for all of a transaction."""
    outcomes[0][0].get_loop().call_soon_threadsafe(_set_results, outcomes)


def _set_results(outcomes: list[tuple[Slot, Outcome]]) -> None:
    for slot, outcome in outcomes:
        if not slot.done():  # the device may have hung up
            slot.set_result(outcome)


def _check_headers(headers: Mapping[bytes, bytes]) -> None:
    """Refuse an upload by its headers, before its body is read."""
    if headers.get(b"content-type") != TYPE or b"content-encoding" in headers:
        raise Refused(MEDIA_TYPE)
    length = headers.get(b"content-length", b"0")
    if len(length) > 9 or int(length) > MOST_BYTES:
        raise Refused(TOO_LARGE)


async def _part(receive: Receive) -> tuple[bytes, bool]:
    """The next part of a body, and whether more is to come; of who hangs up, what came is no upload."""
    message = await receive()
    if message["type"] != "http.request":
        raise Refused(SLOW)
    return message.get("body", b""), message.get("more_body", False)


def code_of(authorization: str) -> str | None:
    """The invitation in the header ``Authorization``."""
    return authorization.removeprefix(SCHEME) if authorization.startswith(SCHEME) else None
