"""Whether a tally can be one of a mechanism."""

from __future__ import annotations

from typing import Protocol

from deniable.protocol.errors import TallyError
from deniable.reports.layout import Layout
from deniable.reports.tally import Tally


class TallySource(Protocol):
    """What a tally is compared with; every mechanism is one."""

    @property
    def layout(self) -> Layout:
        """How reports are stored and counted."""
        ...

    @property
    def spec_bytes(self) -> bytes:
        """The spec that the tally must hold."""
        ...


def check_tally(mechanism: TallySource, tally: Tally) -> Tally:
    """Refuse a tally that is empty, of another mechanism, or whose counts cannot come from so many reports."""
    layout = mechanism.layout
    if tally.spec_bytes != mechanism.spec_bytes or len(tally.counts) != layout.cells:
        raise TallyError(f"the tally must be of {mechanism!r}, got one of digest {tally.digest[:12]}")
    if tally.n == 0:
        raise TallyError("the tally must hold at least one report, got an empty one")
    each = layout.counts_per_report
    if each is not None and (int(tally.counts.sum()) - each * tally.n) % 2**64:
        raise TallyError(f"the tally's counts must add up to {each} a report, got another sum")
    if fault := layout.fault(tally.n, tally.counts):
        raise TallyError(f"the tally must {fault}")
    return tally
