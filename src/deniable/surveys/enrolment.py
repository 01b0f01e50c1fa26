"""What a device keeps for life where reports are remembered: its arm, and a permanent report for each answer."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from deniable.arrays import Column
from deniable.mechanisms.repeat.linked import are_of_one_device, enrol, enrolled_reports, resend
from deniable.mechanisms.repeat.remembered import Remembered
from deniable.privacy.entropy import Entropy, checked_entropy
from deniable.protocol.errors import FormatError, ParameterError, ReportError
from deniable.protocol.surveys.answers import complete
from deniable.reports.layout import stored_bytes
from deniable.surveys.answer_bytes import column_of, rows_of, written
from deniable.surveys.answers import draw_arm
from deniable.surveys.arms import Arm
from deniable.surveys.document import Document

_HEAD = struct.Struct("<32sH")
"""The survey's digest and the arm's number."""


@dataclass(frozen=True, eq=False, repr=False)
class Enrolment:
    """A device's arm and its permanent reports, drawn together before any answer is looked at.

    They are drawn for all answers there are: a store that held those of the answers given so far would name these to
    anyone who reads it. It must stay on the device.

    >>> import deniable as dn
    >>> well = dn.OneOf("well", ["yes", "no"])
    >>> survey = dn.Survey.plan("weekly", [well], 2.0, 500, period="week", repeat="remembered")
    >>> kept = survey.enrol()
    >>> kept.answer({"well": "yes"}) == kept.answer({"well": "yes"})
    True
    """

    document: Document
    arm: int
    reports: tuple[Column, ...]
    """Of each part the permanent reports, one for each answer that there is to keep apart."""

    def answer(self, answers: Mapping[str, Any], entropy: Entropy | None = None) -> bytes:
        """This period's answer as bytes: of each part the permanent report of the answer or, by chance, another."""
        every, source = complete(self.document, answers), checked_entropy(entropy)
        arm = self.document.arms[self.arm]
        columns = [
            resend(mechanism, permanent, part.index(every, source), source)
            for part, mechanism, permanent in zip(arm.parts, _mechanisms(arm), self.reports, strict=True)
        ]
        return next(iter(written(self.document, self.arm, arm, columns)))

    def to_bytes(self) -> bytes:
        """What a device stores: the survey's digest, the arm, and the permanent reports as they are sent."""
        arm = self.document.arms[self.arm]
        parts = zip(_mechanisms(arm), self.reports, strict=True)
        reports = b"".join(rows_of(mechanism.layout, column).tobytes() for mechanism, column in parts)
        return _HEAD.pack(bytes.fromhex(self.document.digest), self.arm) + reports

    @classmethod
    def from_bytes(cls, document: Document, stored: Any) -> Enrolment:
        """Read what ``to_bytes`` made for the same survey; anything else is refused."""
        if not isinstance(stored, bytes) or len(stored) < _HEAD.size:
            raise FormatError("an enrolment must be bytes that a device stored, got too few or none")
        digest, number = _HEAD.unpack_from(stored)
        if digest.hex() != document.digest:
            raise FormatError("an enrolment must be for this very survey, got one for another")
        if number >= len(document.arms):
            raise FormatError(f"an enrolment must name one of {len(document.arms)} arms, got arm {number}")
        return cls(document, number, _read(document.arms[number], stored[_HEAD.size :]))

    def __repr__(self) -> str:
        return f"Enrolment({self.document.name!r})"  # the arm and the reports are the device's own


def enrolled(document: Document, entropy: Entropy) -> Enrolment:
    """A new device: its arm first, then the permanent reports of each part."""
    if document.repeat != "remembered":
        raise ParameterError(f'a survey must have repeat="remembered" to enrol in, got repeat={document.repeat!r}')
    number = draw_arm(document, entropy)
    return Enrolment(document, number, tuple(enrol(m, entropy) for m in _mechanisms(document.arms[number])))


def _mechanisms(arm: Arm) -> list[Remembered]:
    """The mechanisms of an arm's parts, which are all remembered: the document was checked for that."""
    return [part.mechanism for part in arm.parts if isinstance(part.mechanism, Remembered)]


def _read(arm: Arm, stored: bytes) -> tuple[Column, ...]:
    """The permanent reports of each part, which must take all of the stored bytes."""
    sizes = [(enrolled_reports(m), stored_bytes(m.layout)) for m in _mechanisms(arm)]
    if sum(count * width for count, width in sizes) != len(stored):
        raise FormatError(f"an enrolment must hold the reports of its arm, got {len(stored)} bytes of others")
    reports, start = [], 0
    for mechanism, (count, width) in zip(_mechanisms(arm), sizes, strict=True):
        rows = np.frombuffer(stored, np.uint8, count * width, start).reshape(count, width)
        start += count * width
        reports.append(_checked(mechanism, column_of(mechanism.layout, rows.copy())))
    return tuple(reports)


def _checked(mechanism: Remembered, reports: Column) -> Column:
    """The reports, refused unless its mechanism can send them and one device drew them together."""
    try:
        checked = mechanism.layout.check(reports)
    except ReportError:
        raise FormatError(
            "an enrolment must hold reports that its mechanisms can send, got some that none sends"
        ) from None
    if not are_of_one_device(mechanism, checked):
        raise FormatError("an enrolment must hold reports that one device drew together, got some drawn apart")
    return checked
