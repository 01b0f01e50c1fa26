"""A walk through a crowd's life: people, a mixer and a collector do what comes to them, and all that can fail does."""

from __future__ import annotations

import logging
import random
from collections.abc import Mapping
from pathlib import Path

from tests.collector.worlds import DAY, HOUR, Clock
from tests.mixer.faults.ledger import Held, Key, Ledger
from tests.mixer.faults.network import Network
from tests.mixer.faults.people import PEOPLE, Begun, Person
from tests.mixer.faults.reckoning import look_at, parcels_of, settle

from deniable.intake.events import LOG
from deniable.protocol.surveys.sealed_answer import SealedForm

OFTEN: Mapping[str, float] = {
    "answer": 6, "flush": 4, "copy_device": 1, "pass_hours": 2, "pass_days": 2.5, "carry": 5, "bring_late": 1,
    "restart": 0.7, "copy_folder": 1, "put_folder_back": 0.5, "put_file_back": 0.1, "keep": 2, "restart_collector": 0.5,
    "back_up": 0.4, "restore": 0.15, "lose_keys": 0.3, "find_keys": 0.6, "stuff": 0.2, "split": 0.7,
    "send_again": 0.4,
}  # fmt: skip
"""What may happen next, and how often it does."""
STEPS = 50
MOST_DEVICES = 14


class Lines(logging.Handler):
    """All that is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""

    def emit(self, record: logging.LogRecord) -> None:
        """One line more."""
        self.text += record.getMessage() + "\n"


class Walk:
    """One walk; the same for the same seed but for keys, ids and coins."""

    def __init__(self, begun: Begun, folder: Path, seed: int) -> None:
        self.begun, self.folder, self.clock, self.draw = begun, folder, Clock(), random.Random(seed)
        self.mixer, self.collector = begun.copied(folder / "now", self.clock)
        self.ledger = Ledger({survey.digest: survey for survey in begun.surveys}, begun.keys)
        self.network = Network(self.mixer, self.collector, self.ledger, self.draw)
        self.people = [Person.asked(begun, number, self.network) for number in range(PEOPLE)]
        self.copies: list[tuple[Path, dict[Key, Held]]] = []
        self._backed_up: list[dict[Key, tuple[bytes, int]]] = []
        self.path: list[str] = []
        self.log, self._are_keys_lost = Lines(), False
        LOG.addHandler(self.log)

    def __enter__(self) -> Walk:
        return self

    def __exit__(self, *_: object) -> None:
        LOG.removeHandler(self.log)
        self.mixer.stop()
        self.collector.stop()

    def go(self, steps: int = STEPS) -> None:
        """All of it, to the end of the surveys."""
        for _ in range(steps):
            self.do(self.draw.choices(list(OFTEN), list(OFTEN.values()))[0])
        self.do("end")

    def do(self, step: str) -> None:
        """One step, after which everybody has kept their word."""
        self.path.append(step)
        try:
            getattr(self, step)()
            look_at(self.mixer, self.ledger, self.log.text, [person.address for person in self.people], self.begun)
        except AssertionError as error:
            raise AssertionError(f"{error} after {self.path}") from error

    def answer(self) -> None:
        """Some answer, and send."""
        for person in self.draw.sample(self.people, self.draw.randint(1, len(self.people))):
            person.answer(self.draw.choice(("car", "bus", "bike", "foot")))
            if self.draw.random() < 0.8:  # others are offline
                person.flush()

    def flush(self) -> None:
        """Everybody sends what is due."""
        for person in self.people:
            person.flush()

    def copy_device(self) -> None:
        """Somebody goes on with two."""
        if len(self.people) < MOST_DEVICES:
            address = f"203.0.113.{len(self.people)}"
            self.people.append(self.draw.choice(self.people).copied(self.begun, address, self.network))

    def pass_hours(self) -> None:
        """Some hours go by."""
        self._wait(self.draw.choice((1, 3, 12)) * HOUR)

    def pass_days(self) -> None:
        """Some days go by."""
        self._wait(self.draw.choice((1, 2, 4)) * DAY)

    def _wait(self, seconds: float) -> None:
        while seconds > 0:
            self.clock.advance(min(seconds, DAY / 2))
            self.mixer.app.mixer.keep()
            seconds -= DAY / 2

    def carry(self) -> None:
        """The mixer sends what is due."""
        self.mixer.app.mixer.keep()
        self.mixer.app.mixer.courier.look()
        self.mixer.app.mixer.courier.wait()

    def bring_late(self) -> None:
        """What was under way for a week arrives."""
        self.network.deliver_late()

    def restart(self) -> None:
        """The mixer ends, and begins."""
        self.mixer.stop()
        self.mixer.start()

    def copy_folder(self) -> None:
        """The mixer's folder is copied."""
        folder = self.folder / f"copy {len(self.copies)}"
        self.mixer.copy_to(folder)
        self.copies.append((folder, self.ledger.copied()))

    def put_folder_back(self) -> None:
        """The mixer goes on with a copy of its folder."""
        self._put_back(alone=False)

    def put_file_back(self) -> None:
        """The mixer goes on with a copy of one file."""
        self._put_back(alone=True)

    def _put_back(self, alone: bool) -> None:
        if self.copies:
            place = self.draw.randrange(max(len(self.copies) - 2, 0), len(self.copies))
            folder, held = self.copies[place]
            self.mixer.put_back(folder, alone)
            self.ledger.periods.clear()
            self.ledger.periods.update(held)
            self.copies[place] = (folder, self.ledger.copied())
            self.ledger.is_copied_back = True

    def keep(self) -> None:
        """The collector closes what has come."""
        self.collector.keep()

    def restart_collector(self) -> None:
        """The collector ends, and begins."""
        self.collector.stop()
        self.collector.start()

    def back_up(self) -> None:
        """The collector is backed up."""
        self.collector.back_up()
        self._backed_up.append(dict(self.ledger.taken))

    def restore(self) -> None:
        """The collector goes on with a backup."""
        if self.collector.backups:
            place = self.draw.randrange(len(self.collector.backups))
            self.collector.restore(self.collector.backups[place])
            self.ledger.taken, self.ledger.is_restored = dict(self._backed_up[place]), True

    def lose_keys(self) -> None:
        """The folder of keys is not there."""
        if not self._are_keys_lost:
            self.collector.lose_keys()
            self.ledger.lose_keys()
            self._are_keys_lost = True

    def find_keys(self) -> None:
        """It is there again."""
        if self._are_keys_lost:
            self.collector.find_keys()
            self.ledger.find_keys()
            self._are_keys_lost = False

    def send_again(self) -> None:
        """The mixer sends once more what it keeps of what was taken."""
        self.ledger.sent_again = {
            key for key, (row, body) in parcels_of(self.mixer).items() if body or not row.digest
        }  # fmt: skip
        for survey in self.begun.surveys:
            self.mixer.desk.send_again(self.mixer.app.intake.survey(survey.digest))

    def stuff(self) -> None:
        """The mixer adds something of its own to what it sends next."""
        self.network.stuffs = True

    def split(self) -> None:
        """A mixer sends a part of what it has sent before, or says that there were too few."""
        sent = {key: body for key, (body, _) in self.ledger.taken.items() if body}
        if sent and not self._are_keys_lost:
            digest, period = key = self.draw.choice(sorted(sent))
            width = SealedForm.of(self.ledger.surveys[digest]).sealed
            url = f"https://ask.example/v1/surveys/{digest}/periods/{period}/parcel?withheld="
            for body, withheld in ((sent[key][width:], 0), (sent[key][: 3 * width], 0), (b"", 3)):
                status = self.network.deliver("PUT", f"{url}{withheld}&codes=9", body).status
                assert status in (409, 422), "a second parcel must be refused"

    def end(self) -> None:
        """Nothing fails any more, and all surveys are over."""
        self.network.is_fine, self.network.stuffs = True, False
        self.find_keys()
        self.send_again()
        for _ in range(10):
            self.flush()
            self._wait(3 * DAY)
            self.carry()
            self.bring_late()
            self.keep()
        settle(self.mixer, self.collector, self.ledger)
