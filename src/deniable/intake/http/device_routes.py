"""What devices ask: a survey's document, its door, and whether an invitation is good."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from deniable.intake.access import hash_of_code
from deniable.intake.doors import Doors
from deniable.intake.http.limits import Rates, address_of
from deniable.intake.http.replies import JSON, NEVER, OPEN_TO_ALL, PACKED, PREFLIGHT, VARIES, Reply, packed, takes_gzip
from deniable.intake.http.requests import SURVEY
from deniable.intake.http.survey_cache import SurveyCache
from deniable.intake.http.upload_route import code_of
from deniable.intake.intake import Intake
from deniable.intake.invitations import state_of_code
from deniable.intake.refusals import TOO_MANY, Refused
from deniable.intake.storage.rows import SurveyRow
from deniable.intake.uploads import MOST_ANSWERS, MOST_BYTES
from deniable.protocol.fields import TIME
from deniable.protocol.surveys.periods import bounds_of

CODES: Final = 30
"""How many codes an address may ask about in a minute: each look keeps uploads waiting."""
FOR_EVER = (b"cache-control", b"public, max-age=31536000, immutable")


DoorExtras = Callable[[SurveyRow, Sequence[str]], Mapping[str, Any]]


class DeviceRoutes:
    """Answers devices; ``extras`` gives what else a door says of the periods that are open."""

    def __init__(self, intake: Intake[Any, Any], cache: SurveyCache, extras: DoorExtras = lambda *_: {}) -> None:
        self._intake, self._cache, self._extras = intake, cache, extras
        self._codes = Rates(CODES, time.monotonic)
        self._packed: dict[str, bytes] = {}
        """Documents in gzip, by their digests: each is compressed once."""

    def all(self) -> list[BaseRoute]:
        """The routes."""
        return [
            Route(SURVEY, self.document, methods=["GET"]),
            Route(SURVEY, preflight, methods=["OPTIONS"]),
            Route(SURVEY + "/door", self.door, methods=["GET"]),
            Route(SURVEY + "/door", preflight, methods=["OPTIONS"]),
            Route(SURVEY + "/invitation", self.invitation, methods=["GET"]),
            Route(SURVEY + "/invitation", preflight, methods=["OPTIONS"]),
        ]

    async def document(self, request: Request) -> Response:
        """The document of a survey, canonical, the same for ever."""
        row = await self._row(request)
        headers = [JSON, FOR_EVER, VARIES, *OPEN_TO_ALL]
        if not takes_gzip(request):
            return Reply(row.document, headers)
        if row.digest not in self._packed:
            self._packed[row.digest] = await asyncio.to_thread(packed, row.document)
        return Reply(self._packed[row.digest], [*headers, PACKED])

    async def door(self, request: Request) -> Response:
        """The periods that are open now, refused once the survey is over; and what an upload may hold."""
        row = await self._row(request)
        names = self._intake.open_periods(row, self._cache.shut(row.digest))
        periods = [_period(self._intake.doors(row), name) for name in names]
        described = {
            "periods": periods,
            "limits": {"bytes": MOST_BYTES, "answers": MOST_ANSWERS},
            **self._extras(row, names),
        }
        return Reply(json.dumps(described).encode(), [JSON, NEVER, *OPEN_TO_ALL])

    async def invitation(self, request: Request) -> Response:
        """Whether an invitation is good now, so that nobody answers in vain; it is not spent by that."""
        row = await self._row(request)
        if not self._codes.allow(address_of(request.scope)):
            raise Refused(TOO_MANY)
        code = code_of(request.headers.get("authorization", ""))
        periods = self._intake.open_periods(row, self._cache.shut(row.digest))
        look = partial(self._intake.run, partial(state_of_code, row.digest, periods, hash_of_code(code or "")))
        state = "missing" if code is None else await asyncio.to_thread(look)
        return Reply(json.dumps({"state": state}).encode(), [JSON, NEVER, *OPEN_TO_ALL])

    async def _row(self, request: Request) -> SurveyRow:
        """The survey that a request is about."""
        return await self._cache.survey(request.path_params["digest"])


async def preflight(_: Request) -> Response:
    """Tell a browser that pages of any host may ask."""
    return Reply(b"", PREFLIGHT, 204)


def _period(doors: Doors, name: str) -> dict[str, str | None]:
    """A period with its bounds, by the document."""
    first, last = bounds_of(doors.document, name)
    return {
        "period": name,
        "opens": None if first is None else first.strftime(TIME),
        "closes": None if last is None else last.strftime(TIME),
    }
