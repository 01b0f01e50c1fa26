"""Taking uploads: many in one transaction, each at most once, and acknowledged only when all of it is durable."""

from __future__ import annotations

import datetime
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from deniable.collector.doors import Doors
from deniable.collector.refusals import (
    CLOSED,
    INVITATION,
    ONE_ANSWER,
    OTHER_BYTES,
    UNKNOWN,
    Refusal,
    Refused,
    busy,
)
from deniable.collector.sections import merged, write_sections
from deniable.collector.storage.store import (
    OPEN,
    Batch,
    BrokenError,
    Chunk,
    Store,
    SurveyRow,
    Transaction,
    UncertainError,
)
from deniable.collector.uploads import Form, Upload
from deniable.errors import StoreError

KEY_BITS, HOUR = 63, 3600


class Taken(NamedTuple):
    """An upload that is durable, so many answers of it."""

    answers: int


Outcome = Taken | Refusal


class Offer(NamedTuple):
    """An upload for a period; ``code`` is the hash of the invitation that came with it."""

    survey: str
    period: str
    upload: Upload
    code: bytes | None = None


Offers = Mapping[int, Offer]
"""Offers by their places among all that are taken together."""


class Conflict(Exception):
    """Another process was faster in a way that only shows in the end; all of it is done again."""


Forms = Callable[[SurveyRow], Form]
"""Gives the form of a survey, which is read once."""
Doubts = Callable[[float], bool]
"""Whether a moment of the clock is doubted: then what seems closed is put off."""


def take(store: Store, forms: Forms, offers: Sequence[Offer], doubts: Doubts) -> list[Outcome]:
    """What becomes of each upload. If the storage cannot take all together, each is tried alone."""
    while True:
        try:
            return _taken(store, forms, offers, doubts)
        except Conflict:
            continue
        except (BrokenError, UncertainError):
            raise
        except StoreError:
            if len(offers) == 1:
                return [busy(60)]
            return [outcome for offer in offers for outcome in take(store, forms, [offer], doubts)]


def _taken(store: Store, forms: Forms, offers: Sequence[Offer], doubts: Doubts) -> list[Outcome]:
    outcomes: dict[int, Outcome] = {}
    with store.transaction() as t:
        surveys = t.lock(sorted({offer.survey for offer in offers}))
        now = store.now()
        for (digest, period), places in _grouped(offers):
            own = {place: offers[place] for place in places}
            outcomes |= _of_period(t, forms, surveys.get(digest), period, own, now, doubts(now))
    return [outcomes[place] for place in range(len(offers))]


def _grouped(offers: Sequence[Offer]) -> list[tuple[tuple[str, str], list[int]]]:
    """The places of the offers for each period, the periods in one order for all processes."""
    places: dict[tuple[str, str], list[int]] = {}
    for place, offer in enumerate(offers):
        places.setdefault((offer.survey, offer.period), []).append(place)
    return sorted(places.items())


def _of_period(
    t: Transaction, forms: Forms, survey: SurveyRow | None, period: str, offers: Offers, now: float, doubted: bool
) -> dict[int, Outcome]:
    """What becomes of the uploads for one period, by their places."""
    try:
        if survey is None:
            raise Refused(UNKNOWN)
        form = forms(survey)
        batch = _open(t, form, survey, period, now, doubted)
    except Refused as refused:
        return dict.fromkeys(offers, refused.refusal)
    bad = form.strangers({place: offer.upload for place, offer in offers.items()})
    outcomes: dict[int, Outcome] = dict(bad)
    if batch is None and survey.invited:
        outcomes |= _unknown(t, survey, _without(offers, outcomes))
    sound = _without(offers, outcomes)
    if not sound:  # no refused upload begins a period
        return outcomes
    if batch is None:
        batch = t.batch(survey.digest, period, opened(form, survey, period))
    for once in _by_turns(sound):
        outcomes |= _distinct(t, batch, survey, once)
    return outcomes


def _without(offers: Offers, outcomes: Mapping[int, Outcome]) -> dict[int, Offer]:
    """The offers of which nothing has become yet."""
    return {place: offer for place, offer in offers.items() if place not in outcomes}


def _open(t: Transaction, form: Form, survey: SurveyRow, period: str, now: float, doubted: bool) -> Batch | None:
    """The period, whose door is open; none if nobody answered yet; refused if the door is shut."""
    refusal = Doors(form.survey, survey.ended).refusal(period, now)
    if refusal is not None:
        raise Refused(busy(HOUR) if doubted and refusal is CLOSED else refusal)
    batch = t.answered(survey.digest, period)
    if batch is not None and batch.state != OPEN:  # whatever the clock says
        raise Refused(CLOSED)
    return batch


def opened(form: Form, survey: SurveyRow, period: str) -> float:
    """When the door of a period opened, or the survey was first served if that was later: the day of it is known."""
    served = datetime.datetime.fromisoformat(survey.day).replace(tzinfo=datetime.UTC).timestamp()
    return max(served, Doors(form.survey, survey.ended).opens(period))


def _by_turns(offers: Offers) -> list[dict[int, Offer]]:
    """The offers such that no id comes twice at once: of an id that does, one upload each turn, in their order."""
    turns: list[dict[int, Offer]] = []
    times: Counter[bytes] = Counter()
    for place, offer in offers.items():
        turn = times[offer.upload.id]
        times[offer.upload.id] += 1
        if turn == len(turns):
            turns.append({})
        turns[turn][place] = offer
    return turns


def _distinct(t: Transaction, batch: Batch, survey: SurveyRow, offers: Offers) -> dict[int, Outcome]:
    """What becomes of uploads whose ids are different; the new ones are stored."""
    outcomes: dict[int, Outcome] = {}
    if survey.invited:
        outcomes = _known(t, batch, offers)
        outcomes |= _uninvited(t, batch, survey, _without(offers, outcomes))
    new = _without(offers, outcomes)
    return outcomes | _stored(t, batch, survey, new) if new else outcomes


def _known(t: Transaction, batch: Batch, offers: Offers) -> dict[int, Outcome]:
    """What becomes of those whose ids were taken before."""
    return _repeated(offers, t.known(batch.number, [offer.upload.id for offer in offers.values()]))


def _repeated(offers: Offers, hashes: Mapping[bytes, bytes]) -> dict[int, Outcome]:
    """What becomes of those whose ids were taken before, with these hashes: the same again, or other bytes."""
    if not hashes:
        return {}
    before = {place: (offer.upload, hashes.get(offer.upload.id)) for place, offer in offers.items()}
    return {
        place: Taken(upload.n) if upload.hash == hashed else OTHER_BYTES
        for place, (upload, hashed) in before.items()
        if hashed is not None
    }


def _several(offers: Offers) -> dict[int, Outcome]:
    """The refusals of those that bring more answers than one person can give."""
    return {place: ONE_ANSWER for place, offer in offers.items() if offer.upload.n != 1}


def _unknown(t: Transaction, survey: SurveyRow, offers: Offers) -> dict[int, Outcome]:
    """The refusals of those that bring no invitation at all; of none an invitation is spent."""
    outcomes = _several(offers)
    known = t.invited(survey.digest, {offer.code for offer in offers.values() if offer.code is not None})
    strangers = {place: offer for place, offer in _without(offers, outcomes).items() if offer.code not in known}
    return outcomes | dict.fromkeys(strangers, INVITATION)


def _uninvited(t: Transaction, batch: Batch, survey: SurveyRow, offers: Offers) -> dict[int, Outcome]:
    """The refusals of those that bring no unused invitation; the others' are spent, in the order of arrival."""
    outcomes = _several(offers)
    first: dict[bytes, int] = {}
    for place, offer in _without(offers, outcomes).items():
        if offer.code is not None:
            first.setdefault(offer.code, place)
    winners = {first[code] for code in t.claim(batch.number, survey.digest, list(first))}
    losers = {place: offer for place, offer in _without(offers, outcomes).items() if place not in winners}
    # while an invitation was waited for, another process may have taken the very upload with it
    return outcomes | dict.fromkeys(losers, INVITATION) | _known(t, batch, losers)


def _stored(t: Transaction, batch: Batch, survey: SurveyRow, offers: Offers) -> dict[int, Outcome]:
    """Write down the ids of uploads, and one chunk with the answers of those whose ids are new."""
    before = t.remember(batch.number, {offer.upload.id: offer.upload.hash for offer in offers.values()})
    if before and survey.invited:  # invitations were spent on what another process has taken
        raise Conflict
    outcomes = _repeated(offers, before)
    new = {place: offer.upload for place, offer in _without(offers, outcomes).items()}
    if new:
        _add(t, batch, list(new.values()))
    return outcomes | {place: Taken(upload.n) for place, upload in new.items()}


def _add(t: Transaction, batch: Batch, uploads: Sequence[Upload]) -> None:
    """One chunk with the answers of uploads."""
    sections = merged(section for upload in uploads for section in upload.sections)
    n = sum(upload.n for upload in uploads)
    t.add_chunk(batch.number, Chunk(new_key(), n, write_sections(sections)))


def new_key() -> int:
    """A key for a chunk, which says nothing of when it was written."""
    return secrets.randbits(KEY_BITS)
