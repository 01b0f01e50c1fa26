"""What readers and auditors ask: periods, tallies, results, and the answers of closed periods."""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from deniable.collector.http.context import Context
from deniable.intake.http.requests import PERIOD, SURVEY
from deniable.intake.storage.rows import Standing, VisibleTally
from deniable.surveys.results import Results
from deniable.surveys.survey import Survey
from deniable.surveys.tally import SurveyTally

EXACT = frozenset({"author", "admin"})
"""Scopes that see how many answers there are at any moment."""
ARMS = 5
"""The most digits of an arm's number."""


class ReaderRoutes:
    """Answers readers and auditors."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def all(self) -> list[BaseRoute]:
        """The routes."""
        return [
            Route(SURVEY + "/periods", self.periods, methods=["GET"]),
            Route(PERIOD + "/tally", self.tally, methods=["GET"]),
            Route(PERIOD + "/estimate.json", self.estimate, methods=["GET"]),
            Route(PERIOD + "/estimate.csv", self.estimate_csv, methods=["GET"]),
            Route(PERIOD + "/answers.parquet", self.answers, methods=["GET"]),
        ]

    async def periods(self, request: Request) -> Response:
        """The periods that somebody answered."""
        row, token = await self._context.allowed(request, "read")
        standings = await asyncio.to_thread(self._context.desk.standings, row)
        minimum = self._context.collector.form(row).survey.minimum
        crowds = await asyncio.to_thread(self._context.desk.crowds.standings, row)
        crowd_of = {each.period: {"crowd": each.to_dict()} for each in crowds}
        exact = token.scope in EXACT
        return JSONResponse(
            [{**_fields_of(each, minimum, exact), **crowd_of.get(each.period, {})} for each in standings]
        )

    async def tally(self, request: Request) -> Response:
        """The tally that may be seen."""
        body, note = await self._tally(request)
        return Response(body, media_type="application/octet-stream", headers={"X-Deniable-Note": note})

    async def estimate(self, request: Request) -> Response:
        """The results as JSON."""
        body, note = await self._tally(request)
        fields = await asyncio.to_thread(lambda: _results(body).to_dict())
        return JSONResponse({**fields, "note": note})

    async def estimate_csv(self, request: Request) -> Response:
        """The results as CSV."""
        body, _ = await self._tally(request)
        text = await asyncio.to_thread(lambda: _results(body).to_csv())
        return Response(text, media_type="text/csv; charset=utf-8")

    async def answers(self, request: Request) -> Response:
        """The answers to one arm as a Parquet file."""
        row, _ = await self._context.allowed(request, "export")
        number = request.query_params.get("arm", "0")
        arm = int(number) if number.isascii() and number.isdigit() and len(number) <= ARMS else -1
        folder = await asyncio.to_thread(TemporaryDirectory)
        path = Path(folder.name) / f"arm-{arm}.parquet"
        try:
            await asyncio.to_thread(self._context.desk.export, row, request.path_params["period"], arm, path)
        except BaseException:
            folder.cleanup()
            raise
        task = BackgroundTask(folder.cleanup)
        return FileResponse(path, media_type="application/vnd.apache.parquet", background=task)

    async def _tally(self, request: Request) -> VisibleTally:
        row, _ = await self._context.allowed(request, "read")
        return await asyncio.to_thread(self._context.desk.tally, row, request.path_params["period"])


def _fields_of(standing: Standing, minimum: int, exact: bool) -> dict[str, object]:
    """A period, with the number of answers that may be seen."""
    answers = standing.answers if exact else standing.shown
    return {"period": standing.period, "state": standing.state, "answers": answers, "minimum": minimum}


def _results(tally: bytes) -> Results:
    tallied = SurveyTally.from_bytes(tally, Survey)
    return Results(tallied.document, tallied)
