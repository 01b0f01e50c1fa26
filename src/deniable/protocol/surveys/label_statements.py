"""What the privacy label of a survey states, in its order: none of it is more than is proven."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..privacy.guarantees import Guarantee
from ..say import Statement
from .crowd import crowd_leaves_open, crowd_statements
from .document import Document
from .rounds import what_shows
from .statements import belief_statements


@dataclass(frozen=True)
class LabelStatements:
    """The statements of a document's label."""

    document: Document[Any]

    @property
    def every(self) -> tuple[Statement, ...]:
        """All statements of the label."""
        return (
            *self._in_field("field_beside"),
            *self._drawn(),
            Statement("changed" if self.document.promise.level < math.inf else "changed_part"),
            *self._promised(),
            self._sent(),
            *self._repeated(),
            *self._in_languages(),
            *self.unprotected,
        )

    @property
    def unprotected(self) -> tuple[Statement, ...]:
        """What the promise does not cover."""
        lines = [line for name in self.document.by_name for line in self._open(name)]
        by_label = any(part.shows_changed_labels for arm in self.document.arms for part in arm.parts)
        shown = what_shows(self.document.rounds is not None, by_label)
        terms = self.document
        used = [Statement(term) for term in ("kiosk", "lan") if getattr(terms, term)]
        ways = [Statement(key) for key in ("paths", "paths_time") if self._has_ways]
        field = self._in_field("field_same", "field_again")
        return (*lines, *ways, *shown, *used, *field, *self._open_in_crowd, Statement("taking_part"))

    @property
    def of_crowd(self) -> tuple[Statement, ...]:
        """What each party of a crowd can find out, both levels beside each other, and what they do not cover."""
        return (*self._seen_in_crowd, *self._open_in_crowd)

    @property
    def _seen_in_crowd(self) -> tuple[Statement, ...]:
        terms = self.document
        if terms.crowd is None:
            return ()
        return tuple(crowd_statements(terms, terms.crowd, terms.promise.level, self.during))

    @property
    def _open_in_crowd(self) -> tuple[Statement, ...]:
        terms = self.document
        return () if terms.crowd is None else tuple(crowd_leaves_open(terms, terms.crowd))

    @property
    def _has_ways(self) -> bool:
        """Whether some question follows from an answer."""
        return any(question.only_if is not None for question in self.document.questions)

    def _in_field(self, *keys: str) -> Iterator[Statement]:
        """Of a report that stands in a field of somebody else's form these statements."""
        if self.document.carrier is not None:
            yield from map(Statement, keys)

    def _open(self, name: str) -> Iterator[Statement]:
        """What is left open of one question; where arms protect different answers, only that some can be told apart."""
        guarantees, of = self.document.promise.about(name), Statement("question", name=name)
        if len(guarantees) > 1 and any(guarantee.plain == math.inf for guarantee in guarantees):
            yield Statement("open_pairs", of=of)
        else:
            for guarantee in guarantees:
                yield from guarantee.left_open(of)

    @property
    def during(self) -> Statement | str:
        """The stretch of time that the promise is about; nothing if that is all times."""
        return Statement(f"during_{self.document.period}") if self.document.repeat == "fresh" else ""

    def apart(self) -> Iterator[tuple[str, Guarantee]]:
        """Each question that no level of whole answers covers, or that is protected by labels or by distance."""
        promise = self.document.promise
        for name in self.document.by_name:
            guarantees = promise.about(name)
            if len(guarantees) == 1 and (
                promise.level == math.inf or guarantees[0].by_distance or guarantees[0].by_label
            ):
                yield name, guarantees[0]

    def _drawn(self) -> Iterator[Statement]:
        """Of how many questions a device draws on how many it reports; nothing where every arm reports on all."""
        every, (least, most) = len(self.document.questions), self.document.reported_on
        if least < every:
            yield Statement("drawn", asked=_from_to(least, most), count=every)

    def _promised(self) -> Iterator[Statement]:
        """What is promised of a whole answer, or of each round, and of each question that differs from that."""
        level, rounds = self.document.promise.level, self.document.rounds
        if rounds is not None:
            yield from rounds.statements()
            return
        if level < math.inf:
            yield Statement("whole", during=self.during, level=level)
            yield from belief_statements("belief", level, during=self.during)
            yield from self._seen_in_crowd
        else:
            yield Statement("differs")
        for name, guarantee in self.apart():
            yield Statement("about", of=Statement("question", name=name), promise=guarantee.promised)

    def _sent(self) -> Statement:
        least, most = self.document.sent_bytes
        return Statement("bytes", count=most, length=_from_to(least, most))

    def _repeated(self) -> Iterator[Statement]:
        """How often a survey is answered that is answered more than once."""
        terms, every = self.document, Statement(f"every_{self.document.period}")
        if terms.repeat == "fresh":
            yield Statement("fresh", every=every, cap=terms.cap, topic=terms.topic)
        if terms.repeat == "remembered":
            yield Statement("remembered", every=every)

    def _in_languages(self) -> Iterator[Statement]:
        tags = self.document.languages
        if len(tags) > 1:
            yield Statement("languages", count=len(tags), tags=", ".join(tags))


def _from_to(least: int, most: int) -> Statement | int:
    """A number, or a range of them."""
    return most if least == most else Statement("range", least=least, most=most)
