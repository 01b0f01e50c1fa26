"""Questions answered in words of one's own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from deniable.estimation.estimate import Estimate
from deniable.protocol.errors import ParameterError, TallyError
from deniable.protocol.questions.question import Encoder
from deniable.protocol.questions.text import Prefix, Text, Whole
from deniable.surveys.arms import Part
from deniable.surveys.choosing import MechanismChoice
from deniable.surveys.combining import PartReports
from deniable.surveys.part_errors import AskedParts
from deniable.surveys.questions.kind import Expected, QuestionKind, SurveyResults
from deniable.surveys.sharing import Allocation, in_equal_shares
from deniable.values.texts import Texts

STEP = 2
"""By how many characters the prefixes of a text grow from group to group."""


class TextKind(QuestionKind[Text]):
    """Texts are hashed whole; where they are to be discovered, prefixes of them too."""

    def values(self, question: Text) -> Texts:
        return Texts("")

    def sample(self, question: Text) -> Any:
        return "a"

    def fields(self, question: Text, texts: Sequence[str | None], separator: str) -> list[Any]:
        return [text or None for text in texts]

    def allocation(self, question: Text, level: float, people: int, key: str, choice: MechanismChoice) -> Allocation:
        """The whole text, and of one that is discovered each prefix by itself."""
        if question.longest is None:
            return in_equal_shares([Part(question, choice.of_text(level, key))])
        lengths = range(STEP, question.longest + STEP, STEP)
        encoders: list[tuple[str, Encoder]] = [*((f"{n}", Prefix(n)) for n in lengths), ("whole", Whole())]
        parts = [Part(question, choice.of_text(level, f"{key}/{ending}"), encoder) for ending, encoder in encoders]
        return in_equal_shares(parts)

    def expected(self, question: Text, asked: AskedParts, people: int, population: float) -> Expected:
        """The error of a text's share in the smallest group that has to show it (discovery)."""
        error = max(1 / (math.sinh(part.mechanism.guarantee.claimed / 2) * math.sqrt(n)) for part, n in asked)
        return Expected(people, error, "a text, which must be held by three times as many to be found")

    def estimate(self, question: Text, reports: list[PartReports], results: SurveyResults) -> Estimate:
        texts = results.candidates.get(question.name)
        whole = [each for each in reports if each.part.encoder == question.plain_encoder]
        if texts is None and len(whole) < len(reports):
            estimate = results.discover(question.name)
            if estimate is None:
                raise TallyError(f"no text stands out among the answers to {question.name!r}; ask more people")
            return estimate
        if texts is None:
            raise ParameterError(
                f"candidates must name texts to look for in the answers to {question.name!r}, got none"
            )
        if len(whole) != 1:
            raise TallyError(f"the answers to {question.name!r} must be of one mechanism to be searched, got several")
        return whole[0].alone(results.decoder, texts)
