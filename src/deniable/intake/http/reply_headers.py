"""What every reply but an upload's has in common: nothing keeps it, and its addresses begin where the server does."""

from __future__ import annotations

from starlette.types import Message, Scope, Send

from deniable.intake.http.replies import NEVER, Headers

NO_SNIFFING = (b"x-content-type-options", b"nosniff")
STILL = (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'; sandbox")
"""For a picture that somebody opens by itself: it is only looked at."""
ROOT = "app_root_path"
"""Where Starlette looks for what stands before all addresses."""


def root_of(scope: Scope) -> str:
    """What stands before all addresses of the server, such as /surveys; mostly nothing."""
    return str(scope.get(ROOT, ""))


def with_safe_headers(scope: Scope, send: Send) -> Send:
    """A ``send`` that adds the headers a reply lacks: no browser may guess its kind, or keep it unless it says so."""
    of_api = scope["path"].startswith("/v1/")
    root = root_of(scope).encode()

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers: Headers = [
                # addresses of this server, which a reply leads on to, begin as those that browsers see
                (name, root + value if name == b"location" and value.startswith(b"/") else value)
                for name, value in message["headers"]
            ]
            names = {name for name, _ in headers}
            is_picture = (b"content-type", b"image/svg+xml") in headers
            defaults = [(NO_SNIFFING, True), (NEVER, of_api), (STILL, is_picture)]
            message["headers"] = headers + [header for header, wanted in defaults if wanted and header[0] not in names]
        await send(message)

    return sent
