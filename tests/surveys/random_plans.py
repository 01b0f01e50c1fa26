"""Plans as authors may write them, at random: some questions of every kind, some people, some protection."""

from __future__ import annotations

from typing import Any

import numpy as np

import deniable as dn
from deniable.protocol.questions.question import Question


def random_plan(rng: np.random.Generator) -> dict[str, Any]:
    """What ``advise`` takes, of one to four questions."""
    questions = [_question(rng, f"q{place}") for place in range(rng.integers(1, 5))]
    return {
        "questions": questions,
        "people": int(rng.choice([60, 120, 400, 1500])),
        "epsilon": float(rng.choice([0.5, 1.0, 2.0])),
    }


def _question(rng: np.random.Generator, name: str) -> Question:
    kind = rng.integers(5)
    if kind == 0:
        return dn.OneOf(name, ["yes", "no"])
    if kind == 1:
        return dn.AnyOf(name, [f"a{place}" for place in range(rng.integers(2, 9))])
    if kind == 2:
        return dn.Number(name, 0, int(rng.choice([10, 60, 1000])))
    return dn.OneOf(name, [f"a{place}" for place in range(rng.integers(3, 9))])
