"""Whatever holds people's values, and however it fails to give them, no error nor what it is chained to tells one."""

from __future__ import annotations

import datetime
import traceback
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app
from deniable.engines.files import privatize_file
from deniable.engines.labels import open_labels
from deniable.protocol.errors import LabelError
from deniable.reports.arrow_columns import as_column
from deniable.values.columns import unquoted

SECRET = "Zaphod"
NUMBER = 1_700_000_000_123_456_789
SHOWN = (SECRET, "1700000000", "123456789", "2023-11-14", "2023, 11, 14", "22:13:20")
"""How the secrets show, whole or in part, as numbers or as the moment that they are in nanoseconds."""
MECHANISMS = [
    dn.HashedResponse(1.0, 4, 4),
    dn.Subset(["a", "b", "c"], 1.0),
    dn.Subset(5, 1.0),
    dn.Subset([10, 20, -7], 1.0),
    dn.Subset([datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)], 1.0),
    dn.Subset([("a", 1), ("b", 2)], 1.0),
]
SURVEY = dn.Survey.plan("words", [dn.Text("answer", longest=4)], 3.0, 1000)


class Hostile:
    """A value of some library that says itself in whatever error it raises."""

    def __hash__(self) -> int:
        raise ValueError(SECRET)

    def __eq__(self, other: object) -> bool:
        raise ArithmeticError(SECRET)


class Unreadable(list[Any]):
    """A column of some library that shows a value when it cannot give it."""

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError(SECRET)


def broken_text(large: bool = False) -> Any:
    """A column of one text that is not UTF-8."""
    text = b"\xff" + SECRET.encode()
    kind, width = (pa.large_string(), np.int64) if large else (pa.string(), np.int32)
    ends = pa.py_buffer(np.array([0, len(text)], width).tobytes())
    return pa.Array.from_buffers(kind, 1, [None, ends, pa.py_buffer(text)])


def column_of(kind: pa.DataType, number: int = NUMBER) -> Any:
    """A column of one number, read as whatever kind it may be."""
    width = np.int32 if kind.bit_width == 32 else np.int64
    data = pa.py_buffer(np.array([number], np.int64).astype(width).tobytes())
    return pa.Array.from_buffers(kind, 1, [None, data])


TEMPORAL: list[pa.DataType] = [
    *(pa.timestamp(unit) for unit in ("s", "ms", "us", "ns")),
    *(pa.timestamp(unit, zone) for unit in ("s", "ns") for zone in ("UTC", "No/Zone")),
    *(pa.duration(unit) for unit in ("s", "ms", "us", "ns")),
    pa.time64("us"),
    pa.time64("ns"),
    pa.date64(),
]
ARROW: dict[str, Any] = {
    **{str(kind): column_of(kind) for kind in TEMPORAL},
    "date32": column_of(pa.date32(), 1_700_000_000),
    "time32": column_of(pa.time32("ms"), 1_700_000_000),
    "text": pa.array([SECRET]),
    "broken text": broken_text(),
    "broken large text": broken_text(large=True),
    "broken text in a dictionary": pa.DictionaryArray.from_arrays(pa.array([0], pa.int8()), broken_text()),
    "moments in a dictionary": pa.DictionaryArray.from_arrays(pa.array([0], pa.int8()), column_of(pa.timestamp("ns"))),
    "broken text in a list": pa.ListArray.from_arrays(pa.array([0, 1], pa.int32()), broken_text()),
    "broken text in a struct": pa.StructArray.from_arrays([broken_text()], ["a"]),
    "decimal": pa.array([Decimal(NUMBER)]),
    "bytes": pa.array([SECRET.encode()]),
    "fixed bytes": pa.array([SECRET.encode()], pa.binary(6)),
    "number": pa.array([NUMBER]),
    "real": pa.array([float(NUMBER)]),
}
STORED = [kind for kind in ARROW if not kind.startswith("timestamp[s")]
"""Kinds that Parquet has: it knows no seconds."""
OTHERS: dict[str, Any] = {
    "in pieces": pa.chunked_array([broken_text(), broken_text()]),
    "objects": np.array([Hostile()], object),
    "hostile": [Hostile()],
    "in a tuple": [("a", Hostile())],
    "a list in a list": [[SECRET]],
    "unreadable": Unreadable([SECRET]),
    "no characters": np.array([0x11170000], np.uint32).view("U1"),
    "surrogate": [SECRET + "\ud800"],
    "decimals": [Decimal(NUMBER), Decimal("sNaN")],
    "records": np.array([(NUMBER, SECRET)], [("a", "i8"), ("b", "U9")]),
    "scalars": list(broken_text()),
    "days": list(column_of(pa.date32(), 1_700_000_000)),
    **{f"M8[{unit}]": np.array([NUMBER], f"M8[{unit}]") for unit in ("Y", "D", "s", "us", "ns")},
    **{f"m8[{unit}]": np.array([NUMBER], f"m8[{unit}]") for unit in ("Y", "D", "s", "us", "ns")},
}


def chain(error: BaseException) -> str:
    """The error as a user sees it, and every error behind it, seen or not."""
    texts, behind = ["".join(traceback.format_exception(error)), repr(error)], error.__context__
    causes = error.__cause__
    return "\n".join([*texts, *(chain(each) for each in (behind, causes) if each is not None)])


def expect_silence(act: Callable[[], object]) -> None:
    """What is done may succeed or be refused, and shows nothing."""
    try:
        act()
    except dn.DenialError as error:
        told = chain(error)
        assert [shown for shown in SHOWN if shown in told] == []


@each("kind", [*ARROW, *OTHERS])
def test_no_column_or_value_of_any_kind_is_quoted(kind: str) -> None:
    column = {**ARROW, **OTHERS}[kind]
    for mechanism in MECHANISMS:
        expect_silence(partial(mechanism.privatize_many, column))
        expect_silence(partial(mechanism.privatize, column))
        expect_silence(partial(mechanism.tally, column))  # values taken for reports
        if kind not in ("unreadable", "no characters"):  # which cannot give one
            expect_silence(partial(mechanism.privatize, column[0]))
    expect_silence(lambda: SURVEY.answer_many({"answer": column}))
    expect_silence(lambda: SURVEY.answer({"answer": column}))
    expect_silence(lambda: dn.InformedCrowd(["a", "b"], [[0.5, 0.5]], 1.0).privatize_many(column))


@pytest.mark.parametrize("kind", STORED)
def test_no_column_of_a_file_is_quoted(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pq.write_table(pa.table({"answer": ARROW[kind]}), "answers.parquet", store_schema=True)

    def opened(randomize: Callable[..., object], subject: Any) -> None:
        with open_labels("answers.parquet", "answer") as labels:
            randomize(subject, labels, "reports.parquet")

    for mechanism in MECHANISMS:
        expect_silence(partial(opened, privatize_file, mechanism))
        expect_silence(partial(as_column, mechanism.layout, ARROW[kind]))
    expect_silence(lambda: list(dn.files.answer_batches(SURVEY, "answers.parquet")))


@pytest.mark.parametrize("kind", STORED)
@pytest.mark.parametrize(
    "way", ["HashedResponse --symbols 4 --cohorts 4", "Subset --domain a,b,c", "Subset --domain 5"]
)
def test_the_command_line_refuses_in_one_line_that_shows_no_value(kind: str, way: str, tmp_path: Path) -> None:
    pq.write_table(pa.table({"answer": ARROW[kind]}), tmp_path / "answers.parquet")
    words = ["privatize", str(tmp_path / "answers.parquet"), "--column", "answer", "--epsilon", "1", "--mechanism"]
    result = CliRunner().invoke(app, [*words, *way.split(), "--out", str(tmp_path / "reports.parquet")])
    assert result.exit_code in (0, 2), result.output
    assert result.stderr.count("\n") == (result.exit_code == 2)
    assert [shown for shown in SHOWN if shown in result.output] == []


HOLDERS: list[Callable[[Any], Any]] = [
    list,
    tuple,
    lambda values: np.array([*values, None], object)[:-1],
    lambda values: pa.array([str(value) for value in values]),
    lambda values: pa.array([str(value) for value in values]).dictionary_encode(),
    lambda values: pa.array([value % (1 << 63) for value in values if isinstance(value, int)], pa.timestamp("ns")),
    lambda values: np.array([value % (1 << 63) for value in values if isinstance(value, int)], "m8[ns]"),
]


@given(
    strangers=st.lists(
        st.just(NUMBER) | st.just(-NUMBER) | st.just(SECRET + "\ud800") | st.just((SECRET, NUMBER)), min_size=1
    ),
    known=st.lists(st.sampled_from(["a", "b", 1, 2])),
    holder=st.sampled_from(HOLDERS),
    mechanism=st.sampled_from(MECHANISMS),
)
def test_values_among_others_are_not_quoted(
    strangers: list[Any], known: list[Any], holder: Any, mechanism: Any
) -> None:
    values = [*known, *strangers]
    try:
        column = holder(values)
    except (pa.ArrowException, UnicodeError):  # cannot be held so
        return
    expect_silence(lambda: mechanism.privatize_many(column))
    expect_silence(lambda: mechanism.tally(column))
    expect_silence(lambda: SURVEY.answer_many({"answer": column}))


@each("nanoseconds", [np.timedelta64(3, "ns"), np.datetime64(3, "ns")])
def test_nanoseconds_are_no_integer_labels(nanoseconds: Any) -> None:
    with pytest.raises(dn.LabelError, match="got one that is not"):
        dn.Subset(5, 1.0).privatize(nanoseconds)
    with pytest.raises(dn.LabelError, match="got 1 of 1 that are not"):
        dn.Subset([3, 4], 1.0).privatize_many(np.array([nanoseconds]))


@each("answers", [["a", "b"], ("a", "b"), {"a"}, {"a": 1}, np.array(["a"]), pa.array(["a"])])
def test_several_answers_for_one_are_told_what_is_wrong(answers: Any) -> None:
    wrong = f"got a {type(answers).__name__}; one person gives one value, .* privatize_many"
    for mechanism in MECHANISMS[:3]:
        with pytest.raises(dn.LabelError, match=wrong):
            mechanism.privatize(answers)


def test_what_fails_is_refused_without_its_words() -> None:
    with pytest.raises(LabelError) as caught:
        unquoted(lambda: int(SECRET), LabelError("the value must be a number"))
    assert caught.value.__context__ is None
    with pytest.raises(MemoryError):
        unquoted(lambda: bytes(1 << 62), LabelError("the value must be small"))


def test_an_error_that_nobody_foresaw_is_named_without_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise LookupError(SECRET)

    monkeypatch.setattr(dn.Tally, "from_bytes", fail)
    tally = tmp_path / "survey.tally"
    tally.write_bytes(dn.RandomizedResponse(2, 1.0).tally([]).to_bytes())
    result = CliRunner().invoke(app, ["estimate", str(tally)])
    assert result.exit_code == 70
    assert result.stderr.startswith("deniable: this should not happen: LookupError in ")
    assert SECRET not in result.output
