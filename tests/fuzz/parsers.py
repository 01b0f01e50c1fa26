"""The parsers that read what strangers send, and what must hold of each whatever it is given."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any

from tests.fuzz.mutations import changed_json, changed_survey_tally, changed_tally, changed_upload
from tests.wire.vectors import vectors

import deniable as dn
from deniable.collector.answer_form import AnswerForm
from deniable.collector.reading import tally_of
from deniable.intake.refusals import Refused
from deniable.intake.sections import write_sections
from deniable.intake.uploads import Upload
from deniable.mechanisms.registry import from_spec, from_spec_bytes
from deniable.protocol.errors import DenialError
from deniable.reports.tally import Tally
from deniable.surveys.tally import SurveyTally

LONGEST = 1200
"""The most characters of an error: what it shows of its input is short."""
GRAMMAR = re.compile(
    r"\bmust (be|have|hold|name|describe|match|start|come|add|ask|protect|belong)\b.*\bgot ", re.DOTALL
)
CHECKED = 20
"""How many answers of an upload are checked one by one."""
TIMES = int(os.environ.get("FUZZ_EXAMPLES", "6"))


class Fault(AssertionError):
    """What must not happen happened."""


@dataclass(frozen=True)
class Parser:
    """A parser, with valid and invalid inputs to begin with, and a way to change them that it understands."""

    read: Callable[[bytes], Any]
    write: Callable[[Any], bytes]
    change: Callable[[Random, bytes], bytes]
    seeds: tuple[bytes, ...]

    def check(self, data: bytes) -> bool:
        """Whether an input is read, and what is then written read as the same; else the refusal is the house's."""
        try:
            found = self.read(data)
        except (DenialError, Refused) as error:
            check_words(str(error))
            return False
        written = self.write(found)
        again = self.read(written)
        if again != found or self.write(again) != written:
            raise Fault("what was written must be read as the same, got another")
        return True


def check_words(said: str) -> None:
    """A refusal says what is wanted, then what came, in few words."""
    if not GRAMMAR.search(said):
        raise Fault(f"an error must say what must be and what it got, got {said[:300]!r}")
    if len(said) > LONGEST:
        raise Fault(f"an error must have at most {LONGEST} characters, got {len(said)}: {said[:100]!r}")


def _texts(file: str, field: str, *sections: str) -> tuple[bytes, ...]:
    return tuple(
        str(v.get(field, v.get("text", ""))).encode("utf-8", "surrogatepass") for v in vectors(file, *sections)
    )


def _hexes(file: str, *sections: str) -> tuple[bytes, ...]:
    return tuple(bytes.fromhex(vector["hex"]) for vector in vectors(file, *sections))


def _forms() -> list[AnswerForm]:
    documents = dict.fromkeys(vector["document"] for vector in vectors("uploads.json", "good"))
    return [AnswerForm.of(dn.Survey.from_json(document)) for document in documents]


FORMS = _forms()
DOCUMENTS = [form.survey.to_json() for form in FORMS]


def _upload_of(data: bytes) -> tuple[int, Upload]:
    """An upload to one of a few surveys, whose number stands before it."""
    number = data[0] % len(FORMS) if data else 0
    upload, form = FORMS[number].read(data[1:]), FORMS[number]
    refused = form.impossible({0: upload})
    if bool(refused) != any(form.survey.check(answer) for answer in _answers(number, upload)) and upload.n <= CHECKED:
        raise Fault("an upload must be refused if one of its answers is, and only then")
    if refused:
        raise Refused(refused[0])
    if tally_of(form.survey, upload.sections).n != upload.n:
        raise Fault("an upload must be counted as so many answers as it holds")
    return number, upload


def _answers(number: int, upload: Upload) -> list[bytes]:
    """The first answers of an upload, as devices hold them."""
    found = []
    for section in upload.sections:
        width, head = FORMS[number].widths[section.arm], section.arm.to_bytes(2, "little")
        rows = [section.rows[k * width : (k + 1) * width] for k in range(min(section.n, CHECKED))]
        found += [head * (len(FORMS[number].widths) > 1) + row for row in rows]
    return found


def _uploads() -> tuple[bytes, ...]:
    known = [v for v in vectors("uploads.json", "good", "bad") if v["document"] in DOCUMENTS]
    return tuple(bytes([DOCUMENTS.index(v["document"])]) + bytes.fromhex(v["hex"]) for v in known)


PARSERS: Mapping[str, Parser] = MappingProxyType(
    {
        "spec": Parser(
            from_spec,
            lambda m: bytes(m.spec_bytes),
            changed_json,
            _texts("specs.json", "spec", "good", "equivalent", "bad"),
        ),
        "stored spec": Parser(
            from_spec_bytes, lambda m: bytes(m.spec_bytes), changed_json, _texts("specs.json", "spec", "good")
        ),
        "survey": Parser(
            dn.Survey.from_json,
            lambda survey: bytes(survey.document),
            changed_json,
            _texts("surveys.json", "document", "good", "equivalent", "bad"),
        ),
        "tally": Parser(Tally.from_bytes, Tally.to_bytes, changed_tally, _hexes("tallies.json", "good", "bad")),
        "survey tally": Parser(
            SurveyTally.from_bytes, SurveyTally.to_bytes, changed_survey_tally, _hexes("surveys.json", "tallies")
        ),
        "upload": Parser(
            _upload_of,
            lambda found: bytes([found[0]]) + found[1].id + write_sections(found[1].sections),
            changed_upload,
            _uploads(),
        ),
    }
)
"""Every parser of what travels, by its name."""


def inputs(parser: Parser, seed: int, count: int) -> list[bytes]:
    """The inputs to begin with, and others: each one of those, changed once or a few times."""
    source = Random(seed)
    found = list(parser.seeds)
    while len(found) < count:
        data = source.choice(parser.seeds)
        for _ in range(source.choice((1, 1, 2, 3))):
            data = parser.change(source, data)
        found.append(data)
    return found
