"""Surveys are closed, and collectors told to stop, while devices send: what was acknowledged is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.collector.faults.load import Load, check_result
from tests.collector.faults.serving import Serving
from tests.collector.worlds import a_survey
from tests.waiting import until

from deniable.intake.refusals import CLOSED

SURVEY = a_survey(minimum=1, grace=0)
ENOUGH = 20
"""Answers that each collector acknowledged before its end."""


@pytest.fixture(params=["sqlite", "postgres"])
def loads(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[Load]]:
    """Devices of one collector on a file, or of two on one database."""
    options = ["--database", request.getfixturevalue("database")] if request.param == "postgres" else []
    servings = [Serving(tmp_path / name, options) for name in (("one", "two") if options else ("one",))]
    for serving in servings:
        serving.folder.mkdir()
        serving.start()
    servings[0].ask("PUT", "/v1/surveys", SURVEY.document)
    yield [Load(serving, SURVEY) for serving in servings]
    for serving in servings:
        if serving.process is not None and serving.process.poll() is None:
            assert serving.stop() == 0


def during(loads: list[Load], do: Callable[[], None]) -> None:
    """Send to all collectors while something is done."""
    if loads:
        loads[0].during(lambda: during(loads[1:], do))
    else:
        do()


def together(loads: list[Load]) -> Load:
    """What was sent to all of them, as if to the first."""
    for load in loads[1:]:
        loads[0].sent |= load.sent
        loads[0].told |= load.told
    return loads[0]


def test_what_was_acknowledged_beside_a_closing_is_the_result(loads: list[Load]) -> None:
    def close() -> None:
        until(lambda: all(len(load.told) > ENOUGH for load in loads))
        loads[0].serving.ask("POST", f"/v1/surveys/{SURVEY.digest}/close")
        until(lambda: all(load.odd for load in loads))

    during(loads, close)
    for load in loads:
        assert set(load.odd) == {CLOSED.status}
    whole = together(loads)
    assert check_result(whole, whole.told) < len(whole.sent)


def test_a_collector_that_is_told_to_stop_ends_well_and_has_all_it_acknowledged(loads: list[Load]) -> None:
    stopped, ended = loads[-1].serving, []

    def stop() -> None:
        until(lambda: all(len(load.told) > ENOUGH for load in loads))
        ended.append(stopped.stop())

    during(loads, stop)
    assert ended == [0]
    stopped.start()
    for load in loads:
        load.again()
        assert (load.waiting(), load.odd) == ([], [])
    whole = together(loads)
    check_result(whole, whole.sent)
