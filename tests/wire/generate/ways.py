"""Documents with questions that follow from answers, reported together and apart; answers to them; and a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import deniable as dn
from deniable.protocol.errors import DenialError
from deniable.protocol.questions.path import paths_of
from deniable.protocol.surveys.answers import complete

Json = dict[str, Any]
Change = Callable[[Json], object]

USED = dn.OneOf("used", ["yes", "no", "no answer"], wording="Did you?", no_answer="no answer")
KIND = dn.OneOf("kind", ["a", "b", "c"], wording="Which?", only_if=("used", ["yes"]))
OFTEN = dn.Scale("often", ["never", "often"], only_if=("kind", ["a", "c"]))
WHY = dn.OneOf("why", 2, no_answer=0, only_if=("used", ["no", "no answer"]))
TREE = [USED, KIND, OFTEN, WHY]
BUS = dn.OneOf("bus", ["y", "n"], wording="By bus?")
ROWS = [dn.Scale(f"row{n}", ["no", "so-so", "yes"], f"Row {n}", heading="Do you agree?") for n in (1, 2)]


def part(questions: list[dn.OneOf], start: int = 0) -> dn.Part:
    """A report of the ways through some questions from a place on."""
    ways = paths_of(questions, start)
    return dn.Part(questions, dn.RandomizedResponse(ways, 1.0), dn.encoders.Path(start))


def branched() -> dict[str, dn.Survey]:
    """A tree as one label and in parts, of one arm and of several; and a table of scales in two languages."""
    used = dn.Part(USED, dn.RandomizedResponse(USED.labels, 0.5))
    apart = [part([USED, KIND], 1), part([USED, KIND, OFTEN], 2), part([USED, WHY], 1)]
    rows = [dn.Arm(dn.Part(row, dn.RandomizedResponse(row.labels, 1.0))) for row in ROWS]
    german = {row.name: {"wording": f"Zeile {n}", "labels": ["nein", "mittel", "ja"], "heading": "Stimmt das?"}
              for n, row in enumerate(ROWS, 1)}  # fmt: skip
    return {
        "ways joined": dn.Survey("ways", TREE, [dn.Arm(part(TREE))]),
        "ways apart": dn.Survey("ways", TREE, [dn.Arm([used, apart[0]]), *map(dn.Arm, apart)]),
        "a way that begins late": dn.Survey("ways", TREE[:3], [dn.Arm([used, part(TREE[:3], 1)])]),
        "a way beside another question": dn.Survey("ways", [*TREE, BUS], [dn.Arm(part([*TREE, BUS]))]),
        "ways apart beside another question": dn.Survey("ways", [USED, KIND, BUS],
                                                        [dn.Arm(used), dn.Arm(part([USED, KIND, BUS], 1))]),
        "a table of scales": dn.Survey("rows", ROWS, rows, language="en",
                                       translations={"de": {"title": "", "purpose": "", "questions": german}}),
    }  # fmt: skip


def _path(change: Json) -> Change:
    return lambda d: d["arms"][0]["parts"][0]["encoder"].update(change)


def _only_if(number: int, change: Json) -> Change:
    return lambda d: d["questions"][number]["only_if"].update(change)


def _crossed(questions: list[dn.OneOf]) -> Change:
    """A path through some questions, over what would be its labels."""
    names, ways = [question.name for question in questions], paths_of(questions)
    return lambda d: d["arms"][0]["parts"][0].update(questions=names, spec=dn.RandomizedResponse(ways, 1.0).spec())


BAD_WAYS: dict[str, Change] = {
    "a question that follows from none": _only_if(1, {"question": "nobody"}),
    "a question that follows from one after it": _only_if(1, {"question": "why"}),
    "a question that follows from no label": _only_if(1, {"is": []}),
    "a question that follows from a strange label": _only_if(1, {"is": ["maybe"]}),
    "a question that follows from a label twice": _only_if(1, {"is": ["yes", "yes"]}),
    "a question that follows from every label": _only_if(1, {"is": ["yes", "no", "no answer"]}),
    "a way that is null": lambda d: d["questions"][0].update(only_if=None),
    "a way with more fields": _only_if(1, {"not": ["no"]}),
    "a question before the one that it follows from": lambda d: d["questions"].reverse(),
    "a way in which some answers are sensitive": lambda d: d["questions"][1].update(sensitive=["a"]),
    "a way from an answer of which some are sensitive": lambda d: d["questions"][0].update(
        sensitive=["yes", "no answer"]
    ),
    "a chain of four": lambda d: d["questions"][3].update(only_if={"question": "often", "is": ["often"]}),
    "a path from a place that is not there": _path({"from": 4}),
    "a path from another place than its labels are of": _path({"from": 1}),
    "a path without a place": lambda d: d["arms"][0]["parts"][0]["encoder"].pop("from"),
    "a path without the question that leads there": lambda d: d["arms"][0]["parts"][0].update(
        questions=["used", "often", "kind", "why"]
    ),
    "a way as a pair": lambda d: d["arms"][0]["parts"][0].update(questions=["used", "kind"], encoder={"kind": "pair"}),
    "a question that only some are asked by itself": lambda d: d["arms"][0]["parts"][0].update(
        questions=["kind"], encoder={"kind": "label"}, spec=dn.RandomizedResponse(["a", "b", "c"], 1.0).spec()
    ),
}
BESIDE = [*TREE, BUS]
BAD_CROSSED: dict[str, Change] = {
    "a way beside a question of its own": _crossed([*TREE, USED]),
    "a way beside two questions": _crossed([*BESIDE, dn.OneOf("car", ["y", "n"])]),
    "a way around another question": _crossed([USED, BUS, KIND, OFTEN, WHY]),
    "one question beside another as a way": _crossed([USED, BUS]),
    "a crossed way by reports that treat labels unlike": lambda d: d["arms"][0]["parts"][0].update(
        spec=dn.Hadamard(paths_of(BESIDE), 1.0).spec()
    ),
}
BAD_ROWS: dict[str, Change] = {
    "an empty heading": lambda d: d["questions"][0].update(heading=""),
    "a heading that is no text": lambda d: d["questions"][0].update(heading=1),
    "a translation without the heading": lambda d: d["translations"]["de"]["questions"]["row1"].pop("heading"),
}
GIVEN: list[Json] = [
    {"used": "yes", "kind": "a", "often": "often"}, {"used": "yes", "kind": "b"}, {"used": "no", "why": 1},
    {"used": "no"}, {}, {"used": "yes", "kind": "b", "often": None}, {"used": None, "why": 1},
    {"used": "yes"}, {"used": "no", "kind": "a"}, {"used": "yes", "kind": "a"}, {"kind": "a"},
    {"used": "yes", "kind": "b", "often": "never"}, {"used": "yes", "kind": "b", "why": 0},
    {"used": "yes", "kind": "d"},
]  # fmt: skip
"""Answers of people, some of whom answer what they are not asked or leave out what they are."""
PEOPLE: dict[str, Json] = {
    "ways joined": GIVEN[0], "ways apart": GIVEN[1], "a way that begins late": {"used": "no"},
    "a way beside another question": {**GIVEN[1], "bus": "y"},
    "ways apart beside another question": {"used": "no", "bus": "n"},
    "a table of scales": {"row1": "no", "row2": "yes"},
}  # fmt: skip


def given() -> list[Json]:
    """Of each answer what a device takes it for: null where a question is not asked; null in all where it is none."""
    survey = branched()["ways joined"]
    return [{"document": survey.to_json(), "answers": each, "complete": _complete(survey, each)} for each in GIVEN]


def _complete(survey: dn.Survey, answers: Json) -> Json | None:
    try:
        return complete(survey, answers)
    except DenialError:
        return None
