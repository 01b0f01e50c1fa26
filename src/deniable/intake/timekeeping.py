"""Looking at the clock again and again: a jump of it is noticed, and an operator may say that it is right."""

from __future__ import annotations

from typing import Any

from deniable.intake.clock import Watch, origin
from deniable.intake.events import tell, warn
from deniable.intake.intake import Intake
from deniable.intake.storage.store import FullError
from deniable.intake.storage.transaction import Transaction


class Timekeeper:
    """Knows what an intake believes of time; ``program`` is the command that runs it."""

    def __init__(self, intake: Intake[Any, Any], program: str) -> None:
        self._intake, self._program = intake, program

    def look_at_the_clock(self, confirm: bool = False) -> Watch:
        """Notice a jump of the clock; an operator may confirm that it is right."""

        def look(t: Transaction) -> Watch:
            now, steady_now = self._intake.now(), self._intake.steady()
            stored, mine = t.watch() or Watch(now), self._intake.watch
            before = stored.adopted(origin(), steady_now) if mine is None else mine
            is_confirmed = stored.confirmed > before.confirmed  # by another process
            watch = before.confirmed_at(now, steady_now) if confirm or is_confirmed else before.at(now, steady_now)
            t.set_watch(watch)
            return watch

        before, watch = self._intake.watch, self._intake.run(look)
        self._intake.watch = watch
        self._intake.metrics.doubted.set(watch.is_doubted)
        if watch.is_doubted and not (before and before.is_doubted):
            warn("nothing is closed", f"the clock has jumped; deniable {self._program} clock says that it is right")
        elif before and before.is_doubted and not watch.is_doubted:
            tell("the clock is believed again")
        return watch

    def begin(self) -> None:
        """Look at the clock for the first time; on a full disk what was believed is good enough."""
        try:
            self.look_at_the_clock()
        except FullError as error:
            warn("pages are shown, and nothing is taken", error)
            stored = self._intake.run(lambda t: t.watch()) or Watch(self._intake.now())
            self._intake.watch = stored.adopted(origin(), self._intake.steady())
