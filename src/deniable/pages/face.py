"""The pages of a collector, as its server takes them."""

from __future__ import annotations

import asyncio
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from deniable.collector.desk import Desk
from deniable.collector.http.context import Context
from deniable.collector.http.lan import Lan
from deniable.intake.refusals import UNKNOWN, Refused
from deniable.pages.builder.shelf import Shelf
from deniable.pages.builder_pages import BuilderPages
from deniable.pages.calendar_pages import CalendarPages
from deniable.pages.compare_pages import ComparePages
from deniable.pages.cross_pages import CrossPages
from deniable.pages.detail_pages import DetailPages
from deniable.pages.draft_pages import DraftPages
from deniable.pages.front_pages import FrontPages
from deniable.pages.handing.codes import qr_lines
from deniable.pages.label_pages import LabelPages
from deniable.pages.proofs import Proofs
from deniable.pages.question_pages import QuestionPages
from deniable.pages.read_pages import ReadPages
from deniable.pages.result_link_pages import ResultLinkPages
from deniable.pages.result_links import ResultLinks
from deniable.pages.result_pages import ResultPages
from deniable.pages.results.headlines import Headlines
from deniable.pages.results.period_view import find
from deniable.pages.results.readings import Readings, ResultsAhead
from deniable.pages.run_pages import RunPages
from deniable.pages.sessions import OneTimeLinks, Sessions, signing_in
from deniable.pages.short_links import ShortLinks
from deniable.pages.site import Site, compile_templates
from deniable.pages.slide_pages import SlidePages
from deniable.pages.wall_pages import WallPages

GROUPS = (
    FrontPages, DraftPages, BuilderPages, RunPages, ResultPages, DetailPages, CrossPages, ComparePages, ResultLinkPages,
    CalendarPages, QuestionPages, LabelPages, ShortLinks, SlidePages, WallPages, ReadPages,
)  # fmt: skip

ELSEWHERE = ("/new/{rest:path}", "/{page}")
"""Addresses that people may come to by a link that is cut off, where no page is."""


class Pages:
    """Everything that browsers see."""

    def __init__(self, *, draws: bool = False) -> None:
        self._links, self._draws = OneTimeLinks(), draws
        self._lan: Lan | None = None
        self._desk: Desk
        self._proofs: Proofs
        self._ahead: ResultsAhead
        self._compiled: asyncio.Task[None]

    def routes(self, context: Context) -> list[BaseRoute]:
        """The routes of all pages."""
        collector, self._desk, self._lan = context.collector, context.desk, context.lan
        self._proofs = Proofs(collector.day)
        context.desk.opened = self._proofs.opened
        readings = Readings()
        self._ahead = ResultsAhead(readings, partial(find, collector, self._desk))
        context.desk.tell_of_counts(self._ahead.counted)
        site = Site(
            context, Sessions(collector), self._links, ResultLinks(collector), self._proofs, Headlines(readings),
            Shelf(collector), readings, asyncio.Lock(),
        )  # fmt: skip
        found = [route for group in GROUPS for route in group(site).all()]
        return [*found, *(site.page(path, _nothing) for path in (*_for_forms(found), *ELSEWHERE))]

    def start(self) -> None:
        """Prove the surveys that there are, and read their results, once the server's loop runs."""
        self._proofs.start(self._desk.surveys)
        self._ahead.start(self._desk.surveys)
        self._compiled = asyncio.create_task(asyncio.to_thread(compile_templates))

    def lines(self, url: str) -> list[str]:
        """What the server says of its pages once it listens at an address."""
        entering = signing_in(self._links, url)
        if self._lan is None:
            return [entering]
        room = f"phones in this room, over plain HTTP, for surveys that say so: {self._lan.url}"
        return [room, *([qr_lines(self._lan.url)] if self._draws else []), entering]


def _for_forms(routes: list[BaseRoute]) -> list[str]:
    """The paths where forms are sent and nothing is read: whoever opens one gets a page that says so."""
    shown = {route.path for route in routes if isinstance(route, Route) and "GET" in (route.methods or ())}
    sent = {route.path: None for route in routes if isinstance(route, Route) and route.path not in shown}
    return [*sent]


async def _nothing(_: Request) -> Response:
    """No page is there."""
    raise Refused(UNKNOWN)
