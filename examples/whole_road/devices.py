"""Devices of made-up people, each with the Python client and a store of its own."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import NamedTuple

import deniable_client

OFFLINE, RESTORED = 0.05, 0.03
"""The shares of devices that are offline when they answer, and that somebody copies before they send."""
DAY = 86400.0


class Device(NamedTuple):
    """All that a device has stored, which still has something to send; in a crowd its code too."""

    entries: dict[str, str]
    code: str | None


class Asked(NamedTuple):
    """A survey as devices have it, and where it is answered: in a crowd its document says so."""

    document: str
    url: str | None


def answer(asked: Asked, answers: Sequence[tuple[str, str]], codes: Sequence[str | None], seed: int) -> list[Device]:
    """New devices answer; those that still have something to send."""
    rng, waiting = random.Random(seed), []
    for (way, late), code in zip(answers, codes, strict=True):
        client = deniable_client.open(asked.url, asked.document, code=code)
        client.consent().grant(client.survey.sentences)
        client.answer({"way": way, "late": late})
        if code is None and rng.random() < RESTORED:  # a copy of the whole device, on another one, sends as well
            waiting += send(asked, [stored(client, code)], day=0)
        sent = rng.random() >= OFFLINE and is_sent(client)
        waiting += [] if sent else [stored(client, code)]
    return waiting


def send(asked: Asked, devices: Sequence[Device], day: int) -> list[Device]:
    """Devices send what waits, some days later; those whose answer is still not acknowledged."""
    clients = [(opened(asked, device, day), device.code) for device in devices]
    return [stored(client, code) for client, code in clients if not is_sent(client)]


def opened(asked: Asked, device: Device, day: int) -> deniable_client.Client:
    """A device that was put away, some days later."""
    store = deniable_client.MemoryStore()
    with store.transaction() as entries:
        for key, text in device.entries.items():
            entries.put(key, text)
    return deniable_client.open(
        asked.url, asked.document, code=device.code, store=store, clock=lambda: time.time() + day * DAY
    )


def stored(client: deniable_client.Client, code: str | None) -> Device:
    """All that a device has stored."""
    with client.store.transaction() as entries:
        return Device({key: entries.get(key) or "" for key in entries.keys("")}, code)


def is_sent(client: deniable_client.Client) -> bool:
    """Whether the answer is acknowledged now."""
    return all(receipt.state == "sent" for receipt in client.flush())
