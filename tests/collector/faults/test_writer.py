"""The writer's thread: who gives up stops nobody, a full queue is told at once, and no failure goes unnoticed."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.collector.worlds import Clock, a_survey, body_of, kinds
from tests.waiting import PATIENCE

from deniable.collector.answer_form import AnswerForm
from deniable.intake.storage.sqlite import SqliteStore
from deniable.intake.storage.store import Store
from deniable.intake.taking import Offer, Outcome, Receipt
from deniable.intake.writer import EXIT_BROKEN, Writer

SURVEY = a_survey()


class Disk:
    """A disk that stands still until it is let go."""

    def __init__(self) -> None:
        self.busy, self.go = threading.Event(), threading.Event()

    def take(self, store: Store, offers: Sequence[Offer]) -> list[Outcome]:
        """Take uploads, slowly."""
        self.busy.set()
        assert self.go.wait(PATIENCE)
        return [Receipt(offer.upload.n) for offer in offers]


@pytest.fixture
def disk() -> Disk:
    """A disk."""
    return Disk()


@pytest.fixture
def told() -> list[tuple[Offer, int, Outcome]]:
    """What became of uploads."""
    return []


@pytest.fixture
def writer(tmp_path: Path, disk: Disk, told: list[tuple[Offer, int, Outcome]]) -> Iterator[Writer[int]]:
    """A writer with room for 1,000 bytes."""
    found: Writer[int] = Writer(lambda: SqliteStore(tmp_path, Clock()), disk.take, told.extend, room=1000)
    found.start()
    yield found
    disk.go.set()
    found.stop()


def an_offer() -> Offer:
    """Any upload."""
    return Offer(SURVEY.digest, "once", AnswerForm.of(SURVEY).read(body_of([1])))


def test_who_gives_up_waiting_stops_nobody_else(writer: Writer[int], disk: Disk) -> None:
    assert writer.offer(an_offer(), 100, 0)
    assert disk.busy.wait(PATIENCE)
    given_up, done = writer.run(lambda t: t.surveys()), writer.run(lambda t: len(t.surveys()))
    assert given_up.cancel()
    disk.go.set()
    assert done.result(PATIENCE) == 0


def test_behind_a_slow_disk_a_full_queue_says_so_at_once_and_has_room_again(
    writer: Writer[int], disk: Disk, told: list[tuple[Offer, int, Outcome]]
) -> None:
    upload = an_offer()
    assert writer.offer(upload, 400, 0)
    assert disk.busy.wait(PATIENCE)
    assert [writer.offer(upload, 400, slot) for slot in (1, 2, 3, 4)] == [True, True, False, False]
    assert writer.waiting == 800
    disk.go.set()
    writer.run(lambda t: None).result(PATIENCE)
    writer.run(lambda t: None).result(PATIENCE)
    assert [slot for _, slot, _ in told] == [0, 1, 2]
    assert kinds([outcome for _, _, outcome in told]) == [1, 1, 1]
    assert writer.offer(upload, 1000, 5)


FAULTY = """
import sys
from deniable.intake.storage.sqlite import SqliteStore
from deniable.intake.taking import Receipt
from deniable.collector.answer_form import AnswerForm
from deniable.intake.writer import Writer
from tests.collector.faults.test_writer import an_offer
from pathlib import Path

def deliver(outcomes):
    raise RuntimeError("nobody to tell")

folder = Path(sys.argv[1])
writer = Writer(lambda: SqliteStore(folder), lambda store, offers: [Receipt(1)] * len(offers), deliver)
writer.start()
writer.offer(an_offer(), 100, 0)
writer.run(lambda t: None).result(30)
"""


def test_a_writer_that_fails_ends_the_process_instead_of_leaving_all_waiting(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FAULTY, str(tmp_path)], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == EXIT_BROKEN
    assert done.stderr == "the collector ends: RuntimeError\n"
