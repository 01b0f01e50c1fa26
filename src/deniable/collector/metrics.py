"""What a collector has done since it started, as Prometheus reads it."""

from __future__ import annotations

from collections import Counter


class Metrics:
    """Counts by name; a refusal also by its kind. Nothing here is about a survey, a period or a person."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()
        self._refused: Counter[str] = Counter()

    def take(self, uploads: int, answers: int) -> None:
        """Count uploads of one transaction."""
        self._taken.update(transactions=1, uploads=uploads, answers=answers)

    def refuse(self, kind: str) -> None:
        """Count an upload that was refused."""
        self._refused[kind] += 1

    def text(self, waiting: int) -> str:
        """All counts, and the bytes that wait now."""
        taken = [f"deniable_{name}_total {n}" for name, n in sorted(self._taken.items())]
        refused = [f'deniable_refusals_total{{kind="{kind}"}} {n}' for kind, n in sorted(self._refused.items())]
        return "\n".join([*taken, *refused, f"deniable_waiting_bytes {waiting}", ""])
