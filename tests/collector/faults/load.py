"""Devices that send at once, again and again, until each is told something final; and what they were told."""

from __future__ import annotations

import http.client
import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from tests.collector.faults.serving import Serving, send
from tests.collector.worlds import an_id, body_of

import deniable as dn

TAKEN = 200
THREADS = 4


@dataclass
class Load:
    """Uploads of one answer to one survey: what was sent, and what was acknowledged."""

    serving: Serving
    survey: dn.Survey
    sent: dict[bytes, bytes] = field(default_factory=dict)
    told: dict[bytes, int] = field(default_factory=dict)
    odd: list[int] = field(default_factory=list)
    """Replies that no collector in order gives."""
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
                for _ in range(draw.choice([1, 1, 2])):
                    self.hear(body, send(connection, self.survey, body))
        finally:
            connection.close()

    def hear(self, body: bytes, status: int) -> None:
        """Write down what came back."""
        if status == TAKEN:
            self.told[body[:16]] = self.told.get(body[:16], 0) + 1
        elif status not in (429, 503):
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
