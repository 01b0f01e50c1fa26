"""Size limits of mechanisms, checked before any work: a spec of a hundred bytes must not take gigabytes."""

from __future__ import annotations

from deniable.protocol.errors import CapacityError
from deniable.protocol.mechanisms.context import MOST_ROWS
from deniable.protocol.mechanisms.hashed import MOST_DEALT


def check_rows(labels: int, name: str) -> None:
    """Refuse more labels than a mechanism that stores numbers per label may have."""
    if labels > MOST_ROWS:
        raise CapacityError(f"domain must hold at most {MOST_ROWS} labels for {name}, got {labels}")


def check_dealt(labels: int, cohorts: int, hashes: int) -> None:
    """Refuse a closed domain with too many symbols to compute: labels times cohorts times hashes."""
    if labels * cohorts * hashes > MOST_DEALT:
        raise CapacityError(
            f"labels times cohorts times hashes must be at most {MOST_DEALT} in a closed domain, "
            f"got {labels} times {cohorts} times {hashes}; without a domain there are only those that are looked for"
        )
