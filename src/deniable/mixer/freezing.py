"""Freezing a period: in one transaction it is shut, and what it holds becomes a parcel that never changes.

Who waits in it is deleted where there are too few, and only their number is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from deniable.intake.running import Run
from deniable.intake.sections import read_sections, sorted_rows
from deniable.intake.storage.checksums import DamagedError
from deniable.intake.storage.parcels import ParcelRow, Parcels
from deniable.intake.storage.rows import CLOSING, OPEN, WITHHELD, Batch
from deniable.intake.storage.transaction import Transaction
from deniable.mixer.terms import SealedUploads

IDS_AT_ONCE, KEYS_AT_ONCE = 5000, 5000


def forget_people(run: Run, number: int) -> None:
    """Delete the ids and spent codes of a period that was shut, for none can come again; as often as one likes."""
    while run(lambda t: t.forget_ids(number, IDS_AT_ONCE)):
        pass
    run(lambda t: t.forget_invited(number))


def freeze(t: Transaction, form: SealedUploads, batch: Batch, day: str) -> None:
    """Shut a period, whatever a clock says, and freeze its answers into a parcel; delete them if they are too few."""
    t.lock([batch.survey], alone=True)
    if t.batch(batch.survey, batch.period).state != OPEN:
        return
    keys = [size.key for size in t.chunk_sizes(batch.number)]
    [width] = form.widths
    slices = [keys[start : start + KEYS_AT_ONCE] for start in range(0, len(keys), KEYS_AT_ONCE)]
    body = parcel_of(width, [chunk for chosen in slices for chunk in t.bodies(chosen)])
    n, enough = len(body) // width, len(body) // width >= form.crowd.least
    parcel = body if enough else b""
    digest = hashlib.sha256(parcel).hexdigest() if enough else ""
    Parcels(t.run).freeze(ParcelRow(batch.number, digest, n, t.invitations(batch.survey), "", day), parcel)
    for chosen in slices:
        t.drop_chunks(chosen)
    t.set_state(batch.number, CLOSING if enough else WITHHELD)


def parcel_of(width: int, chunks: Sequence[bytes]) -> bytes:
    """Sealed answers sorted by their bytes, which is a function of the set of them: no order of arrival is in it."""
    rows = b"".join(_rows(width, chunk) for chunk in chunks)
    return sorted_rows(np.frombuffer(rows, np.uint8).reshape(-1, width)) if rows else b""


def _rows(width: int, chunk: bytes) -> bytes:
    """The sealed answers of a stored chunk, one after another."""
    sections = read_sections((width,), chunk, 0)
    if sections is None:
        raise DamagedError(f"a chunk must hold sealed answers to its survey, got {len(chunk)} unreadable bytes")
    return b"".join(section.rows for section in sections)
