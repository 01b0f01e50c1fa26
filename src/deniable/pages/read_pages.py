"""Reading an export of a questionnaire without any Python at hand: a survey and a table in, a report out."""

from __future__ import annotations

import asyncio
import base64
import hashlib
from collections.abc import Mapping
from io import BytesIO
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute

from deniable.engines.read_export import ReadExport
from deniable.pages.export_report import report, report_style
from deniable.pages.frame import HEADERS
from deniable.pages.kinds.page_kind import reason_of
from deniable.pages.languages import author_language
from deniable.pages.sent_files import NO_PART, SentPart, sent_parts
from deniable.pages.site import Site
from deniable.protocol.errors import DenialError
from deniable.surveys.survey import Survey

MOST_EXPORT: Final = 16 << 20
"""The most bytes of an export, of its survey, and of the form around both."""


class ReadPages:
    """Reads an export for an author; nothing of it is kept."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def all(self) -> list[BaseRoute]:
        """The routes."""
        return [self._site.page("/read", self.ask), self._site.page("/read", self.show, ("POST",))]

    async def ask(self, request: Request) -> Response:
        """Where both files are chosen."""
        await self._site.admit(request, "put")
        return await self._site.render(request, "read.html", error="", by="")

    async def show(self, request: Request) -> Response:
        """The report, which is whole as it is: to print, or to save as one file."""
        await self._site.admit(request, "put")
        sent = await sent_parts(self._site, request, MOST_EXPORT)
        by = sent.get("by", NO_PART).text.strip()
        try:
            async with self._site.drawing:
                page = await asyncio.to_thread(_report, sent, by, author_language(request))
        except DenialError as error:
            return await self._site.render(request, "read.html", status=422, error=reason_of(error), by=by)
        return HTMLResponse(page, headers={**HEADERS, "Content-Security-Policy": _policy()})


def _report(sent: Mapping[str, SentPart], by: str, code: str) -> str:
    survey, export = (sent.get(name, NO_PART) for name in ("survey", "export"))
    read = ReadExport.of(
        BytesIO(export.body), export.name, Survey.from_json(survey.text), column=None, by=by or None,
        decoder="projected",
    )  # fmt: skip
    return report(read, code)


def _policy() -> str:
    """The content policy of a report: it loads nothing, for its one stylesheet stands in it."""
    style = base64.b64encode(hashlib.sha256(report_style().encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{style}'; form-action 'none'; frame-ancestors 'none'"
