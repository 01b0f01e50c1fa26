"""What a page says where it cannot be shown."""

from __future__ import annotations

import asyncio
import json
from typing import Any, NoReturn

from starlette.requests import Request

from deniable.pages.site import Site
from deniable.protocol.errors import ParameterError, StoreError


def said_of(error: Exception) -> tuple[int, str]:
    """The status and the kind that a program is told when a page fails so."""

    async def fail(_: Request) -> NoReturn:
        raise error

    nothing: Any = None
    site = Site(nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing)
    request = Request({"type": "http", "method": "GET", "path": "/x.json", "query_string": b"", "headers": []})
    reply = asyncio.run(site.page("/x.json", fail).endpoint(request))
    return reply.status_code, json.loads(reply.body)["type"].rpartition(":")[2]


def test_a_storage_that_fails_is_the_servers_fault_and_a_wrong_field_the_readers() -> None:
    assert said_of(StoreError("the storage must take what is written, got SQLITE_FULL")) == (503, "busy")
    assert said_of(ZeroDivisionError("nobody thought of this")) == (503, "busy")
    assert said_of(ParameterError("days must be a whole number, got something else")) == (422, "malformed")
