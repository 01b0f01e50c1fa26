"""PostgreSQL is killed under the load of two collectors: they wait for it, and what they acknowledged is there."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from tests.collector.faults.cluster import Cluster
from tests.collector.faults.figures import balance, keep
from tests.collector.faults.load import Load
from tests.collector.faults.serving import Serving
from tests.collector.faults.warm import Warm
from tests.collector.worlds import Clock, World, a_survey, release_of
from tests.lengths import by_length

from deniable.collector.closing import close, recount
from deniable.collector.storage.postgres import PostgresStore
from deniable.surveys.tally import SurveyTally

SURVEY = a_survey(minimum=1, grace=0)
KILLS = by_length(2, 20)


@pytest.mark.soak
def test_collectors_outlive_a_postgres_that_is_killed_under_load(cluster: Cluster, tmp_path: Path, warm: Warm) -> None:
    servings = [Serving(tmp_path / name, warm, ["--database", cluster.address]) for name in ("one", "two")]
    for serving in servings:
        serving.folder.mkdir()
        serving.start()
    servings[0].ask("PUT", "/v1/surveys", SURVEY.document)
    loads, draw = [Load(serving, SURVEY) for serving in servings], random.Random(5)
    for _ in range(KILLS):
        loads[0].during(lambda: loads[1].during(lambda: killed(cluster, draw.uniform(0.05, 0.5))))
    assert [load.odd for load in loads] == [[], []]
    sent = {own: body for load in loads for own, body in load.sent.items()}
    check_waiting(loads)
    for load in loads:  # each collector knows what the other has taken
        load.sent, load.told = sent, {}
        load.again()
        assert load.waiting() == []
    assert [serving.stop() for serving in servings] == [0, 0]
    counted = check_result(cluster, list(sent.values()))
    keep("killed_postgres", kills=KILLS, **balance(sent, loads[0].told, counted))


def killed(cluster: Cluster, seconds: float) -> None:
    """Let them work for a moment, kill the database, start it again, and let them find it."""
    time.sleep(seconds)
    cluster.kill()
    cluster.start()
    time.sleep(0.5)


def check_waiting(loads: list[Load]) -> None:
    """Every upload is acknowledged in the end."""
    deadline = time.monotonic() + 30
    for load in loads:
        assert len(load.told) > 10 * KILLS
        while load.waiting():
            assert time.monotonic() < deadline
            load.again()


def check_result(cluster: Cluster, bodies: list[bytes]) -> int:
    """Close the survey: its result has every answer once, and counting again finds the same; how many answers."""
    world = World(PostgresStore(cluster.address), Clock())
    row, [batch] = world.row(SURVEY), world.run(lambda t: t.batches(SURVEY.digest))
    close(world.run, world.form(row), row, batch)
    release = release_of(world, batch)
    assert release is not None
    assert SurveyTally.from_bytes(release.tally) == SURVEY.tally([body[22:] for body in bodies])
    again = recount(world.run, world.form(row), batch)
    assert again == (len(bodies), True, True)
    world.store.close()
    return again.n
