"""An application of routes that answers with refusals, whatever happens."""

from __future__ import annotations

import re
from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import Scope

from deniable.intake.events import warn
from deniable.intake.http.bodies import ROOM, Room
from deniable.intake.http.replies import OPEN_TO_ALL, Headers, problem
from deniable.intake.refusals import Refusal, Refused, busy
from deniable.protocol.errors import DenialError, StoreError

FOR_DEVICES = re.compile("/v1/surveys/[^/]+(/door|/invitation)?|/live")
NO_METHOD = 405


def routing(routes: Sequence[BaseRoute]) -> Starlette:
    """An application that answers with refusals, whatever happens; its bodies share a room beside that of uploads."""
    handlers = {Refused: _refused, DenialError: _of_error, HTTPException: _missing, Exception: _failed}
    application = Starlette(routes=routes, exception_handlers=handlers)
    application.state.room = Room(ROOM // 4)
    application.router.redirect_slashes = False  # it would send people wherever the request's Host says
    return application


def open_headers(scope: Scope) -> Headers:
    """A page of another host may read the replies to devices, and no others."""
    return OPEN_TO_ALL if FOR_DEVICES.fullmatch(scope["path"]) else []


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return problem(error.refusal, open_headers(request.scope))


async def _of_error(request: Request, error: Exception) -> Response:
    """The refusal of an argument of an author's or an admin's; its message never holds a respondent's value."""
    if isinstance(error, StoreError):
        return problem(busy(60), open_headers(request.scope))
    return problem(Refusal("malformed", 422, str(error)))


async def _missing(request: Request, error: Exception) -> Response:
    """The refusal of an address or a method that is not there."""
    assert isinstance(error, HTTPException)
    refusal = Refusal("unknown", error.status_code, "the address and the method must be known here, got others")
    return problem(refusal, [(b"allow", _methods(request))] if error.status_code == NO_METHOD else [])


def _methods(request: Request) -> bytes:
    """The methods of an address."""
    routes = [route for route in request.app.routes if route.matches(request.scope)[0] is not Match.NONE]
    return ", ".join(sorted({method for route in routes for method in route.methods})).encode()


async def _failed(_: Request, error: Exception) -> Response:
    warn("a request could not be answered", error)
    return problem(busy(60))
