"""A collector that is killed under load, again and again, or told to stop: what it acknowledged is there, once."""

from __future__ import annotations

import random
import time

import pytest
from tests.collector.faults.figures import balance, keep
from tests.collector.faults.load import Load, check_result, wait_for_more
from tests.collector.faults.serving import Serving
from tests.collector.worlds import a_survey
from tests.lengths import by_length

SURVEY = a_survey(minimum=1, grace=0)
KILLS = by_length(20, 200)


@pytest.mark.soak
def test_a_collector_that_is_killed_under_load_loses_nothing_and_counts_nothing_twice(serving: Serving) -> None:
    serving.start()
    serving.ask("PUT", "/v1/surveys", SURVEY.document)
    load, draw = Load(serving, SURVEY), random.Random(17)
    for _ in range(KILLS):
        load.during(lambda: killed(load, draw.uniform(0, 0.2)))
        serving.start()
        load.again()
        assert load.waiting() == []
    assert load.odd == []
    keep("killed", kills=KILLS, **balance(load.sent, load.told, check_result(load, load.sent)))


def killed(load: Load, seconds: float) -> None:
    """Let it work for a moment, and kill it."""
    wait_for_more(lambda: len(load.told), 10)
    time.sleep(seconds)
    load.serving.kill()
