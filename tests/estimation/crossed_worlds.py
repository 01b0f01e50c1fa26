"""Surveys of two questions or three, alone and in pairs, for tests of what pairs tell."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import deniable as dn
from deniable.protocol.questions.pair import pairs_of
from deniable.surveys.arms import Arm, Part

Vector = npt.NDArray[np.float64]
FALSE_ALARM = 1e-7


class World(NamedTuple):
    """How many answers the questions have, which of them are arms, the share of rare answers, people and epsilon."""

    labels: tuple[int, ...]
    arms: tuple[tuple[int, ...], ...]
    rare: tuple[float | None, float | None]
    people: int
    epsilon: float

    @property
    def margins(self) -> list[Vector]:
        """The shares of the answers to each question: equal ones, or all but the first are rare."""
        rare = [*self.rare, *[0.2] * (len(self.labels) - 2)]
        return [
            np.full(d, 1 / d) if r is None else np.append(1 - r, np.full(d - 1, r / (d - 1)))
            for d, r in zip(self.labels, rare, strict=True)
        ]

    def survey(self) -> dn.Survey:
        """Each arm asks one question or a pair, by the mechanism of least error."""
        questions = [dn.OneOf(f"q{k}", [str(j) for j in range(d)]) for k, d in enumerate(self.labels)]
        parts = []
        for arm in self.arms:
            asked = [questions[k] for k in arm]
            domain = pairs_of(asked) if len(asked) > 1 else asked[0].labels
            mechanism = dn.RandomizedResponse if len(domain) < np.exp(self.epsilon) + 1 else dn.Subset
            parts.append(Part(asked if len(asked) > 1 else asked[0], mechanism(domain, self.epsilon)))
        return dn.Survey("world", questions, [Arm(part) for part in parts])

    def __str__(self) -> str:
        size = "x".join(map(str, self.labels[:2]))
        return f"{size}, {len(self.arms)} arms, {self.people} people, epsilon {self.epsilon}, rare {self.rare}"


PAIR, ALONE, CHAIN = ((0, 1),), ((0, 1), (0,), (1,)), ((0, 1), (1, 2))
ALIKE, RARE, ONE_RARE, EVEN = (0.0, 0.0), (0.02, 0.02), (0.02, None), (None, None)
