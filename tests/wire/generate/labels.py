"""What clients are held to beside the documents: the statements of labels, and answers drawn from words."""

from __future__ import annotations

import math
from typing import Any

from tests.wire.generate.documents import ILL, LATE, PEOPLE, USED, WAY, WEIGHT, samples
from tests.wire.generate.tape import Tape

import deniable as dn
from deniable.protocol import read_survey
from deniable.protocol.testing import answer_from


def labelled() -> dict[str, dn.Survey]:
    """A survey for each kind of sentence that the others have not."""
    kept = dn.Remembered(dn.RandomizedResponse(WAY.labels, 2.0), 0.5)
    open_ones = dn.Part(USED, dn.ItemResponse(USED.labels, 1.0, one_sided=True))
    mangat = dn.Part(
        dn.OneOf("sick", ["yes", "no"], sensitive=["yes"]), dn.BinaryResponse(["yes", "no"], 1.0, math.inf)
    )
    told = dn.Pairwise(["north", "south"], [[0, math.inf], [math.inf, 0]])
    public = dn.Part(
        dn.OneOf("region", told.domain, blocks=[["north"], ["south"]]), dn.Channel(told.domain, [[1, 0], [0, 1]], told)
    )
    late = dn.Part(LATE, dn.Subset(LATE.labels, 0.75, 1))
    either = [
        dn.Arm(dn.Part(ILL, dn.HighLowResponse(ILL.labels, ["ill"], 1.0))),
        dn.Arm(dn.Part(ILL, dn.Rappor(ILL.labels, 1.0))),
    ]
    sides = [dn.ItemResponse(USED.labels, 22.0), dn.ItemResponse(USED.labels, 22.5, one_sided=True)]
    return {
        "remembered": dn.Survey(
            "kept", [WAY], [dn.Arm(dn.Part(WAY, kept))], period="month", repeat="remembered", cap=9.0
        ),
        "not held": dn.Survey(
            "items", [USED, LATE], [dn.Arm([open_ones, late])], period="day", repeat="fresh", cap=7.5
        ),
        "one side": dn.Survey("sick", mangat.questions, [dn.Arm(mangat)]),
        "no protection": dn.Survey("region", [*public.questions, LATE], [dn.Arm([public, late])]),
        "two promises": dn.Survey("either", [ILL], either),
        "labels of one side and of both": dn.Survey(
            "sides", [USED], [dn.Arm(dn.Part(USED, mechanism)) for mechanism in sides]
        ),
        "numbers by distance": dn.Survey("near", [WEIGHT], [dn.Arm(_near(1))]),
        "blocks of numbers by distance": dn.Survey("near", [WEIGHT], [dn.Arm(_near(4))]),
        "each label by itself": dn.Survey("each", [USED], [dn.Arm(dn.Part(USED, dn.ItemResponse(USED.labels, 0.3)))]),
    }


def _near(size: int) -> dn.Part:
    """A weight in blocks of so many steps, under a level for each of these."""
    blocks = WEIGHT.scale.steps // size + 1
    return dn.Part(WEIGHT, dn.Geometric(0, blocks - 1, 0.25), dn.encoders.Block(size))


def labels() -> list[dict[str, Any]]:
    """What every label states."""
    documents = {name: survey.to_json() for name, survey in {**samples(), **labelled()}.items()}
    return [
        {
            "name": name,
            "document": document,
            "statements": [each.to_json() for each in read_survey(document).statements],
        }
        for name, document in documents.items()
    ]


def drawn() -> list[dict[str, Any]]:
    """Answers to every sample from random words: first the arm's, then those of each part."""
    return [_drawn(name, survey, seed) for name, survey in samples().items() for seed in (1, 2)]


def _drawn(name: str, survey: dn.Survey, seed: int) -> dict[str, Any]:
    tape = Tape(seed)
    answer = answer_from(read_survey(survey.to_json()), PEOPLE[name], tape)
    words = [[str(word) for word in part] for part in tape.parts]
    return {"name": name, "answers": PEOPLE[name], "words": words, "hex": answer.hex()}
