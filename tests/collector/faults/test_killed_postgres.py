"""PostgreSQL is killed under the load of two collectors: they wait for it, and what they acknowledged is there."""

from __future__ import annotations

import random
import time
from functools import partial
from pathlib import Path

import pytest
from tests.collector.faults.cluster import Cluster
from tests.collector.faults.figures import balance, keep
from tests.collector.faults.load import Load, check_result, wait_for_more
from tests.collector.faults.serving import Serving
from tests.collector.worlds import a_survey
from tests.lengths import by_length
from tests.waiting import until

SURVEY = a_survey(minimum=1, grace=0)
KILLS = by_length(2, 20)


@pytest.mark.soak
def test_collectors_outlive_a_postgres_that_is_killed_under_load(cluster: Cluster, tmp_path: Path) -> None:
    servings = [Serving(tmp_path / name, ["--database", cluster.address]) for name in ("one", "two")]
    for serving in servings:
        serving.folder.mkdir()
        serving.start()
    servings[0].ask("PUT", "/v1/surveys", SURVEY.document)
    loads, draw = [Load(serving, SURVEY) for serving in servings], random.Random(5)
    for _ in range(KILLS):
        loads[0].during(lambda: loads[1].during(lambda: killed(cluster, loads, draw.uniform(0, 0.3))))
    for load in loads:
        until(partial(all_are_told, load), patience=300)  # to send thousands again takes a busy machine half a minute
    sent, told = loads[0].sent | loads[1].sent, loads[0].told | loads[1].told
    for load in loads:  # each collector knows what the other has taken
        load.sent, load.told = sent, dict(told)
        load.again()
    assert [load.odd for load in loads] == [[], []]
    assert servings[0].stop() == 0
    counted = check_result(loads[1], sent)
    keep("killed_postgres", kills=KILLS, **balance(sent, told, counted))


def killed(cluster: Cluster, loads: list[Load], seconds: float) -> None:
    """Let them work for a moment, kill the database, start it again, and let them find it."""
    wait_for_more(lambda: min(len(load.told) for load in loads), 10)
    time.sleep(seconds)
    cluster.kill()
    cluster.start()
    wait_for_more(lambda: min(len(load.told) for load in loads), 1)


def all_are_told(load: Load) -> bool:
    """Whether every upload is acknowledged, once those that were not have been sent again."""
    if load.waiting():
        load.again()
    return not load.waiting()
