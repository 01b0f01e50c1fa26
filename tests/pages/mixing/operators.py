"""The operator of a mixer that runs in a process of its own, with a browser."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.collector.servers import Server
from tests.mixer.worlds import TOKEN, a_survey
from tests.pages.readers import Page, Reader

import deniable as dn

BOUNDARY = "multipart/form-data; boundary=XX"


def link_of(server: Server) -> str:
    """A new link that lets the operator in."""
    made = server.ask("POST", "/links", b"", server.operator)
    assert made.status == 200
    return str(made.json["path"])


def entered(server: Server) -> Reader:
    """The operator, signed in."""
    reader = Reader(server.url)
    assert reader.get(f"{link_of(server)}?go").status == 303
    return reader


def an_open_survey(collector: str, name: str = "safety", **terms: Any) -> dn.Survey:
    """A survey that closes in a few days."""
    closes = (datetime.now(UTC) + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M:%SZ")
    return a_survey(collector, name, **{"closes": closes, **terms})


def brought(reader: Reader, survey: dn.Survey, token: str = TOKEN, csrf: str | None = None, **options: Any) -> Page:
    """The form with a document, filled in and sent."""
    secret = reader.get("/").csrf if csrf is None else csrf
    return reader.send("/waiting", parts(survey.document, token, secret), BOUNDARY, **options)


def parts(document: bytes, token: str, secret: str) -> bytes:
    """Its bytes."""
    fields = [("csrf", "", secret.encode()), ("survey", "survey.json", document), ("token", "", token.encode())]
    heads = [
        f'--XX\r\nContent-Disposition: form-data; name="{name}"{f"; filename={file}" * bool(file)}\r\n\r\n'.encode()
        for name, file, _ in fields
    ]
    return b"".join(head + body + b"\r\n" for head, (_, _, body) in zip(heads, fields, strict=True)) + b"--XX--\r\n"


def pressed(reader: Reader, path: str, **fields: Any) -> Page:
    """A button of the page, pressed."""
    return reader.post(path, {"csrf": reader.get("/").csrf, **fields})


def allowed(reader: Reader, survey: dn.Survey) -> None:
    """A survey, brought and allowed."""
    assert brought(reader, survey).status == 303
    assert pressed(reader, f"/waiting/{survey.digest}/allow").status == 303


def codes_on(page: Page) -> list[str]:
    """The codes that a page shows."""
    return re.findall(r'class="typed">([0-9A-Z-]{19})<', page.html)


def section(page: Page, name: str) -> str:
    """What is read in a section of the page."""
    found = re.search(rf'(?s)<section[^>]* id="{name}">(.*?)</section>', page.html)
    assert found, name
    return " ".join(re.sub("<[^>]*>", " ", found[1]).split())
