"""Every payload that an answer may become, with its exact probability, before anything is drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping
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
    count = sum(math.prod(part.mechanism.layout.outputs for part in arm.parts) for arm in document.arms)
    listed: dict[bytes, Fraction] = {}
    for number in range(len(document.arms) if count <= MOST_LISTED else 0):
        listed |= _of_arm(document, number, given)
    shapes = tuple(tuple(str(part.mechanism.layout) for part in arm.parts) for arm in document.arms)
    return Outcomes(count, *document.sent_bytes, listed, shapes)


def _of_arm(document: DeviceDocument, number: int, given: Mapping[str, Any]) -> dict[bytes, Fraction]:
    """The payloads that an arm may send, each with its probability, which includes that the arm is drawn."""
    arm = document.arms[number]
    payloads = {head_of(document, number): Fraction(arm.weight, document.total_weight)}
    for part in arm.parts:
        reports = _reports(part, given)
        payloads = {head + report: p * q for head, p in payloads.items() for report, q in reports.items()}
    return payloads


def _reports(part: DevicePart, given: Mapping[str, Any]) -> Mapping[bytes, Fraction]:
    """The stored reports of a part, each with its probability over the values that the answers may become."""
    chances: dict[bytes, Fraction] = {}
    for value, share in part.chances(given):
        for report, chance in part.mechanism.chances(value):
            stored = part.mechanism.layout.stored(report)
            chances[stored] = chances.get(stored, Fraction(0)) + share * chance
    return chances
