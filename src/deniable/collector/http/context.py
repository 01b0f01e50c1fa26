"""What all routes share: the survey that a request is about, and who asks."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

from starlette.requests import Request

from deniable.collector.collector import Collector
from deniable.collector.desk import Desk
from deniable.collector.http.lan import Lan
from deniable.collector.upkeep import Keeper
from deniable.intake.http.survey_cache import SurveyCache
from deniable.intake.http.token_gate import TokenGate
from deniable.intake.refusals import Refused
from deniable.intake.storage.rows import SurveyRow, Token


class Context(NamedTuple):
    """A collector and who guards it."""

    collector: Collector[Any]
    keeper: Keeper
    desk: Desk
    gate: TokenGate
    cache: SurveyCache
    lan: Lan | None = None
    """Where phones in one room are asked, if they are."""

    async def row(self, request: Request) -> SurveyRow:
        """The survey that a request is about."""
        return await self.cache.survey(request.path_params["digest"])

    async def admit(self, request: Request, action: str, row: SurveyRow | None = None) -> Token:
        """The token of a request, which allows the action."""
        return await asyncio.to_thread(self.gate.admit, request, action, row)

    async def allowed(self, request: Request, action: str) -> tuple[SurveyRow, Token]:
        """The survey of a request, and the token that allows the action on it; without one nothing else is told."""
        try:
            row = await self.row(request)
        except Refused:
            await self.admit(request, action)
            raise
        return row, await self.admit(request, action, row)
