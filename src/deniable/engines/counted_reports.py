"""A tally from how often each report came, as ``GROUP BY`` counts them in any database."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.errors import ReportError
from deniable.reports.tally import Tally


def tally_of_counts(mechanism: Mechanism, rows: Iterable[tuple[str, str]]) -> Tally:
    """The tally of reports with their counts, both in text: a report as a number, or its bytes in hexadecimal.

    >>> import deniable as dn
    >>> m = dn.RandomizedResponse(["no", "yes"], 1.0)
    >>> tally_of_counts(m, [("0", "3000000000"), ("1", "2")]).counts.tolist()
    [3000000000, 2]
    >>> tally_of_counts(dn.Subset(5, 1.0), [("04", "7")]).counts.tolist()
    [0, 0, 7, 0, 0]
    """
    packed = mechanism.layout.empty(0).ndim == 2
    reports: list[int | bytes] = []
    times: list[int] = []
    for number, (report, count) in enumerate(rows, 1):
        try:
            reports.append(bytes.fromhex(report) if packed else int(report))
            times.append(int(count))
        except ValueError:
            wanted = "bytes in hexadecimal" if packed else "a whole number"
            raise ReportError(f"each report must be {wanted} with a whole count, row {number} is not") from None
    if not all(0 <= each < 1 << 62 for each in times) or sum(times) >= 1 << 62:
        raise ReportError(f"counts must be at least 0 and below 2^62 in all, got {min(times)} to {max(times)}")
    column, counts, tally = mechanism.layout.check(reports), np.array(times, np.int64), mechanism.tally([])
    for bit in range(int(counts.max(initial=0)).bit_length()):  # whole reports are checked and counted once a bit
        counted = mechanism.tally(column[counts >> bit & 1 == 1])
        tally += Tally(counted.n << bit, counted.counts << bit, mechanism.spec_bytes)
    return tally
