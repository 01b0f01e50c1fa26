"""What a mixer asks: which parcel of a period has come, and to take one; and keys that authors ask for before that."""

from __future__ import annotations

import asyncio
import hashlib
from tempfile import TemporaryFile
from typing import IO, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from deniable.collector.http.context import Context
from deniable.collector.parcels import MOST_BYTES, ParcelDesk, SentParcel
from deniable.intake.http.bodies import Room
from deniable.intake.http.requests import PERIOD
from deniable.intake.http.survey_cache import DIGEST
from deniable.intake.http.upload_route import TYPE
from deniable.intake.refusals import MEDIA_TYPE, Refusal, Refused
from deniable.intake.storage.rows import SurveyRow
from deniable.protocol.checks import check_int, shown
from deniable.protocol.errors import ParameterError

MOST_CODES: Final = 2**31 - 1
DIGITS: Final = 10
TOO_LARGE: Final = Refusal("too-large", 413, f"a parcel must have at most {MOST_BYTES >> 20} MiB, got more")
ROOM: Final = 4 * MOST_BYTES
"""The most bytes of parcels that may be arriving at once, each into a file that has no name."""


class ParcelRoutes:
    """Answers mixers."""

    def __init__(self, context: Context, desk: ParcelDesk) -> None:
        self._context, self._desk = context, desk
        self._room = Room(ROOM)

    def all(self) -> list[BaseRoute]:
        """The routes."""
        return [
            Route("/v1/keys", self.make_key, methods=["POST"]),
            Route(PERIOD + "/parcel", self.came, methods=["HEAD"]),
            Route(PERIOD + "/parcel", self.take, methods=["PUT"]),
        ]

    async def make_key(self, request: Request) -> Response:
        """A new key for a survey that is about to be opened."""
        await self._context.admit(request, "put")
        return JSONResponse({"key": await asyncio.to_thread(self._context.desk.crowds.keys.make)}, 201)

    async def came(self, request: Request) -> Response:
        """Which parcel has come, as an entity tag."""
        row = await self._allowed(request)
        digest = await asyncio.to_thread(self._desk.came, row, request.path_params["period"])
        return Response(headers={"ETag": f'"{digest}"'})

    async def take(self, request: Request) -> Response:
        """Take a parcel: it is opened, and its counts are told once it is durable."""
        row = await self._allowed(request)
        withheld, codes = (_number(request, name) for name in ("withheld", "codes"))
        if request.headers.get("content-type") != TYPE.decode() or "content-encoding" in request.headers:
            raise Refused(MEDIA_TYPE)
        with TemporaryFile() as body:
            size, digest = await self._receive(request, body)
            sent = SentParcel(body, size, digest, withheld, codes)
            arrival = await asyncio.to_thread(self._desk.take, row, request.path_params["period"], sent)
        return JSONResponse(arrival.reply)

    async def _receive(self, request: Request, body: IO[bytes]) -> tuple[int, str]:
        """Write a parcel into a file as it arrives; its size, and its SHA-256."""
        digest, size = hashlib.sha256(), 0
        with self._room.body(MOST_BYTES, TOO_LARGE) as arriving:
            arriving.check(request.headers.get("content-length", "0"))
            async for part in request.stream():
                arriving.grow(len(part))
                digest.update(part)
                size += len(part)
                await asyncio.to_thread(body.write, part)
        return size, digest.hexdigest()

    async def _allowed(self, request: Request) -> SurveyRow:
        """The survey of a parcel, to which the token allows to send some; who has none learns of no survey."""
        digest = request.path_params["digest"]
        try:
            row = await asyncio.to_thread(self._desk.survey, digest if DIGEST.fullmatch(digest) else "")
        except Refused:
            await self._context.admit(request, "parcel")
            raise
        await self._context.admit(request, "parcel", row)
        return row


def _number(request: Request, name: str) -> int:
    """A number in the address."""
    text = request.query_params.get(name, "0")
    if not text.isascii() or not text.isdigit() or len(text) > DIGITS:
        raise ParameterError(f"{name} must be a whole number, got {shown(text)}")
    return check_int(name, int(text), 0, MOST_CODES)
