"""Documents with what only some have: languages, kiosks, who is responsible, answers that stand alone; and lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import deniable as dn
from deniable.protocol.canonical import canonical
from deniable.protocol.errors import LabelError

Json = dict[str, Any]
Change = Callable[[Json], object]

BREAKS = dn.AnyOf(
    "breaks", ["at my desk", "outside", "none", "no answer"], "Where do you take breaks?", 2, ["none", "no answer"]
)
LONG = dn.Number("long", 0, 60, 5, wording="How long are they?", unit="min", want=("mean",))
PAID = dn.OneOf("paid", [True, False])
NOTE = dn.Text("note", longest=2, wording="Where else?")
GERMAN: Json = {
    "title": "Pausen",
    "purpose": "",
    "questions": {
        "breaks": {"wording": "Wo machen Sie Pause?", "labels": ["am Platz", "draußen", "nirgends", "keine Angabe"]},
        "long": {"wording": "Wie lange?", "unit": "Min."},
        "paid": {"wording": "", "labels": ["ja", "nein"]},
        "note": {"wording": "Wo sonst?"},
    },
}
RESPONSIBLE = {
    "controller": "Krankenhaus Nordfeld, Hügelstraße 1",
    "officer": "Dr. A. Weber, privacy@northfield.example",
    "authority": "State commissioner",
    "legal_basis": "Art. 6 (1) a GDPR\n\U0001d54f",
    "host": " ",
    "rights": "You can complain.",
}
"""All that can be stated, with a letter beyond the units of UTF-16, and a blank text."""
SWISS = {**GERMAN, "title": "Pausen (mit ss)"}


def worded() -> dict[str, dn.Survey]:
    """A checklist with answers that stand alone, asked in three languages, and a kiosk."""
    listed = dn.Part(BREAKS, dn.ItemResponse(BREAKS.labels, 1.0))
    long = dn.Part(LONG, dn.RandomizedResponse(2, 1.0), dn.encoders.Point(2, 16, 0))
    paid = dn.Part(PAID, dn.RandomizedResponse(PAID.labels, 1.0))
    note = dn.Part(NOTE, dn.HashedResponse(1.0, 4, 8, key="note"))
    return {
        "answers that stand alone": dn.Survey("breaks", [BREAKS], [dn.Arm(listed)]),
        "languages": dn.Survey(
            "breaks", [BREAKS, LONG, PAID, NOTE], [dn.Arm([listed, paid]), dn.Arm([long, note])], title="Breaks",
            language="en", translations={"de": GERMAN, "de-CH": SWISS},
        ),
        "a kiosk": dn.Survey("paid", [PAID], [dn.Arm(paid)], language="zh-Hant-TW", kiosk=True),
        "people in one room": dn.Survey("paid", [PAID], [dn.Arm(paid)], lan=True),
        "a field of a form": dn.Survey("paid", [PAID], [dn.Arm(paid)], carrier="field"),
        "who is responsible": dn.Survey("paid", [PAID], [dn.Arm(paid)], responsible=RESPONSIBLE),
    }  # fmt: skip


def translated() -> dn.Survey:
    """A small survey in two languages, of which bad ones are made."""
    long = dn.Part(LONG, dn.RandomizedResponse(2, 1.0), dn.encoders.Point(2, 16, 0))
    paid = dn.Part(PAID, dn.RandomizedResponse(PAID.labels, 1.0))
    german = {**GERMAN, "questions": {name: GERMAN["questions"][name] for name in ("long", "paid")}}
    arm = dn.Arm([long, paid])
    return dn.Survey("x", [LONG, PAID], [arm], title="Breaks", language="en", translations={"de": german})


PEOPLE: dict[str, Json] = {
    "answers that stand alone": {"breaks": ["none"]},
    "languages": {"breaks": ["outside", "at my desk"], "long": 25, "paid": True, "note": "roof"},
    "a kiosk": {"paid": True},
    "people in one room": {"paid": False},
    "a field of a form": {"paid": True},
    "who is responsible": {"paid": False},
}


def _german(document: Json) -> Json:
    found: Json = document["translations"]["de"]
    return found


BAD_LISTS: dict[str, Change] = {
    "no answer that stands alone, in a list": lambda d: d["questions"][0].update(exclusive=[]),
    "answers that stand alone, null": lambda d: d["questions"][0].update(exclusive=None),
    "an answer that stands alone and is none": lambda d: d["questions"][0].update(exclusive=["never"]),
    "an answer that stands alone, twice": lambda d: d["questions"][0].update(exclusive=["none", "none"]),
    "answers that stand alone in another order": lambda d: d["questions"][0].update(exclusive=["no answer", "none"]),
    "an answer that stands alone, not in a list": lambda d: d["questions"][0].update(exclusive="none"),
}
BAD_WORDS: dict[str, Change] = {
    "one answer that stands alone": lambda d: d["questions"][1].update(exclusive=[True]),
    "a language that is null": lambda d: d.update(language=None),
    "a language in capitals": lambda d: d.update(language="EN"),
    "a language with an underscore": lambda d: d.update(language="en_GB"),
    "a language of one letter": lambda d: d.update(language="e"),
    "an empty language": lambda d: d.update(language=""),
    "a region in small letters": lambda d: d.update(language="en-gb"),
    "a language with a hyphen at its end": lambda d: d.update(language="en-"),
    "a language of too many letters": lambda d: d.update(language="en-x" + "-abcdefgh" * 7),
    "translations without a language": lambda d: d.pop("language"),
    "no translation": lambda d: d.update(translations={}),
    "translations that are null": lambda d: d.update(translations=None),
    "translations in a list": lambda d: d.update(translations=[GERMAN]),
    "a translation into the survey's own language": lambda d: d["translations"].update(en=GERMAN),
    "a translation into no language": lambda d: d["translations"].update({"de_AT": GERMAN}),
    "a translation without a title": lambda d: _german(d).pop("title"),
    "a translation with an empty title": lambda d: _german(d).update(title=""),
    "a translation of a purpose that there is not": lambda d: _german(d).update(purpose="Zweck"),
    "a translation with another field": lambda d: _german(d).update(owner="der Betriebsrat"),
    "a translation without a question": lambda d: _german(d)["questions"].pop("paid"),
    "a translation of another question": lambda d: _german(d)["questions"].update(else_={"wording": "Sonst?"}),
    "a translation without labels": lambda d: _german(d)["questions"]["paid"].pop("labels"),
    "a translation with a label too few": lambda d: _german(d)["questions"]["paid"].update(labels=["ja"]),
    "a translation with a label twice": lambda d: _german(d)["questions"]["paid"].update(labels=["ja", "ja"]),
    "a translation with an empty label": lambda d: _german(d)["questions"]["paid"].update(labels=["ja", ""]),
    "a translation with a label that is no text": lambda d: _german(d)["questions"]["paid"].update(labels=["ja", 0]),
    "a translation without a unit": lambda d: _german(d)["questions"]["long"].pop("unit"),
    "a translation with a unit of one label": lambda d: _german(d)["questions"]["paid"].update(unit="Euro"),
    "a translation with labels of a number": lambda d: _german(d)["questions"]["long"].update(labels=[]),
    "a translation of a wording that is no text": lambda d: _german(d)["questions"]["long"].update(wording=1),
    "a kiosk that is none": lambda d: d.update(kiosk=False),
    "a kiosk that is null": lambda d: d.update(kiosk=None),
    "a kiosk that is a number": lambda d: d.update(kiosk=1),
    "a kiosk that answers by itself": lambda d: d.update(kiosk=True, mode="background"),
    "a room that is none": lambda d: d.update(lan=False),
    "a room that is null": lambda d: d.update(lan=None),
    "a room that answers by itself": lambda d: d.update(lan=True, mode="background"),
    "a carrier that there is not": lambda d: d.update(carrier="letter"),
    "a carrier that is null": lambda d: d.update(carrier=None),
    "a field that is asked again": lambda d: d.update(carrier="field", period="week", repeat="fresh"),
    "a field of a room": lambda d: d.update(carrier="field", lan=True),
    "a field in the background": lambda d: d.update(carrier="field", mode="background"),
    "a kiosk to which people come again": lambda d: d.update(kiosk=True, period="week", repeat="fresh"),
}
BAD_RESPONSIBLE: dict[str, Change] = {
    "nobody who is responsible": lambda d: d.update(responsible={}),
    "who is responsible, null": lambda d: d.update(responsible=None),
    "who is responsible, in a list": lambda d: d.update(responsible=["controller"]),
    "who is responsible, as a text": lambda d: d.update(responsible="the council"),
    "a controller without a text": lambda d: d.update(responsible={"controller": ""}),
    "a controller that is null": lambda d: d.update(responsible={"controller": None}),
    "a controller that is no text": lambda d: d.update(responsible={"controller": 1}),
    "a controller of too many characters": lambda d: d.update(responsible={"controller": "x" * 4001}),
    "a controller that is half a character": lambda d: d.update(responsible={"controller": "\ud835"}),
    "somebody else who is responsible": lambda d: d.update(responsible={"controller": "x", "owner": "y"}),
    "a name of what every object has": lambda d: d.update(responsible={"toString": "x"}),
}


def lists() -> list[Json]:
    """Lists of labels, and whether each is an answer."""
    questions = [
        BREAKS,
        dn.AnyOf("some", ["a", "b", "c"], most=1),
        dn.AnyOf("any", ["a", "b", "c"]),
        dn.AnyOf("kinds", [0, "b", True], exclusive=[True]),
    ]
    return [_of(question) for question in questions]


def _of(question: dn.AnyOf) -> Json:
    first, second, *_, last = question.labels
    given = [[], [first], [last], [first, last], [last, first], [first, second], [first, first], ["else"], last, None]
    return {
        "question": canonical(question.to_json()),
        "answers": given,
        "taken": [_is_taken(question, each) for each in given],
    }


def _is_taken(question: dn.AnyOf, answer: Any) -> bool:
    try:
        question.check(answer)
    except LabelError:
        return False
    return True
