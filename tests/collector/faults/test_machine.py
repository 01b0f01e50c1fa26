"""A state machine over both storages with a clock of its own, held against a model made of dictionaries."""

from __future__ import annotations

import itertools
import math
import struct
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from tests.collector.faults.model import Key, Model, day_of
from tests.collector.worlds import DAY, Clock, Service, a_survey, an_id, body_of
from tests.lengths import by_length

from deniable.collector.folding import chunk_sections
from deniable.intake.access import hash_of
from deniable.intake.clock import Clock as AnyClock
from deniable.intake.clock import Watch
from deniable.intake.refusals import Refused
from deniable.intake.storage.postgres import PostgresStore
from deniable.intake.storage.sqlite import SqliteStore
from deniable.intake.storage.store import Store
from deniable.surveys.tally import SurveyTally

Open = Callable[[AnyClock], Store]
ONCE = a_survey("once", grace=3600, minimum=1)
FRESH = a_survey("fresh", period="day", repeat="fresh", skew=3600, grace=7200, minimum=2, keep=86400)
JOINING = a_survey("joining", period="day", repeat="once", skew=0, grace=0, minimum=4)
INVITED = a_survey("invited", period="day", repeat="fresh", grace=0, minimum=1)
SURVEYS = [ONCE, FRESH, JOINING, INVITED]
CODES = ["one", "two", "three"]

surveys = st.sampled_from(SURVEYS)
days = st.sampled_from([0, 0, 0, -1, 1])
answers = st.lists(st.integers(0, 3), min_size=1, max_size=5)
codes = st.sampled_from([*CODES, "made up", None])


class Machine(RuleBasedStateMachine):
    """A collector, and what it must do."""

    def __init__(self, open_store: Open) -> None:
        super().__init__()
        self.clock = Clock()
        self.service = Service(self.clock, lambda: open_store(self.clock))
        self.service.__enter__()
        for survey in SURVEYS:
            self.service.desk.put(survey, "ann")
        hashes = [hash_of(code) for code in CODES]
        self.service.collector.run(lambda t: t.invite(INVITED.digest, hashes))
        self.model = Model({survey.digest: survey for survey in SURVEYS}, {INVITED.digest: set(CODES)})
        self.sent: list[tuple[Key, bytes, str | None]] = []

    @property
    def watch(self) -> Watch:
        """What the collector believes of its clock."""
        return self.service.collector.watch_at(self.clock())

    @property
    def doubted(self) -> bool:
        """Whether the collector doubts its clock."""
        return self.watch.is_doubted

    def send(self, key: Key, *bodies: bytes, code: str | None = None) -> None:
        """Send uploads at once; each has the outcome that it has in the model."""
        expected = [self.model.take(key, body, code, self.clock(), self.watch) for body in bodies]
        assert self.service.send(self.model.surveys[key[0]], *bodies, period=key[1], code=code) == expected
        self.sent += [(key, body, code) for body in bodies]

    def period(self, survey: Any, day: int) -> Key:
        """A period that may be open."""
        return survey.digest, "once" if survey is ONCE else day_of(self.clock() + day * DAY)

    @rule(survey=surveys, day=days, answers=answers, code=codes)
    def send_new(self, survey: Any, day: int, answers: list[int], code: str | None) -> None:
        """A new upload."""
        some = answers[:1] if survey is INVITED and code == "one" else answers
        self.send(self.period(survey, day), body_of(some), code=code)

    @rule(data=st.data(), other=st.sampled_from([None, 0, 3, 9]))
    def send_again(self, data: st.DataObject, other: int | None) -> None:
        """The same upload once more, or its id with other bytes."""
        if self.sent:
            key, body, code = data.draw(st.sampled_from(self.sent))
            self.send(key, body if other is None else body_of([other], body[:16]), code=code)

    @rule(survey=surveys, day=days, n=st.integers(2, 30), bad=st.integers(0, 40))
    def send_many(self, survey: Any, day: int, n: int, bad: int) -> None:
        """Many at once, one of which may be poison, and some of which come twice."""
        bodies = [body_of([9 if place == bad else place % 4]) for place in range(n)]
        self.send(self.period(survey, day), *bodies, *bodies[::3])

    @rule(data=st.data())
    def send_in_other_batches(self, data: st.DataObject) -> None:
        """A gateway that batches again what it sent: under another id these are other answers."""
        if self.sent:
            key = data.draw(st.sampled_from([key for key, _, _ in self.sent]))
            rows = b"".join(body[22:] for of, body, _ in self.sent[-6:] if of == key)[:9]
            if rows:
                self.send(key, an_id() + struct.pack("<HI", 0, len(rows)) + rows)

    @rule(hours=st.sampled_from([0.02, 0.5, 1, 3, 11, 25, 49]), seen=st.booleans())
    def pass_time(self, hours: float, seen: bool) -> None:
        """Time goes by, with a collector that looks at the clock or one that is asleep."""
        while hours > 0:
            self.clock.advance(min(hours, 12) * 3600)
            hours -= 12
            if seen:
                self.keep()

    @rule(days=st.sampled_from([-1.1, 1.1, -30.0, 30.0]))
    def jump(self, days: float) -> None:
        """The clock jumps."""
        self.clock.jump(days * DAY)

    @rule()
    def confirm(self) -> None:
        """An operator says that the clock is right."""
        self.service.keeper.look_at_the_clock(confirm=True)

    @rule()
    def keep(self) -> None:
        """Fold, and close."""
        self.service.keeper.keep()
        self.model.keep(self.clock(), self.doubted)

    @rule()
    def discard(self) -> None:
        """Delete what need not be kept."""
        self.service.keeper.discard()
        self.model.discard(self.clock(), self.doubted)

    @rule(survey=surveys)
    def end(self, survey: Any) -> None:
        """Close by hand, which a clock that is doubted cannot."""
        row = self.service.collector.survey(survey.digest)
        if self.doubted:
            with pytest.raises(Refused):
                self.service.desk.end(row, "ann")
        else:
            self.service.desk.end(row, "ann")
            self.model.ended[survey.digest] = min(self.clock(), self.model.ended.get(survey.digest, math.inf))

    @rule()
    def restart(self) -> None:
        """End the collector, and start another on the same storage."""
        self.service.__exit__()
        self.service = Service(self.clock, self.service.open_store)
        self.service.__enter__()

    @rule()
    def read_and_recount(self) -> None:
        """All results, and all answers that are kept."""
        for key, kept in self.model.periods.items():
            if kept.released is not None:
                row = self.service.collector.survey(key[0])
                tally, _ = self.service.desk.tally(row, key[1])
                assert SurveyTally.from_bytes(tally) == kept.released
                assert self.service.desk.recount(row, key[1]) == (
                    (kept.released.n, True, True) if kept.answers else (0, False, False)
                )
            self.check_answers(key)

    def check_answers(self, key: Key) -> None:
        """The answers of a period are those of the model, each as often; a recount of an open period agrees."""
        collector, kept = self.service.collector, self.model.periods[key]
        row = collector.survey(key[0])
        try:
            batch = self.service.desk.batch(row, key[1])
        except Refused:
            assert not kept.answers
            return
        parts = chunk_sections(collector.run, collector.form(row), batch)
        found = Counter(answer for sections in parts for section in sections for answer in section.rows)
        assert found == Counter(b"".join(kept.answers))
        if kept.state == "open":
            assert self.service.desk.recount(row, key[1]) == (len(kept.answers), True, True)

    @invariant()
    def numbers_agree(self) -> None:
        """The state and the number of answers of every period."""
        for survey in SURVEYS:
            for standing in self.service.desk.standings(self.service.collector.survey(survey.digest)):
                kept = self.model.periods[survey.digest, standing.period]
                n = kept.withheld if kept.state == "withheld" else len(kept.answers)
                n = n if kept.released is None else kept.released.n
                assert (standing.state, standing.answers) == (kept.state, n)

    def teardown(self) -> None:
        """The last look."""
        try:
            self.read_and_recount()
        finally:
            self.service.__exit__()


def run_machine(open_fresh: Callable[[], Open], examples: int) -> None:
    """Run it on a new storage for each example."""

    class Fresh(Machine):
        def __init__(self) -> None:
            super().__init__(open_fresh())

    run_state_machine_as_test(Fresh, settings=settings(max_examples=examples, stateful_step_count=30))


@pytest.mark.soak
def test_sqlite_does_what_the_model_does(tmp_path: Path) -> None:
    numbers = itertools.count()

    def fresh() -> Open:
        folder = tmp_path / str(next(numbers))
        return lambda clock: SqliteStore(folder, clock)

    run_machine(fresh, by_length(20, 400))
    assert next(numbers) >= 20


@pytest.mark.soak
def test_postgres_does_what_the_model_does(database: str) -> None:
    numbers = itertools.count()

    def fresh() -> Open:
        next(numbers)
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
        return lambda clock: PostgresStore(database, clock)

    run_machine(fresh, by_length(20, 400))
    assert next(numbers) >= 20
