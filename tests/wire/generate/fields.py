"""`fields.json`: reports as values of fields in somebody else's form, values that are none, and whole columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import deniable as dn
from deniable.protocol.surveys.field_value import write_declined, write_field

Json = dict[str, Any]
SINGLE = dn.OneOf("late", ["yes", "no"])
WAY, USED = dn.OneOf("way", ["car", "bus", "bike"]), dn.AnyOf("used", ["tram", "ferry", "taxi"])


def survey_of(name: str) -> dn.Survey:
    """One of the surveys that are asked in a form."""
    one = dn.Part(SINGLE, dn.RandomizedResponse(SINGLE.labels, 1.0))
    way, used = (
        dn.Part(WAY, dn.Subset(WAY.labels, 2.0)),
        dn.Part(USED, dn.ItemResponse(USED.labels, 1.0)),
    )
    words = dn.Text("word", longest=None)
    found = {
        "one question": dn.Survey("late", [SINGLE], [dn.Arm(one)], carrier="field"),
        "several arms": dn.Survey("ways", [WAY, USED], [dn.Arm(way), dn.Arm(used, weight=2)], carrier="field"),
        "words": dn.Survey("words", [words], [dn.Arm(dn.Part(words, dn.HashedResponse(1.0, 4, 8)))], carrier="field"),
    }
    return found[name]


ANSWERS: dict[str, Json] = {
    "one question": {"late": "yes"},
    "several arms": {"way": "bus", "used": ["tram", "taxi"]},
    "words": {"word": "roof"},
}


def own_id(number: int) -> bytes:
    """An id of eight bytes."""
    return bytes((17 * number + place) % 256 for place in range(8))


def value(survey: dn.Survey, answers: Json, number: int) -> str:
    """What somebody's device hands over."""
    return write_field(survey.digest, own_id(number), survey.answer(answers, dn.SeededEntropy(number)))


def _good() -> Iterator[Json]:
    for name, answers in ANSWERS.items():
        survey = survey_of(name)
        for number in range(4):
            drawn = survey.answer(answers, dn.SeededEntropy(number)).hex()
            yield {
                "name": f"{name}, {number}", "document": survey.to_json(), "id": own_id(number).hex(), "answer": drawn,
                "value": value(survey, answers, number), "declined": write_declined(survey.digest),
            }  # fmt: skip


def _changed(good: str, other: dn.Survey) -> dict[str, tuple[str, str]]:
    """Values that hold no answer to the survey, and what each counts as."""
    head, _, body = good.rpartition(":")
    swapped = "B" if body[3] != "B" else "C"
    spare = body[:-1] + chr(ord(body[-1]) + 1)
    return {
        "nothing": ("", "empty"),
        "blanks": ("  ", "empty"),
        "a table's word for nothing": ("NA", "empty"),
        "declined": (f"{head}:!declined", "declined"),
        "another survey": (value(other, ANSWERS["words"], 1), "another survey"),
        "declined in another survey": (write_declined(other.digest), "another survey"),
        "the last character cut": (good[:-1], "altered"),
        "the first character cut": (good[1:], "altered"),
        "a character changed": (f"{head}:{body[:3]}{swapped}{body[4:]}", "altered"),
        "small letters": (good.lower(), "altered"),
        "padding": (good + "==", "altered"),
        "spare bits": (f"{head}:{spare}", "altered"),
        "a digest in capitals": (good.replace(head[-33:-1], head[-33:-1].upper()), "altered"),
        "another version": (good.replace("deniable:1:", "deniable:2:"), "altered"),
        "an answer that is too long": ("", "altered"),
        "an id alone": ("", "altered"),
        "a sentence": ("I would rather not say", "altered"),
    }


def _bad() -> Iterator[Json]:
    survey, other = survey_of("one question"), survey_of("words")
    changed = _changed(value(survey, ANSWERS["one question"], 1), other)
    answer = survey.answer(ANSWERS["one question"], dn.SeededEntropy(1))
    changed["an answer that is too long"] = (write_field(survey.digest, own_id(1), answer + b"\0"), "altered")
    changed["an id alone"] = (write_field(survey.digest, own_id(1), b""), "altered")
    for why, (written, counted) in changed.items():
        yield {"why": why, "document": survey.to_json(), "value": written, "counted": counted}


def _columns() -> Iterator[Json]:
    for name, answers in ANSWERS.items():
        survey = survey_of(name)
        values = [value(survey, answers, number) for number in range(9)]
        column = [*values, values[3], values[0], write_declined(survey.digest), "", values[5][:-2]]
        read = survey.read_column(column)
        told = [None if each is None else each.hex() for each in read.answers]
        yield {"name": name, "document": survey.to_json(), "values": column, "counts": read.counts, "answers": told}


def fields() -> dict[str, list[Json]]:
    """The sections of the file."""
    return {"good": list(_good()), "bad": list(_bad()), "columns": list(_columns())}
