"""What a collector must do, as dictionaries: no transactions, no chunks, nothing that could be lost."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime

from tests.collector.worlds import DAY

import deniable as dn
from deniable.intake.clock import Watch
from deniable.surveys.tally import SurveyTally

Key = tuple[str, str]
"""A survey's digest, and a period."""


def day_of(moment: float) -> str:
    """The period of a moment."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d")


def bounds_of(survey: dn.Survey, period: str) -> tuple[float, float]:
    """When a period begins and ends, by the calendar."""
    if survey.period == "once":
        return -math.inf, math.inf
    begins = datetime.fromisoformat(period).replace(tzinfo=UTC).timestamp()
    return begins, begins + DAY


@dataclass
class Kept:
    """A period whose door somebody found open: its uploads, the answers that count in it, what has become of it."""

    ids: dict[bytes, bytes] = field(default_factory=dict)
    codes: dict[str, bytes] = field(default_factory=dict)
    answers: list[bytes] = field(default_factory=list)
    state: str = "open"
    withheld: int = 0
    released: SurveyTally | None = None


@dataclass
class Model:
    """All surveys by their digests, and all their periods."""

    surveys: dict[str, dn.Survey]
    codes: dict[str, set[str]]
    ended: dict[str, float] = field(default_factory=dict)
    periods: dict[Key, Kept] = field(default_factory=lambda: defaultdict(Kept))

    def shuts(self, key: Key) -> float:
        """When nothing more is taken for a period."""
        survey = self.surveys[key[0]]
        return min(bounds_of(survey, key[1])[1], self.ended.get(key[0], math.inf)) + survey.grace

    def door(self, key: Key, now: float) -> str | None:
        """Why nothing is taken for a period at a moment, by its document."""
        begins, _ = bounds_of(self.surveys[key[0]], key[1])
        if begins >= self.ended.get(key[0], math.inf) or now >= self.shuts(key):
            return "closed"
        return "too-early" if now < begins - self.surveys[key[0]].skew else None

    def refused(self, key: Key, now: float, watch: Watch) -> str | None:
        """Why nothing is taken now: a clock that was set back must not send answers to a past period, or away."""
        behind = watch.is_doubted and now < watch.believed
        told = self.door(key, now) or (self.door(key, watch.believed) if behind else None)
        if told is not None:
            return "busy" if behind or (watch.is_doubted and told == "closed") else told
        return "closed" if key in self.periods and self.periods[key].state != "open" else None

    def take(self, key: Key, body: bytes, code: str | None, now: float, watch: Watch) -> str | int:
        """What becomes of an upload."""
        refused = self.refused(key, now, watch)
        own, answers = body[:16], [body[place : place + 1] for place in range(22, len(body))]
        if refused is not None:
            return refused
        kept = self.periods.get(key, Kept())
        if max(answers) > b"\3":
            return "no-answer"
        if own in kept.ids:
            return len(answers) if kept.ids[own] == body else "other-bytes"
        if key[0] in self.codes:
            if len(answers) > 1:
                return "malformed"
            if code not in self.codes[key[0]] or code in kept.codes:
                return "invitation"
            kept.codes[code] = own
        self.periods[key] = kept
        kept.ids[own] = body
        kept.answers += answers
        return len(answers)

    def keep(self, now: float, doubted: bool) -> None:
        """Close what is over."""
        for key in sorted(self.periods):
            if self.periods[key].state == "open" and now >= self.shuts(key) and not doubted:
                self._close(key)

    def _close(self, key: Key) -> None:
        survey, kept = self.surveys[key[0]], self.periods[key]
        if len(kept.answers) >= survey.minimum:
            kept.state, kept.released = "released", survey.tally(kept.answers)
            return
        after = self._following(key)
        kept.state = "withheld" if after is None or not kept.answers else "joined"
        kept.withheld = len(kept.answers)
        if after is not None and kept.answers:
            self.periods[after].answers += kept.answers
            kept.answers = []

    def _following(self, key: Key) -> Key | None:
        """The period that one with too few answers joins."""
        survey = self.surveys[key[0]]
        _, ends = bounds_of(survey, key[1])
        if survey.repeat != "once" or math.isinf(ends) or ends >= self.ended.get(key[0], math.inf):
            return None
        after = key[0], day_of(ends)
        return after if self.periods[after].state == "open" else None

    def discard(self, now: float, doubted: bool) -> None:
        """Delete answers that need not be kept any longer."""
        for key, kept in self.periods.items():
            over = kept.state in ("released", "withheld") and now >= self.shuts(key) + self.surveys[key[0]].keep
            if over and not doubted:
                kept.answers = []
