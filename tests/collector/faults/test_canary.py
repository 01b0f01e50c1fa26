"""Who sent an answer is written nowhere: not into storage, its log, what is printed, metrics, or a database's files."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Iterable
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

from tests.collector.faults.cluster import Cluster
from tests.collector.faults.serving import BYTES, Serving, path_of
from tests.collector.worlds import a_survey, an_id, body_of

ADDRESS, OTHER, AGENT = "2001:db8:ca9a:51::77", "2001:db8:ca9a:52::78", "canary-agent-5150"
NETWORKS = [ipaddress.ip_address(address).packed[:8] for address in (ADDRESS, OTHER)]
CANARIES = {
    "X-Forwarded-For": ADDRESS,
    "Forwarded": f'for="[{ADDRESS}]"',
    "X-Real-IP": ADDRESS,
    "User-Agent": AGENT,
    "Referer": f"https://{AGENT}.example/",
    "Cookie": f"who={AGENT}",
}
SURVEY = a_survey(minimum=1)
TRUSTING = ["--trusted-proxy", "127.0.0.1", "--rate", "20"]


def visit(serving: Serving) -> str:
    """Do all that a device may do, and some that it may not, until it does so too often; the metrics after it."""
    serving.ask("PUT", "/v1/surveys", SURVEY.document)
    body, start = body_of([1], an_id()), f"/v1/surveys/{SURVEY.digest}"
    with closing(serving.connection()) as connection:
        for method, path, sent, status in [
            ("POST", path_of(SURVEY), body, 200),
            ("POST", path_of(SURVEY), body, 200),
            ("POST", path_of(SURVEY), body[:-1] + b"\2", 409),
            ("POST", path_of(SURVEY), body_of([9], an_id()), 422),
            ("POST", path_of(SURVEY), b"short", 400),
            ("POST", path_of(SURVEY, "2026-08-03"), body, 404),
            ("GET", start, None, 200),
            ("GET", start + "/door", None, 200),
            ("GET", start + "/periods", None, 401),
            ("GET", f"/{AGENT}", None, 404),
        ]:
            connection.request(method, path, sent, {**BYTES, **CANARIES})
            reply = connection.getresponse()
            reply.read()
            assert reply.status == status, path
        statuses = [status_for(connection, ADDRESS, body) for _ in range(30)]
        assert statuses[-1] == 429  # the address was read, and counted
        assert status_for(connection, OTHER, body) == 200
        connection.request("GET", "/metrics")
        return connection.getresponse().read().decode()


def status_for(connection: HTTPConnection, address: str, body: bytes) -> int:
    """What an address is told of an upload."""
    connection.request("POST", path_of(SURVEY), body, {**BYTES, **CANARIES, "X-Forwarded-For": address})
    reply = connection.getresponse()
    reply.read()
    return reply.status


def check_nowhere(texts: Iterable[bytes]) -> None:
    """No text holds an address or what a device says of itself."""
    for text in texts:
        for canary in (ADDRESS.encode(), OTHER.encode(), AGENT.encode(), *NETWORKS):
            assert canary not in text


def files(folder: Path) -> list[bytes]:
    """All files below a folder."""
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file() and not path.is_socket()]


def test_nothing_of_who_sent_it_is_kept_in_a_folder(tmp_path: Path) -> None:
    serving = Serving(tmp_path, TRUSTING)
    serving.start()
    metrics = visit(serving)
    time.sleep(1.5)  # refusals are written, the clock is looked at
    serving.kill()
    kept = files(tmp_path)
    assert (serving.data / "collector.sqlite-wal").stat().st_size > 0
    assert any(SURVEY.digest.encode() in text for text in kept)
    check_nowhere([*kept, metrics.encode()])


def test_nothing_of_who_sent_it_is_kept_in_postgres(cluster: Cluster, tmp_path: Path) -> None:
    serving = Serving(tmp_path, [*TRUSTING, "--database", cluster.address])
    serving.start()
    metrics = visit(serving)
    time.sleep(1.5)
    assert serving.stop() == 0
    cluster.stop()
    kept = files(cluster.folder)
    assert any(SURVEY.digest.encode() in text for text in kept)
    check_nowhere([*kept, *files(tmp_path), metrics.encode()])
