"""What a design is made of, before it is planned."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from deniable.protocol.questions.question import Question
from deniable.protocol.surveys.crowd import Crowd
from deniable.protocol.surveys.protection import Protection
from deniable.surveys.survey import Survey

NAME: Final = "advised"
"""What a proposed survey is called, until its author calls it otherwise."""
PARTY: Final = {"owner": "whoever asks", "closes": "9999-12-31T00:00:00Z"}
"""What a survey with a mixer has to say, and its author will say otherwise."""


@dataclass(frozen=True)
class DesignInputs:
    """What a design is made of: questions, people who answer, at a level, of how many, and pairs that are crossed."""

    questions: tuple[Question, ...]
    people: int
    epsilon: float
    population: int | None = None
    cross: tuple[tuple[str, str], ...] = ()
    crowd: Crowd | None = None

    @property
    def protection(self) -> Protection:
        """The protection of the least protected question: a plan never promises less."""
        return Protection(max(question.guarantee(self.epsilon).plain for question in self.questions))

    def survey(self) -> Survey:
        """The survey, planned."""
        return _planned(self)


@lru_cache(maxsize=16)
def _planned(inputs: DesignInputs) -> Survey:
    """Cached, for a design is planned again once it is known what it changes."""
    terms: dict[str, Any] = {} if inputs.crowd is None else {"crowd": inputs.crowd, **PARTY}
    return Survey.plan(
        NAME, inputs.questions, inputs.epsilon, inputs.people, inputs.cross, population=inputs.population, **terms
    )
