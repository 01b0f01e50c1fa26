"""A product engineer wants to know which of 40 features people use, and has an hour."""

from __future__ import annotations

import json
import time

import pytest
from tests.first_hours.conftest import Hour

FEATURES = [f"feature {number:02}" for number in range(1, 41)]
PLAN = f"""
name = "features"
title = "Which features are used"
epsilon = 2.0
people = 3000
grace = 0

[[question]]
kind = "any_of"
name = "used"
wording = "Which features did you use this week?"
labels = {json.dumps(FEATURES)}
"""
DEVICES = """
import json, pathlib, random
import deniable_client

url = json.loads(pathlib.Path("ready.json").read_text())["url"]
survey = pathlib.Path("features.json").read_text()
features = [f"feature {number:02}" for number in range(1, 41)]
for number in range(80):
    client = deniable_client.open(url, survey, store=deniable_client.MemoryStore())
    client.consent().grant(client.survey.sentences)
    client.answer({"used": [name for name in features[:10] if random.random() < 0.7]})
    client.flush()
    assert [receipt.state for receipt in client.receipts()] == ["sent"], client.receipts()
print("80 devices answered")
"""


@pytest.mark.minutes(3)
def test_from_a_plan_to_a_result_over_http(hour: Hour) -> None:
    hour.write("features.toml", PLAN)
    planned = hour.deniable("survey new features.toml --out features.json")
    assert "points" in planned
    assert "Your own device mixes your answers with chance" in hour.deniable("explain features.json")
    server = hour.start("serve --data collected --port 0 --ready-file ready.json")
    try:
        wait_for(hour, "ready.json")
        hour.deniable("collector put features.json --data collected")
        assert "80 devices answered" in hour.python(DEVICES)
        hour.deniable("collector close features --data collected")
        while '"state": "released"' not in (status := hour.deniable("collector status --data collected --json")):
            time.sleep(0.5)
        assert "80" in status
        assert "same" in hour.deniable("collector recount features --data collected")
        hour.deniable("collector export features --data collected --out answers")
    finally:
        server.terminate()
        server.wait()
    hour.deniable("tally answers --out features.tally")
    found = json.loads(hour.deniable("survey estimate features.tally --json"))
    assert found["questions"]["used"]["n"] == 80


def wait_for(hour: Hour, name: str) -> None:
    """Wait until a file is there."""
    until = time.monotonic() + 60
    while not (hour.folder / name).exists():
        assert time.monotonic() < until
        time.sleep(0.05)
