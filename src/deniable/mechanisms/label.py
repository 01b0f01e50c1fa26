"""The privacy label of a single mechanism: what follows for a person who sends its reports."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from deniable.estimation.table import Table, sentences_html, sentences_text
from deniable.mechanisms.facts import ReportFacts, SendingTable, hundred_stated, of_hundred
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.say import Statement, english
from deniable.protocol.surveys.rounds import what_shows
from deniable.protocol.surveys.statements import RISES, Belief, belief_statements, beliefs


@dataclass(frozen=True, repr=False)
class MechanismLabel:
    """A mechanism's privacy label: what follows for a person who sends one report; of remembered ones, for life."""

    mechanism: Mechanism

    @property
    def facts(self) -> ReportFacts:
        """The facts of one report."""
        return ReportFacts.of(self.mechanism)

    @property
    def sends(self) -> SendingTable | None:
        """How many people with each answer send each report; None where there are many of them."""
        return SendingTable.of(self.mechanism)

    @property
    def beliefs(self) -> tuple[Belief, ...]:
        """How far a report moves a belief, of remembered ones all that are ever sent; none where no belief is bound."""
        rounds, (key, level) = self.facts.rounds, self.mechanism.guarantee.belief
        return beliefs(level, key not in RISES) if rounds is None else beliefs(rounds.life)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """What the label says, whatever the language: none of it is more than is proven."""
        changed = Statement("changed_one" if self.mechanism.guarantee.hides_every else "changed_part")
        return (changed, *self._promised(), *self._sent(), *self._open())

    @property
    def unprotected(self) -> tuple[str, ...]:
        """What the promise does not cover, in sentences."""
        return tuple(map(english, self._open()))

    @property
    def sentences(self) -> tuple[str, ...]:
        """The label in plain sentences, for the person asked."""
        return tuple(map(english, self.statements))

    def _promised(self) -> Iterator[Statement]:
        """What one report promises; of remembered ones a round, all rounds and a life of them."""
        rounds, guarantee = self.facts.rounds, self.mechanism.guarantee
        if rounds is None:
            yield guarantee.promised
            yield from belief_statements(*guarantee.belief)
        else:
            yield from rounds.statements("round_answer", "unchanged_answer")

    def _sent(self) -> Iterator[Statement]:
        facts = self.facts
        if facts.own is not None and facts.other is not None:
            yield Statement("fit", own=hundred_stated(facts.own), other=hundred_stated(facts.other))
        yield Statement("bits", count=facts.bits)

    def _open(self) -> tuple[Statement, ...]:
        again = what_shows(self.facts.rounds is not None, self.mechanism.guarantee.by_label) or (Statement("again"),)
        open_ones = self.mechanism.guarantee.left_open(Statement("your_answer"))
        return (*open_ones, *again, Statement("taking_part"))

    def to_dict(self) -> dict[str, Any]:
        """The label as plain values for JSON."""
        sends, shifts = self.sends, [belief._asdict() for belief in self.beliefs]
        table = None if sends is None else {
            "answers": list(sends.answers), "reports": list(sends.reports), "shares": sends.probabilities.tolist()
        }  # fmt: skip
        texts = {"unprotected": list(self.unprotected), "sentences": list(self.sentences)}
        return {**self.facts.to_dict(), "beliefs": shifts, "sends": table, "spec": self.mechanism.spec(), **texts}

    def table(self) -> Table:
        """The facts, a row each."""
        facts = self.facts
        level = "none" if facts.level == math.inf else f"{facts.level:g}"
        rows = [("promised", facts.promised), ("level between any two answers", level), ("bits sent", f"{facts.bits}")]
        if facts.own is not None:
            rows.append(("fitting reports of 100 with an answer", of_hundred(facts.own)))
            rows.append(("fitting reports of 100 with another", of_hundred(facts.other)))
        return Table(f"Privacy label: {self.mechanism!r}", ("one report", ""), rows)

    def tables(self) -> tuple[Table, ...]:
        """The facts, and where there are few answers how many of 100 people with each send what."""
        sends = self.sends
        if sends is None:
            return (self.table(),)
        rows = [
            (answer, *map(of_hundred, row))
            for answer, row in zip(sends.answers, sends.probabilities.tolist(), strict=True)
        ]
        headings = ("answer", *(f"send {report}" for report in sends.reports))
        return (self.table(), Table("Of 100 people with each answer", headings, rows))

    def __str__(self) -> str:
        return "\n\n".join([*map(str, self.tables()), sentences_text(self.sentences)])

    def __repr__(self) -> str:
        return f"MechanismLabel({self.mechanism!r})"

    def _repr_html_(self) -> str:
        return "".join(table._repr_html_() for table in self.tables()) + sentences_html(self.sentences)
