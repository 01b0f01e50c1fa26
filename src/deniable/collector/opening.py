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
"""The length that stands before each message."""
NICENESS: Final = 19


class ParcelReader(NamedTuple):
    """Reads the sealed answers to a period of a survey."""

    form: AnswerForm
    opener: Opener

    @classmethod
    def of(cls, settings: bytes) -> Self:
        """The reader for the settings that such a process receives first: document, period and key, in JSON."""
        fields = json.loads(settings)
        survey, key = Survey.from_json(fields["document"]), read_pem(fields["key"].encode())
        assert key is not None
        return cls(AnswerForm.of(survey), Opener.of(key, survey, survey.digest, fields["period"]))

    def read(self, sealed: bytes) -> list[OpenedAnswer]:
        """Of sealed answers, one after another, those that can be opened and that the survey takes, opened."""
        opened = (self.opener.open(each) for each in rows_of(sealed, self.opener.form.sealed))
        readable = [each for each in opened if each is not None]
        uploads = {place: Upload(b"", b"", 1, [section_of(self.form, each)]) for place, each in enumerate(readable)}
        impossible = self.form.impossible(uploads)
        return [each for place, each in enumerate(readable) if place not in impossible]


def rows_of(body: bytes, width: int) -> Iterator[bytes]:
    """The rows of ``width`` bytes that stand one after another."""
    return (body[start : start + width] for start in range(0, len(body), width))


def section_of(form: AnswerForm, opened: OpenedAnswer) -> Section:
    """An answer as it is stored, without the bytes that name its arm."""
    head = form.survey.head_bytes
    return Section(int.from_bytes(opened.answer[:head], "little"), 1, opened.answer[head:])


class OpeningProcess(AbstractContextManager["OpeningProcess"]):
    """A process that opens the answers to a period; it ends with the block, and with whoever began it."""

    def __init__(self, survey: Survey, period: str, key: EllipticCurvePrivateKey) -> None:
        self._form = SealedForm.of(survey)
        command = [sys.executable, "-m", "deniable.collector.opening"]
        pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=quiet)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        self._settings = json.dumps({"document": survey.to_json(), "period": period, "key": pem_of(key).decode()})

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._input, self._output):
            with suppress(BrokenPipeError):
                pipe.close()

    def read(self, sealed: bytes) -> list[OpenedAnswer]:
        """Of sealed answers, one after another, those that can be read, opened by the process."""
        settings, self._settings = self._settings, ""
        try:
            for message in ([settings.encode()] if settings else []) + [sealed]:
                send(self._input, message)
            answers = received(self._output)
        except BrokenPipeError:
            answers = None
        if answers is None:
            raise StoreError("a process that opens answers must go on to the end, got one that ended")
        plain = (self._form.read(each) for each in rows_of(answers, self._form.plain))
        return [each for each in plain if each is not None]


def send(pipe: IO[bytes], message: bytes) -> None:
    """Send a message, with its length before it."""
    pipe.write(LENGTH.pack(len(message)) + message)
    pipe.flush()


def received(pipe: IO[bytes]) -> bytes | None:
    """The next message of the other side; None if it has ended."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    [length] = LENGTH.unpack(head)
    message = pipe.read(length)
    return message if len(message) == length else None


def main() -> None:
    """Receive the settings, then open sealed answers until whoever began the process ends."""
    _lower_priority()
    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    settings = received(requests)
    if settings is None:
        return
    reader = ParcelReader.of(settings)
    while (sealed := received(requests)) is not None:
        send(replies, b"".join(reader.opener.form.write(*each) for each in reader.read(sealed)))


def _lower_priority() -> None:
    """Let everything else on the machine go first, and leave no key in a file if it is ended."""
    leave_no_core()
    if hasattr(os, "nice"):  # Windows has none
        os.nice(NICENESS)


if __name__ == "__main__":
    main()
