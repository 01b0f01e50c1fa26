"""What keeps surveys and periods from being kept in order: told once, and shown until it is over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from deniable.intake.events import reason_of, warn
from deniable.intake.storage.rows import SurveyRow


class Troubles:
    """Reasons by what failed, the survey and the period."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, str], str] = {}

    @contextmanager
    def around(self, event: str, survey: SurveyRow, period: str = "") -> Iterator[None]:
        """Do something whose failure is told as ``event``, shown until it is over, and holds up nothing else."""
        key = (event, survey.digest, period)
        try:
            yield
        except Exception as error:
            before, self._known[key] = self._known.get(key), reason_of(error)
            if self._known[key] != before:
                warn(event, error, survey=survey.name, period=period)
        else:
            self._known.pop(key, None)

    def of(self, survey: str, period: str) -> str:
        """What is wrong with a period now; nothing if all is well."""
        return "; ".join(reason for key, reason in list(self._known.items()) if key[1:] == (survey, period))
