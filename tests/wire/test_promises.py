"""The vectors of guarantees, ledgers and report files' footers, good and bad, against the library."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.cases import each
from tests.wire.vectors import Vector, named, vectors

import deniable as dn
from deniable.arrays import Column
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import from_spec_bytes
from deniable.privacy.guarantee_json import from_dict, to_dict
from deniable.reports.arrow_columns import arrow_type, to_arrow
from deniable.reports.index_layout import IndexLayout
from deniable.reports.report_file import ReportFile


@each("vector", vectors("guarantees.json", "good"), ids=named)
def test_good_guarantees(vector: Vector) -> None:
    guarantee = from_dict(vector["guarantee"])
    assert to_dict(guarantee) == vector["guarantee"]
    assert to_dict(from_dict(vector["guarantee"], computed=True)) == vector["guarantee"]


@each("vector", vectors("guarantees.json", "computed"), ids=named)
def test_levels_that_nobody_may_ask_for(vector: Vector) -> None:
    assert to_dict(from_dict(vector["guarantee"], computed=True)) == vector["guarantee"]
    with pytest.raises(dn.ParameterError, match=r"^epsilon must"):
        from_dict(vector["guarantee"])


@each("vector", vectors("guarantees.json", "bad"), ids=named)
def test_bad_guarantees(vector: Vector) -> None:
    for computed in (False, True):
        with pytest.raises(dn.DenialError):
            from_dict(vector["guarantee"], computed=computed)


@each("vector", vectors("ledgers.json", "good"), ids=named)
def test_good_ledgers(vector: Vector) -> None:
    ledger = dn.Ledger.from_json(json.dumps(vector["ledger"]))
    assert json.loads(ledger.to_json()) == vector["ledger"]
    assert (None if ledger.spent is None else to_dict(ledger.spent)) == vector["spent"]


@each("vector", vectors("ledgers.json", "bad"), ids=named)
def test_bad_ledgers(vector: Vector) -> None:
    with pytest.raises(dn.FormatError, match=r"^a ledger must"):
        dn.Ledger.from_json(json.dumps(vector["ledger"]))


def write(vector: Vector, path: Path) -> tuple[Mechanism, Column]:
    """A Parquet file of a vector's reports that says of itself what the vector does; and what the file should hold."""
    mechanism = from_spec_bytes((vector if "name" in vector else GOOD[0])["footer"]["deniable.spec"].encode())
    packed = not isinstance(mechanism.layout, IndexLayout)
    reports = mechanism.layout.check([bytes.fromhex(r) if packed else r for r in vector["reports"]])
    schema = pa.schema([pa.field("report", arrow_type(mechanism.layout), nullable=False)])
    with pq.ParquetWriter(path, schema, compression="none", use_dictionary=False) as parquet:
        parquet.write_batch(pa.record_batch([to_arrow(reports)], schema=schema))
        parquet.add_key_value_metadata(vector["footer"])
    return mechanism, reports


GOOD = vectors("footers.json", "good")


def read(path: Path) -> tuple[Mechanism, Column]:
    """All that a reader may check of a file."""
    file = ReportFile.open(path)
    mechanism = from_spec_bytes(file.spec_bytes)
    reports = np.concatenate([mechanism.layout.empty(0), *file.columns(mechanism.layout)])
    file.check(len(reports), mechanism.tally(reports).counts)
    return mechanism, reports


@pytest.mark.parametrize("vector", GOOD, ids=named)
def test_good_footers(vector: Vector, tmp_path: Path) -> None:
    mechanism, reports = write(vector, tmp_path / "reports.parquet")
    again, found = read(tmp_path / "reports.parquet")
    assert again == mechanism
    assert found.tolist() == reports.tolist()


@pytest.mark.parametrize("vector", vectors("footers.json", "bad"), ids=named)
def test_bad_footers(vector: Vector, tmp_path: Path) -> None:
    write(vector, tmp_path / "reports.parquet")
    with pytest.raises(dn.FormatError):
        read(tmp_path / "reports.parquet")
