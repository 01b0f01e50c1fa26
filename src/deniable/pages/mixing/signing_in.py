"""How the operator of a mixer comes in: by a link that is printed, and good once."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from deniable.intake.http.reply_headers import root_of
from deniable.pages.assets import serve_asset
from deniable.pages.frame import HEADERS
from deniable.pages.mixing.mixer_site import COOKIE, MixerSite
from deniable.pages.sessions import OPERATOR_TOKEN, give_cookie, goes_on, take_cookie
from deniable.protocol.say import Statement


class SigningIn:
    """Lets the operator in and out."""

    def __init__(self, site: MixerSite) -> None:
        self._site = site

    def all(self) -> list[BaseRoute]:
        """The routes."""
        page = self._site.page
        return [
            page("/enter", self.ask),
            page("/enter/{secret}", self.enter_once),
            page("/leave", self.leave, ("POST",)),
            page("/links", self.make_link, ("POST",)),
            Route("/static/{name}", serve_asset),
        ]

    async def ask(self, request: Request) -> Response:
        """How one comes in."""
        return await self._site.render(request, "mixing/enter.html", is_spent=False)

    async def enter_once(self, request: Request) -> Response:
        """Sign in by a link that was printed."""
        if not goes_on(request):
            return await self._site.render(request, "onwards.html", what=Statement("mixer_your_page"))
        if not self._site.links.take(request.path_params["secret"]):
            return await self._site.render(request, "mixing/enter.html", status=404, is_spent=True)
        reply = RedirectResponse("/", 303, HEADERS)
        give_cookie(reply, request, COOKIE, await asyncio.to_thread(self._site.sessions.begin, OPERATOR_TOKEN))
        return reply

    async def make_link(self, request: Request) -> Response:
        """A link more, for whoever has the operator's token."""
        await asyncio.to_thread(self._site.context.gate.admit, request, "manage")
        return JSONResponse({"path": f"{root_of(request.scope)}/enter/{self._site.links.make()}"}, headers=HEADERS)

    async def leave(self, request: Request) -> Response:
        """Sign out."""
        await self._site.form(request)
        await asyncio.to_thread(self._site.sessions.end, request.cookies.get(COOKIE, ""))
        reply = RedirectResponse("/enter", 303, HEADERS)
        take_cookie(reply, request, COOKIE)
        return reply
