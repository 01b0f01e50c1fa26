"""Specs: every vector, and no reader that is laxer or stricter than the library's."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from tests.cases import each
from tests.wire.vectors import Vector, named, reading, vectors

import deniable as dn
from deniable.mechanisms.registry import FAMILIES
from deniable.protocol import FormatError, read_spec, read_stored_spec
from deniable.protocol.designs import read_design
from deniable.protocol.headed_layouts import BlockLayout, CohortLayout
from deniable.protocol.layouts import BitsLayout, IndexLayout, Layout
from deniable.protocol.mechanisms.registry import MECHANISMS
from deniable.protocol.values import Domain, Lists

GOOD = vectors("specs.json", "good")
OTHERS: tuple[Any, ...] = (None, True, 0, 1, 2, -1, 0.5, 1e9, "a", [], [0], [1, 1], {}, [[1, 2]], "inf")


def described(layout: Layout) -> dict[str, Any]:
    """The layout as vectors write it."""
    if isinstance(layout, IndexLayout):
        return {"kind": "index", "outputs": layout.outputs}
    if isinstance(layout, CohortLayout):
        return {"kind": "cohort", "cohorts": layout.cohorts, "symbols": layout.symbols}
    if isinstance(layout, BlockLayout):
        return {"kind": "block", "sizes": list(layout.sizes), "weights": list(layout.weights)}
    assert isinstance(layout, BitsLayout)
    single = {} if layout.single_from is None else {"single_from": layout.single_from}
    return {"kind": "bits", "symbols": layout.symbols, "weight": layout.weight, **single}


def test_every_mechanism_of_the_library_that_devices_draw_is_here() -> None:
    assert list(MECHANISMS) == [name for name, row in FAMILIES.items() if not row.library_only]


@each("vector", GOOD, ids=named)
def test_good_specs(vector: Vector) -> None:
    m = read_stored_spec(vector["spec"].encode())
    assert (m.to_json(), m.digest) == (vector["spec"], vector["sha256"])
    assert described(m.layout) == vector["layout"]
    labels = m.domain.labels if isinstance(m.domain, Lists) else m.domain
    assert (len(labels) if isinstance(labels, Domain) else None) == vector["labels"]


@each("vector", vectors("specs.json", "equivalent"), ids=named)
def test_other_writings(vector: Vector) -> None:
    m = read_spec(vector["text"])
    assert (m.to_json(), m.digest) == (vector["spec"], vector["sha256"])
    with pytest.raises(FormatError, match=r"^a spec must be"):
        read_stored_spec(vector["text"])


@each("vector", vectors("specs.json", "bad"), ids=named)
def test_bad_specs(vector: Vector) -> None:
    for text in (vector["spec"], vector["spec"].encode()):
        with pytest.raises(FormatError, match=r"^a spec must"):
            read_spec(text)


@each("given", [None, 1, {"version": 1}, ["{}"]])
def test_a_spec_is_read_from_its_text_alone(given: Any) -> None:
    """What a parser has made of it may have lost the difference of 1 and 1.0."""
    with pytest.raises(FormatError, match=r"^a spec must be given as its text"):
        read_spec(given)


@each("vector", vectors("specs.json", "designs"), ids=lambda v: f"{v['q']}-{v['t']}")
def test_designs(vector: Vector) -> None:
    design = read_design(vector["q"], vector["t"], 2)
    assert (design.length, list(design.points)) == (vector["length"], vector["block"])


def mutations(text: str, source: random.Random) -> list[str]:
    """Fields left out and doubled, numbers and characters changed."""
    spec = json.loads(text)
    without = [json.dumps({k: v for k, v in spec.items() if k != name}) for name in spec]
    other = [json.dumps({**spec, name: value}) for name in spec for value in OTHERS]
    places = [source.randrange(len(text)) for _ in range(20)]
    typed = [text[:at] + source.choice('0123456789.,:[]{}"ea-') + text[at + 1 :] for at in places]
    return [*without, *other, *typed, json.dumps({**spec, "extra": 1})]


@each("vector", GOOD, ids=named)
def test_a_changed_spec_is_read_as_the_library_reads_it(vector: Vector) -> None:
    """Refused by both, or read by both as the same canonical spec."""
    source = random.Random(1)
    differing = [
        text for text in mutations(vector["spec"], source) if reading(read_spec, text) != reading(dn.from_spec, text)
    ]
    assert differing == []
