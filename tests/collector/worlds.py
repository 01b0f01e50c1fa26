"""A small world for the collector's tests: a clock that stands still, surveys, uploads, and both kinds of storage."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import deniable as dn
from deniable.collector.answer_form import AnswerForm
from deniable.collector.collector import Collector
from deniable.collector.crowds import CrowdDesk
from deniable.collector.desk import Desk
from deniable.collector.keys import KEYS, KeyFolder
from deniable.collector.parcels import ParcelDesk
from deniable.collector.upkeep import Keeper
from deniable.intake.clock import Watch
from deniable.intake.refusals import Refusal
from deniable.intake.storage.rows import Batch, FoldedTally, Release, SurveyRow
from deniable.intake.storage.store import Store
from deniable.intake.storage.transaction import Transaction
from deniable.intake.taking import Forms, Offer, Outcome, Receipt, take
from deniable.intake.uploads import Upload

Result = TypeVar("Result")
MONDAY = 1_785_715_200.0
"""2026-08-03, a Monday, at midnight."""
HOUR, DAY, WEEK = 3600.0, 86400.0, 7 * 86400.0


@dataclass
class Clock:
    """A clock that moves when it is told to."""

    moment: float = MONDAY + 10 * 3600
    jumped: float = 0.0
    """How far it has jumped in all."""

    def __call__(self) -> float:
        return self.moment

    def steady(self) -> float:
        """What a clock says that does not jump with it."""
        return self.moment - self.jumped

    def advance(self, seconds: float) -> None:
        """Let time go by."""
        self.moment += seconds

    def jump(self, seconds: float) -> None:
        """Set the clock forward, or back."""
        self.moment += seconds
        self.jumped += seconds


def a_survey(name: str = "commute", **terms: Any) -> dn.Survey:
    """A survey of one question in one arm; every byte from 0 to 3 is an answer."""
    way = dn.OneOf("way", ["car", "bus", "bike", "foot"])
    return dn.Survey(name, [way], [dn.Arm([dn.Part([way], dn.RandomizedResponse(list(way.labels), 1.0))])], **terms)


_ids = itertools.count()


def an_id() -> bytes:
    """An id that was not used before."""
    return next(_ids).to_bytes(16, "big")


def body_of(answers: Sequence[int], own_id: bytes | None = None) -> bytes:
    """The bytes of an upload to ``a_survey``."""
    return (own_id or an_id()) + struct.pack("<HI", 0, len(answers)) + bytes(answers)


@dataclass
class World:
    """A storage without threads: what the collector's functions do with it."""

    store: Store
    clock: Clock
    forms: dict[str, AnswerForm] = field(default_factory=dict)

    def run(self, task: Callable[[Transaction], Result]) -> Result:
        """Do something in a transaction."""
        with self.store.transaction() as t:
            return task(t)

    def form(self, row: SurveyRow) -> AnswerForm:
        """The form of a survey's answers."""
        if row.digest not in self.forms:
            self.forms[row.digest] = AnswerForm.of(dn.Survey.from_json(row.document))
        return self.forms[row.digest]

    def put(self, survey: dn.Survey) -> SurveyRow:
        """Serve a survey."""
        row = SurveyRow(survey.digest, survey.name, survey.document, "ann", "2026-08-03", None, False)
        self.run(lambda t: t.add_survey(row))
        return row

    def row(self, survey: dn.Survey) -> SurveyRow:
        """A survey as it is stored."""
        return self.run(lambda t: t.lock([survey.digest]))[survey.digest]

    def upload(self, survey: dn.Survey, body: bytes) -> Upload:
        """An upload that has been read."""
        return AnswerForm.of(survey).read(body)

    def send(self, survey: dn.Survey, *bodies: bytes, period: str = "once", code: bytes | None = None) -> list[Outcome]:
        """Take uploads in one transaction."""
        offers = [Offer(survey.digest, period, self.upload(survey, body), code) for body in bodies]
        return take(self.store, self.forms_of(), offers, sure)

    def forms_of(self) -> Forms:
        """Gives the form of a survey."""
        return self.form

    def kept(self, survey: dn.Survey, period: str = "once") -> int:
        """How many answers the chunks of a period hold."""
        return self.run(chunked(survey, period))


def chunked(survey: dn.Survey, period: str = "once") -> Callable[[Transaction], int]:
    """Counts the answers that the chunks of a period hold."""
    return lambda t: sum(size.n for size in t.chunk_sizes(t.batch(survey.digest, period).number))


def release_of(world: World, batch: Batch) -> Release | None:
    """The result of a period."""
    return world.run(lambda t: t.release(batch.number))


def sums_of(world: World, batch: Batch) -> FoldedTally | None:
    """What was folded of a period."""
    return world.run(lambda t: t.sums(batch.number))


sure = Watch
"""What is believed of a clock that nobody doubts."""


def kinds(outcomes: Sequence[Outcome]) -> list[str | int]:
    """Outcomes in short: how many answers were taken, or why none were."""
    return [outcome.kind if isinstance(outcome, Refusal) else outcome.answers for outcome in outcomes]


@dataclass
class Service:
    """A whole collector in this process, with its writer's thread."""

    clock: Clock
    open_store: Callable[[], Store]
    told: list[tuple[int, Outcome]] = field(default_factory=list)
    keys: KeyFolder = field(default_factory=lambda: KeyFolder(Path(KEYS)))

    def __post_init__(self) -> None:
        self.collector: Collector[int] = Collector(self.open_store, self.told.extend, self.clock.steady)
        self.keeper = Keeper(self.collector)
        self.crowds = CrowdDesk(self.collector, self.keys)
        self.desk = Desk(self.collector, self.keeper, self.crowds)
        self.parcels = ParcelDesk(self.collector, self.keys)

    def __enter__(self) -> Service:
        self.collector.start()
        self.keeper.look_at_the_clock()
        return self

    def __exit__(self, *_: object) -> None:
        self.collector.stop()

    def send(self, survey: dn.Survey, *bodies: bytes, period: str = "once", code: str | None = None) -> list[str | int]:
        """Hand in uploads and wait for what becomes of them."""
        row, first = self.collector.survey(survey.digest), len(self.told)
        refused = {
            place: refusal
            for place, body in enumerate(bodies)
            if (refusal := self.collector.offer(row, period, body, code, first + place)) is not None
        }
        self.collector.run(lambda t: None)
        while len(self.told) < first + len(bodies) - len(refused):
            self.collector.run(lambda t: None)
        found = {slot - first: outcome for slot, outcome in self.told[first:]} | dict(refused)
        return kinds([found[place] for place in range(len(bodies))])

    def pass_time(self, seconds: float) -> None:
        """Let time go by, half a day at a time as a collector that is not asleep sees it."""
        while seconds > 0:
            step = min(seconds, DAY / 2)
            self.clock.advance(step)
            self.keeper.keep()
            seconds -= step


def taken(answers: int) -> Receipt:
    """An upload that was taken."""
    return Receipt(answers)
