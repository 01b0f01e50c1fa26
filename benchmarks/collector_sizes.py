"""What a million answers take on the disk: ``python -m benchmarks.collector_sizes [--json FILE]``.

Uploads of one answer each go through a collector's own thread in this process. Written bytes are those that the system
counts for the process, the log's included. What the ids take is what SQLite says of the pages of their table.
"""

from __future__ import annotations

import argparse
import secrets
import struct
import tempfile
import threading
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import deniable as dn
from benchmarks import kept, machine
from benchmarks.collector import a_survey
from benchmarks.pages import markdown_table
from deniable.collector.collector import Collector
from deniable.collector.crowds import CrowdDesk
from deniable.collector.desk import Desk
from deniable.collector.keys import KEYS, KeyFolder
from deniable.collector.upkeep import Keeper
from deniable.intake.storage.sqlite import FILE, SqliteStore, connect
from deniable.intake.taking import Outcome, Receipt

MILLION = 1_000_000
WAITING = 200
"""Uploads under way at once, as of so many connections."""
HEADINGS = (
    "moment", "bytes an answer in the file and its log", "of them the ids'", "bytes an answer written since the start",
)  # fmt: skip
IDS = "SELECT COALESCE(SUM(pgsize), 0) FROM dbstat WHERE name LIKE 'seen_%'"


def written_bytes() -> int:
    """The bytes that this process has written to files."""
    found = dict(line.split(": ") for line in Path("/proc/self/io").read_text(encoding="ascii").splitlines())
    return int(found["wchar"])


class Crowd:
    """So many uploads under way at once."""

    def __init__(self) -> None:
        self._room = threading.Semaphore(WAITING)
        self.taken = 0

    def settle(self, outcomes: list[tuple[None, Outcome]]) -> None:
        """Make room for as many as were taken."""
        self.taken += sum(isinstance(outcome, Receipt) for _, outcome in outcomes)
        self._room.release(len(outcomes))

    def send(self, collector: Collector[None], survey: dn.Survey, n: int) -> None:
        """Hand in uploads of one answer each."""
        row = collector.survey(survey.digest)
        for _ in range(n):
            self._room.acquire()
            body = secrets.token_bytes(16) + struct.pack("<HIB", 0, 1, secrets.randbelow(4))
            if collector.offer(row, "once", body, None, None) is not None:
                raise AssertionError("an upload was refused")
        for _ in range(WAITING):
            self._room.acquire()
        self._room.release(WAITING)


def run(n: int) -> dict[str, Any]:
    """The sizes while the period is open, after it is folded, and after it is closed."""
    with tempfile.TemporaryDirectory() as folder:
        clock, crowd, survey = [1.8e9], Crowd(), a_survey(4)
        connection = connect(str(Path(folder) / FILE))
        store = partial(SqliteStore, folder, lambda: clock[0], lambda path: connection)
        collector: Collector[None] = Collector(store, crowd.settle)
        collector.start()
        keeper = Keeper(collector)
        crowds = CrowdDesk(collector, KeyFolder(Path(folder) / KEYS))
        desk, rows, start = Desk(collector, keeper, crowds), [], written_bytes()
        desk.put(survey, "bench")

        def look(moment: str) -> None:
            written = written_bytes() - start
            size = (Path(folder) / FILE).stat().st_size + (Path(folder) / f"{FILE}-wal").stat().st_size
            [(ids,)] = collector.writer.use(lambda _: connection.execute(IDS).fetchall()).result()
            rows.append({"moment": moment, "size": size / n, "ids": ids / n, "written": written / n})

        for _ in range(20):
            crowd.send(collector, survey, n // 20)
            keeper.keep()
        look("all taken, most folded")
        clock[0] += 61
        keeper.keep()
        desk.end(collector.survey(survey.digest), "bench")
        clock[0] += 80_000
        for _ in range(3):
            clock[0] += 50_000
            keeper.keep()
        look("closed, its ids deleted")
        collector.stop()
    if crowd.taken != n:
        raise AssertionError(f"{n} were sent, {crowd.taken} taken")
    return {"machine": machine.brief(), "answers": n, "rows": rows}


def said(found: Mapping[str, Any]) -> str:
    """The table of the documentation."""
    rows = [[r["moment"], f"{r['size']:.1f}", f"{r['ids']:.1f}", f"{r['written']:.0f}"] for r in found["rows"]]
    return markdown_table(HEADINGS, rows)


def main(words: Sequence[str] | None = None) -> None:
    """Measure, show, keep."""
    parser = argparse.ArgumentParser(prog="benchmarks.collector_sizes", description="bytes on the disk")
    parser.add_argument("--json", type=Path, help="keep the figures here")
    args = parser.parse_args(words)
    found = run(MILLION)
    print(said(found))
    if args.json:
        kept.write(args.json, found)


if __name__ == "__main__":
    main()
