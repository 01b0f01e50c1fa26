"""The document as a device holds it: its parts draw one person's reports with the protocol's readable mechanisms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..mechanisms.mechanism import Mechanism
from ..mechanisms.plain import OptimizedUnary, RandomizedResponse, Rappor, Subset
from ..mechanisms.registry import mechanism_of
from ..mechanisms.remembered import Remembered
from ..questions.question import Chances, Encoder, Question, Source
from .arms import Part
from .document import Document
from .rounds import RoundLevels

ALIKE = (RandomizedResponse, Subset, OptimizedUnary, Rappor)
"""The mechanisms that treat all pairs of labels alike."""


class DevicePart(Part):
    """One report of an arm, which a device draws."""

    mechanism: Mechanism

    @property
    def width(self) -> int:
        return self.mechanism.layout.width

    @property
    def treats_alike(self) -> bool:
        mechanism = self.mechanism.ever if isinstance(self.mechanism, Remembered) else self.mechanism
        return isinstance(mechanism, ALIKE)

    @property
    def rounds(self) -> RoundLevels | None:
        m = self.mechanism
        if not isinstance(m, Remembered):
            return None
        return RoundLevels(m.guarantee.plain, m.ever.guarantee.plain, m.life.epsilon)

    def value(self, answers: Mapping[str, Any], source: Source) -> Any:
        """The value that is randomized, of one person's answers by question."""
        return self.encoder.value(self.questions, [answers[name] for name in self.names], source)

    def chances(self, answers: Mapping[str, Any]) -> Chances:
        """The values that one person's answers may become."""
        return self.encoder.chances(self.questions, [answers[name] for name in self.names])


class DeviceDocument(Document[DevicePart]):
    """A survey's document whose parts a device can draw."""

    @classmethod
    def _part(cls, questions: Sequence[Question], encoder: Encoder, spec: Any) -> DevicePart:
        return DevicePart(questions, mechanism_of(spec), encoder)
