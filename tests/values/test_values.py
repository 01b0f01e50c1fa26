"""What closed domains and any text have in common."""

from __future__ import annotations

import datetime
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import deniable as dn
from deniable.protocol.labels import label_from_json, write_label
from deniable.protocol.python_values import python_value
from deniable.values.columns import is_arrow_column
from deniable.values.domain import Domain
from deniable.values.texts import Texts
from deniable.values.values import Values, closed_domain, values_from_json

SOURCE = Path(dn.__file__).parent
WORDS = Domain.of(["a", "b", "c"])
EVERY: list[Values] = [WORDS, Domain.of(["a", "b", ""]), Texts(""), Texts("march")]
WITHOUT_ARROW = """
import sys, types
package = types.ModuleType("deniable")
package.__path__ = [sys.argv[1]]
sys.modules["deniable"] = package
import deniable.values.values
from deniable.values.domain import Domain
print(Domain.of(["a", "b"]).indices(["b", "a"]).tolist(), [name for name in sys.modules if "pyarrow" in name])
"""


@pytest.mark.parametrize("values", EVERY, ids=repr)
def test_a_column_is_its_values_one_by_one(values: Values) -> None:
    column = ["b", "a", "b"]
    one_by_one = [values.index(value) for value in column]
    for held in (column, np.array(column), pa.array(column), pa.chunked_array([["b"], ["a", "b"]])):
        assert values.indices(held).tolist() == values.column(held).tolist() == one_by_one
    values.check(values.column(column))
    assert len(set(one_by_one)) == 2
    assert all(value in values for value in column)


@pytest.mark.parametrize("values", EVERY, ids=repr)
@pytest.mark.parametrize("wrong", [None, 7, b"a", float("nan"), "\ud800"])
def test_what_is_no_value_is_refused_alone_and_in_a_column(values: Values, wrong: Any) -> None:
    assert wrong not in values
    with pytest.raises(dn.LabelError, match="the value must be"):
        values.index(wrong)
    with pytest.raises(dn.LabelError, match=r"got 1 of 2 that are not \(the first at position 1\)"):
        values.indices(["a", wrong])
    with pytest.raises(dn.LabelError, match=r"got 1 of 2 that are not \(the first at position 1\)"):
        values.check(values.column(["a", wrong]))


@pytest.mark.parametrize("values", [*EVERY, Domain.of(1000), Domain.of([("a", 1), (b"\x07", 0.5)])], ids=repr)
def test_values_come_back_from_json_equal(values: Values) -> None:
    key = values.key if isinstance(values, Texts) else ""
    again = values_from_json(values.to_json(), key)
    assert again == values
    assert hash(again) == hash(values)
    assert repr(again) == repr(values)


def test_other_values_are_not_equal() -> None:
    assert Texts("march") != Texts("april")
    assert Texts("") != WORDS
    assert Texts("march").index("a") != Texts("april").index("a")


@pytest.mark.parametrize("written", [True, 2.5, "ab", {"a": 1}])
def test_json_of_no_values_is_refused(written: object) -> None:
    with pytest.raises(dn.DenialError, match="domain must be"):
        values_from_json(written)


def test_only_a_closed_domain_has_a_size() -> None:
    assert closed_domain(WORDS) is WORDS
    assert (WORDS.size, Domain.of(1000).size, Texts("").size) == (3, 1000, None)
    with pytest.raises(dn.DomainError, match="must be a closed domain, got any text"):
        closed_domain(Texts(""))


@pytest.mark.parametrize(
    ("domain", "kind"),
    [
        (5, "integers"),
        ([3, 1], "integers"),
        ([True, False], "integers"),
        (["1", "2"], "text"),
        (["1", 2], "other"),
        ([0.5, 1.5], "other"),
        ([datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)], "other"),
    ],
)
def test_the_kind_is_that_of_every_label(domain: Any, kind: str) -> None:
    assert Domain.of(domain).kind == kind


def test_an_empty_field_of_a_file_is_an_answer_only_where_it_is_a_label() -> None:
    assert [values.empty_is_blank for values in EVERY] == [True, False, True, True]
    assert "" in Texts("")  # which a device may report all the same
    assert Texts("").index("") == Texts("").indices([""])[0]


def test_open_mechanisms_hold_texts_and_closed_ones_a_domain() -> None:
    assert dn.HashedResponse(1.0, 4, 4, key="march").domain == Texts("march")
    assert dn.HashedResponse(1.0, 4, 4, domain=["a", "b", "c"]).domain == WORDS
    for m in (dn.HashedRappor(1.0, 4, 4, key="march"), dn.HashedRappor(1.0, 4, 4, domain=3, key="march")):
        assert dn.from_spec(m.spec()).domain == m.domain


def test_a_closed_mechanism_needs_labels_in_its_spec() -> None:
    with pytest.raises(dn.FormatError, match="a spec's domain must be a number, low and high"):
        dn.from_spec({**dn.Subset(3, 1.0).spec(), "domain": None})


def test_values_need_no_pyarrow() -> None:
    """The room alone, without the package around it."""
    told = subprocess.run([sys.executable, "-c", WITHOUT_ARROW, SOURCE], capture_output=True, text=True, check=True)
    assert told.stdout == "[1, 0] []\n"


def test_arrow_is_known_only_once_it_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    column = pa.array(["a"])
    assert is_arrow_column(column)
    assert is_arrow_column(pa.chunked_array([["a"], ["b"]]))
    assert not is_arrow_column(["a"])
    monkeypatch.setitem(sys.modules, "pyarrow", type(sys)("pyarrow"))  # as it is while another thread imports it
    assert not is_arrow_column(["a"])
    assert WORDS.indices(["a"]).tolist() == [0]


@pytest.mark.parametrize(
    ("given", "value"),
    [(np.int8(5), 5), (pa.scalar(5), 5), (np.str_("a"), "a"), (-0.0, 0.0), (np.bool_(True), True), ("a", "a")],
)
def test_scalars_stand_for_python_values(given: Any, value: Any) -> None:
    found = python_value(given)
    assert (found, type(found), str(found)) == (value, type(value), str(value))


@pytest.mark.parametrize("label", ["a", 7, 0.5, b"\x00", datetime.date(2020, 1, 1), (("a", 1), b"x")])
def test_labels_come_back_from_json(label: Any) -> None:
    found = label_from_json(write_label(label))
    assert (found, type(found)) == (label, type(label))
