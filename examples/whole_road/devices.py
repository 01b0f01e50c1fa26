"""Devices of made-up people, each with the Python client and a store of its own."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import deniable_client

OFFLINE, RESTORED = 0.05, 0.03
"""The shares of devices that are offline when they answer, and that somebody copies before they send."""
DAY = 86400.0
Device = dict[str, str]
"""All that a device has stored; it still has something to send."""


def answer(url: str, document: str, answers: Sequence[tuple[str, str]], seed: int) -> list[Device]:
    """New devices answer; those that still have something to send."""
    rng, waiting = random.Random(seed), []
    for way, late in answers:
        client = deniable_client.open(url, document)
        client.consent().grant(client.survey.sentences)
        client.answer({"way": way, "late": late})
        if rng.random() < RESTORED:  # somebody puts a copy of the whole device on another one, and both send
            waiting += send(url, document, [stored(client)], day=0)
        sent = rng.random() >= OFFLINE and is_sent(client)
        waiting += [] if sent else [stored(client)]
    return waiting


def send(url: str, document: str, devices: Sequence[Device], day: int) -> list[Device]:
    """Devices send what waits, some days later; those whose answer is still not acknowledged."""
    clients = [opened(url, document, device, day) for device in devices]
    return [stored(client) for client in clients if not is_sent(client)]


def opened(url: str, document: str, device: Device, day: int) -> deniable_client.Client:
    """A device that was put away, some days later."""
    store = deniable_client.MemoryStore()
    with store.transaction() as entries:
        for key, text in device.items():
            entries.put(key, text)
    return deniable_client.open(url, document, store=store, clock=lambda: time.time() + day * DAY)


def stored(client: deniable_client.Client) -> Device:
    """All that a device has stored."""
    with client.store.transaction() as entries:
        return {key: entries.get(key) or "" for key in entries.keys("")}


def is_sent(client: deniable_client.Client) -> bool:
    """Whether the collector acknowledges the answer now."""
    return all(receipt.state == "sent" for receipt in client.flush())
