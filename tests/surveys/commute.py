"""A survey of every kind of question, and people who answer it."""

from __future__ import annotations

from typing import Any

import numpy as np

import deniable as dn

WAY = dn.OneOf("way", ["car", "bus", "bike", "foot"], wording="How did you come?")
LATE = dn.OneOf("late", ["yes", "no"])
ILL = dn.OneOf("ill", ["ill", "well", "away"], sensitive=["ill"])
SITE = dn.Text("site", longest=4)


def crossed(epsilon: float = 2.0) -> dn.Survey:
    """Two questions crossed and one by itself."""
    return dn.Survey.plan("commute", [WAY, LATE, ILL], epsilon, people=5000, cross=[("way", "late")])


def single(question: Any, mechanism: dn.Mechanism) -> dn.Survey:
    """A survey of one question."""
    return dn.Survey("one", [question], [dn.Arm(dn.Part(question, mechanism))])


def people(n: int, seed: int = 0) -> dict[str, list[Any]]:
    """The answers of n people: those who come by car are late more often."""
    rng = np.random.default_rng(seed)
    way = rng.choice(4, n, p=[0.4, 0.3, 0.2, 0.1])
    late = rng.random(n) > np.where(way == 0, 0.4, 0.2)
    ill = rng.choice(3, n, p=[0.1, 0.7, 0.2])
    return {
        "way": [WAY.labels[int(i)] for i in way],
        "late": [LATE.labels[int(i)] for i in late],
        "ill": [ILL.labels[int(i)] for i in ill],
    }
