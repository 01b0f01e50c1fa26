"""Small surveys by chance: every kind of question, encoder, guarantee and mechanism, in one to three arms."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import deniable as dn
from deniable.mechanisms.registry import FAMILIES

LEVELS = (0.1, 0.5, 1.0, 2.0, 4.0)
LABELS, ITEMS = ["a", "b", "c"], ["x", "y", "z"]
Make = Callable[[Any, float], Any]


def kept_by(guarantee: Any) -> list[Any]:
    """The rows of the families that are made for a guarantee."""
    rows = [row for row in FAMILIES.values() if not row.plain and not row.written_out]
    return [row for row in rows if row.keeps(guarantee, dn.Domain.of(LABELS)) is not None]


PLAIN: Sequence[Make] = (
    *(row.make for row in FAMILIES.values() if row.plain),
    lambda d, e: dn.Subset(d, e, 1),
    *(row.example for row in kept_by(dn.Distance(LABELS, 1.0))),
    lambda d, e: dn.Channel(d, dn.RandomizedResponse(d, e).channel().exact),
)  # fmt: skip
HIGH_LOW = [row.make for row in kept_by(dn.HighLow(LABELS, LABELS[:1], 1.0))]
BLOCKS = [row.make for row in kept_by(dn.Blocks([LABELS], 1.0))]
LISTS: Sequence[Make] = (
    dn.AskedItems, dn.ItemResponse,
    lambda d, e: dn.AskedItems(d, e, 2),
    lambda d, e: dn.ItemResponse(d, e, one_sided=True),
    lambda d, e: dn.PrivateSet(d, e, 2),
)  # fmt: skip
ONE_OF = (
    dn.OneOf("way", LABELS),
    dn.OneOf("way", LABELS, sensitive=["b"]),
    dn.OneOf("way", LABELS, sensitive=["a", "c"]),
    dn.OneOf("way", LABELS, sensitive=LABELS),
    dn.OneOf("way", LABELS, blocks=[["a", "c"], ["b"]]),
    dn.OneOf("way", LABELS, prior=[0.5, 0.3, 0.2]),
)
OTHERS = (dn.AnyOf("used", ITEMS), dn.AnyOf("used", ITEMS, most=2), dn.Number("hours", 0, 4))


def made(seed: int) -> dn.Survey:
    """The survey of a number."""
    source = random.Random(seed)
    while True:
        asked = [source.choice(ONE_OF)] * (source.random() < 0.75) + [source.choice(OTHERS)] * (source.random() < 0.6)
        again: dict[str, Any] = {"period": "week", "repeat": "fresh"} if source.random() < 0.3 else {}
        terms = _terms(random.Random(f"terms of {seed}"), asked)
        try:
            arms = [_arm(source, asked) for _ in range(source.randint(1, 3))]
            return dn.Survey("made", asked, arms, **(again or terms))
        except (dn.ParameterError, ValueError):  # a question that no arm asks, or none at all
            continue


def remembered(seed: int) -> dn.Survey:
    """One whose reports are remembered."""
    source = random.Random(seed)
    question = source.choice((ONE_OF[0], OTHERS[0]))
    family = source.choice(LISTS[:2]) if isinstance(question, dn.AnyOf) else source.choice(PLAIN[:6])
    kept = dn.Remembered(family(question.labels, source.choice(LEVELS[2:])), source.choice((0.25, 0.5)))
    return dn.Survey("kept", [question], [dn.Arm(dn.Part(question, kept))], period="day", repeat="remembered")


def _terms(source: random.Random, asked: Sequence[Any]) -> dict[str, Any]:
    """Perhaps another language, perhaps a kiosk, perhaps people in one room, or else a field of a form."""
    terms: dict[str, Any] = {term: True for term in ("kiosk", "lan") if source.random() < 0.2}
    if "lan" not in terms and len(asked) % 2:
        terms["carrier"] = "field"
    if source.random() < 0.2:
        labels = {
            each.name: {"labels": [f"{label}!" for label in each.labels]} for each in asked if hasattr(each, "labels")
        }
        words = {each.name: {"wording": "", **labels.get(each.name, {})} for each in asked}
        terms |= {"language": "en", "translations": {"de": {"title": "", "purpose": "", "questions": words}}}
    return terms


def _arm(source: random.Random, asked: Sequence[Any]) -> dn.Arm:
    parts = [
        part for question in source.sample(asked, source.randint(1, len(asked))) for part in _parts(source, question)
    ]
    return dn.Arm(parts, source.randint(1, 3))


def _parts(source: random.Random, question: Any) -> list[dn.Part]:
    level = source.choice(LEVELS)
    if isinstance(question, dn.OneOf):
        return [dn.Part(question, _of_labels(source, question, level))]
    if isinstance(question, dn.Number):
        return [_of_number(source, question, level)]
    if source.random() < 0.4:
        some = source.sample(ITEMS, source.randint(1, 3))
        yes_no = dn.RandomizedResponse(["yes", "no"], level)
        return [dn.Part(question, yes_no, dn.encoders.Has(label)) for label in some]
    return [dn.Part(question, source.choice(LISTS)(question.labels, level))]


def _of_labels(source: random.Random, question: dn.OneOf, level: float) -> Any:
    if question.sensitive:
        kept = source.choice((list(question.sensitive), LABELS))
        high_low = source.choice(HIGH_LOW)(question.labels, kept, level)
        return high_low if source.random() < 0.8 else dn.RandomizedResponse(question.labels, level)
    if question.blocks:
        return source.choice(BLOCKS)([list(block) for block in question.blocks], level, question.labels)
    if question.prior:
        return dn.InformedResponse(question.labels, question.prior, level, one_sided=source.random() < 0.5)
    return source.choice(PLAIN)(question.labels, level)


def _of_number(source: random.Random, question: dn.Number, level: float) -> dn.Part:
    if source.random() < 0.4:
        block = dn.encoders.Block(source.choice((1, 2)))
        return dn.Part(question, source.choice(PLAIN)(block.blocks(question.scale.steps), level), block)
    points, about = source.choice((2, 3)), source.choice((None, 2))
    point = dn.encoders.Point(points, 2, source.randint(0, 1), about)
    return dn.Part(question, dn.RandomizedResponse(points, level), point)
