"""A reader of pages without a browser: cookies, forms with their secrets, and no redirect that is not looked at."""

from __future__ import annotations

import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from csv import DictReader
from dataclasses import dataclass
from email.message import Message
from http.cookiejar import CookieJar
from io import StringIO
from typing import Any

from tests.collector.worlds import Service
from tests.waiting import PATIENCE

from deniable.intake.access import OPERATOR
from deniable.intake.storage.rows import Token


@dataclass(frozen=True)
class Page:
    """What came back."""

    status: int
    headers: Message[str, str]
    body: bytes

    @property
    def html(self) -> str:
        """The page as it was sent."""
        return self.body.decode()

    @property
    def rows(self) -> list[dict[str, str]]:
        """The rows of a table in CSV."""
        return list(DictReader(StringIO(self.body.decode("utf-8-sig"), newline="")))

    @property
    def text(self) -> str:
        """What is read on it, in one line."""
        words = re.sub(r"(?s)<(script|style)\b.*?</\1>|<[^>]*>", " ", self.html)
        return re.sub(r"\s+", " ", words).strip()

    @property
    def csrf(self) -> str:
        """The secret of the forms on it."""
        found = re.search(r'name="csrf" value="([^"]+)"', self.html)
        assert found, "the page has no form"
        return found[1]


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


class Reader:
    """Somebody with a browser of their own, signed in once they have entered."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.jar = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar), _Stay)

    def get(self, path: str, **headers: str) -> Page:
        """A page; one that is being worked out asks to be read again, as a browser does."""
        while "Refresh" in (page := self.look(path, **headers)).headers:
            time.sleep(float(page.headers["Refresh"]))
        return page

    def seconds(self, path: str) -> float:
        """How long a page takes to come."""
        began = time.perf_counter()
        self.get(path)
        return time.perf_counter() - began

    def look(self, path: str, **headers: str) -> Page:
        """What a page shows at first."""
        return self._ask(urllib.request.Request(self.url + path, headers={"Accept": "text/html", **headers}))

    def post(self, path: str, fields: dict[str, Any], origin: str | None = None) -> Page:
        """Send a form, as from a page of this host unless another one is named."""
        body = urllib.parse.urlencode(fields, doseq=True).encode()
        return self.send(path, body, "application/x-www-form-urlencoded", origin)

    def send(self, path: str, body: bytes, kind: str, origin: str | None = None) -> Page:
        """Send the bytes of a form."""
        headers = {"Accept": "text/html", "Origin": origin or self.url, "Content-Type": kind}
        return self._ask(urllib.request.Request(self.url + path, body, headers, method="POST"))

    def enter(self, token: str) -> Reader:
        """Sign in by a token."""
        assert self.post("/enter", {"token": token}).status == 303
        return self

    def _ask(self, request: urllib.request.Request) -> Page:
        try:
            with self._opener.open(request, timeout=PATIENCE) as reply:
                return Page(reply.status, reply.headers, reply.read())
        except urllib.error.HTTPError as error:
            return Page(error.code, error.headers, error.read())


def token_of(service: Service, name: str) -> Token:
    """A token that the storage knows."""
    service.desk.add_token(name, "author", (), OPERATOR)
    return next(token for token in service.desk.tokens() if token.name == name)


def shared(operator: Reader, name: str, **fields: Any) -> str:
    """The path of a new link."""
    secret = operator.get(f"/s/{name}/share").csrf
    page = operator.post(f"/s/{name}/share", {"csrf": secret, "days": "7", **fields})
    found = re.search(r'href="https?://[^/]+(/shared/[^"]+)"', page.html)
    assert found
    return found[1]


def told_by(reader: Reader, path: str) -> Any:
    """The JSON that a page links to at its foot."""
    page = reader.get(path)
    link = re.search(r'<a href="([^"]+)">This page as JSON</a>', page.html)
    assert link, path
    reply = reader.get(link[1].replace("&amp;", "&"))
    assert reply.status == 200
    return json.loads(reply.body)
