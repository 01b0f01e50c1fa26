"""What a text is that no survey or mechanism made: a ledger, an estimate, a plan, a certificate, a checkpoint."""

from __future__ import annotations

import json
from typing import Any

from deniable.engines.checkpoint import SUFFIX
from deniable.estimation.table import printable
from deniable.privacy.ledger import Ledger

LEDGER, ESTIMATE, PLAN = {"cap", "entries"}, {"label", "frequency", "n"}, {"guarantee", "rows", "users"}
CERTIFICATE = {"digest", "claims", "version"}
"""The names in a document by which it is recognised."""
ROWS = "label,frequency,count,unbiased,stderr,low,high,outside"
MOST_BYTES = 1 << 26
LONGEST = 80


def of_text(name: str, written: bytes) -> dict[str, str] | None:
    """The facts of a text that is known; None for anything else."""
    if name.endswith(SUFFIX):
        return {"what": "the checkpoint of a count that was interrupted", "next": "run the same deniable tally again"}
    if len(written) > MOST_BYTES:
        return None
    try:
        text = written.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    if text.startswith(ROWS):
        labels = text.count("\n") - 1
        return {"what": f"an estimate of {labels:,} labels as CSV", "next": "a spreadsheet, or any program, reads it"}
    return _of_document(text)


def _of_document(text: str) -> dict[str, str] | None:
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    names = set(found) if isinstance(found, dict) else set()
    if names >= LEDGER:
        return _of_ledger(Ledger.from_json(text))
    if names >= ESTIMATE and isinstance(found["n"], int) and isinstance(found["label"], list):
        what = {"what": f"an estimate from {found['n']:,} people", "of": _shown(found.get("mechanism"))}
        return {**what, "labels": f"{len(found['label']):,}", "next": "pandas.read_json, or any program, reads it"}
    if names >= PLAN and isinstance(found["rows"], list):
        what = {"what": f"a plan of {len(found['rows']):,} mechanisms", "promise": _shown(found["guarantee"])}
        return {**what, "next": "each of its rows has a spec, which --spec takes"}
    if names >= CERTIFICATE and isinstance(found["claims"], list):
        told = "whose claims hold" if found.get("holds") is True else "that refutes a claim"
        what = {"what": f"a certificate {told}", "of": _shown(found.get("subject")), "SHA-256": _shown(found["digest"])}
        return {**what, "next": "deniable audit proves the file again that it is of"}
    return None


def _of_ledger(ledger: Ledger) -> dict[str, str]:
    surveys = len(ledger.entries)
    told = f"a ledger of {surveys:,} {'survey' if surveys == 1 else 'surveys'} that one person answered"
    return {"what": told, "spent": str(ledger.spent), "of": str(ledger.cap), "next": "dn.Ledger.from_json reads it"}


def _shown(text: Any) -> str:
    return printable(str(text), LONGEST)
