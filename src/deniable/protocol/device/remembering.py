"""Remembered reports: drawn once for every answer that there is, kept for life, and sent again round after round."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..errors import StoreError
from ..layouts import Report
from ..mechanisms.remembered import Remembered
from ..questions.question import Source
from ..surveys import answers
from ..surveys.device_document import DeviceDocument, DevicePart
from .store import Entries


def enrol(entries: Entries, document: DeviceDocument, source: Source) -> None:
    """Draw the arm and the permanent reports of every answer to it; the store then tells of no answer."""
    number = answers.draw_arm(document, source)
    kept = [list(map(_written, _mechanism(part).enrol_from(source))) for part in document.arms[number].parts]
    entries.put(_key(document), json.dumps({"arm": number, "kept": kept}))


def is_enrolled(entries: Entries, document: DeviceDocument) -> bool:
    """Whether the reports have been drawn."""
    return entries.get(_key(document)) is not None


def recall_reports(entries: Entries, document: DeviceDocument, given: Mapping[str, Any]) -> bytes:
    """One round's answer, from the permanent reports."""
    stored = entries.get(_key(document))
    if stored is None:
        raise StoreError("the permanent reports of a remembered survey must be in the store, got none")
    number, kept = _enrolled(stored, document)
    reports = [_round_report(part, own, given) for part, own in zip(document.arms[number].parts, kept, strict=True)]
    return answers.answer_bytes(document, number, reports)


def _enrolled(stored: str, document: DeviceDocument) -> tuple[int, list[list[Report]]]:
    """The arm, and the permanent reports of each of its parts."""
    try:
        entry = json.loads(stored)
        number, kept = entry["arm"], [list(map(_read, reports)) for reports in entry["kept"]]
        if type(number) is int and 0 <= number < len(document.arms):
            parts = zip(document.arms[number].parts, kept, strict=True)
            if all(_mechanism(part).may_keep(reports) for part, reports in parts):
                return number, kept
    except (KeyError, TypeError, ValueError, RecursionError):
        pass
    raise StoreError("the store must hold reports as this client writes them, got an unknown text")


def _round_report(part: DevicePart, reports: list[Report], given: Mapping[str, Any]) -> Report:
    """What a part sends in one round; its encoder makes one value of the answers."""
    m, [(value, _)] = _mechanism(part), part.chances(given)
    return m.again(m.recall(reports, value))


def _mechanism(part: DevicePart) -> Remembered:
    if not isinstance(part.mechanism, Remembered):
        raise TypeError(f"a mechanism must be remembered here, got {part.mechanism.name}")
    return part.mechanism


def _key(document: DeviceDocument) -> str:
    return f"enrolled/{document.digest}"


def _written(report: Report) -> Any:
    return report.hex() if isinstance(report, bytes) else report


def _read(written: Any) -> Report:
    return bytes.fromhex(written) if isinstance(written, str) else int(written)
