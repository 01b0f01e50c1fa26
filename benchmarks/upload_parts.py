"""Where the time of a durable upload goes: ``python -m benchmarks.upload_parts``.

wrk sends requests that each do one thing more than those before, in turns. Counted is the time of processors that the
server took for one of them, by thread, so that the load generator's own is left out.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.collector import Job, Load, a_survey, ask, collecting, empty_server, load
from benchmarks.pages import markdown_table

SECONDS, TURNS = 3, 3
HEADINGS = ("request", "loop, µs", "writer and others, µs", "requests a second", "of an empty server")


def spent(pid: int) -> tuple[float, float]:
    """Seconds of processor that the first thread of a process has taken, and all others."""
    tick = os.sysconf("SC_CLK_TCK")
    threads = {
        path.name: sum(int(part) for part in (path / "stat").read_text().rpartition(")")[2].split()[11:13]) / tick
        for path in Path(f"/proc/{pid}/task").iterdir()
    }
    first = threads.pop(str(pid))
    return first, sum(threads.values())


def each(pid: int, send: Callable[[], Load]) -> tuple[float, float, float]:
    """Microseconds of the loop and of the rest for one request, and requests a second."""
    before = spent(pid)
    found = send()
    loop, rest = (1e6 * (after - earlier) / found.done for earlier, after in zip(before, spent(pid), strict=True))
    return loop, rest, found.rate


def rows(folder: Path, empty: str, bare: int) -> list[list[str]]:
    """The table."""
    survey = a_survey(4)
    (folder / "job").mkdir()
    with collecting(folder / "job", Job("SQLite", 1, 4, 1), None) as urls:
        ask(folder / "job", "PUT", "/v1/surveys", survey.document)
        path = f"/v1/surveys/{survey.digest}/periods/once/answers"
        ours = int(json.loads((folder / "job" / "ready-0.json").read_text(encoding="utf-8"))["pid"])
        width = str(len(survey.answer({"way": 0})))

        def sending(to: Sequence[str], where: str, answers: int, method: str) -> Callable[[], Load]:
            return lambda: load(to, [where], SECONDS, width, str(answers), "0", method)

        requests = {
            "nothing, at an empty server": (bare, sending([empty], "/", 1, "GET")),
            "the same with the body of an upload": (bare, sending([empty], "/", 1, "POST")),
            "`/live`: limits, routes, headers": (ours, sending(urls, "/live", 1, "GET")),
            "an upload of one answer, durable": (ours, sending(urls, path, 1, "POST")),
            "an upload of 100 answers, durable": (ours, sending(urls, path, 100, "POST")),
        }
        found: dict[str, list[tuple[float, float, float]]] = {name: [] for name in requests}
        for _ in range(TURNS):
            for name, (pid, send) in requests.items():
                found[name].append(each(pid, send))
    middle = {name: [statistics.median(column) for column in zip(*turns, strict=True)] for name, turns in found.items()}
    best = next(iter(middle.values()))[2]
    return [
        [name, f"{loop:.0f}", f"{rest:.0f}", f"{rate:,.0f}", f"{rate / best:.2f}"]
        for name, (loop, rest, rate) in middle.items()
    ]


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder, empty_server(Path(folder)) as (empty, bare):
        print(markdown_table(list(HEADINGS), rows(Path(folder), empty, bare)))


if __name__ == "__main__":
    main()
