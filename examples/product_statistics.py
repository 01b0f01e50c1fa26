"""An engineer counts which feature people use most, holding nobody's data: plan, ship, collect, estimate."""

from __future__ import annotations

from typing import Any

import numpy as np

import deniable as dn

FEATURES = ["search", "share", "export", "offline", "dark mode", "shortcuts", "plugins", "none of these"]
EPSILON = 1.0
USERS = 50_000
SHARES = [0.31, 0.22, 0.14, 0.11, 0.09, 0.06, 0.03, 0.04]
"""How many name each as the one they use most, in this made-up story; a real collector never sees it."""


def ship(spec: dict[str, Any], favourites: list[str]) -> list[int | bytes]:
    """What runs on the devices: each knows the spec and its own answer, and sends one report."""
    client = dn.from_spec(spec)
    return [client.privatize(favourite) for favourite in favourites]


def main() -> None:
    """The whole story."""
    plan = dn.plan(FEATURES, epsilon=EPSILON, users=USERS)
    survey = plan.best
    print(plan)
    print(f"\nEach of {USERS} people sends {survey.report_bits} bits.", dn.audit(survey), sep="\n")

    favourites = np.random.default_rng(1).choice(FEATURES, size=USERS, p=SHARES).tolist()
    first = survey.tally(ship(survey.spec(), favourites[:1_000]))  # a thousand devices, one by one
    rest = survey.tally(survey.privatize_many(favourites[1_000:], seed=1))  # the others at once, repeatable
    estimate = survey.estimate(first + rest)

    print("\nused most       share     between       (truth)")
    truth = dict(zip(FEATURES, SHARES, strict=True))
    for label, share, low, high in estimate.top(len(FEATURES)):
        print(f"{label:<14} {share:>8.1%}   {low:.1%} and {high:.1%}   ({truth[str(label)]:.0%})")


if __name__ == "__main__":
    main()
