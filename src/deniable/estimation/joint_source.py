"""A source of shares by support counting, of which it is known how the shares vary together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deniable.arrays import Matrix, Stack, Vector
from deniable.estimation.evidence import SupportEvidence
from deniable.estimation.joint_sums import JointSums
from deniable.theory.risk.joint_support import JointSupport
from deniable.theory.risk.support import marginals


@dataclass(frozen=True, slots=True, eq=False)
class JointSource:
    """Support counting: how shares vary together is known, so that any sum of them has its error."""

    evidence: SupportEvidence
    joint: JointSupport

    def sums(self, weights: Matrix) -> JointSums:
        """Exact where a sum follows from one count, otherwise by the score."""
        return JointSums(self.evidence, self.joint, weights)

    def covariances(self, sums: Stack, truths: Matrix) -> Stack:
        """As ``JointSupport.covariance`` has it, without the covariance of single shares."""
        joint, m = self.joint, marginals(self.joint.support, truths)
        rise = joint.one - joint.none
        own = m - joint.none - 2 * rise * truths
        sides = np.stack([np.ones_like(truths), truths, m], axis=2)
        total, held, expected = np.moveaxis(sums @ sides, 2, 0)[..., None]
        found = (sums * own[:, None]) @ sums.transpose(0, 2, 1)
        found += (joint.none * total + rise * held) @ total.transpose(0, 2, 1)
        found += rise * total @ held.transpose(0, 2, 1) - expected @ expected.transpose(0, 2, 1)
        return np.asarray(found / (joint.support.gap**2 * self.evidence.n), np.float64)

    def draws(self, truth: Vector, rounds: int, generator: np.random.Generator) -> Matrix:
        """Exactly drawn where reports support one label, or each label by itself; otherwise with normal errors."""
        n, s = self.evidence.n, self.joint.support
        if self.joint.one_each(len(truth)):
            m = marginals(s, truth)
            counts = generator.multinomial(n, m / m.sum(), rounds)
        elif self.joint.apart:
            held = generator.multinomial(n, truth, rounds)
            counts = generator.binomial(held, s.g) + generator.binomial(n - held, s.h)
        else:
            noise = self.joint.normal(truth, generator.standard_normal((rounds, len(truth))))
            return np.asarray(truth + noise / np.sqrt(n), np.float64)
        return np.asarray((counts / n - s.h) / s.gap, np.float64)
