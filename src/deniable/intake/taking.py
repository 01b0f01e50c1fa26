"""Taking uploads: many in one transaction, each at most once, and acknowledged only when all of it is durable."""

from __future__ import annotations

import datetime
import secrets
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from deniable.intake.clock import Watch
from deniable.intake.doors import Doors
from deniable.intake.refusals import (
    CLOSED,
    DELETED,
    HOUR,
    INVITATION,
    ONE_ANSWER,
    OTHER_BYTES,
    SET_ASIDE,
    UNKNOWN,
    Refusal,
    Refused,
    busy,
)
from deniable.intake.sections import counted, merged, write_sections
from deniable.intake.storage.checksums import chunk_of
from deniable.intake.storage.deleted_surveys import gone_survey
from deniable.intake.storage.rows import OPEN, Batch, Chunk, PeriodKey, SurveyRow
from deniable.intake.storage.store import BrokenError, Store, UncertainError
from deniable.intake.storage.transaction import Transaction
from deniable.intake.uploads import Form, Upload
from deniable.protocol.errors import StoreError


class Receipt(NamedTuple):
    """That an upload is durable, with the number of its answers."""

    answers: int


Outcome = Receipt | Refusal


class Offer(NamedTuple):
    """An upload for a period; ``code`` is the hash of the invitation that came with it."""

    survey: str
    period: str
    upload: Upload
    code: bytes | None = None


Offers = Mapping[int, Offer]
"""Offers by their places among all that are taken together."""
Outcomes = Mapping[int, Outcome]
"""What becomes of offers, by their places."""


class Conflict(Exception):
    """Another process was faster in a way that only shows in the end; all of it is done again."""


Forms = Callable[[SurveyRow], Form]
"""Gives the form of a survey, which is read once."""
Watches = Callable[[float], Watch]
"""What is believed of time when the clock says a moment: while it is doubted nothing is refused for good."""


def take(store: Store, forms: Forms, offers: Sequence[Offer], watches: Watches) -> list[Outcome]:
    """What becomes of each upload. If the storage cannot take all together, each is tried alone."""
    while True:
        try:
            return _taken_together(store, forms, offers, watches)
        except Conflict:
            continue
        except (BrokenError, UncertainError):
            raise
        except StoreError:
            if len(offers) == 1:
                return [busy(60)]
            return [outcome for offer in offers for outcome in take(store, forms, [offer], watches)]


@dataclass
class Queue:
    """Uploads for a period whose door is open; ``waiting`` are those without an outcome yet, by their places."""

    survey: SurveyRow
    form: Form
    period: str
    waiting: dict[int, Offer]
    new: list[Upload] = field(default_factory=list)
    """Those whose ids were written down, and whose answers are to be stored."""

    @property
    def key(self) -> PeriodKey:
        """Of which survey, and which period."""
        return self.survey.digest, self.period

    def firsts(self) -> dict[int, Offer]:
        """Those that are the first with their ids: of an id that comes again, one upload after another is taken."""
        places: dict[bytes, int] = {}
        for place, offer in self.waiting.items():
            places.setdefault(offer.upload.id, place)
        return {place: self.waiting[place] for place in places.values()}

    def settle(self, outcomes: Outcomes) -> Outcomes:
        """Take those out that have an outcome now; gives the outcomes back."""
        for place in outcomes:
            del self.waiting[place]
        return outcomes


def _taken_together(store: Store, forms: Forms, offers: Sequence[Offer], watches: Watches) -> list[Outcome]:
    """The outcomes of uploads in one transaction, which asks and writes for all periods together.

    A statement for each period would keep the others waiting.
    """
    outcomes: dict[int, Outcome] = {}
    with store.transaction() as t:
        surveys = t.lock(sorted({offer.survey for offer in offers}))
        now = store.now()
        watch, queues = watches(now), []
        for (digest, period), group in _by_period(offers).items():
            try:
                survey = surveys.get(digest) or _refuse_missing(t, digest)
                queues.append(_queue(forms, survey, period, group, now, watch))
            except Refused as refused:
                outcomes |= dict.fromkeys(group, refused.refusal)
        batches = t.answered([queue.key for queue in queues])
        for queue in queues:
            outcomes |= _refused(t, queue, batches.get(queue.key))
        outcomes |= _stored(t, _by_batch(t, queues, batches))
    return [outcomes[place] for place in range(len(offers))]


def _by_period(offers: Sequence[Offer]) -> dict[PeriodKey, dict[int, Offer]]:
    """The offers for each period, by their places; the periods in one order for all processes."""
    by_period: dict[PeriodKey, dict[int, Offer]] = {}
    for place, offer in enumerate(offers):
        by_period.setdefault((offer.survey, offer.period), {})[place] = offer
    return dict(sorted(by_period.items()))


def _refuse_missing(t: Transaction, digest: str) -> NoReturn:
    """Refuse uploads to a survey that was never here, or was deleted."""
    raise Refused(UNKNOWN if gone_survey(t, digest) is None else DELETED)


def _queue(forms: Forms, survey: SurveyRow, period: str, offers: dict[int, Offer], now: float, watch: Watch) -> Queue:
    """The uploads for one period; refused if its door is shut."""
    form = forms(survey)
    doors = Doors(form.survey, survey.ended)
    refusals = [refusal for moment in watch.moments(now) if (refusal := doors.refusal(period, moment)) is not None]
    if refusals:
        put_off = watch.is_behind or (watch.is_doubted and CLOSED in refusals)
        raise Refused(busy(HOUR) if put_off else refusals[0])
    return Queue(survey, form, period, offers)


def _refused(t: Transaction, queue: Queue, batch: Batch | None) -> Outcomes:
    """The refusals of uploads that cannot be taken whatever was taken before; the others stay in the queue."""
    if batch is not None and batch.state != OPEN:  # whatever the clock says
        return queue.settle(dict.fromkeys(queue.waiting, CLOSED))
    if batch is not None and batch.damaged:
        return queue.settle(dict.fromkeys(queue.waiting, SET_ASIDE))
    bad = queue.form.impossible({place: offer.upload for place, offer in queue.waiting.items()})
    outcomes: dict[int, Outcome] = dict(queue.settle(bad))
    if batch is None and queue.survey.invited:
        outcomes |= queue.settle(_without_invitation(t, queue.survey, queue.waiting))
    return outcomes


def _by_batch(t: Transaction, queues: Iterable[Queue], batches: Mapping[PeriodKey, Batch]) -> dict[int, Queue]:
    """The queues in which uploads still wait, by the numbers of their periods: no refused upload begins a period."""
    by_batch = {}
    for queue in queues:
        if queue.waiting:
            batch = batches.get(queue.key) or t.batch(*queue.key, opened(queue.form, queue.survey, queue.period))
            by_batch[batch.number] = queue
    return by_batch


def opened(form: Form, survey: SurveyRow, period: str) -> float:
    """When the door of a period opened, or the survey was first served if that was later: the day of it is known."""
    served = datetime.datetime.fromisoformat(survey.day).replace(tzinfo=datetime.UTC).timestamp()
    return max(served, Doors(form.survey, survey.ended).opens(period))


def _stored(t: Transaction, queues: Mapping[int, Queue]) -> Outcomes:
    """What becomes of uploads that could be taken; the new ones are stored, in one chunk for each period."""
    outcomes: dict[int, Outcome] = {}
    while undecided := {batch: queue for batch, queue in queues.items() if queue.waiting}:
        outcomes |= _settle_firsts(t, undecided)
    new = {batch: queue for batch, queue in queues.items() if queue.new}
    if new:
        keys = new_keys(len(new))
        t.add_chunks([_chunk(key, batch, queue) for key, (batch, queue) in zip(keys, new.items(), strict=True)])
    return outcomes


def _settle_firsts(t: Transaction, queues: Mapping[int, Queue]) -> Outcomes:
    """The outcomes of the first upload of each id in each queue; those that are new are written down."""
    outcomes: dict[int, Outcome] = {}
    firsts = {batch: queue.firsts() for batch, queue in queues.items()}
    for batch, queue in queues.items():
        if queue.survey.invited:
            outcomes |= queue.settle(_spend_invitations(t, batch, queue.survey, firsts[batch]))
            firsts[batch] = _undecided(firsts[batch], outcomes)
    ids = {
        batch: {offer.upload.id: offer.upload.hash for offer in turn.values()} for batch, turn in firsts.items() if turn
    }
    before = t.remember(ids)
    for batch in ids:
        queue, turn = queues[batch], firsts[batch]
        if batch in before and queue.survey.invited:  # invitations were spent on what another process has taken
            raise Conflict
        repeated = _outcomes_of_repeated(turn, before.get(batch, {}))
        new = {place: offer.upload for place, offer in turn.items() if place not in repeated}
        queue.new += new.values()
        outcomes |= queue.settle(repeated | {place: Receipt(upload.n) for place, upload in new.items()})
    return outcomes


def _undecided(offers: Offers, outcomes: Outcomes) -> dict[int, Offer]:
    """The offers without an outcome yet."""
    return {place: offer for place, offer in offers.items() if place not in outcomes}


def _outcomes_of_repeated(offers: Offers, hashes: Mapping[bytes, bytes]) -> dict[int, Outcome]:
    """The outcomes of offers whose ids were taken before, given the kept hashes: the same upload again, or another."""
    if not hashes:
        return {}
    before = {place: (offer.upload, hashes.get(offer.upload.id)) for place, offer in offers.items()}
    return {
        place: Receipt(upload.n) if upload.hash == hashed else OTHER_BYTES
        for place, (upload, hashed) in before.items()
        if hashed is not None
    }


def _taken_before(t: Transaction, batch: int, offers: Offers) -> dict[int, Outcome]:
    """The outcomes of offers whose ids were taken before, as the storage knows them."""
    return _outcomes_of_repeated(offers, t.known(batch, [offer.upload.id for offer in offers.values()]))


def _with_several_answers(offers: Offers) -> dict[int, Outcome]:
    """The refusals of offers with an invitation that bring more answers than one person can give."""
    return {place: ONE_ANSWER for place, offer in offers.items() if offer.upload.n != 1}


def _without_invitation(t: Transaction, survey: SurveyRow, offers: Offers) -> dict[int, Outcome]:
    """The refusals of offers to a survey by invitation that bring none; no invitation is spent here."""
    outcomes = _with_several_answers(offers)
    known = t.invited(survey.digest, {offer.code for offer in offers.values() if offer.code is not None})
    strangers = {place: offer for place, offer in _undecided(offers, outcomes).items() if offer.code not in known}
    return outcomes | dict.fromkeys(strangers, INVITATION)


def _spend_invitations(t: Transaction, batch: int, survey: SurveyRow, offers: Offers) -> dict[int, Outcome]:
    """Spend the invitations of offers, in their order; the outcomes of those taken before or without an unused one."""
    outcomes = _taken_before(t, batch, offers)
    outcomes |= _with_several_answers(_undecided(offers, outcomes))
    first_with_code: dict[bytes, int] = {}
    for place, offer in _undecided(offers, outcomes).items():
        if offer.code is not None:
            first_with_code.setdefault(offer.code, place)
    winners = {first_with_code[code] for code in t.claim(batch, survey.digest, list(first_with_code))}
    losers = {place: offer for place, offer in _undecided(offers, outcomes).items() if place not in winners}
    # while an invitation was waited for, another process may have taken the very upload with it
    return outcomes | dict.fromkeys(losers, INVITATION) | _taken_before(t, batch, losers)


def _chunk(key: int, batch: int, queue: Queue) -> Chunk:
    """One chunk with the answers of new uploads."""
    sections = merged([section for upload in queue.new for section in upload.sections])
    return chunk_of(queue.key, key, batch, counted(sections), write_sections(sections))


def new_keys(n: int = 1) -> list[int]:
    """Keys for so many chunks, which say nothing of when these were written."""
    return [word >> 1 for word in struct.unpack(f"<{n}Q", secrets.token_bytes(8 * n))]  # SQLite's integers have a sign
