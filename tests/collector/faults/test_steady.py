"""A steady load for as long as `make soak` gives it: memory and disk stay within bounds, and every answer is kept.

Under `make soak` it lasts an hour, or as many minutes as STEADY_MINUTES says.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from tests.collector.faults.figures import balance, keep
from tests.collector.faults.load import Load, check_result
from tests.collector.faults.serving import Serving
from tests.collector.worlds import a_survey
from tests.lengths import by_length

SURVEY = a_survey(minimum=1, grace=0)
SECONDS = by_length(3.0, 60 * float(os.environ.get("STEADY_MINUTES", "60")))
PAUSE, LOOKS = 0.02, 12
MIB = 1 << 20
CACHE, LOG, AN_ANSWER = 64 * MIB, 16 * MIB, 64
"""The most bytes of the storage's cache, of its log and whatever else does not grow, and of an answer in the file."""


@pytest.mark.soak
def test_under_a_steady_load_memory_and_disk_stay_bounded(serving: Serving) -> None:
    serving.start()
    serving.ask("PUT", "/v1/surveys", SURVEY.document)
    load, rows = Load(serving, SURVEY, PAUSE), []

    def watch() -> None:
        begun = time.monotonic()
        for place in range(1, LOOKS + 1):
            time.sleep(max(0.0, begun + SECONDS * place / LOOKS - time.monotonic()))
            rows.append(look(load, time.monotonic() - begun))

    load.during(watch)
    check_bounds(rows)
    assert (load.waiting(), load.odd, load.busy) == ([], [], 0)
    counted = check_result(load, load.sent)
    assert counted > by_length(2, 20) * SECONDS
    keep("steady", seconds=SECONDS, **balance(load.sent, load.told, counted), rows=rows)


def look(load: Load, seconds: float) -> dict[str, float]:
    """What has been taken so far, and the bytes of memory and of files that the collector has for it."""
    status = Path(f"/proc/{load.serving.pid}/status").read_text(encoding="ascii")
    memory = int(status.split("VmRSS:")[1].split()[0]) << 10
    disk = sum(path.stat().st_size for path in load.serving.data.iterdir())
    return {"seconds": round(seconds), "answers": len(load.told), "memory": memory, "disk": disk}


def check_bounds(rows: list[dict[str, float]]) -> None:
    """The file grows with its answers, memory with the file up to the cache's limit, and nothing else grows."""
    for row in rows:
        assert row["disk"] < LOG + AN_ANSWER * row["answers"], row
        assert row["memory"] - rows[0]["memory"] < LOG + min(CACHE, row["disk"]), row


def test_what_grows_too_much_is_noticed() -> None:
    first = {"answers": 1000.0, "memory": 100.0 * MIB, "disk": 1.0 * MIB}
    check_bounds([first, {"answers": 1e6, "memory": 150.0 * MIB, "disk": 40.0 * MIB}])
    for leak in ({"memory": 170.0 * MIB}, {"disk": 90.0 * MIB}):
        with pytest.raises(AssertionError):
            check_bounds([first, {"answers": 1e6, "memory": 150.0 * MIB, "disk": 40.0 * MIB} | leak])
