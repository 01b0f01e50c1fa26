"""The driver of the Python client: a command in JSON on each line, and what comes of it; see devices.py."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import deniable_client
from deniable_client import Client, MemoryStore, Receipt, SqliteStore, StoreError
from deniable_client.device.store import Entries, Store

CLIENTS: dict[str, Client] = {}
MEMORY: dict[str, MemoryStore] = {}
OPTIONS = {"totalCap": "total_cap"}


class Full:
    """A store on a disk without room: whatever a step writes is lost, and it ends with an error."""

    def __init__(self, store: Store) -> None:
        self.store = store

    @contextmanager
    def transaction(self) -> Iterator[Entries]:
        """Everything but the end."""
        with self.store.transaction() as entries:
            yield entries
            raise StoreError("the store must have room for what is written, got none")


def store_of(name: str) -> Store:
    """A file if the name is a path, else a store in memory."""
    return SqliteStore(name) if "/" in name else MEMORY.setdefault(name, MemoryStore())


def opened(client: str, store: str, options: dict[str, Any]) -> Any:
    """A new client of a survey."""
    given = {OPTIONS.get(name, name): value for name, value in options.items()}
    made = deniable_client.open(**given, store=store_of(store))
    CLIENTS[client] = made
    return {"digest": made.survey.digest, "sentences": made.survey.sentences, "mode": made.mode}


def told(receipt: Receipt) -> dict[str, Any]:
    """A receipt in JSON."""
    return {**vars(receipt), "bytes": receipt.bytes.hex()}


def all_told(receipts: list[Receipt]) -> list[dict[str, Any]]:
    """Receipts in JSON."""
    return list(map(told, receipts))


def at_once(act: Callable[..., Any], given: list[Any]) -> list[Any]:
    """The results of as many threads."""
    with ThreadPoolExecutor(len(given)) as pool:
        return list(pool.map(act, given))


def texts(store: Store) -> list[tuple[str, str | None]]:
    """All that a store holds."""
    with store.transaction() as entries:
        return [(key, entries.get(key)) for key in entries.keys("")]


def put(store: Store, key: str, text: str) -> None:
    """Alter a store."""
    with store.transaction() as entries:
        entries.put(key, text)


ELSE: dict[str, Callable[..., Any]] = {
    "texts": lambda store: texts(store_of(store)),
    "put": lambda store, key, text: put(store_of(store), key, text),
    "exists": lambda store: Path(store).exists(),
    "wipe": lambda store: Path(store).unlink(),
    "track": lambda _, wish: os.environ.update(DO_NOT_TRACK=wish),
}
"""Commands about a store, or about nothing."""
ASKED: dict[str, Callable[..., Any]] = {
    "at": lambda client, moment: setattr(client, "now", lambda: moment),
    "full": lambda client, is_full: setattr(client, "store", Full(client.store) if is_full else client.store.store),
    "granted": lambda client: client.consent().granted,
    "grant": lambda client, shown: client.consent().grant(shown),
    "withdraw": lambda client: client.consent().withdraw(),
    "answer": lambda client, given: told(client.answer(given)),
    "answers": lambda client, given: all_told(at_once(client.answer, given)),
    "flush": lambda client: all_told(client.flush()),
    "flushes": lambda client, times: list(map(all_told, at_once(lambda _: client.flush(), list(range(times))))),
    "next": lambda client: client.next_person(),
    "receipts": lambda client: all_told(client.receipts()),
    "spent": lambda client: client.spent(),
    "facts": lambda client: client.facts(),
    "outcomes": lambda client, given: [[p.hex(), str(q)] for p, q in client.outcomes(given).payloads.items()],
}
"""Commands to a client."""


def done(client: str, does: str, given: list[Any], store: str) -> Any:
    """What a command comes to."""
    if does == "open":
        return opened(client, store, *given)
    return ELSE[does](store, *given) if does in ELSE else ASKED[does](CLIENTS[client], *given)


def reply_to(command: dict[str, Any]) -> str:
    """What comes of a command, or the error that it ends with, as JSON."""
    try:
        reply = {"value": done(**command)}
    except Exception as error:  # the test wants to know which it was
        reply = {"error": type(error).__name__, "message": str(error)}
    return json.dumps(reply)


def main() -> None:
    """Do one command after another until the input ends."""
    for line in sys.stdin:
        print(reply_to(json.loads(line)), flush=True)


if __name__ == "__main__":
    main()
