"""What the pages of a mixer share: nobody reads them but whoever runs it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from jinja2 import Environment
from starlette.requests import Request

from deniable.mixer.http.context import Context
from deniable.pages.frame import PageFrame, SignInNeeded, environment
from deniable.pages.sessions import OneTimeLinks, Sessions, Visitor, visitor_of

COOKIE: Final = "deniable-mixer"
"""Another one than a collector's: browsers do not tell ports of a host apart."""


@dataclass(frozen=True, eq=False)
class MixerSite(PageFrame):
    """The mixer behind the pages, and its operator."""

    context: Context
    sessions: Sessions
    links: OneTimeLinks

    async def visitor(self, request: Request) -> Visitor | None:
        """Whoever reads."""
        cookie, intake = request.cookies.get(COOKIE, ""), self.context.intake
        return await asyncio.to_thread(intake.run, lambda t: visitor_of(t, cookie, intake.now())) if cookie else None

    def templates(self, code: str) -> Environment:
        """The templates in a language."""
        return templates(code)

    def template_flags(self, visitor: Visitor | None) -> Mapping[str, Any]:
        """Nobody is a guest here."""
        return {"is_guest": False, "is_mixer": True}

    async def admit(self, request: Request) -> None:
        """Let nobody in who is not signed in."""
        if await self.visitor(request) is None:
            raise SignInNeeded


@cache
def templates(code: str) -> Environment:
    """The templates in a language."""
    return environment(code)
