"""Exact probabilities, promises, layouts and odds: equal to the library's, for every mechanism."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from tests.cases import each
from tests.wire.generate.draws import twin_of
from tests.wire.generate.surveys import SURVEYS
from tests.wire.vectors import Vector, named, vectors

from deniable.estimation.laws.support_law import SupportLaw
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol import CapacityError as TooLarge
from deniable.protocol import ReportError, read_spec
from deniable.protocol.errors import CapacityError
from deniable.protocol.layouts import IndexLayout
from deniable.protocol.odds import dyadic_odds, weighted_odds

MOST_VALUES = 9
"""Of so many values every report's probability is compared."""


def test_every_mechanism_is_compared_somewhere() -> None:
    assert {m.name for m in SURVEYS if written_out(m) is not None} == {m.name for m in SURVEYS}


def written_out(m: Mechanism) -> Any:
    """The exact channel, or None if it is too large."""
    try:
        return m.channel().exact
    except CapacityError:
        return None


@each("m", SURVEYS, ids=lambda m: f"{m.name}-{m.law.labels}")
def test_probabilities_are_those_of_the_exact_channel(m: Mechanism) -> None:
    exact, twin = written_out(m), twin_of(m)
    assert (twin.layout.bits, twin.layout.cells) == (m.report_bits, m.layout.cells)
    if exact is None:
        return
    reports = [row.tobytes() if row.ndim else int(row) for row in m.layout.every_report()]
    assert sorted(twin.layout.every(), key=str) == sorted(reports, key=str)
    for value, row in list(zip(m.domain.every(), exact, strict=True))[:MOST_VALUES]:
        own = dict(twin.chances(list(value) if isinstance(value, tuple) else value))
        assert [own.get(report, 0) for report in reports] == row.tolist()
        assert sum(own.values()) == 1


@each("m", SURVEYS, ids=lambda m: f"{m.name}-{m.law.labels}")
def test_promises_and_facts_are_the_library_s(m: Mechanism) -> None:
    twin = twin_of(m)
    assert str(twin.guarantee) == str(m.guarantee)
    assert twin.guarantee.plain == m.guarantee.plain
    fits = (m.law.support.g, m.law.support.h) if isinstance(m.law, SupportLaw) else None
    assert (None if twin.support is None else tuple(map(float, twin.support))) == fits
    odds = getattr(m, "odds", None)
    assert (None if twin.odds is None else (twin.odds.above, twin.odds.below)) == (odds and (odds.above, odds.below))


@each("vector", vectors("reports.json", "good"), ids=lambda v: str(len(v["reports"])))
def test_good_reports(vector: Vector) -> None:
    layout = read_spec(vector["spec"]).layout
    for written in vector["reports"]:
        report = bytes.fromhex(written) if isinstance(written, str) else written
        layout.check(report)
        assert layout.read(layout.stored(report)) == report
        assert len(layout.stored(report)) == layout.width


@each("vector", vectors("reports.json", "bad"), ids=named)
def test_bad_reports(vector: Vector) -> None:
    layout = read_spec(vector["spec"]).layout
    bad = vector["reports"][1]
    packed = isinstance(bad, str) and not isinstance(layout, IndexLayout)
    with pytest.raises(ReportError, match=r"^a report must"):
        layout.check(bytes.fromhex(bad) if packed else bad)


def test_odds() -> None:
    for vector in vectors("odds.json", "weighted"):
        found = weighted_odds(vector["epsilon"], vector["aboves"], vector["belows"])
        assert tuple(found) == (int(vector["above"]), int(vector["below"])), vector
    for vector in vectors("odds.json", "dyadic"):
        assert tuple(dyadic_odds(vector["epsilon"])) == (int(vector["above"]), int(vector["below"])), vector
    for vector in vectors("odds.json", "hashes"):
        found = dyadic_odds(Fraction(vector["epsilon"]) / (2 * vector["hashes"]))
        assert tuple(found) == (int(vector["above"]), int(vector["below"])), vector


@each("vector", vectors("odds.json", "bad"), ids=lambda v: f"{v['text']}-{v['belows']}")
def test_odds_that_there_are_not(vector: Vector) -> None:
    with pytest.raises(TooLarge, match=r"^epsilon must leave room"):
        weighted_odds(vector["epsilon"], vector["aboves"], vector["belows"])
