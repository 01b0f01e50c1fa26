"""A process that opens sealed answers: survey and key come in first, then those; what can be read of them goes out.

It is a process of its own, for to open a million takes minutes, in which a collector has to answer.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from typing import IO, Final, NamedTuple, Self

from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

from deniable.collector.answer_form import AnswerForm
from deniable.collector.keys import pem_of, read_pem
from deniable.collector.opener import Opener
from deniable.intake.private_files import leave_no_core
from deniable.intake.sections import Section
from deniable.intake.uploads import Upload
from deniable.protocol.errors import StoreError
from deniable.protocol.surveys.sealed_answer import OpenedAnswer, SealedForm
from deniable.surveys.survey import Survey

LENGTH: Final = struct.Struct("<Q")
"""Stands before whatever is sent."""
POLITE: Final = 19


class ParcelReader(NamedTuple):
    """Reads the sealed answers to a period of a survey."""

    form: AnswerForm
    opener: Opener

    @classmethod
    def of(cls, told: bytes) -> Self:
        """By what such a process is told first."""
        fields = json.loads(told)
        survey, key = Survey.from_json(fields["document"]), read_pem(fields["key"].encode())
        assert key is not None
        return cls(AnswerForm.of(survey), Opener.of(key, survey, survey.digest, fields["period"]))

    def read(self, sealed: bytes) -> list[OpenedAnswer]:
        """Those of some sealed answers that can be opened, and that the survey takes."""
        opened = (self.opener.open(each) for each in rows_of(sealed, self.opener.form.sealed))
        found = [each for each in opened if each is not None]
        uploads = {place: Upload(b"", b"", 1, [section_of(self.form, each)]) for place, each in enumerate(found)}
        strangers = self.form.strangers(uploads)
        return [each for place, each in enumerate(found) if place not in strangers]


def rows_of(body: bytes, width: int) -> Iterator[bytes]:
    """What stands one after another."""
    return (body[start : start + width] for start in range(0, len(body), width))


def section_of(form: AnswerForm, opened: OpenedAnswer) -> Section:
    """An answer as it is stored, without the bytes that name its arm."""
    head = form.survey.head_bytes
    return Section(int.from_bytes(opened.answer[:head], "little"), 1, opened.answer[head:])


class OpeningProcess(AbstractContextManager["OpeningProcess"]):
    """One such process; it ends with the block, and with whoever began it."""

    def __init__(self, survey: Survey, period: str, key: EllipticCurvePrivateKey) -> None:
        self._form = SealedForm.of(survey)
        command = [sys.executable, "-m", "deniable.collector.opening"]
        pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=quiet)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._asked, self._said = self._process.stdin, self._process.stdout
        self._told = json.dumps({"document": survey.to_json(), "period": period, "key": pem_of(key).decode()})

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._asked, self._said):
            with suppress(BrokenPipeError):
                pipe.close()

    def read(self, sealed: bytes) -> list[OpenedAnswer]:
        """Those of some sealed answers that can be read."""
        first, self._told = self._told, ""
        try:
            for told in ([first.encode()] if first else []) + [sealed]:
                send(self._asked, told)
            found = received(self._said)
        except BrokenPipeError:
            found = None
        if found is None:
            raise StoreError("a process that opens answers must go on to the end, got one that ended")
        plain = (self._form.read(each) for each in rows_of(found, self._form.plain))
        return [each for each in plain if each is not None]


def send(pipe: IO[bytes], told: bytes) -> None:
    """Send something, with its length before it."""
    pipe.write(LENGTH.pack(len(told)) + told)
    pipe.flush()


def received(pipe: IO[bytes]) -> bytes | None:
    """What the other side sent; None if it has ended."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    [length] = LENGTH.unpack(head)
    told = pipe.read(length)
    return told if len(told) == length else None


def main() -> None:
    """Read until whoever asks ends."""
    _be_modest()
    asked, said = sys.stdin.buffer, sys.stdout.buffer
    told = received(asked)
    if told is None:
        return
    reader = ParcelReader.of(told)
    while (sealed := received(asked)) is not None:
        send(said, b"".join(reader.opener.form.write(*each) for each in reader.read(sealed)))


def _be_modest() -> None:
    """Let everything else on the machine go first, and leave no key in a file if it is ended."""
    leave_no_core()
    if hasattr(os, "nice"):  # Windows has none
        os.nice(POLITE)


if __name__ == "__main__":
    main()
