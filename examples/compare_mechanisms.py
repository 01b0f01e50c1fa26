"""A privacy researcher compares mechanisms: predicted and observed error, information, and the proof of the claim."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import deniable as dn

LABELS = 12
USERS = 20_000
ROUNDS = 40
FAMILIES: tuple[Callable[[int, float], dn.Mechanism], ...] = (
    dn.RandomizedResponse, dn.Rappor, dn.OptimizedUnary, dn.Subset, dn.Hadamard, dn.Cyclic,
)  # fmt: skip
TRUTH = np.full(LABELS, 1 / LABELS)


def seen_error(mechanism: dn.Mechanism, rounds: int) -> float:
    """The mean squared error, all labels together, over simulated surveys."""
    runs = (dn.simulate(mechanism, TRUTH, USERS, seed, decoder="unbiased") for seed in range(rounds))
    return float(np.mean([((run.frequencies - TRUTH) ** 2).sum() for run in runs]))


def main() -> None:
    """One table for each epsilon, then the black box."""
    for epsilon in (0.5, 1.0, 3.0):
        most, least = dn.bounds.information(LABELS, epsilon), dn.bounds.least_l2(LABELS, epsilon, USERS)
        print(f"\nepsilon {epsilon}: at most {most:.4f} nats per report, squared error at least {least:.2e}")
        print("mechanism            bits   nats    of most   predicted   seen        realised epsilon")
        for family in FAMILIES:
            m = family(LABELS, epsilon)
            nats, proof = m.mutual_information(), dn.audit(m)
            print(
                f"{m.name:<18} {m.report_bits:>6}   {nats:.4f} {nats / most:>8.1%}   "
                f"{m.risk(USERS, truth=TRUTH):.2e}    {seen_error(m, ROUNDS):.2e}    "
                f"{proof.epsilon:.9f} {'proven' if proof.holds else 'REFUTED'}"
            )
    print()
    print(dn.audit_sampling(dn.Subset(LABELS, 1.0), trials=20_000, seed=1))


if __name__ == "__main__":
    main()
