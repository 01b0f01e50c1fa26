"""What pages are made of beside HTML: one stylesheet, and scripts, each with an address that changes with its bytes."""

from __future__ import annotations

import gzip
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from deniable.collector.http.replies import OPEN_TO_ALL, Reply

ROOM: Final = files("deniable.pages")
KINDS: Final = {"css": b"text/css; charset=utf-8", "js": b"text/javascript; charset=utf-8", "svg": b"image/svg+xml"}
STYLESHEET: Final = "pages.css"
FILES: Final = ("pages.js", "builder.js", "deniable.js", "deniable.css", "icon.svg")
FOR_EVER: Final = (b"cache-control", b"public, max-age=31536000, immutable")
VARIES: Final = (b"vary", b"accept-encoding")
FOR_NOW: Final = (b"cache-control", b"no-cache")


@cache
def asset(name: str) -> bytes | None:
    """The bytes of an asset; the stylesheet is all files of ``styles/``, in the order of their names."""
    if name == STYLESHEET:
        sheets = sorted((file for file in (ROOM / "styles").iterdir()), key=lambda file: file.name)
        return b"\n".join(sheet.read_bytes() for sheet in sheets)
    return (ROOM / "static" / name).read_bytes() if name in FILES else None


@cache
def packed_of(name: str) -> bytes | None:
    """The same bytes for a shorter way, if that is shorter; they hold no secret that their length could tell."""
    body = asset(name)
    packed = None if body is None else gzip.compress(body, mtime=0)
    return packed if body and packed and len(packed) < len(body) else None


@cache
def version_of(name: str) -> str:
    """The first digits of an asset's hash."""
    body = asset(name)
    assert body is not None, name
    return hashlib.sha256(body).hexdigest()[:12]


def address_of(name: str) -> str:
    """Where an asset is, for as long as it is the same."""
    return f"/static/{name}?v={version_of(name)}"


@cache
def integrity_of(name: str) -> str:
    """The hash of the client's script or stylesheet, as the attribute ``integrity`` wants it."""
    hashes: dict[str, str] = json.loads((ROOM / "static" / "integrity.json").read_text(encoding="utf-8"))
    return hashes[name]


async def serve_asset(request: Request) -> Response:
    """An asset. Pages of other hosts may load the client's script."""
    name = request.path_params["name"]
    body = asset(name)
    if body is None:
        raise HTTPException(404)
    coding: list[tuple[bytes, bytes]] = []
    lasting = FOR_EVER if request.query_params.get("v") == version_of(name) else FOR_NOW
    packed = packed_of(name)
    if packed is not None and _unpacks(request.headers.get("accept-encoding", "")):
        body, coding = packed, [(b"content-encoding", b"gzip")]
    kind = (b"content-type", KINDS[name.rsplit(".", 1)[1]])
    return Reply(body, [kind, lasting, *coding, VARIES, (b"x-content-type-options", b"nosniff"), *OPEN_TO_ALL])


def _unpacks(accepted: str) -> bool:
    """Whether a browser takes gzip, by its header."""
    return any(each.replace(" ", "") in ("gzip", "gzip;q=1", "gzip;q=1.0") for each in accepted.lower().split(","))
