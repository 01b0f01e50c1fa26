"""The longest header, query, cookie, form and file to every route, by every holder: what hears uploads goes on."""

from __future__ import annotations

import math
import re
import time
import urllib.parse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from tests.collector.abuse.asks import Ask, all_routes, send
from tests.collector.servers import Server, put, started, stopped
from tests.collector.worlds import a_survey
from tests.pages.drafts import ASKED, begun, hidden
from tests.pages.readers import Reader
from tests.pages.results.worlds import CARS, collected, column, upload
from tests.pages.results.worlds import a_survey as a_question
from tests.waiting import check_quick

from deniable.intake.http.bodies import MOST_FORM
from deniable.intake.http.guard import MOST_LINE

MOST_LAG = 0.25
HOLDERS = ("nobody", "guest", "reader", "author", "operator")
UNDOING = re.compile(r"/(delete|close|away|throw|sign-out|leave|end)$|^/v1/(tokens|backups)/")
"""Routes after which a holder has less to ask for."""
LINE = MOST_LINE - 256
"""Bytes of a header or a query, so long that it is just heard."""
MANY = 5_000
"""Answers of a question, as many as the builder takes."""
PARTS = b"--X\r\n\r\n\r\n" * 20_000
"""A file of very many parts."""


@dataclass
class Holder:
    """Somebody with what they hold."""

    cookie: str
    token: str
    csrf: str


@dataclass
class Longest:
    """A server with a survey, a result and a draft, and whoever asks it."""

    server: Server
    places: dict[str, str]
    holders: dict[str, Holder]

    def asks(self, name: str) -> Iterator[Ask]:
        """The longest request of a holder to each route."""
        holder = self.holders[name]
        for method, route in all_routes():
            if not UNDOING.search(route):
                yield self.longest(holder, method, route)

    def longest(self, holder: Holder, method: str, route: str) -> Ask:
        """A request whose parts are all as long as they may be."""
        path = re.sub(r"\{(\w+)(:path)?\}", lambda place: self.places[place[1]], route)
        query = urllib.parse.urlencode({"question": "way", "next": "/", "rest": "x"})
        headers = {
            "Accept": "text/html", "Accept-Language": "a," * (LINE // 2), "Sec-Fetch-Site": "same-origin",
            "Cookie": f"{holder.cookie}; x={'x' * (LINE - len(holder.cookie))}",
        }  # fmt: skip
        if route.startswith("/v1/") and holder.token:
            headers["Authorization"] = f"Bearer {holder.token}"
        body = b""
        if method == "PUT":
            body = b"[" + b"{}," * (1 << 19) + b"{}]"
        elif route.endswith("from-file"):
            headers["Content-Type"] = "multipart/form-data; boundary=X"
            body = PARTS + b"--X--\r\n"
        elif method == "POST":
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = f"csrf={urllib.parse.quote(holder.csrf)}&title=long&wording-0=".encode()
            body += b"%22" * ((MOST_FORM - len(body)) // 3)
        return Ask(method, f"{path}?{query}&{'a=&' * ((LINE - len(path) - len(query)) // 3)}", body, headers)

    def lag(self, meanwhile: Callable[[], None]) -> float:
        """By how many seconds the loop was late at most, as finely as that is counted."""
        before = self.lags()
        meanwhile()
        late = {bound: count - before[bound] for bound, count in self.lags().items()}
        return min(bound for bound, count in late.items() if count == late[math.inf])

    def lags(self) -> dict[float, float]:
        """At how many looks the loop was late by no more than so many seconds."""
        text = self.server.ask("GET", "/metrics", token=self.server.operator).body.decode()
        found = re.findall(r'^deniable_loop_lag_seconds_bucket\{le="([^"]+)"\} (\S+)$', text, re.MULTILINE)
        return {float(bound): float(count) for bound, count in found}


@pytest.fixture(scope="module")
def longest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Longest]:
    """A server with something at the end of each address."""
    server = started(tmp_path_factory.mktemp("long") / "data", "--rate", "0", program="tests.collector.abuse.patient")
    asked = a_question("long")
    collected(server, asked, upload(asked, {"way": column(CARS, 500)}))
    survey = put(server, server.operator, a_survey("open"))
    tokens = {scope: server.token(scope, scope, "long", "open") for scope in ("reader", "author")}
    tokens["operator"] = server.operator
    readers = {name: Reader(server.url).enter(token) for name, token in tokens.items()}
    author, operator = readers["author"], readers["operator"]
    path = begun(author)
    labels = [f"answer {place}" for place in range(MANY)]
    fields = {**hidden(author.get(f"{path}/questions")), **ASKED, "answer-0": labels, "do": "next"}
    assert author.post(f"{path}/questions", fields).status == 303
    sharing = {"csrf": operator.get("/s/long/share").csrf, "days": "7", "password": ""}
    [link] = re.findall(r"/shared/([\w-]+)<", operator.post("/s/long/share", sharing).html)
    guest = Reader(server.url)
    guest.get(f"/shared/{link}?go")
    places = {
        "digest": survey.digest, "name": "long", "id": path.rsplit("/", 1)[1], "link": link, "secret": "x" * 40,
        "period": "once", "page": "x" * 3000, "rest": "x/" * 1000, "place": "0", "digits": "123456",
        "host": "html",
    }  # fmt: skip
    forms = {"author": author.get("/new/from-file").csrf, "operator": operator.get("/new/from-file").csrf}
    holders = {name: Holder(cookies(each), tokens[name], forms.get(name, "")) for name, each in readers.items()}
    yield Longest(server, places, {"nobody": Holder("", "", ""), "guest": Holder(cookies(guest), "", ""), **holders})
    assert stopped(server) == 0


def cookies(reader: Reader) -> str:
    """What a browser sends along."""
    return "; ".join(f"{each.name}={each.value}" for each in reader.jar)


@pytest.mark.parametrize("name", HOLDERS)
def test_what_hears_uploads_is_not_held_up_by_the_longest_requests(longest: Longest, name: str) -> None:
    statuses = set[int]()

    def asked() -> None:
        statuses.update(send(longest.server, ask) for ask in longest.asks(name))

    check_quick(lambda: longest.lag(asked), MOST_LAG, lambda: longest.lag(lambda: time.sleep(1)))
    assert not statuses & {500, 503}
    assert 200 in statuses
    assert 400 <= max(statuses) < 500
