"""Addresses that are short enough to be typed: the first digits of a survey's number stand for all of it."""

from __future__ import annotations

import asyncio
import re

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute

from deniable.collector.http.lan import NEWEST
from deniable.intake.refusals import UNKNOWN, Refused
from deniable.intake.storage.rows import SurveyRow
from deniable.pages.frame import HEADERS
from deniable.pages.handing.codes import DIGITS
from deniable.pages.site import Site


class ShortLinks:
    """Leads on to the survey whose number begins so."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def all(self) -> list[BaseRoute]:
        """The routes."""
        return [self._site.page("/to/{digits}", self.follow)]

    async def follow(self, request: Request) -> Response:
        """To the page where the survey is answered; what stands behind # goes along, as browsers do with it."""
        digits = request.path_params["digits"].lower()
        if request.scope["path"] == NEWEST:
            surveys = await asyncio.to_thread(self._asked_now)
        elif re.fullmatch(f"[0-9a-f]{{{DIGITS}}}", digits):
            rows = await asyncio.to_thread(self._site.context.desk.surveys)
            surveys = [row for row in rows if row.digest.startswith(digits)]
        else:
            surveys = []
        if len(surveys) != 1:
            raise Refused(UNKNOWN)
        return RedirectResponse(f"/q/{surveys[0].digest}", 303, HEADERS)

    def _asked_now(self) -> list[SurveyRow]:
        """Of the surveys that phones in one room are asked now the newest."""
        collector, rows = self._site.context.collector, self._site.context.desk.surveys()
        now = collector.now()
        return [row for row in rows if collector.form(row).survey.lan and now < collector.doors(row).ends][-1:]
