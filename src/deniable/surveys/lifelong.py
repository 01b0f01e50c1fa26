"""The proof of what a life of remembered reports costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from deniable.audit.exact import proof_of
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.repeat.linked import lifetime
from deniable.mechanisms.repeat.remembered import Remembered
from deniable.protocol.privacy.levels import added


class Proof(NamedTuple):
    """What is claimed, what is realised at most, whether the claim holds, and whether all pairs were enumerated."""

    claimed: float
    epsilon: float
    holds: bool
    listed: bool


def lifelong(mechanisms: Sequence[Mechanism]) -> Proof:
    """A life of remembered reports: each permanent report is proven, and there is one for each cell."""
    kept = [m for m in mechanisms if isinstance(m, Remembered)]
    proofs = [(proof_of(m.permanent), lifetime(m).epsilon) for m in kept]
    claimed = added(*(level for _, level in proofs))
    realised = math.fsum(proof.epsilon * level / proof.claimed for proof, level in proofs)
    holds = all(proof.holds for proof, _ in proofs) and all(proof_of(m).holds for m in kept)
    return Proof(claimed, realised, holds, listed=False)
