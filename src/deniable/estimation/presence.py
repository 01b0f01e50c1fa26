"""Which candidates somebody really holds: many tests at once, with a bound on the share of false findings."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np
import numpy.typing as npt

from deniable.arrays import Vector
from deniable.protocol.errors import ParameterError


def present(chances: Vector, fdr: float = 0.05, dependent: bool = False) -> npt.NDArray[np.int64]:
    """The candidates found to be held by someone, so that on average at most ``fdr`` of them are held by nobody.

    Benjamini and Hochberg's (1995) step-up on the one-sided p-values of the candidates, against a share of 0. The
    false-discovery rate is at most ``fdr`` times the share of candidates that nobody holds, provided that p-values are
    valid (see ``chances``) and that those of unheld candidates are independent of each other and of the rest, or
    positively dependent (PRDS: Benjamini and Yekutieli 2001). Given the counts, unheld candidates' sums over one field
    are independent, because hashes are; but which candidates are fitted together depends on the same counts, so there
    the rate is simulated, not proven.
    ``dependent`` divides ``fdr`` by 1 + 1/2 + ... + 1/S, which is valid for any dependence. Candidates that no
    count tells apart are never found, since it cannot be told which of them is held.

    >>> three = np.array([0.001, 0.9, 0.03])
    >>> present(three).tolist(), present(three, dependent=True).tolist()
    ([0, 2], [0])
    """
    fdr = check_fdr(fdr)
    order = np.argsort(chances, kind="stable")
    ranks = np.arange(1, len(chances) + 1)
    level = fdr / float((1 / ranks).sum()) if dependent else fdr
    passed = np.flatnonzero(chances[order] <= level * ranks / len(chances))
    return np.sort(order[: passed[-1] + 1]) if len(passed) else np.empty(0, np.int64)


def check_fdr(fdr: Any) -> float:
    """The allowed share of false findings, as a float between 0 and 1."""
    share = float(fdr) if isinstance(fdr, numbers.Real) and not isinstance(fdr, bool) else math.nan
    if not 0 < share < 1:
        raise ParameterError(f"fdr must be a number between 0 and 1, got fdr={fdr!r}")
    return share
