"""Every payload that an answer may become, with its exact probability, before anything is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .answers import complete, head_of
from .device_document import DeviceDocument, DevicePart

MOST_LISTED = 4096
"""So many payloads are listed; of more it is said how many there are."""


@dataclass(frozen=True)
class Outcomes:
    """What may be sent for one answer: ``payloads`` with their probabilities, empty if there are more than 4,096."""

    count: int
    """How many payloads there are of all arms, also those that this answer does not send."""
    least_bytes: int
    most_bytes: int
    payloads: Mapping[bytes, Fraction]
    shapes: tuple[tuple[str, ...], ...]
    """What the reports of each arm look like, in words."""

    def __str__(self) -> str:
        length = self.least_bytes if self.least_bytes == self.most_bytes else f"{self.least_bytes} to {self.most_bytes}"
        return f"One of {self.count} payloads of {length} bytes is sent."


def outcomes(document: DeviceDocument, answers: Mapping[str, Any]) -> Outcomes:
    """All payloads that an answer may become; nothing is drawn."""
    given = complete(document, answers)
    count = sum(_count(arm.parts) for arm in document.arms)
    listed: Mapping[bytes, Fraction] = {}
    if count <= MOST_LISTED:
        listed = {payload: chance for n in range(len(document.arms)) for payload, chance in _of_arm(document, n, given)}
    shapes = tuple(tuple(str(part.mechanism.layout) for part in arm.parts) for arm in document.arms)
    return Outcomes(count, *document.sent_bytes, listed, shapes)


def _count(parts: tuple[DevicePart, ...]) -> int:
    found = 1
    for part in parts:
        found *= part.mechanism.layout.outputs
    return found


def _of_arm(document: DeviceDocument, number: int, given: Mapping[str, Any]) -> Iterator[tuple[bytes, Fraction]]:
    arm = document.arms[number]
    found = {head_of(document, number): Fraction(arm.weight, document.total_weight)}
    for part in arm.parts:
        reports = _reports(part, given)
        found = {begun + report: p * q for begun, p in found.items() for report, q in reports.items()}
    return iter(found.items())


def _reports(part: DevicePart, given: Mapping[str, Any]) -> Mapping[bytes, Fraction]:
    """The stored reports of a part, each with its probability over the values that the answers may become."""
    found: dict[bytes, Fraction] = {}
    for value, share in part.chances(given):
        for report, chance in part.mechanism.chances(value):
            stored = part.mechanism.layout.stored(report)
            found[stored] = found.get(stored, Fraction(0)) + share * chance
    return found
