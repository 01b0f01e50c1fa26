"""How large a mechanism may be, checked before the work: a spec of a hundred bytes must not take gigabytes."""

from __future__ import annotations

from deniable.errors import CapacityError

MOST_ROWS = 1 << 20
"""Labels of a mechanism that keeps numbers for each, as those do that know what is sensitive."""
MOST_DEALT = 1 << 23
"""Labels of a closed domain times cohorts times hashes: symbols that are dealt out before the first draw."""


def check_rows(labels: int, name: str) -> None:
    """Labels of which each has numbers of its own."""
    if labels > MOST_ROWS:
        raise CapacityError(f"domain must hold at most {MOST_ROWS} labels for {name}, got {labels}")


def check_dealt(labels: int, cohorts: int, hashes: int) -> None:
    """Symbols of a closed domain in its cohorts."""
    if labels * cohorts * hashes > MOST_DEALT:
        raise CapacityError(
            f"labels times cohorts times hashes must be at most {MOST_DEALT} in a closed domain, "
            f"got {labels} times {cohorts} times {hashes}; without a domain there are only those that are looked for"
        )
