"""What pages are made of beside HTML: stylesheets, and scripts, each with an address that changes with its bytes."""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from importlib.resources import files
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from deniable.intake.http.replies import OPEN_TO_ALL, PACKED, VARIES, Reply, packed, takes_gzip

ROOM: Final = files("deniable.pages")
KINDS: Final = {"css": b"text/css; charset=utf-8", "js": b"text/javascript; charset=utf-8", "svg": b"image/svg+xml"}
STYLESHEETS: Final = {"pages.css": r"[0-8]", "asked.css": "10|40", "plain.css": "90"}
"""Of each how the names of its files in ``styles/`` begin: who is asked needs few, and without a script one more."""
INTEGRITY: Final[dict[str, str]] = json.loads((ROOM / "static" / "integrity.json").read_text(encoding="utf-8"))
"""The hashes of the client's files, as the attribute ``integrity`` wants them."""
FILES: Final = frozenset({"pages.js", "builder.js", "icon.svg", *INTEGRITY})
ENTRY: Final = "deniable.js"
"""The one that pages name. It names the others, each with its hash, and runs none without comparing."""
FOR_EVER: Final = (b"cache-control", b"public, max-age=31536000, immutable")
FOR_NOW: Final = (b"cache-control", b"no-cache")


@cache
def asset(name: str) -> bytes | None:
    """The bytes of an asset; a stylesheet is files of ``styles/``, in the order of their names."""
    if name in STYLESHEETS:
        wanted = STYLESHEETS[name]
        sheets = sorted((file for file in (ROOM / "styles").iterdir()), key=lambda file: file.name)
        return b"\n".join(sheet.read_bytes() for sheet in sheets if re.match(wanted, sheet.name))
    return (ROOM / "static" / name).read_bytes() if name in FILES else None


@cache
def packed_of(name: str) -> bytes | None:
    """An asset compressed with gzip, if that is shorter; it holds no secret that its length could tell."""
    body = asset(name)
    shorter = None if body is None else packed(body)
    return shorter if body and shorter and len(shorter) < len(body) else None


@cache
def version_of(name: str) -> str:
    """The first digits of an asset's hash."""
    body = asset(name)
    assert body is not None, name
    return hashlib.sha256(body).hexdigest()[:12]


def address_of(name: str) -> str:
    """Where an asset is, for as long as it is the same."""
    return f"/static/{name}?v={version_of(name)}"


def integrity_of(name: str) -> str:
    """The hash of the client's script or stylesheet, as the attribute ``integrity`` wants it."""
    return INTEGRITY[name]


async def serve_asset(request: Request) -> Response:
    """An asset. Pages of other hosts may load the client's script."""
    name = request.path_params["name"]
    body = asset(name)
    if body is None:
        raise HTTPException(404)
    coding: list[tuple[bytes, bytes]] = []
    never_changes = request.query_params.get("v") == version_of(name) or name.startswith(
        "deniable-"
    )  # hash in its name
    caching = FOR_EVER if never_changes else FOR_NOW
    shorter = packed_of(name)
    if shorter is not None and takes_gzip(request):
        body, coding = shorter, [PACKED]
    kind = (b"content-type", KINDS[name.rsplit(".", 1)[1]])
    return Reply(body, [kind, caching, *coding, VARIES, (b"x-content-type-options", b"nosniff"), *OPEN_TO_ALL])
