"""Beside the dearest request of every public route uploads are still taken at once, and memory stays within bounds."""

from __future__ import annotations

import http.client
import re
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from urllib.parse import quote, urlsplit

import pytest
from tests.collector.abuse.asks import Ask, all_routes, send
from tests.collector.abuse.wire import holding_less
from tests.collector.servers import BYTES, Server, put, started, stopped
from tests.collector.worlds import a_survey, an_id, body_of
from tests.lengths import by_length
from tests.pages.readers import Reader
from tests.pages.results.worlds import collected, upload
from tests.waiting import PATIENCE, check_quick

import deniable as dn
from deniable.intake.http.bodies import MOST_FORM
from deniable.intake.uploads import MOST_BYTES

MOST_WAIT, MOST_MEMORY = 0.25, 100 << 20
"""Seconds that an upload may wait, and bytes that the collector may grow by."""
FIRST_LOOK = 256 << 20
"""What the first looks may take, at a table of 4,000 pairs and at pixels, whose library stays in memory."""
SECONDS, AT_ONCE = by_length(0.1, 2.0), 4
"""How long so many clients ask in each try; a collector that is held up is so in all tries."""
LABELS = [f"Ort {number} an der {'langen' * (number % 2)} Straße <ß> &" for number in range(2000)]
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
TOKENS = re.compile(
    r"/new|/run|/links|/sign-out|/leave|.*/share(/end)?$|/v1/(tokens|status|backups|clock)"
    r"|.*/(close|invitations|recount|periods|tally|estimate\.(json|csv)|answers\.parquet)$"
)
"""Routes that a token opens, and no shared link: whoever has one is trusted not to ask without end."""


def public_routes() -> list[tuple[str, str]]:
    """Those that are not for tokens alone."""
    return [each for each in all_routes() if each[0] != "PUT" and not TOKENS.match(each[1])]


CHEAPEST = Ask("GET", "/live")


@dataclass
class World:
    """A server with a survey of many answers, and what strangers know of it."""

    server: Server
    crossed: dn.Survey
    asked: dn.Survey
    cookie: str
    link: str
    locked: str
    waits: list[float] = field(default_factory=list)

    def fill(self, path: str) -> str:
        """A path with what its places stand for, and the options that make it dear."""
        known = {"{digest}": self.crossed.digest, "{name}": "dear", "{link}": self.link, "{secret}": "x" * 3000}
        for place, value in {**known, "{period}": "once", "{page}": "x" * 3000}.items():
            path = path.replace(place, value)
        dearest = "question=place&show=all&rows=place&columns=late&page=2&find=o&label=1999&with=dear"
        return f"{path}?{dearest}&link={quote(self.link)}&next={quote('/' * 2000)}"

    def dearest(self, method: str, path: str) -> Ask:
        """The request of a route that costs most, as far as a stranger or the guest of a shared link can tell."""
        headers = {"Cookie": self.cookie, "Accept": "text/html"}
        if method == "POST":
            value = b"password=" if "{link}" in path else b"token="
            where = self.fill(path).replace(self.link, self.locked) if "{link}" in path else path
            return Ask(method, where, (value + b"%41" * MOST_FORM)[:MOST_FORM], {**headers, **FORM})
        return Ask(method, self.fill(path), b"", headers)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A collector with a result of thousands of answers, shared by two links, of which one has a password."""
    server = started(tmp_path_factory.mktemp("dear") / "data", "--rate", "0", program="tests.collector.abuse.patient")
    questions = [dn.OneOf("place", LABELS, wording="Where?"), dn.OneOf("late", ["yes", "no"])]
    crossed = dn.Survey.plan("dear", questions, 4.0, 20_000, cross=[("place", "late")], grace=0)
    answers = {"place": [LABELS[n % 7] for n in range(20_000)], "late": ["yes", "no"] * 10_000}
    collected(server, crossed, upload(crossed, answers))
    operator, links = Reader(server.url).enter(server.operator), list[str]()
    for password in ("", "Löwenzahn"):
        fields = {"csrf": operator.get("/s/dear/share").csrf, "days": "7", "password": password}
        links += re.findall(r"/shared/([\w-]+)<", operator.post("/s/dear/share", fields).html)
    guest = Reader(server.url)
    guest.get(f"/shared/{links[0]}?go")
    cookie = "; ".join(f"{each.name}={each.value}" for each in guest.jar)
    asked = put(server, server.operator, a_survey("asked"))
    found = World(server, crossed, asked, cookie, links[0], links[1])
    with holding_less(server, FIRST_LOOK), ThreadPoolExecutor(AT_ONCE) as clients:
        for path in ("/s/{name}", "/s/{name}/cross", "/embed/{name}", "/s/{name}.png"):
            ask = Ask("GET", found.fill(path), b"", {"Cookie": cookie, "Accept": "text/html"})
            assert set(clients.map(lambda _, ask=ask: send(server, ask), range(AT_ONCE))) <= {200, 303}
    yield found
    assert stopped(server) == 0


def longest_wait(world: World, ask: Ask) -> float:
    """How long an upload waits at most while a request is made again and again by several clients at once."""
    ends, statuses = time.monotonic() + SECONDS, set[int]()

    def repeat() -> None:
        while time.monotonic() < ends:
            statuses.add(send(world.server, ask))

    clients = [threading.Thread(target=repeat) for _ in range(AT_ONCE)]
    for client in clients:
        client.start()
    waits, where = [0.0], urlsplit(world.server.url)
    path = f"/v1/surveys/{world.asked.digest}/periods/once/answers"
    with closing(http.client.HTTPConnection(str(where.hostname), where.port, timeout=PATIENCE)) as connection:
        while time.monotonic() < ends or any(client.is_alive() for client in clients):
            began = time.monotonic()
            connection.request("POST", path, body_of([1]), {"Content-Type": BYTES})
            reply = connection.getresponse()
            assert (reply.status, reply.read()) == (200, b'{"answers": 1}')
            waits.append(time.monotonic() - began)
            time.sleep(0.005)
    for client in clients:
        client.join()
    limited = {429} if "/invitation" in ask.path else set[int]()  # of codes few may be tried, whatever the rate
    assert not statuses & {429, 500, 503} - limited  # which cost nothing, or hide a fault
    return max(waits)


def check(world: World, ask: Ask) -> None:
    """Uploads beside a request do not wait, and at no moment does it take much memory."""
    with holding_less(world.server, MOST_MEMORY):
        check_quick(lambda: longest_wait(world, ask), MOST_WAIT, lambda: longest_wait(world, CHEAPEST))


@pytest.mark.parametrize(("method", "path"), public_routes())
def test_uploads_are_taken_at_once_beside_the_dearest_request(world: World, method: str, path: str) -> None:
    check(world, world.dearest(method, path))


@pytest.mark.parametrize("body", ["no answers at all", "of another survey", "as many as there may be"])
def test_uploads_are_taken_at_once_beside_the_largest_ones(world: World, body: str) -> None:
    bodies = {
        "no answers at all": bytes(range(256)) * (MOST_BYTES // 256),
        "of another survey": an_id() + bytes(MOST_BYTES - 16),
        "as many as there may be": body_of([1] * 100_000),
    }
    path = f"/v1/surveys/{world.asked.digest}/periods/once/answers"
    check(world, Ask("POST", path, bodies[body], {"Content-Type": BYTES}))
