"""Parcels of a mixer: one of each period for ever, opened, and stored as answers are that came directly."""

from __future__ import annotations

import os
import threading
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import islice
from typing import IO, Any, Final, NamedTuple

from deniable.collector.answer_form import AnswerForm
from deniable.collector.collector import Collector
from deniable.collector.keys import KeyFolder, LostKeyError
from deniable.collector.opening import OpeningProcess, rows_of, section_of
from deniable.intake.events import tell, warn
from deniable.intake.refusals import CLOSED, DELETED, HOUR, UNKNOWN, Refusal, Refused, busy, full
from deniable.intake.sections import Section, counted, merged, write_sections
from deniable.intake.storage.arrivals import ArrivalRow, Arrivals
from deniable.intake.storage.checksums import chunk_of
from deniable.intake.storage.deleted_surveys import gone_survey
from deniable.intake.storage.rows import CLOSING, WITHHELD, PeriodKey, SurveyRow
from deniable.intake.storage.transaction import Transaction
from deniable.intake.taking import new_keys
from deniable.protocol.surveys.crowd import Crowd
from deniable.protocol.surveys.periods import ONCE
from deniable.protocol.surveys.sealed_answer import INNER_ID, OpenedAnswer, SealedForm

MOST_BYTES: Final = 1 << 27
"""The most bytes of a parcel: a million answers of one byte, and more."""
AT_ONCE: Final = 1 << 18
"""The bytes that a process opens at a time, about."""
CHUNK: Final = 1 << 20
"""The bytes of a chunk, about."""
MOST_PROCESSES: Final = 8
ANOTHER: Final = Refusal("conflict", 409, "the parcel of a period must be the one that came first, got a second one")
KEY_LOST: Final = Refusal(
    "busy", 503, "the key of a survey must be there to open its parcels, got none; its operator can put it back", HOUR
)
NO_PARCEL: Final = Refusal(
    "no-answer", 422, "a parcel must be as many sealed answers as its survey wants, in order, or say how many there "
    "were if they are fewer, got something else",
)  # fmt: skip
NO_CROWD: Final = Refusal("no-answer", 422, "a parcel must be of a survey with a crowd, got one of another survey")


class SentParcel(NamedTuple):
    """A parcel as it was sent: a file with its bytes, how many there are, and their SHA-256.

    So many answers were ``withheld`` by the mixer, as too few; it has given out so many ``codes``.
    """

    body: IO[bytes]
    size: int
    digest: str
    withheld: int
    codes: int


class ParcelDesk:
    """Takes parcels: whether whoever sends one may do so has been checked."""

    def __init__(self, collector: Collector[Any], keys: KeyFolder) -> None:
        self._collector, self._keys = collector, keys
        self._under_way: set[PeriodKey] = set()
        self._changed, self._is_stopping = threading.Lock(), False

    def stop(self) -> None:
        """Open nothing more: whatever is under way is left, and sent again later."""
        self._is_stopping = True

    def survey(self, digest: str) -> SurveyRow:
        """A survey; of one that was deleted what remains, for its parcels stay known."""

        def find(t: Transaction) -> SurveyRow:
            row = t.lock([digest]).get(digest)
            if row is not None:
                return row
            gone = gone_survey(t, digest)
            if gone is None:
                raise Refused(UNKNOWN)
            return SurveyRow(digest, gone.name, b"", gone.owner, gone.day, gone.ended, invited=True)

        return self._collector.run(find)

    def came(self, row: SurveyRow, period: str) -> str:
        """The SHA-256 of the parcel of a period that came; refused if none did, or none can come any more."""
        arrival = self._collector.run(lambda t: Arrivals(t.run).of((row.digest, period)))
        digest = self._keys.came(row.digest).get(period) if arrival is None else arrival.digest
        if digest is None:
            raise Refused(UNKNOWN if row.document else DELETED)
        return digest

    def take(self, row: SurveyRow, period: str, sent: SentParcel) -> ArrivalRow:
        """Open and store the parcel of a period; its arrival, which is the earlier one if the same came before."""
        with self._reserved((row.digest, period)):
            earlier = self._collector.run(lambda t: _earlier_arrival(t, (row.digest, period), sent.digest))
            if earlier is not None:
                return earlier
            if self._keys.came(row.digest).get(period, sent.digest) != sent.digest:  # before a backup was put back
                raise Refused(ANOTHER)
            if not row.document:
                raise Refused(DELETED)
            form, crowd = self._checked(row, period, sent)
            answers: Sequence[OpenedAnswer] = ()
            arrival = ArrivalRow(row.digest, period, sent.digest, sent.withheld, sent.codes, 0, 0, 0)
            if not sent.withheld:
                readable = self._read(row, form, period, sent, str(crowd.key))
                distinct, n_again = self._distinct(row, form, period, readable)
                answers, n_sealed = distinct, sent.size // SealedForm.of(form.survey).sealed
                repeated, unreadable = len(readable) - len(distinct), n_sealed - len(readable)
                arrival = arrival._replace(
                    answers=len(distinct), repeated=repeated, unreadable=unreadable, again=n_again
                )
            bodies, ids = list(_chunks(form, answers)), _inner_ids(form, answers)  # uploads wait for none of this
            self._keys.note(row.digest, period, sent.digest)
            arrival = self._collector.run(lambda t: _store(t, arrival, bodies, ids))
        self._log(row, arrival)
        return arrival

    @contextmanager
    def _reserved(self, key: PeriodKey) -> Iterator[None]:
        """Refuse another parcel of the period until the block ends."""
        with self._changed:
            if key in self._under_way:
                raise Refused(busy(10))
            self._under_way.add(key)
        try:
            yield
        finally:
            with self._changed:
                self._under_way.discard(key)

    def _checked(self, row: SurveyRow, period: str, sent: SentParcel) -> tuple[AnswerForm, Crowd]:
        """The form of a survey's answers, and its crowd; refused if this cannot be a parcel of it."""
        form = self._collector.form(row)
        self._collector.doors(row).span(period)
        crowd = form.survey.crowd
        if crowd is None:
            raise Refused(NO_CROWD)
        n, rest = divmod(sent.size, SealedForm.of(form.survey).sealed)
        if rest or not (0 < sent.withheld < crowd.least if sent.size == 0 else not sent.withheld and n >= crowd.least):
            raise Refused(NO_PARCEL)
        disk = self._collector.disk
        if disk is not None and disk.is_full:
            raise Refused(full(*disk))
        return form, crowd

    def _read(self, row: SurveyRow, form: AnswerForm, period: str, sent: SentParcel, key: str) -> list[OpenedAnswer]:
        """The sealed answers that can be read, by processes that open them."""
        try:
            private = self._keys.load(key)
        except LostKeyError:
            key_row = self._collector.run(lambda t: Arrivals(t.run).key(row.digest))
            raise Refused(CLOSED if key_row is not None and key_row.destroyed else KEY_LOST) from None
        count = min(MOST_PROCESSES, os.cpu_count() or 1, 1 + sent.size // AT_ONCE)
        blocks, readable = _blocks(sent.body, SealedForm.of(form.survey).sealed), list[OpenedAnswer]()
        with ExitStack() as stack:
            processes = [stack.enter_context(OpeningProcess(form.survey, period, private)) for _ in range(count)]
            pool = stack.enter_context(ThreadPoolExecutor(count, "parcel"))
            while chosen := list(islice(blocks, count)):
                if self._is_stopping:
                    raise Refused(busy())
                for read in pool.map(OpeningProcess.read, processes, chosen):
                    readable += read
        return readable

    def _distinct(
        self, row: SurveyRow, form: AnswerForm, period: str, readable: Sequence[OpenedAnswer]
    ) -> tuple[list[OpenedAnswer], int]:
        """One answer of each id, that of the least bytes; and how many more had ids that came in other periods."""
        least: dict[bytes, bytes] = {}
        for own_id, answer in readable:
            least[own_id] = min(least.get(own_id, answer), answer)
        ids_again = set[bytes]() if form.survey.period == ONCE else self._ids_elsewhere(row.digest, period, least)
        return [OpenedAnswer(*each) for each in least.items() if each[0] not in ids_again], len(ids_again)

    def _ids_elsewhere(self, digest: str, period: str, ids: Collection[bytes]) -> set[bytes]:
        """Those of some ids that came in other periods of a survey."""
        shared = set[bytes]()
        for other in self._collector.run(lambda t: Arrivals(t.run).all(digest)):
            if other.period != period:
                theirs = self._collector.run(partial(_ids_of, other))
                shared.update(each for each in rows_of(theirs, INNER_ID) if each in ids)
        return shared

    def _log(self, row: SurveyRow, arrival: ArrivalRow) -> None:
        """Tell of a parcel that was taken, and warn if people sent answers in two periods."""
        about = {"survey": row.name, "period": arrival.period, "parcel": arrival.digest[:12]}
        if arrival.withheld:
            tell("a period was withheld by its mixer", survey=row.name, period=arrival.period)
        else:
            tell("a parcel was taken", **about)
        if arrival.again:
            warn(
                "answers came in two periods",
                f"{arrival.again} have ids of another: who sent them was in both",
                **about,
            )


def _blocks(body: IO[bytes], width: int) -> Iterator[bytes]:
    """Sealed answers, some at a time; refused where they are not in order, which could say who came when."""
    body.seek(0)
    last = b""
    while block := body.read(max(AT_ONCE // width, 1) * width):
        rows = [last, *rows_of(block, width)]
        if rows != sorted(rows):
            raise Refused(NO_PARCEL)
        last = rows[-1]
        yield block


def _earlier_arrival(t: Transaction, key: PeriodKey, digest: str) -> ArrivalRow | None:
    """The parcel of a period, if it came before; refused if another one did."""
    arrival = Arrivals(t.run).of(key)
    if arrival is not None and arrival.digest != digest:
        raise Refused(ANOTHER)
    return arrival


def _ids_of(row: ArrivalRow, t: Transaction) -> bytes:
    return Arrivals(t.run).ids((row.survey, row.period))


def _store(t: Transaction, row: ArrivalRow, bodies: Sequence[tuple[int, bytes]], ids: bytes) -> ArrivalRow:
    """Store what a parcel holds as chunks, and shut its period: all of it, or nothing."""
    if row.survey not in t.lock([row.survey], alone=True):
        raise Refused(DELETED)
    before = _earlier_arrival(t, (row.survey, row.period), row.digest)  # another process may have been faster
    if before is not None:
        return before
    batch, keys = t.batch(row.survey, row.period), new_keys(len(bodies))
    if bodies:
        t.add_chunks([chunk_of(batch.key, key, batch.number, *each) for key, each in zip(keys, bodies, strict=True)])
    t.set_state(batch.number, WITHHELD if row.withheld else CLOSING)
    while t.forget_ids(batch.number, 1):  # nothing was uploaded here
        pass
    Arrivals(t.run).add(row, ids)
    return row


def _inner_ids(form: AnswerForm, answers: Sequence[OpenedAnswer]) -> bytes:
    """The ids within the seals, sorted: by them answers are known that come in other periods, if there are any."""
    return b"" if form.survey.period == ONCE else b"".join(sorted(each.id for each in answers))


def _chunks(form: AnswerForm, answers: Sequence[OpenedAnswer]) -> Iterator[tuple[int, bytes]]:
    """Answers as chunks, which are folded one by one; of each how many it holds."""
    sections = merged([section_of(form, each) for each in answers])
    return ((counted(parts), write_sections(parts)) for parts in _in_chunks(form.widths, sections))


def _in_chunks(widths: Sequence[int], sections: Sequence[Section]) -> Iterator[list[Section]]:
    """Groups of sections, large ones cut into parts, each group with the bytes of about one chunk."""
    pending, size = list[Section](), 0
    for arm, n, rows in sections:
        most = max(CHUNK // widths[arm], 1)
        for start in range(0, n, most):
            part = rows[start * widths[arm] : (start + most) * widths[arm]]
            if pending and (size + len(part) > CHUNK or pending[-1].arm == arm):
                yield pending
                pending, size = [], 0
            pending.append(Section(arm, len(part) // widths[arm], part))
            size += len(part)
    if pending:
        yield pending
