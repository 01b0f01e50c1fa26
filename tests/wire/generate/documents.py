"""`surveys.json`: documents of surveys, other writings of them, bad ones, answers, tallies and periods."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from tests.wire.generate import mixed, ways, wordings

import deniable as dn
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.questions.question import Encoder, Question
from deniable.protocol.surveys.periods import bounds_of, period_at

Json = dict[str, Any]


WAY = dn.OneOf("way", ["car", "bus", "bike"], wording="How did you come?")
LATE = dn.OneOf("late", ["yes", "no", "no answer"], no_answer="no answer")
ILL = dn.OneOf("ill", ["ill", "well"], sensitive=["ill"])
USED, SITE = dn.AnyOf("used", ["mail", "maps", "news"]), dn.Text("site", longest=4)
MINUTES = dn.Number("minutes", 0, 10, wording="How long?", unit="min")
WEIGHT = dn.Number("weight", "-2.5", "40", "0.25", want=("mean", "spread"))
FAIR = dn.Scale("fair", ["strongly disagree", "disagree", "neither", "agree", "strongly agree"], "Is pay fair?")
BORN = dn.Number("born", "1999-12-31", "2026-07-31", 7, want=("quantiles",))


def samples() -> dict[str, dn.Survey]:
    """A survey of each kind of question and encoder; arms are written out, so that no plan can change them."""
    cities = dn.OneOf("city", ["Rome", "Milan", "Lyon", "Nice"], blocks=[["Rome", "Milan"], ["Lyon", "Nice"]])
    number = dn.OneOf("number", [1.0, 2.0, 0.5], wording="1.0 is a label that is not 1")
    day = dn.OneOf("day", 7, prior=[0.25, 0.25, 0.125, 0.125, 0.125, 0.0625, 0.0625])
    return {
        "blocks": dn.Survey(
            "blocks", [cities], [dn.Arm(dn.Part(cities, dn.BlockHadamard(cities.blocks or [], 1.0)))], skew=0, grace=0
        ),
        "labels of several kinds": dn.Survey(
            "numbers", [number], [dn.Arm(dn.Part(number, dn.RandomizedResponse(number.labels, 0.1)))], mode="background"
        ),
        "a prior": dn.Survey("days", [day], [dn.Arm(dn.Part(day, dn.Hadamard(7, 1.0)))], owner="me", keep=0),
        "one question": dn.Survey("one", [WAY], [dn.Arm(dn.Part(WAY, dn.RandomizedResponse(WAY.labels, 1.0)))]),
        "a census": dn.Survey(
            "council", [WAY], [dn.Arm(dn.Part(WAY, dn.RandomizedResponse(WAY.labels, 1.0)))], population=120
        ),
        "a pair and a part of each kind": _kinds(),
        "a number": dn.Survey(
            "number",
            [MINUTES],
            [
                dn.Arm(dn.Part(MINUTES, dn.RandomizedResponse(2, 1.0), dn.encoders.Point(2, 16, 0))),
                dn.Arm(dn.Part(MINUTES, dn.RandomizedResponse(11, 1.0))),
            ],
        ),
        "a scale": dn.Survey("pay", [FAIR], [dn.Arm(dn.Part(FAIR, dn.Subset(FAIR.labels, 1.0, 2)))]),
        "numbers": _numbers(),
        "words": dn.Survey(
            "words",
            [SITE],
            [
                dn.Arm(dn.Part(SITE, dn.HashedResponse(1.0, 4, 8, key="words/2"), dn.encoders.Prefix(2))),
                dn.Arm(dn.Part(SITE, dn.HashedResponse(1.0, 4, 8, key="words/whole"))),
            ],
        ),
        **wordings.worded(),
        **ways.branched(),
        **mixed.crowds(),
    }


def _kinds() -> dn.Survey:
    """A crossed pair, sensitive labels, a checklist as a whole and by single labels; with terms of its own."""
    pair = dn.Subset([(a, b) for a in WAY.labels for b in LATE.labels], 1.0, 2)
    ill = dn.Part(ILL, dn.HighLowHadamard(ILL.labels, ["ill"], 0.5))
    listed = dn.Part(USED, dn.AskedItems(USED.labels, 0.5, together=1))
    coin = dn.RandomizedResponse(["yes", "no"], 0.25)
    single = [dn.Part(USED, coin, dn.encoders.Has(label)) for label in ("maps", "news")]
    return dn.Survey(
        "kinds",
        [WAY, LATE, ILL, USED],
        [dn.Arm(dn.Part([WAY, LATE], pair), weight=3), dn.Arm([ill, listed], weight=2), dn.Arm(single)],
        title="Ünïcode",
        period="week",
        opens="2026-08-01T00:00:00Z",
        closes="2026-09-01T12:00:00Z",
        repeat="fresh",
        cap=4.0,
    )


def _numbers() -> dn.Survey:
    """Numbers by points and blocks, alone and in pairs with a label and with each other."""
    coin = dn.RandomizedResponse(2, 1.0)
    three = dn.Channel(3, [[Fraction(w, 10) for w in row] for row in ([6, 3, 1], [1, 8, 1], [1, 3, 6])])
    held, both = [(way, end) for way in WAY.labels for end in (0, 1)], [(0, 0), (0, 1), (1, 0), (1, 1)]
    return dn.Survey(
        "numbers",
        [MINUTES, WEIGHT, BORN, WAY],
        [
            dn.Arm([dn.Part(MINUTES, coin, dn.encoders.Point(2, 4, 1)), dn.Part(BORN, dn.RandomizedResponse(42, 1.0),
                   dn.encoders.Block(34, 7))], weight=3),
            dn.Arm(dn.Part(WEIGHT, three, dn.encoders.Point(3, 8, 5))),
            dn.Arm(dn.Part(WEIGHT, coin, dn.encoders.Point(2, 1, 0, about=85))),
            dn.Arm(dn.Part([WAY, MINUTES], dn.RandomizedResponse(held, 1.0))),
            dn.Arm(dn.Part([MINUTES, WEIGHT], dn.RandomizedResponse(both, 1.0))),
        ],
    )  # fmt: skip


BAD: dict[str, Callable[[Json], object]] = {
    "an unknown field": lambda d: d.update(extra=1),
    "no minimum": lambda d: d.pop("minimum"),
    "another version": lambda d: d.update(version=2),
    "a name with a blank": lambda d: d.update(name="a b"),
    "a name that ends with a hyphen": lambda d: d.update(name="a-"),
    "no questions": lambda d: d.update(questions=[]),
    "no arms": lambda d: d.update(arms=[]),
    "a weight of 0": lambda d: d["arms"][0].update(weight=0),
    "a question twice": lambda d: d["questions"].append(d["questions"][0]),
    "a question that nobody is asked": lambda d: d["questions"].append({**d["questions"][0], "name": "silent"}),
    "a part about no question": lambda d: d["arms"][0]["parts"][0].update(questions=["nobody"]),
    "an unknown encoder": lambda d: d["arms"][0]["parts"][0]["encoder"].update(kind="square"),
    "an encoder of another kind of question": lambda d: d["arms"][0]["parts"][0]["encoder"].update(kind="text"),
    "a spec over other labels": lambda d: d["arms"][0]["parts"][0]["spec"].update(domain=["a", "b", "c"]),
    "a period that there is not": lambda d: d.update(period="year"),
    "a time without a zone": lambda d: d.update(opens="2026-08-01T00:00:00"),
    "a day that there is not": lambda d: d.update(opens="2026-02-30T00:00:00Z"),
    "an end before the beginning": lambda d: d.update(opens="2026-08-02T00:00:00Z", closes="2026-08-01T00:00:00Z"),
    "a repeated answer in one period": lambda d: d.update(repeat="fresh"),
    "a cap below the charge": lambda d: d.update(cap=0.5),
    "a minimum of 0": lambda d: d.update(minimum=0),
    "a population of 0": lambda d: d.update(population=0),
    "a population that is null": lambda d: d.update(population=None),
    "a population that is a text": lambda d: d.update(population="120"),
    "a population of half a person": lambda d: d.update(population=0.5),
    "a negative grace": lambda d: d.update(grace=-1),
    "a label twice": lambda d: d["questions"][0].update(labels=["car", "car", "bike"]),
    "an answer to skip that is no label": lambda d: d["questions"][0].update(no_answer="none"),
    "the spec of a survey by prefixes": lambda d: d.update(survey="PrefixSurvey"),
}
BAD_NUMBERS: dict[str, Callable[[Json], object]] = {
    "a bound that is a number of JSON": lambda d: d["questions"][0].update(low=0),
    "a bound with a digit too many": lambda d: d["questions"][0].update(high="10.0"),
    "a bound with a plus": lambda d: d["questions"][0].update(high="+10"),
    "minus zero": lambda d: d["questions"][0].update(low="-0"),
    "a bound in scientific notation": lambda d: d["questions"][0].update(high="1e1"),
    "a bound in other digits": lambda d: d["questions"][0].update(high="\N{ARABIC-INDIC DIGIT ONE}0"),
    "a high bound between two steps": lambda d: d["questions"][0].update(step="3"),
    "a high bound that is not higher": lambda d: d["questions"][0].update(high="0"),
    "a negative step": lambda d: d["questions"][0].update(step="-1"),
    "no step": lambda d: d["questions"][0].pop("step"),
    "too many steps": lambda d: d["questions"][0].update(high="1048577"),
    "a number and a date": lambda d: d["questions"][0].update(high="2026-08-01"),
    "a step of half a day": lambda d: d["questions"][0].update(low="2026-01-01", high="2026-01-11", step="0.5"),
    "a date that there is not": lambda d: d["questions"][0].update(low="2026-02-20", high="2026-02-30"),
    "a unit that is a number": lambda d: d["questions"][0].update(unit=1),
    "a unit that is too long": lambda d: d["questions"][0].update(unit="x" * 41),
    "nothing wanted": lambda d: d["questions"][0].update(want=[]),
    "something else wanted": lambda d: d["questions"][0].update(want=["mode"]),
    "wanted in another order": lambda d: d["questions"][0].update(want=["quantiles", "mean"]),
    "a block of no place": lambda d: d["arms"][1]["parts"][0]["encoder"].update(size=0),
    "an offset of a whole block": lambda d: d["arms"][1]["parts"][0]["encoder"].update(offset=1),
    "other blocks than the mechanism's": lambda d: d["arms"][1]["parts"][0]["encoder"].update(size=2),
    "one point": lambda d: d["arms"][0]["parts"][0]["encoder"].update(points=1),
    "a level that is not there": lambda d: d["arms"][0]["parts"][0]["encoder"].update(level=16),
    "no place to be about": lambda d: d["arms"][0]["parts"][0]["encoder"].pop("about"),
    "a place beyond the scale": lambda d: d["arms"][0]["parts"][0]["encoder"].update(about=11),
    "a label that is a number": lambda d: d["arms"][1]["parts"][0].update(encoder={"kind": "label"}),
    "numbers that are remembered": lambda d: d.update(repeat="remembered", period="week"),
}
BAD_SCALES: dict[str, Callable[[Json], object]] = {
    "a scale of one answer": lambda d: d["questions"][0].update(labels=["agree"]),
    "a scale of too many answers": lambda d: d["questions"][0].update(labels=33),
    "a scale with an answer to skip": lambda d: d["questions"][0].update(no_answer="neither"),
}
YES_NO = ["yes", "no"]
NOT_CARRIED: dict[str, tuple[Encoder, Mechanism]] = {
    "single labels under high-low": (dn.encoders.Has("maps"), dn.HighLowResponse(YES_NO, ["yes"], 0.5)),
    "single labels of which no may show": (dn.encoders.Has("maps"), dn.BinaryResponse(YES_NO, 0.5, math.inf)),
    "single labels under a prior": (dn.encoders.Has("maps"), dn.InformedResponse(YES_NO, [0.5, 0.5], 0.1)),
    "points by distance": (dn.encoders.Point(3, 1, 0), dn.Geometric(0, 2, 0.5)),
    "squares by distance": (dn.encoders.Point(3, 1, 0, 0), dn.Geometric(0, 2, 0.5)),
    "points in groups": (dn.encoders.Point(3, 1, 0), dn.BlockHadamard([[0, 1], [2]], 0.5)),
    "blocks of several places under high-low": (dn.encoders.Block(5), dn.HighLowResponse(3, [0], 0.5)),
}
"""Mechanisms whose guarantee would be told as one about answers, and is none, each with its encoder."""
MOMENTS = ("2026-08-01T00:00:00Z", "2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z", "2028-02-29T12:00:00Z")


def documents() -> dict[str, list[Json]]:
    """All sections."""
    good = [{"name": name, "document": s.to_json(), "sha256": s.digest, **_promise(s)} for name, s in samples().items()]
    return {
        "good": good, "equivalent": _equivalent(), "bad": list(_bad()), "answers": list(_answers()),
        "bad_answers": list(_bad_answers()), "tallies": list(_tallies()), "periods": list(_periods()),
        "places": list(_places()), "lists": wordings.lists(), "given": ways.given(),
    }  # fmt: skip


def _promise(survey: dn.Survey) -> Json:
    promise = survey.promise.to_dict()
    return {"level": promise["level"], "charge": promise["charge"]}


def _equivalent() -> list[Json]:
    survey = samples()["one question"]
    given = json.loads(survey.to_json())
    given["minimum"], given["cap"] = 50.0, 1
    turned = dict(reversed(given.items()))
    return [{"name": "JavaScript's numbers, another order, blanks", "text": json.dumps(turned, indent=1),
             "document": survey.to_json(), "sha256": survey.digest}]  # fmt: skip


def _bad() -> Any:
    changes = [
        (samples()["one question"], BAD), (samples()["a number"], BAD_NUMBERS), (samples()["a scale"], BAD_SCALES),
        (samples()["answers that stand alone"], wordings.BAD_LISTS), (wordings.translated(), wordings.BAD_WORDS),
        (samples()["who is responsible"], wordings.BAD_RESPONSIBLE), (samples()["ways joined"], ways.BAD_WAYS),
        (samples()["a way beside another question"], ways.BAD_CROSSED),
        (samples()["a table of scales"], ways.BAD_ROWS), (samples()["a crowd"], mixed.BAD_CROWDS),
    ]  # fmt: skip
    for survey, why, change in ((survey, *each) for survey, bad in changes for each in bad.items()):
        given = json.loads(survey.to_json())
        change(given)
        yield {"why": why, "document": json.dumps(given, ensure_ascii=False)}
    for why, (encoder, mechanism) in NOT_CARRIED.items():
        question: Question = USED if isinstance(encoder, dn.encoders.Has) else MINUTES
        plain = dn.AskedItems(USED.labels, 1.0) if question is USED else dn.RandomizedResponse(11, 1.0)
        survey = dn.Survey("used", [question], [dn.Arm(dn.Part(question, plain))])
        given = json.loads(survey.to_json())
        given["arms"][0]["parts"][0] |= {"encoder": encoder.to_json(), "spec": mechanism.spec()}
        yield {"why": why, "document": json.dumps(given, ensure_ascii=False)}


PEOPLE: dict[str, Json] = {
    "blocks": {"city": "Lyon"},
    "labels of several kinds": {"number": 1.0},
    "a prior": {"day": 6},
    "one question": {"way": "bus"},
    "a census": {"way": "bus"},
    "a pair and a part of each kind": {"way": "car", "ill": "ill", "used": ["news", "mail"]},
    "a number": {"minutes": 7},
    "a scale": {"fair": "agree"},
    "numbers": {"minutes": 3.5, "weight": 12.375, "born": "2012-02-29", "way": "bus"},
    "words": {"site": "abcdef"},
    **wordings.PEOPLE,
    **ways.PEOPLE,
    **mixed.PEOPLE,
}


def _answers() -> Any:
    for name, survey in samples().items():
        told = {survey.answer(PEOPLE[name], dn.SeededEntropy(seed)) for seed in range(40)}
        for answer in sorted(told)[:6]:
            yield {"name": name, "document": survey.to_json(), "hex": answer.hex()}


def _bad_answers() -> Any:
    survey = samples()["a pair and a part of each kind"]
    good = survey.answer(PEOPLE["a pair and a part of each kind"], dn.SeededEntropy(1))
    for why, answer in {
        "nothing": b"",
        "half of an arm's number": good[:1],
        "a byte less": good[:-1],
        "a byte more": good + b"\0",
        "an arm that is not there": b"\x03\x00" + good[2:],
        "a subset of all labels": b"\x00\x00\xff\x01",
    }.items():
        yield {"why": why, "document": survey.to_json(), "hex": answer.hex()}


def _tallies() -> Any:
    for name, survey in samples().items():
        answers = [survey.answer(PEOPLE[name], dn.SeededEntropy(seed)) for seed in range(20)]
        tally = survey.tally(answers)
        counts = [[part.counts.tolist() for part in arm] for arm in tally.arms]
        yield {"name": name, "answers": [answer.hex() for answer in answers], "n": tally.n, "counts": counts,
               "hex": tally.to_bytes().hex()}  # fmt: skip


SCALES: dict[tuple[str, str, str], list[Any]] = {
    ("0", "10", "1"): [0, 3.49999, 3.5, -0.5, 99, -1e300, 0.5, None, "5", True],
    ("-2.5", "3.5", "0.5"): [-2.5, -2.25, -2.75, 0.25, -0.25, 3.25, 5e-324, -5e-324, 1e-7],
    ("0", "1", "0.01"): [0.005, 0.015, 0.145, 0.285, 0.30000000000000004],
    ("999999999999998", "999999999999999", "0.125"): [999999999999998.0625, 999999999999998.1],
    ("0.3", "2.4", "0.7"): [0.65, 0.6499999999999999, 1.35],
    ("2024-02-28", "2024-03-03", "2"): ["2024-02-28", "2024-02-29", "2024-03-03", "0001-01-01", "2023-02-29", 5],
}


def _places() -> Any:
    """Answers and their places, null for what is none."""
    for (low, high, step), answers in SCALES.items():
        scale = dn.Number("x", low, high, step).scale
        places = [scale.index(answer) if answer in scale else None for answer in answers]
        yield {"low": low, "high": high, "step": step, "answers": answers, "places": places}


def _periods() -> Any:
    for period in ("once", "day", "week", "month"):
        way = samples()["one question"]
        survey = dn.Survey("one", way.questions, way.arms, period=period)
        for moment in MOMENTS:
            name = period_at(survey, datetime.fromisoformat(moment).astimezone(UTC))
            first, last = bounds_of(survey, name)
            begins, ends = (None if each is None else each.strftime("%Y-%m-%dT%H:%M:%SZ") for each in (first, last))
            yield {"period": period, "moment": moment, "name": name, "begins": begins, "ends": ends}
