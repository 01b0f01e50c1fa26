"""Asks an app in this process: no server, and no thread beside the loop."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Scope


async def fetched(app: ASGIApp, address: str, cookie: str = "") -> tuple[int, bytes]:
    """The status and the body of what an app in this process answers."""
    path, _, query = address.partition("?")
    headers = [(b"host", b"localhost"), (b"accept", b"text/html"), (b"cookie", cookie.encode())]
    scope: Scope = {
        "type": "http", "http_version": "1.1", "method": "GET", "scheme": "http", "path": path, "root_path": "",
        "query_string": query.encode(), "headers": headers, "server": ("localhost", 80), "client": ("127.0.0.1", 1),
    }  # fmt: skip
    said: list[Message] = []
    to_be_heard: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Message:
        if not to_be_heard:
            await asyncio.Event().wait()  # as a browser that waits for the reply: who listens for its end hears nothing
        return to_be_heard.pop()

    async def send(message: Message) -> None:
        said.append(message)

    await app(scope, receive, send)
    return said[0]["status"], b"".join(message.get("body", b"") for message in said)
