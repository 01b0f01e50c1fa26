"""The wall of a room: how many have answered, in letters that are read from afar, and the result once it is closed."""

from __future__ import annotations

import asyncio
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from deniable.pages.handing.codes import qr_code
from deniable.pages.languages import say_to
from deniable.pages.run_pages import LINK_PICTURE, handout_for, is_reachable, run_view
from deniable.pages.site import Site


class WallPages:
    """Shows a survey to the room that answers it."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def all(self) -> list[BaseRoute]:
        """The routes."""
        return [self._site.page("/s/{name}/wall", self.wall)]

    async def wall(self, request: Request) -> Response:
        """The number of those who have answered, exactly, for their author; no share before the end."""
        site, lan = self._site, self._site.context.lan
        row = await site.survey_row(request)
        await site.admit(request, "share", row)
        view = await asyncio.to_thread(run_view, site, row, request)
        handout = handout_for(site, request, row)
        awaited = lan is not None and view.survey.lan and not view.answers and lan.waits(row.digest, view.now)
        is_final = not view.is_asking and not view.is_counting
        queries = [urlencode({"digest": row.digest, "question": each.name}) for each in view.survey.questions]
        return await site.render(
            request, "handing/wall.html", view=view, handout=handout, awaited=awaited,
            slides=queries if is_final and any(each.shown for each in view.standings) else [],
            picture=None if row.invited or not is_reachable(request) else qr_code(
                f"{handout.link.partition('://')[0]}://{handout.short}", say_to(request)(LINK_PICTURE)
            ),
        )  # fmt: skip
