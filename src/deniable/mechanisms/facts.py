"""The facts of one report: how it is promised, how long it is, and how many people send one that fits their answer."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from deniable.arrays import Matrix
from deniable.estimation.laws.support_law import SupportLaw
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.repeat.linked import levels_of_rounds
from deniable.protocol.privacy.levels import in_json
from deniable.protocol.say import Statement
from deniable.protocol.surveys.rounds import RoundLevels
from deniable.reports.index_layout import IndexLayout

MOST_SHOWN = 12
"""Up to so many answers and reports, the label shows how many people with each answer send each report."""


@dataclass(frozen=True, slots=True)
class ReportFacts:
    """What one report is: of how many bits, and under which guarantee.

    Of the people with one answer the share ``own`` sends a report that fits it, of all others the share ``other``. None
    where reports do not fit answers one by one. ``level`` is that of one report, infinite where some answers are not
    protected; ``rounds`` holds the levels of remembered reports.
    """

    mechanism: str
    guarantee: str
    level: float
    bits: int
    own: float | None
    other: float | None
    rounds: RoundLevels | None

    @classmethod
    def of(cls, mechanism: Mechanism) -> ReportFacts:
        """The facts of a mechanism's reports."""
        law, guarantee = mechanism.law, mechanism.guarantee
        own, other = (law.support.g, law.support.h) if isinstance(law, SupportLaw) else (None, None)
        level, bits, rounds = guarantee.plain, mechanism.report_bits, levels_of_rounds(mechanism)
        return cls(mechanism.name, str(guarantee), level, bits, own, other, rounds)

    @property
    def promised(self) -> str:
        """The guarantee, and of remembered reports the level of a life of them."""
        return self.guarantee if self.rounds is None else f"{self.guarantee} a round, {self.rounds.life:g} for life"

    def to_dict(self) -> dict[str, Any]:
        """The facts as plain values for JSON."""
        return {**asdict(self), "level": in_json(self.level)}


@dataclass(frozen=True, slots=True, eq=False)
class SendingTable:
    """How probable each report (columns) is from each answer (rows)."""

    answers: tuple[str, ...]
    reports: tuple[str, ...]
    probabilities: Matrix

    @classmethod
    def of(cls, mechanism: Mechanism) -> SendingTable | None:
        """The table of a mechanism with few answers and few reports; None for any other."""
        size, layout = mechanism.domain.size, mechanism.layout
        if size is None or size > MOST_SHOWN or not isinstance(layout, IndexLayout) or layout.outputs > MOST_SHOWN:
            return None
        answers = tuple(map(str, mechanism.domain.every()))
        named = answers if names_a_label(mechanism) else map(str, range(layout.outputs))
        return cls(answers, tuple(named), mechanism.channel().probabilities)


def of_hundred(share: float | None) -> str:
    """A probability as so many of 100 people.

    >>> of_hundred(0.7311), of_hundred(1e-7), of_hundred(None)
    ('73.1', '<0.001', '')
    """
    if share is None:
        return ""
    return "<0.001" if 0 < share < 1e-5 else f"{100 * share:.3g}"


def hundred_stated(share: float) -> float | Statement:
    """A probability as so many of 100 people, in a statement; as ``of_hundred`` writes it."""
    written = of_hundred(share)
    return Statement("few", share=float(written[1:])) if written.startswith("<") else float(written)


def names_a_label(mechanism: Mechanism) -> bool:
    """Whether each report is one label's number and fits that label alone; labels and reports must be few."""
    law, layout, size = mechanism.law, mechanism.layout, mechanism.domain.size
    if not isinstance(law, SupportLaw) or not isinstance(layout, IndexLayout) or layout.outputs != size:
        return False
    return bool(np.array_equal(law.supports(layout.every_report()), np.eye(size, dtype=bool)))
