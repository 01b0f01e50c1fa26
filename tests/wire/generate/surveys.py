"""The mechanisms that the vectors are of: the samples of every family that devices draw, by their numbers."""

from __future__ import annotations

from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.prior.informed_response import SAMPLE
from deniable.mechanisms.registry import FAMILIES
from deniable.protocol.canonical import Spec

_ROWS = [family for family in FAMILIES.values() if not family.library_only]
_SAMPLES = sorted((sample for family in _ROWS for sample in family.samples), key=lambda each: each.number)
NUMBERED: tuple[tuple[int, Mechanism], ...] = tuple((sample.number, sample.make()) for sample in _SAMPLES)
"""Each with the number that starts its random words."""
SURVEYS: tuple[Mechanism, ...] = tuple(mechanism for _, mechanism in NUMBERED)
INFORMED: Spec = {"version": 1, "mechanism": "InformedResponse", "domain": ["ill", "well", "away"], **SAMPLE}
"""Written out, for an optimizer's last digits are its machine's."""
