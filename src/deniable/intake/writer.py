"""The one thread that has the storage: uploads are taken many at a time, and everything else is done in between."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

from deniable.intake.events import warn
from deniable.intake.refusals import busy
from deniable.intake.storage.store import BrokenError, Store, UncertainError
from deniable.intake.storage.transaction import Transaction
from deniable.intake.taking import Offer, Outcome
from deniable.protocol.errors import StoreError

MOST_UPLOADS, MOST_BYTES = 1000, 1 << 24
"""The most uploads, and bytes of them, in one transaction."""
ROOM = 1 << 26
"""The most bytes that wait; whoever comes then is sent away at once."""
BESIDE = 0.005
"""For so many seconds something else is begun before uploads are taken again."""
EXIT_BROKEN = 74

Slot = TypeVar("Slot")
Result = TypeVar("Result")
Taking = Callable[[Store, Sequence[Offer]], list[Outcome]]
Deliver = Callable[[list[tuple[Offer, Slot, Outcome]]], None]
"""Told what became of uploads; called once for all of a transaction, by the writer's thread."""


class Writer(Generic[Slot]):
    """Owns the storage. Each upload comes with a slot, in which its outcome is delivered."""

    def __init__(self, store: Callable[[], Store], taking: Taking, deliver: Deliver[Slot], room: int = ROOM) -> None:
        self._open, self._taking, self._deliver, self._room = store, taking, deliver, room
        self._offers: deque[tuple[Offer, int, Slot]] = deque()
        self._tasks: deque[tuple[Callable[[Store], Any], Future[Any]]] = deque()
        self._waiting = 0
        self._stopping = False
        self._changed = threading.Condition()
        self._opened: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)

    @property
    def waiting(self) -> int:
        """The bytes of uploads that wait."""
        return self._waiting

    @property
    def is_stopping(self) -> bool:
        """Whether nothing more is taken."""
        return self._stopping

    def start(self) -> None:
        """Open the storage and begin; whatever keeps it from being opened is raised here."""
        self._thread.start()
        self._opened.result()

    def offer(self, offer: Offer, size: int, slot: Slot) -> bool:
        """Hand in an upload of so many bytes; False if there is no room, and nothing is taken."""
        with self._changed:
            if self._waiting + size > self._room or self._stopping:
                return False
            self._waiting += size
            self._offers.append((offer, size, slot))
            self._changed.notify()
        return True

    def run(self, task: Callable[[Transaction], Result]) -> Future[Result]:
        """Do something within a transaction of its own."""
        return self.use(lambda store: within(store, task))

    def use(self, task: Callable[[Store], Result]) -> Future[Result]:
        """Do something with the storage."""
        if threading.current_thread() is self._thread:
            raise RuntimeError("a task of the writer must not wait for another one")
        future: Future[Result] = Future()
        with self._changed:
            if self._stopping:
                future.set_exception(_stopped())
            else:
                self._tasks.append((task, future))
                self._changed.notify()
        return future

    def breathe(self, store: Store, done: Future[None]) -> None:
        """Called within a long task: serve uploads and other tasks until ``done``, which another thread works on."""
        done.add_done_callback(self._notice)
        while not self._stopping:
            self._take(store)
            self._do(store)
            if done.done():
                return
            with self._changed:
                self._changed.wait_for(lambda: done.done() or self._offers or self._tasks or self._stopping)
        raise _stopped()

    def stop(self) -> None:
        """Finish what has been handed in, and let go of the storage."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        self._thread.join()

    def _notice(self, _: Future[None]) -> None:
        """Wake the writer's thread, since something is done that it may wait for."""
        with self._changed:
            self._changed.notify()

    def _run(self) -> None:
        try:
            store = self._open()
        except BaseException as error:
            self._opened.set_exception(error)
            return
        self._opened.set_result(None)
        try:
            while self._wait():
                self._take(store)
                self._do(store)
        except BaseException as error:
            _end(error)
        store.close()

    def _wait(self) -> bool:
        """Wait for something to do; False once all is done and the writer is to stop."""
        with self._changed:
            while not (self._offers or self._tasks or self._stopping):
                self._changed.wait()
            return bool(self._offers or self._tasks)

    def _take(self, store: Store) -> None:
        """Take what waits, as much as one transaction may hold."""
        group: list[tuple[Offer, Slot]] = []
        with self._changed:
            size = 0
            while self._offers and len(group) < MOST_UPLOADS and (not group or size + self._offers[0][1] <= MOST_BYTES):
                offer, length, slot = self._offers.popleft()
                size += length
                group.append((offer, slot))
            self._waiting -= size
        if group:
            outcomes = self._outcomes(store, [offer for offer, _ in group])
            self._deliver([(*each, outcome) for each, outcome in zip(group, outcomes, strict=True)])

    def _outcomes(self, store: Store, offers: Sequence[Offer]) -> Sequence[Outcome]:
        try:
            return self._taking(store, offers)
        except BrokenError:
            raise
        except UncertainError:
            return [busy()] * len(offers)
        except Exception as error:  # a fault of our own keeps the answers where they are, and the collector alive
            warn("uploads could not be taken", error, uploads=len(offers))
            return [busy(60)] * len(offers)

    def _do(self, store: Store) -> None:
        """Do something beside uploads, but begin nothing more after a moment, so that these never wait for long."""
        ends = time.monotonic() + BESIDE
        while self._do_one(store) and time.monotonic() < ends:
            pass

    def _do_one(self, store: Store) -> bool:
        """Do what waits first; whether there was anything."""
        with self._changed:
            if not self._tasks:
                return False
            task, future = self._tasks.popleft()
        if not future.set_running_or_notify_cancel():  # nobody waits for it any longer
            return True
        try:
            future.set_result(task(store))
        except BrokenError:
            raise
        except BaseException as error:
            future.set_exception(error)
        return True


def _stopped() -> StoreError:
    """Nothing more is begun."""
    return StoreError("the collector must be running, got one that stops")


def within(store: Store, task: Callable[[Transaction], Result]) -> Result:
    """What a task gives in a transaction of its own."""
    with store.transaction() as t:
        return task(t)


def _end(error: BaseException) -> None:
    """End the process at once: nobody is told that anything was kept, and a restart reads what the disk has."""
    warn("the collector ends", error)
    os._exit(EXIT_BROKEN)
