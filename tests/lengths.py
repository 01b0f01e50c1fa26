"""How often tests repeat a survey or a fault: `make test` takes some, `make soak` all that a claim was checked with.

Bounds follow from the number drawn, so a false alarm is as rare at either length; a longer run sees smaller faults.
"""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")
SOAK = os.environ.get("SOAK") == "1"


def by_length(short: T, full: T) -> T:
    """``full`` under `make soak`, else ``short``."""
    return full if SOAK else short
