"""Rounds of remembered mechanisms: what is sent of a permanent report, read off a tape."""

from __future__ import annotations

from tests.kernels import twins
from tests.wire.generate.tape import WORD, Tape, any_set, noise, packed

import deniable as dn
from deniable.mechanisms.mechanism import Mechanism
from deniable.reports.packed_layout import PackedLayout

BITS = dn.Rappor | dn.OptimizedUnary | dn.ItemResponse


def sent(m: dn.Remembered, report: int | bytes, tape: Tape) -> int | bytes:
    """What a round sends of a permanent report: bits each for itself, others whole or a uniform report instead."""
    u, parts = m.spec()["u"], m.spec()["m"]
    layout = m.permanent.layout
    if isinstance(report, bytes) and isinstance(layout, PackedLayout) and isinstance(m.permanent, BITS):
        d = layout.symbols
        flipped = packed(noise(tape.part(), (parts - u) * (WORD // parts), d), d)
        return bytes(a ^ b for a, b in zip(report, flipped, strict=True))
    kept = twins.coin(tape.part(), u, parts)
    other = _uniform(m.permanent, report, tape)
    return report if kept else other


def _uniform(m: Mechanism, report: int | bytes, tape: Tape) -> int | bytes:
    """Any report with the same probability, of the same cohort where reports are hashed."""
    if isinstance(m, dn.Subset):
        return packed(any_set(len(m.domain), m.size, tape), len(m.domain))
    if isinstance(m, dn.AskedItems) and isinstance(report, int):
        return report >> m.together << m.together | twins.uniform(tape.part(), 1 << m.together)
    if isinstance(m, dn.HashedResponse) and isinstance(report, int):
        return report - report % m.symbols + twins.uniform(tape.part(), m.symbols)
    return twins.uniform(tape.part(), m.layout.outputs)


def keep_coin(m: dn.Remembered) -> tuple[int, int] | None:
    """Below which coin a report is kept, and how many there are; None for independent bits."""
    if isinstance(m.permanent, BITS):
        return None
    return m.spec()["u"], m.spec()["m"]
