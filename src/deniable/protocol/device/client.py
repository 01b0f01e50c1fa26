"""The client of one survey on one device: it asks for consent, draws an answer once, keeps it, and sends it."""

from __future__ import annotations

import datetime
import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..canonical import Spec
from ..checks import check_choice, check_positive
from ..errors import ConsentError, FormatError, ParameterError, StoreError
from ..privacy.levels import added
from ..surveys import answers
from ..surveys.document import MODES, REMEMBERED
from ..surveys.field_value import ID as FIELD_ID
from ..surveys.field_value import new_field_id, write_declined, write_field
from ..surveys.outcomes import Outcomes
from ..surveys.periods import ONCE, check_not_over, period_at
from ..surveys.survey import Survey, read_survey
from ..words import SystemWords
from . import ledger
from .kiosk import KioskStore, forget_person
from .ledger import Caps
from .outbox import Outbox
from .records import (
    HANDED,
    WAITING,
    WITHDRAWN,
    Receipt,
    Record,
    add_record,
    keys_of,
    record_at,
    records_of,
    settle,
)
from .remembering import enrol, is_enrolled, recall_reports
from .respondents import RespondentStore, check_first
from .sealing import Sealing
from .store import Entries, MemoryStore, Store
from .transport import LARGEST_BODY, read_endpoint, request
from .upload import new_id, upload_of

GRANTED, NO_LONGER = '{"granted": true}', '{"granted": false}'
"""Consent as a store holds it."""
HEX = frozenset("0123456789abcdef")
DIGEST = 64


class Client:
    """A survey on this device; made by ``deniable_client.open``."""

    def __init__(
        self,
        survey: Survey,
        endpoint: str,
        store: Store,
        caps: Caps,
        mode: str,
        code: str | None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.survey = survey
        self.endpoint = endpoint
        self.store = KioskStore(store, survey.digest) if survey.kiosk else store
        self.caps = caps
        self.mode = mode
        self.now = clock
        """This device's clock, which decides when to try again and what counts as asked again; it is never sent."""
        self._outbox = Outbox(survey, self.store, endpoint, code, Sealing.of(survey))
        self._sending = threading.Lock()  # held by the thread that sends

    def facts(self) -> Spec:
        """The privacy label as numbers."""
        return self.survey.facts()

    def outcomes(self, given: Mapping[str, Any]) -> Outcomes:
        """Every payload that these answers may become; nothing is drawn, stored or sent."""
        return self.survey.outcomes(given)

    def consent(self) -> Consent:
        """Whether the person agreed, and how they do."""
        return Consent(self)

    def answer(self, given: Mapping[str, Any]) -> Receipt:
        """Draw an answer and keep it with what it costs, in one step; asked again in the same period, the same one."""
        _check_may_send(self.mode)
        if self.survey.carrier is not None:
            raise ParameterError('an answer to a survey with carrier="field" must be handed over, got one to send')
        with self.store.transaction() as entries:
            _check_granted(entries, self.survey)
            record = self._standing(entries)
            if record is None:
                record = self._new_record(entries, given)
                add_record(entries, record)
        return record.receipt

    def hand_over(self, given: Mapping[str, Any]) -> str:
        """The value of an answer for a field in a form that is not ours; asked again, the same one.

        It is drawn and kept with what it costs in one step, and is final from then on.
        """
        survey = self.survey
        if survey.carrier is None:
            raise ParameterError('a survey that is handed over must have carrier="field", got one to send; use answer')
        with self.store.transaction() as entries:
            _check_granted(entries, survey)
            records = records_of(entries, survey.digest)
            if not records:
                check_first(entries, survey.digest)
                records = [self._new_record(entries, given)]
                add_record(entries, records[-1])
        body = records[-1].receipt.bytes
        if not body:
            raise ConsentError("an answer must be handed over once, got one that was withdrawn after that")
        return write_field(survey.digest, body[:FIELD_ID], body[FIELD_ID:])

    def declined(self) -> str:
        """The value for the same field of somebody who would rather not answer."""
        return write_declined(self.survey.digest)

    def flush(self) -> list[Receipt]:
        """Send what waits and is due, one at a time; the receipts of all answers to this survey, as they are then."""
        if _may_send(self.mode):
            with self._sending:
                self._send_all()
        return self.receipts()

    def receipts(self) -> list[Receipt]:
        """What became of every answer to this survey, the oldest first."""
        with self.store.transaction() as entries:
            return [record.receipt for record in records_of(entries, self.survey.digest)]

    def spent(self) -> Spec:
        """What this device has spent: of each topic, with its cap, and in all."""
        with self.store.transaction() as entries:
            topics = ledger.spent(entries)
        return {"topics": topics, "total": added(*(topic["spent"] for topic in topics.values()))}

    def next_person(self) -> None:
        """Begin anew for somebody else, of a survey for a kiosk: of the person before nothing is kept, in one step.

        Their consent, what they spent and their receipts go; it is refused while their answer waits to be sent.
        """
        if not self.survey.kiosk:
            name = self.survey.name
            raise ParameterError(
                f"the survey must be for a kiosk to be asked of one person after another, got {name!r}"
            )
        with self.store.transaction() as entries:
            forget_person(entries, self.survey.digest)

    def _send_all(self) -> None:
        with self.store.transaction() as entries:
            waiting = keys_of(entries, self.survey.digest) if _granted(entries, self.survey) else []
        for key in waiting:
            self._outbox.send(key, self.now())

    def _standing(self, entries: Entries) -> Record | None:
        """The answer that stands for this period, or that still waits; None if a new one is due."""
        records = records_of(entries, self.survey.digest)
        if not records:
            return None
        last = records[-1]
        if self.survey.repeat == ONCE or last.state == WAITING or last.found_closed:
            return last
        return last if self._period() in (last.asked_in, last.period) else None

    def _new_record(self, entries: Entries, given: Mapping[str, Any]) -> Record:
        """A new answer, charged before it is drawn."""
        survey = self.survey
        check_not_over(survey, self.now())
        if survey.crowd is not None and self._outbox.code is None:
            raise ParameterError("code must be an invitation of the mixer's for a survey with a crowd, got none")
        if survey.repeat == REMEMBERED:
            cost, answer = 0.0, recall_reports(entries, survey, answers.complete(survey, given))
        else:
            cost = ledger.charge(entries, survey, self.caps)
            answer = survey.answer(given)
        fields = (survey.digest, survey.name, survey.topic, cost, self.endpoint)
        if survey.carrier is not None:
            return Record(*fields, (new_field_id() + answer).hex(), self._period(), HANDED)
        return Record(*fields, upload_of(survey, new_id(), answer).hex(), self._period())

    def _period(self) -> str:
        moment = datetime.datetime.fromtimestamp(self.now(), datetime.UTC)
        return period_at(self.survey, moment)


class Consent:
    """Whether somebody agreed to a survey, after they were shown what follows from it."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @property
    def granted(self) -> bool:
        """Whether they agreed and have not withdrawn."""
        with self._client.store.transaction() as entries:
            return _granted(entries, self._client.survey)

    def grant(self, shown: Iterable[str]) -> None:
        """They were shown these sentences, which must be the survey's, and agreed.

        Of a remembered survey all that will ever be sent is drawn now, and charged now.
        """
        client = self._client
        given, wanted = tuple(shown), client.survey.sentences
        if given != wanted:
            raise ConsentError(
                f"what was shown must be the survey's {len(wanted)} sentences, got {len(given)}, not all of them its"
            )
        _check_may_send(client.mode)
        with client.store.transaction() as entries:
            if client.survey.repeat == REMEMBERED and not is_enrolled(entries, client.survey):
                check_not_over(client.survey, client.now())
                ledger.charge(entries, client.survey, client.caps)
                enrol(entries, client.survey, SystemWords)
            entries.put(_consent_key(client.survey), GRANTED)

    def withdraw(self) -> None:
        """They no longer agree: nothing more is drawn or sent. What has been spent stays written down."""
        survey = self._client.survey
        with self._client.store.transaction() as entries:
            entries.put(_consent_key(survey), NO_LONGER)
            for key in keys_of(entries, survey.digest):
                record = record_at(entries, key)
                reason = "it had been sent and may have been counted" if record is not None and record.attempts else ""
                settle(entries, key, state=WITHDRAWN, reason=reason, upload="")


def open(
    endpoint: str | None = None,
    survey: str = "",
    *,
    code: str | None = None,
    caps: Mapping[str, float] | None = None,
    total_cap: float | None = None,
    limit: float | None = None,
    mode: str | None = None,
    store: Store | None = None,
    respondent: str | None = None,
    clock: Callable[[], float] = time.time,
) -> Client:
    """The client of a survey, given as its text or, where it may be fetched, as its digest.

    A survey with ``carrier="field"`` is handed over and not sent, and so takes no ``endpoint``. One with a ``crowd``
    goes to its mixer, whose address is the ``endpoint`` unless given, and needs a ``code`` of the mixer's.

    ``caps`` are the app's own by topic, ``total_cap`` that of all topics; a survey that promises less than the level
    ``limit`` is refused. ``code`` is an invitation. ``clock``, in seconds since 1970, is another than the system's only
    in tests and simulations. ``respondent`` is any text for who answers a survey that is handed over: a device takes
    one, and of a survey for a kiosk one after another. Nothing is stored, and in background mode nothing fetched.

    ``mode`` is "asked" or "background", and the survey's own unless given; if either is "background", nothing is
    answered where DO_NOT_TRACK is set. ``store`` keeps consent and answers; without one they are forgotten at the end.
    """
    if mode is not None:
        check_choice("mode", mode, MODES)
    document = _survey_of(endpoint, survey, mode)
    if limit is not None and document.promise.level > check_positive("limit", limit):
        raise ParameterError(f"the survey must promise a level of at most {limit:g}, got {document.promise.level:g}")
    chosen_mode = document.mode if mode is None else mode
    strictest = "background" if "background" in (chosen_mode, document.mode) else chosen_mode
    device_store = _checked_store(store)
    if document.carrier is not None:
        device_store = RespondentStore(device_store, respondent)
    address = _endpoint_of(document, endpoint)
    return Client(document, address, device_store, Caps.read(caps, total_cap), strictest, _checked_code(code), clock)


def _survey_of(endpoint: str | None, survey: str, mode: str | None) -> Survey:
    """The survey of its text, or of a digest by which an endpoint has it."""
    if endpoint is not None:
        read_endpoint(endpoint)
    elif _is_digest(survey):
        raise ParameterError("a survey without an endpoint must be given as its text, got a digest")
    return _fetched(endpoint, survey, mode) if endpoint and _is_digest(survey) else read_survey(survey)


def _endpoint_of(survey: Survey, endpoint: str | None) -> str:
    """Where answers go: a collector, in a crowd its mixer alone; nowhere where they are handed over."""
    if survey.crowd is not None:
        read_endpoint(survey.crowd.mixer)
        if endpoint is not None and endpoint.rstrip("/") != survey.crowd.mixer:
            raise ParameterError(
                f"endpoint must be the mixer of a survey with a crowd, {survey.crowd.mixer}, or left out, got another; "
                "its collector takes no answers of devices"
            )
        return survey.crowd.mixer
    if (endpoint is None) != (survey.carrier is not None):
        raise ParameterError(
            'endpoint must be given but for a survey with carrier="field", which takes none, got '
            f"{'none' if endpoint is None else 'one'}"
        )
    return endpoint or ""


def _checked_store(store: Store | None) -> Store:
    """The store, or one that forgets if there is none; the name of a file is no store."""
    if store is not None and not hasattr(store, "transaction"):
        raise ParameterError(f"store must be a store such as SqliteStore(path), got {type(store).__name__}")
    return MemoryStore() if store is None else store


def _fetched(endpoint: str, digest: str, mode: str | None) -> Survey:
    """The document of a digest, from the collector."""
    if mode not in (None, "asked"):
        raise ParameterError("in background mode the survey must come with the app as its text, got a digest")
    reply = request(endpoint, "GET", f"/v1/surveys/{digest}", most=LARGEST_BODY)
    if reply is None:
        raise FormatError("the collector must answer with the survey's document, got no reply")
    if reply.status != 200:
        raise FormatError("the survey must be one that the collector has, got no document of this digest")
    survey = read_survey(reply.body)
    if survey.digest != digest:
        raise FormatError(f"the survey must be the one of this digest, got that of {survey.digest[:12]}")
    if survey.mode == "background":
        raise ParameterError("a survey of background mode must come with the app as its text, got a digest")
    return survey


def _is_digest(given: Any) -> bool:
    return isinstance(given, str) and len(given) == DIGEST and set(given) <= HEX


def _checked_code(code: Any) -> str | None:
    """An invitation that can stand in a header."""
    if code is not None and not (isinstance(code, str) and code.isascii() and code.isprintable() and " " not in code):
        raise ParameterError(f"code must be an invitation in printable ASCII without blanks, got {type(code).__name__}")
    return None if code is None else str(code)


def _consent_key(survey: Survey) -> str:
    return f"consent/{survey.digest}"


def _granted(entries: Entries, survey: Survey) -> bool:
    text = entries.get(_consent_key(survey))
    if text not in (None, GRANTED, NO_LONGER):
        raise StoreError("the store must hold consents as this client writes them, got an unknown text")
    return text == GRANTED


def _check_granted(entries: Entries, survey: Survey) -> None:
    if not _granted(entries, survey):
        raise ConsentError("an answer must follow consent, got one before; grant it first")


def _may_send(mode: str) -> bool:
    """Whether anything may be sent: nothing in the background of somebody who asked not to be tracked."""
    return mode != "background" or os.environ.get("DO_NOT_TRACK", "") in ("", "0")


def _check_may_send(mode: str) -> None:
    if not _may_send(mode):
        raise ConsentError("nothing may be answered in the background while DO_NOT_TRACK is set, got an answer")
