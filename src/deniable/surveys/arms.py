"""Parts whose reports are drawn in columns, by the library's mechanisms; arms and documents are the protocol's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from deniable.arrays import Indices
from deniable.estimation.laws.support_law import SupportLaw
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.repeat.linked import levels_of_rounds
from deniable.privacy.entropy import Entropy
from deniable.protocol.errors import ParameterError
from deniable.protocol.questions.question import Encoder, Question
from deniable.protocol.surveys import arms
from deniable.protocol.surveys.rounds import RoundLevels
from deniable.reports.layout import stored_bytes
from deniable.surveys.encoded_columns import encoded, encoded_one


class Part(arms.Part):
    """One report of an arm: about which questions, what of their answers, and through which mechanism.

    >>> import deniable as dn
    >>> Part(dn.OneOf("late", ["yes", "no"]), dn.RandomizedResponse(["yes", "no"], 1.0)).encoder
    Label()
    """

    mechanism: Mechanism

    def __init__(
        self, questions: Question | Sequence[Question], mechanism: Mechanism, encoder: Encoder | None = None
    ) -> None:
        if not isinstance(mechanism, Mechanism):
            raise ParameterError(f"a part's mechanism must be one of deniable's, got {type(mechanism).__name__}")
        super().__init__(questions, mechanism, encoder)

    @property
    def width(self) -> int:
        return stored_bytes(self.mechanism.layout)

    @property
    def treats_alike(self) -> bool:
        return treats_alike(self.mechanism)

    @property
    def rounds(self) -> RoundLevels | None:
        return levels_of_rounds(self.mechanism)

    def answers(self, columns: Mapping[str, Any]) -> list[Any]:
        """The answers to the part's questions, of one person or as columns."""
        return [columns[name] for name in self.names]

    def index(self, answers: Mapping[str, Any], entropy: Entropy) -> Indices:
        """The index of the value of one person's answers, as a column of one."""
        return encoded_one(self.encoder, self.questions, self.answers(answers), self.mechanism.domain, entropy)

    def indices(self, columns: Mapping[str, Any], entropy: Entropy) -> Indices:
        """The indices of the values of columns of answers."""
        return encoded(self.encoder, self.questions, self.answers(columns), self.mechanism.domain, entropy)


class Arm(arms.Arm[Part]):
    """Reports that a device is asked for together, drawn with the chance ``weight`` over the weights of all arms.

    In a document it is numbered by its place, from 0.

    >>> import deniable as dn
    >>> way = dn.OneOf("way", ["car", "bus", "bike"])
    >>> dn.Survey.plan("ways", [way], 3.0, people=900).arms[0].weight
    1
    """


def treats_alike(mechanism: Mechanism) -> bool:
    """Whether a mechanism treats all pairs of labels alike, so that it is known how their shares vary together."""
    return isinstance(mechanism.law, SupportLaw) and mechanism.law.symmetric
