"""What the laws of high-low and block reports stand on: a law of the labels that hide among each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from deniable.arrays import Counts
from deniable.estimation.evidence import Evidence
from deniable.estimation.laws.sign_law import SignLaw
from deniable.estimation.laws.support_law import SupportLaw
from deniable.theory.risk.variance import VarianceLaw

InnerLaw: TypeAlias = SupportLaw | SignLaw


class Noise(NamedTuple):
    """What a high-low or block law says of its labels: evidence, variances and leverage."""

    evidence: Callable[[int, Counts], Evidence]
    """What counts of so many reports say of the labels that hide."""
    variances: VarianceLaw
    """Of all labels, in the order of reports and counts."""
    leverage: float
    """How many people one fake report can count for."""
