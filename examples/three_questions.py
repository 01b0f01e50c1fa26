"""A survey researcher asks nurses about their health: three questions, two of them crossed, at two hospitals."""

from __future__ import annotations

from typing import Any

import numpy as np

import deniable as dn

PEOPLE = 6000
SHIFTS, SLEEP, HELP = ["day", "night"], ["well", "badly"], ["doctor", "friends", "pills", "alcohol"]
BADLY = {"day": 0.25, "night": 0.55}
"""The share that sleeps badly on each shift, in this made-up story; a real researcher never sees it."""
HELPS = np.array([0.3, 0.5, 0.2, 0.1])


def nurses(seed: int, night: float) -> dict[str, Any]:
    """The true answers of a hospital's nurses, a column for each question; they stay on the nurses' devices."""
    rng = np.random.default_rng(seed)
    shift = rng.choice(SHIFTS, PEOPLE, p=[1 - night, night]).tolist()
    sleep = ["badly" if rng.random() < BADLY[each] else "well" for each in shift]
    return {"shift": shift, "sleep": sleep, "help": rng.random((PEOPLE, len(HELP))) < HELPS}


def main() -> None:
    """The whole story."""
    questions = [dn.OneOf("shift", SHIFTS), dn.OneOf("sleep", SLEEP), dn.AnyOf("help", HELP)]
    survey = dn.Survey.plan("nurses", questions, epsilon=2.0, people=PEOPLE, cross=[("shift", "sleep")])
    print(survey.reason, survey.expected(PEOPLE), sep="\n")
    print("\nWhat each nurse is told:", *(f"- {said}" for said in survey.label().sentences), sep="\n")
    print(f"\nThe promise is proven: {survey.audit().holds}")

    device = dn.Survey.from_json(survey.to_json())  # each device holds the document and nothing else
    answer = device.answer({"shift": "night", "sleep": "badly", "help": ["friends", "pills"]})
    print(f"One answer is {len(answer)} bytes, fit to be counted: {survey.check(answer) is None}")

    results = [
        survey.estimate(survey.tally(survey.answer_many(nurses(seed, night), seed=seed)))
        for seed, night in ((1, 0.3), (2, 0.6))
    ]
    north, south = results
    print("\nAt the northern hospital:", north.cross("shift", "sleep"), north["help"], sep="\n")
    print(
        "\nThe southern hospital, where more work at night, beside it:",
        north["sleep"].difference(south["sleep"]),
        sep="\n",
    )


if __name__ == "__main__":
    main()
