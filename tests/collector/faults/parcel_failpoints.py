"""A parcel's life at a collector, again and again: each time the process is killed at another statement.

    python -m tests.collector.faults.parcel_failpoints FOLDER STRIDE MODE...

Another process then goes on with what was left: the mixer sends the same bytes again, as it does until it is told.
Prints as JSON, for each mode, how many statements were tried, and after which of them something was wrong.
"""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from tests.collector.crowds import counts, many, parcel, sent, served
from tests.collector.faults.failpoints import Failing, Plan, forked
from tests.collector.worlds import Clock, Service

import deniable as dn
from deniable.collector import parcels
from deniable.collector.answer_form import AnswerForm
from deniable.collector.keys import KEYS, KeyFolder
from deniable.collector.opener import Opener
from deniable.collector.opening import ParcelReader
from deniable.intake.refusals import Refused
from deniable.intake.storage.sqlite import SqliteStore
from deniable.protocol.surveys.sealed_answer import OpenedAnswer
from deniable.surveys.tally import SurveyTally

ANSWERS = [0, 1, 1, 2, 3, 3, 3, 0]
MODES = ("kill", "kill after")
NOBODY = -1
"""No statement at all."""


class OpeningHere(AbstractContextManager["OpeningHere"]):
    """Opens answers in this process, which is sooner begun than another one."""

    def __init__(self, survey: dn.Survey, period: str, key: EllipticCurvePrivateKey) -> None:
        self._reader = ParcelReader(AnswerForm.of(survey), Opener.of(key, survey, survey.digest, period))

    def __exit__(self, *_: object) -> None:
        """Nothing is left to end."""

    def read(self, sealed: bytes) -> list[OpenedAnswer]:
        """Those that can be read."""
        return self._reader.read(sealed)


def opened(folder: Path, plan: Plan) -> Service:
    """A collector on a folder, of whose statements one fails."""

    def connect(path: str) -> sqlite3.Connection:
        found = sqlite3.connect(path, timeout=0, isolation_level=None, factory=Failing, check_same_thread=False)
        found.plan = plan
        return found

    clock = Clock()
    return Service(clock, lambda: SqliteStore(folder / "data", clock, connect), keys=KeyFolder(folder / KEYS))


def taken(folder: Path, survey: dn.Survey, bodies: list[bytes], plan: Plan) -> None:
    """Take a parcel, close its period, and destroy the key."""
    with opened(folder, plan) as service:
        assert counts(sent(service, survey, parcel(bodies))) == (len(ANSWERS), 0, 0)
        service.keeper.keep()
        service.crowds.look()


def check(folder: Path, survey: dn.Survey, bodies: list[bytes]) -> None:
    """Send it once more: it is counted once, and no other is taken."""
    taken(folder, survey, bodies, Plan("", NOBODY))
    with opened(folder, Plan("", NOBODY)) as service:
        row = service.collector.survey(survey.digest)
        found = SurveyTally.from_bytes(service.desk.tally(row, "once").tally)
        assert found == survey.tally([bytes([answer]) for answer in ANSWERS])
        assert service.desk.recount(row, "once") == (len(ANSWERS), True, True)
        assert not list((folder / KEYS).glob("*.pem"))
        with suppress(Refused):
            sent(service, survey, parcel(bodies[1:]))
            raise AssertionError("another parcel was taken")


def tried(folder: Path, stride: int, mode: str) -> Iterator[tuple[int, str]]:
    """Each statement that was tried, and what was wrong after it."""
    begun = folder / "begun"
    begun.mkdir(parents=True)
    with opened(begun, Plan("", NOBODY)) as service:
        survey = served(service)
    bodies, whole = many(survey, ANSWERS), Plan("", NOBODY)
    shutil.copytree(begun, folder / "whole")
    taken(folder / "whole", survey, bodies, whole)
    for at in range(len(mode) % stride, len(whole.done), stride):
        own = folder / str(at)
        shutil.copytree(begun, own)
        log = own / "log"
        ended = forked(partial(taken, own, survey, bodies, Plan(mode, at)), log)
        wrong = "" if ended in (0, -signal.SIGKILL) else log.read_text()
        if not wrong and forked(partial(check, own, survey, bodies), log):
            wrong = log.read_text()
        yield at, wrong


def main() -> None:
    """Try all modes that are named."""
    parcels.__dict__["OpeningProcess"] = OpeningHere
    told: dict[str, Any] = {}
    for mode in sys.argv[3:]:
        found = list(tried(Path(sys.argv[1]) / mode, int(sys.argv[2]), mode))
        told[mode] = {"tried": len(found), "wrong": {at: wrong for at, wrong in found if wrong}}
    print(json.dumps(told))


if __name__ == "__main__":
    main()
