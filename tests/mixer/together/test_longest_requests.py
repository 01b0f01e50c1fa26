"""Beside the longest request to every route of a mixer, by anybody and by its operator, uploads are taken at once."""

from __future__ import annotations

import http.client
import re
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from tests.collector.abuse.asks import Ask, send
from tests.collector.abuse.wire import holding_less
from tests.collector.servers import BYTES, Server, stopped
from tests.mixer.routes import all_routes
from tests.mixer.servers import mixing
from tests.mixer.worlds import sealed, upload_of
from tests.pages.mixing.operators import BOUNDARY, an_open_survey, brought, codes_on, entered, parts, pressed
from tests.waiting import PATIENCE, check_quick

import deniable as dn
from deniable.intake.http.bodies import MOST_FORM
from deniable.intake.http.guard import MOST_LINE
from deniable.intake.uploads import MOST_BYTES

MOST_WAIT, MOST_MEMORY = 0.25, 100 << 20
"""Seconds that an upload may wait, and bytes that the mixer may grow by."""
UNDOING = re.compile("/(close|leave|refuse|allow)$")
"""Routes after which there is less to ask for."""
LINE = MOST_LINE - 512


@dataclass
class World:
    """A mixer with a survey that is open and one that waits, its operator's cookie, and an upload that it took."""

    server: Server
    survey: dn.Survey
    upload: tuple[bytes, str]
    cookie: str
    csrf: str

    def longest(self, method: str, route: str, *, signed_in: bool) -> Ask:
        """A request whose parts are all as long as they may be."""
        places = {"digest": self.survey.digest, "secret": "x" * 40, "name": "x" * 40, "period": "once"}
        path = re.sub(r"\{(\w+)\}", lambda place: places[place[1]], route)
        cookie, csrf = (self.cookie, self.csrf) if signed_in else ("x=y", "0" * 64)
        headers = {
            "Accept": "text/html", "Accept-Language": "a," * (LINE // 2), "Sec-Fetch-Site": "same-origin",
            "Cookie": f"{cookie}; x={'x' * (LINE - len(cookie))}",
        }  # fmt: skip
        if route.startswith("/v1/") and signed_in:
            headers["Authorization"] = f"Bearer {self.server.operator}"
        body = b""
        if route == "/waiting":
            headers["Content-Type"] = BOUNDARY
            body = parts(b'{"a": [' + b"{}," * ((MOST_BYTES >> 4) // 3) + b"{}]}", "token", csrf)
        elif method == "PUT":
            body = b"[" + b"{}," * ((MOST_BYTES >> 4) // 3) + b"{}]"
        elif method == "POST":
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = f"csrf={csrf}&people=2000&before=1&x=".encode()
            body += b"%22" * ((MOST_FORM - len(body)) // 3)
        return Ask(method, f"{path}?{'a=&' * ((LINE - len(path)) // 3)}", body, headers)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A mixer, asked by many."""
    server = mixing(tmp_path_factory.mktemp("long") / "data")
    operator = entered(server)
    survey, waits = (an_open_survey("http://127.0.0.1:9", name) for name in ("open", "waits"))
    assert brought(operator, survey).status == 303
    assert pressed(operator, f"/waiting/{survey.digest}/allow").status == 303
    assert brought(operator, waits).status == 303
    [code] = codes_on(pressed(operator, f"/surveys/{survey.digest}/codes", people="1", before="0"))
    body = upload_of(sealed(survey, 1))
    assert server.send(survey, body, Authorization=f"Invitation {code}").status == 200
    cookie = "; ".join(f"{each.name}={each.value}" for each in operator.jar)
    yield World(server, survey, (body, code), cookie, operator.get("/").csrf)
    assert stopped(server) == 0


def longest_wait(world: World, asks: list[Ask], statuses: set[int]) -> float:
    """How long an upload waits at most while requests are made one after the other."""
    asking = threading.Thread(target=lambda: statuses.update(send(world.server, ask) for ask in asks))
    asking.start()
    waits, where = [0.0], urlsplit(world.server.url)
    body, code = world.upload
    path = f"/v1/surveys/{world.survey.digest}/periods/once/answers"
    with closing(http.client.HTTPConnection(str(where.hostname), where.port, timeout=PATIENCE)) as connection:
        while asking.is_alive():
            began = time.monotonic()
            connection.request("POST", path, body, {"Content-Type": BYTES, "Authorization": f"Invitation {code}"})
            reply = connection.getresponse()
            assert (reply.status, reply.read()) == (200, b'{"answers": 1}')
            waits.append(time.monotonic() - began)
            time.sleep(0.005)
    asking.join()
    return max(waits)


@pytest.mark.parametrize("signed_in", [False, True], ids=["anybody", "operator"])
def test_uploads_are_taken_at_once_beside_the_longest_requests(world: World, signed_in: bool) -> None:
    routes = [each for each in all_routes() if not UNDOING.search(each[1])]
    assert {("GET", "/"), ("POST", "/waiting"), ("POST", "/surveys/{digest}/codes"), ("POST", "/clock")} <= {*routes}
    asks, statuses = [world.longest(*each, signed_in=signed_in) for each in routes], set[int]()
    light = [Ask("GET", "/live")] * len(asks)
    with holding_less(world.server, MOST_MEMORY):
        check_quick(
            lambda: longest_wait(world, asks, statuses), MOST_WAIT, lambda: longest_wait(world, light, set[int]())
        )
    assert not statuses & {500, 503}
    assert 200 in statuses
    assert 400 <= max(statuses) < 500
