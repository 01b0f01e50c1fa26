"""Tables for training: labels in place of reports, the public columns as they were, row by row."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import deniable as dn
from deniable.engines.files import privatize_file
from deniable.engines.labels import open_labels

NAMES = ["ja", "näin, ehkä", 'so "so"', "ウ\nエ"]
CERTAIN = dn.RandomizedResponse(NAMES, 32.0)
"""At this level a report is the truth but once in 10^13, so that rows can be told."""
PEOPLE = b'x,answer,ward\n1.5,ja,"a,b"\n2,,c\n3,"so ""so""",d\n'


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(source: bytes | str, out: str, mechanism: Any = CERTAIN, keep: Any = ("ward", "x"), **more: Any) -> int:
    """A table of labels; how many rows it has."""
    made = io.BytesIO(source) if isinstance(source, bytes) else source
    with open_labels(made, "answer", keep) as labels:
        return privatize_file(mechanism, labels, out, as_labels=True, **more).reports


def test_csv_holds_what_is_kept_and_then_the_label() -> None:
    assert written(PEOPLE, "train.CSV", skip_blank=True) == 2
    with Path("train.CSV").open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [["ward", "x", "answer"], ["a,b", "1.5", "ja"], ["d", "3", 'so "so"']]


@pytest.mark.parametrize("labels", [[3, 5, 8], ["3", "5", "8"]], ids=["integers", "text"])
def test_parquet_keeps_types(labels: list[Any]) -> None:
    held = (labels * 100)[:250]
    pq.write_table(pa.table({"x": (np.arange(250) / 4).tolist(), "answer": held}), "people.parquet")
    assert written("people.parquet", "train.parquet", dn.RandomizedResponse(labels, 32.0), ["x"]) == 250
    found = pq.read_table("train.parquet")
    assert found.column_names == ["x", "answer"]
    assert found["x"].type == pa.float64()
    assert found["answer"].to_pylist() == held
    assert found["x"].to_pylist() == (np.arange(250) / 4).tolist()


def test_a_seed_draws_the_reports_of_a_report_file() -> None:
    m, rows = dn.RandomizedResponse(["no", "yes"], 0.5), b"answer\n" + b"yes\nno\nno\n" * 200
    written(rows, "train.parquet", m, (), seed=3)
    with open_labels(io.BytesIO(rows), "answer") as labels:
        privatize_file(m, labels, "reports.parquet", seed=3)
    named = pq.read_table("train.parquet")["answer"].to_pylist()
    reports = np.array(pq.read_table("reports.parquet")["report"])
    assert named == np.array(["no", "yes"])[reports].tolist()
    assert named != ["yes", "no", "no"] * 200


@pytest.mark.parametrize(
    "mechanism",
    [dn.Subset(NAMES, 1.0), dn.Cyclic(7, 1.0), dn.HashedResponse(1.0, 4, 8), dn.RandomizedResponse(4097, 1.0)],
    ids=lambda m: m.name,
)
def test_reports_that_name_no_label_are_refused_before_anything_is_written(mechanism: dn.Mechanism) -> None:
    with pytest.raises(dn.ParameterError, match="mechanism must be one whose report names one label"):
        written(b"answer\n1\n", "train.csv", mechanism, ())
    assert list(Path().iterdir()) == []


def test_a_bad_row_leaves_no_table() -> None:
    with pytest.raises(dn.LabelError, match="no value may be blank"):
        written(PEOPLE, "train.csv")
    with pytest.raises(dn.LabelError, match="at least one value"):
        written(b"answer\n", "train.csv", keep=())
    assert list(Path().iterdir()) == []
