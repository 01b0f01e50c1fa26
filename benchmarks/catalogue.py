"""Which mechanisms are measured: the families whose row in the registry says at which numbers of labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deniable.mechanisms.family import ALL_SIZES
from deniable.mechanisms.registry import FAMILIES as ROWS

if TYPE_CHECKING:
    from deniable.mechanisms.family import Family
    from deniable.mechanisms.mechanism import Mechanism

SIZES = ALL_SIZES
USUAL = 1024
FAMILIES = {name: row for name, row in ROWS.items() if row.sizes}


def usual_member(family: Family) -> Mechanism:
    """The member of 1,024 labels, or of as many as are measured below."""
    return family.measured_member(max(d for d in family.sizes if d <= USUAL))
