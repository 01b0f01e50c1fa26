"""Devices that send at once, again and again, until each is told something final; and what they were told."""

from __future__ import annotations

import http.client
import random
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field

from tests.collector.faults.serving import Serving, send
from tests.collector.worlds import an_id, body_of
from tests.waiting import until

import deniable as dn
from deniable.intake.storage.rows import RELEASED
from deniable.surveys.tally import SurveyTally

TAKEN, BUSY = 200, 503
THREADS = 4
LATER = 0.05
"""Seconds until a device that was asked to come again does: else thousands of uploads wait for what is restarted."""


@dataclass
class Load:
    """Uploads of one answer to one survey: what was sent, and what was acknowledged."""

    serving: Serving
    survey: dn.Survey
    pause: float = 0
    """Seconds that each device waits after an upload."""
    sent: dict[bytes, bytes] = field(default_factory=dict)
    told: dict[bytes, int] = field(default_factory=dict)
    odd: list[int] = field(default_factory=list)
    """Replies that no collector in order gives."""
    busy: int = 0
    """How often a device was asked to come again."""
    over: threading.Event = field(default_factory=threading.Event)
    _alone: threading.Lock = field(default_factory=threading.Lock)

    def during(self, do: Callable[[], None]) -> None:
        """Send from several threads while something is done."""
        self.over.clear()
        threads = [threading.Thread(target=self._send, args=(seed,)) for seed in range(THREADS)]
        for thread in threads:
            thread.start()
        try:
            do()
        finally:
            self.over.set()
            for thread in threads:
                thread.join()

    def _send(self, seed: int) -> None:
        """New uploads, some of them twice, over one connection as long as it lasts."""
        draw = random.Random(seed + len(self.sent))
        while not self.over.is_set():
            with suppress(OSError, http.client.HTTPException):
                self._connected(draw)
            time.sleep(0.005)

    def _connected(self, draw: random.Random) -> None:
        connection = self.serving.connection()
        try:
            while not self.over.is_set():
                with self._alone:
                    body = body_of([draw.randrange(4)], an_id())
                    self.sent[body[:16]] = body
                asked = self.busy
                for _ in range(draw.choice([1, 1, 2])):
                    self.hear(body, send(connection, self.survey, body))
                self.over.wait(self.pause if self.busy == asked else max(self.pause, LATER))
        finally:
            connection.close()

    def hear(self, body: bytes, status: int) -> None:
        """Write down what came back."""
        if status == TAKEN:
            self.told[body[:16]] = self.told.get(body[:16], 0) + 1
        elif status == BUSY:
            self.busy += 1
        else:
            self.odd.append(status)

    def again(self) -> None:
        """Send everything once more that was never acknowledged, and some of what was."""
        connection = self.serving.connection()
        acknowledged = [body for own, body in self.sent.items() if own in self.told]
        try:
            for body in [*self.waiting(), *acknowledged[:: max(1, len(acknowledged) // 50)]]:
                self.hear(body, send(connection, self.survey, body))
        finally:
            connection.close()

    def waiting(self) -> list[bytes]:
        """What was never acknowledged."""
        return [body for own, body in self.sent.items() if own not in self.told]


def wait_for_more(number: Callable[[], int], more: int = 20) -> None:
    """Wait until a number has grown by so much."""
    enough = number() + more
    until(lambda: number() >= enough)


def check_result(load: Load, counted: Collection[bytes]) -> int:
    """Close the survey: the result has each of these uploads once, and counting again finds the same; how many."""
    serving, start = load.serving, f"/v1/surveys/{load.survey.digest}"
    serving.ask("POST", start + "/close")
    until(lambda: serving.ask("GET", start + "/periods")[0]["state"] == RELEASED, 0.1)
    tally = SurveyTally.from_bytes(serving.fetch("GET", start + "/periods/once/tally"))
    assert tally == load.survey.tally([load.sent[own][22:] for own in counted])
    recount: dict[str, int] = serving.ask("POST", start + "/periods/once/recount")
    assert recount == {"answers": len(counted), "kept": True, "same": True}
    assert serving.stop() == 0
    return recount["answers"]
