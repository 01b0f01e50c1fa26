"""A mixer and a collector that are killed again and again, as answers come and parcels go: each answer counts once."""

from __future__ import annotations

import random
import time
import urllib.error
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.client import HTTPException
from pathlib import Path

import pytest
from tests.collector.faults.figures import keep
from tests.lengths import by_length
from tests.mixer.parties import PEOPLE, Parties, drawn, two
from tests.mixer.servers import killed
from tests.waiting import until

ROUNDS = by_length(5, 50)
"""In each the mixer is killed twice as it takes and twice as it sends, and the collector twice as it opens."""


@pytest.mark.soak
def test_a_crowd_whose_parties_are_killed_loses_nothing_and_counts_nothing_twice(tmp_path: Path) -> None:
    draw, acknowledged = random.Random(61), 0
    with two(tmp_path) as parties, ThreadPoolExecutor(1) as devices:
        for number in range(ROUNDS):
            parties.ask(f"round-{number}", number)
            given = drawn(parties.survey)
            sending = devices.submit(send_all, parties, given)
            for _ in range(2):
                time.sleep(draw.uniform(0, 0.3))
                kill_mixer(parties)
            acknowledged += sending.result()
            parties.close()
            until(lambda: parties.told()["periods"][0]["state"] != "open", 0.01)
            time.sleep(draw.uniform(0, 0.4))
            kills = [kill_mixer, kill_collector] * 2
            draw.shuffle(kills)
            for kill in kills:
                kill(parties)
                time.sleep(draw.uniform(0, 0.3))
            until(parties.is_taken, 0.05)
            until(lambda: (parties.period() or {}).get("state") == "released", 0.05)
            assert parties.tally() == parties.survey.tally(given).to_bytes()
    assert acknowledged == ROUNDS * PEOPLE
    sent = {"sent": acknowledged, "acknowledged": acknowledged, "counted": acknowledged, "lost": 0, "doubled": 0}
    keep("killed_crowd", kills=6 * ROUNDS, **sent)


def kill_mixer(parties: Parties) -> None:
    """The mixer ends, and begins again."""
    killed(parties.mixer)
    parties.restart_mixer()


def kill_collector(parties: Parties) -> None:
    """The collector ends, and begins again."""
    killed(parties.collector)
    parties.restart_collector()


def send_all(parties: Parties, answers: Sequence[bytes]) -> int:
    """Send what was sealed, each until it is acknowledged; how many were."""
    for upload, code in zip(parties.uploads(answers), parties.codes, strict=True):
        until(partial(is_acknowledged, parties, upload, code), 0.02)
    return len(answers)


def is_acknowledged(parties: Parties, upload: bytes, code: str) -> bool:
    """Whether a mixer that may be gone takes an upload."""
    try:
        return parties.mixer.send(parties.survey, upload, Authorization=f"Invitation {code}").status == 200
    except (urllib.error.URLError, OSError, HTTPException):
        return False
