"""A form of the builder as it was sent, and kept in a page of sign-in if nobody is signed in any longer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from starlette.datastructures import FormData

from deniable.collector.refusals import UNKNOWN, Refused
from deniable.pages.builder.draft import STEPS, Draft
from deniable.pages.builder.reading import read_check, read_learning, read_questions
from deniable.pages.builder.wordings import read_languages
from deniable.protocol.errors import ParameterError

READERS: Final[Mapping[str, Callable[[Draft, FormData], Draft]]] = {
    "questions": read_questions,
    "learn": read_learning,
    "check": read_check,
    "languages": read_languages,
}
AFTER: Final[Mapping[str, str]] = {"questions": "learn", "learn": "check", "languages": "questions"}
"""Which step comes after which."""
PATH: Final = re.compile(r"/new/(?P<id>[\w-]{1,64})/(?P<step>questions|learn|check|languages)")
LONGEST_VERSION: Final = 9
BYTES: Final = 1 << 20
"""The most bytes of a form, which only authors send: a draft, and what was typed since it was read."""
KEPT_BYTES: Final = 2 * BYTES
"""The same of a form within the one that signs in."""


class SentForm(NamedTuple):
    """Which draft was typed in, at which step and version, how it stands now, and which button was pressed."""

    id: str
    step: str
    version: int
    draft: Draft
    button: str

    @classmethod
    def of(cls, path: str, form: FormData) -> SentForm:
        """A form, which holds the draft as it was when it was read."""
        found = PATH.fullmatch(path)
        if found is None:
            raise Refused(UNKNOWN)
        step, button = found["step"], str(form.get("do", ""))
        read = READERS[step](Draft.from_json(str(form.get("draft", ""))), form)
        reached = AFTER.get(step, step) if button == "next" else step
        read = replace(read, step=reached if reached in STEPS else "questions")
        version = str(form.get("version", ""))[:LONGEST_VERSION]
        number = int(version) if version.isascii() and version.isdigit() else 0
        return cls(found["id"], step, number, Draft.from_json(read.to_json()), button)


def packed(path: str, form: FormData) -> str:
    """A form as a text, to be sent along with another one."""
    return json.dumps([path, [(name, str(value)) for name, value in form.multi_items() if name != "csrf"]])


def unpacked(text: str) -> tuple[str, FormData]:
    """The form of such a text."""
    try:
        path, fields = json.loads(text)
        return str(path), FormData([(str(name), str(value)) for name, value in fields])
    except (ValueError, TypeError, RecursionError):
        raise ParameterError("what was typed must be as its page sent it, got another text") from None
