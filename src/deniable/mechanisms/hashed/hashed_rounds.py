"""Hashed reports that are sent again: a device keeps its cohort for life, and a report for each of its symbols."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.arrays import Column, Indices
from deniable.mechanisms.hashed.cohort_hashes import CohortHashes
from deniable.mechanisms.shared.rounds import Permanent, Replaced
from deniable.privacy.entropy import Entropy

Cohorts: TypeAlias = npt.NDArray[np.uint32]


@dataclass(frozen=True, eq=False, kw_only=True)
class CohortRounds(Replaced):
    """A cell is a symbol of the device's cohort; ``responses`` draws reports of symbols in cohorts."""

    hashes: CohortHashes
    responses: Callable[[Cohorts, Indices, Entropy], Column]

    @property
    def kept(self) -> int:
        """One report for each symbol of the cohort, also where there are fewer labels."""
        return self.hashes.symbols

    @property
    def collides(self) -> bool:
        """Texts may have one hash."""
        return True

    def enrol(self, permanent: Permanent, entropy: Entropy) -> Column:
        """A permanent report for each symbol, all of one random cohort."""
        symbols = self.hashes.symbols
        cohorts = np.repeat(self.hashes.draw_cohorts(1, entropy), symbols)
        return self.responses(cohorts, np.arange(symbols), entropy)

    def is_one_device(self, enrolled: Column) -> bool:
        """All are of one cohort; a report of another one would name its symbol."""
        return super().is_one_device(enrolled) and len(np.unique(enrolled // self.hashes.symbols)) == 1

    def recall(self, value: Indices, enrolled: Column) -> Column:
        """The report of the value's symbol in the cohort of the enrolled reports."""
        cohort = (enrolled[:1] // self.hashes.symbols).astype(np.uint32)
        return enrolled[self.hashes.first(value, cohort)]
