"""A tally for each group: their sum is the tally of all, and each is that of its own reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import deniable as dn
from deniable.engines import by_group
from deniable.engines.by_group import open_groups, tally_by, write_tallies
from deniable.reports.arrow_columns import to_arrow

WEEKS = ["2026-W40", "2026-W41", "../W42", "w/43. ü"]
MECHANISMS: list[dn.Mechanism] = [dn.Hadamard(9, 1.0), dn.Subset(12, 1.0)]


def write(path: Path, mechanism: dn.Mechanism, weeks: Any, seed: int) -> Any:
    """A file of another tool with a column of weeks; the reports."""
    reports = mechanism.privatize_many(np.arange(len(weeks)) % 9, seed=seed)
    column = to_arrow(reports)
    pq.write_table(pa.table({"week": weeks, "other": [0] * len(weeks), "noisy": column}), path, row_group_size=700)
    return reports


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: m.name)
@pytest.mark.parametrize("encoded", [False, True])
def test_every_group_has_the_tally_of_its_own_reports(mechanism: dn.Mechanism, encoded: bool, tmp_path: Path) -> None:
    weeks = [np.array(WEEKS)[np.random.default_rng(seed).integers(0, 4, 2000)] for seed in range(2)]
    columns = [pa.array(each).dictionary_encode() if encoded else pa.array(each) for each in weeks]
    reports = [write(tmp_path / f"{k}.parquet", mechanism, columns[k], k) for k in range(2)]
    found = tally_by(open_groups([tmp_path], "noisy", "week"), mechanism, "noisy", "week")
    assert list(found) == sorted(WEEKS)
    for week in WEEKS:
        own = np.concatenate([each[held == week] for each, held in zip(reports, weeks, strict=True)])
        assert found[week] == mechanism.tally(own)


def test_files_are_named_after_groups_and_stay_in_their_folder(tmp_path: Path) -> None:
    mechanism = MECHANISMS[0]
    write(tmp_path / "a.parquet", mechanism, pa.array(WEEKS * 5), 1)
    found = tally_by(open_groups([tmp_path], "noisy", "week"), mechanism, "noisy", "week")
    files = write_tallies(found, tmp_path / "weeks")
    assert {file.parent for file in files.values()} == {tmp_path / "weeks"}
    assert len(set(files.values())) == 4
    assert files["2026-W40"] == tmp_path / "weeks" / "2026-W40.tally"
    assert {name: dn.Tally.from_bytes(file.read_bytes()) for name, file in files.items()} == found
    with pytest.raises(dn.ParameterError, match="must be a new or an empty folder for the tallies of groups"):
        write_tallies(found, tmp_path / "weeks")


@pytest.mark.parametrize("groups", [pa.array([7, 8]), pa.array([True, False]), pa.array([0, 1], pa.date32())])
def test_groups_may_be_numbers_days_and_booleans(groups: Any, tmp_path: Path) -> None:
    write(tmp_path / "a.parquet", MECHANISMS[0], groups, 1)
    found = tally_by(open_groups([tmp_path], "noisy", "week"), MECHANISMS[0], "noisy", "week")
    assert sorted(found) == sorted(map(str, groups.to_pylist()))


def test_a_name_that_stands_in_no_row_is_no_group(tmp_path: Path) -> None:
    names = pa.DictionaryArray.from_arrays(pa.array([0, 2, 0], pa.int8()), pa.array(["a", "", "b"]))
    write(tmp_path / "a.parquet", MECHANISMS[0], names, 1)
    found = tally_by(open_groups([tmp_path], "noisy", "week"), MECHANISMS[0], "noisy", "week")
    assert {name: tally.n for name, tally in found.items()} == {"a": 2, "b": 1}


@pytest.mark.parametrize(
    ("groups", "why"),
    [
        (pa.array(["a", None, "a"]), "must have a group in every row, got 1 rows without one"),
        (pa.array([0.5, 1.5, 2.5]), "must have groups that are text, whole numbers, days or booleans, got double"),
        (pa.array(["a" * 300] * 3), "a group must have a name that fits a file's, got one of 300 characters"),
        (pa.array(["a", "", "a"]), "a group must have a name that fits a file's, got one of 0 characters"),
        (pa.array(["a", "b", "c"]), "there must be at most 2 groups, got more"),
    ],
)
def test_groups_that_cannot_be_told_apart_are_refused(
    groups: Any, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_group, "MOST_GROUPS", 2)
    write(tmp_path / "a.parquet", MECHANISMS[0], groups, 1)
    with pytest.raises((dn.FormatError, dn.ParameterError), match=why):
        write_tallies(
            tally_by(open_groups([tmp_path], "noisy", "week"), MECHANISMS[0], "noisy", "week"), tmp_path / "w"
        )
    assert not (tmp_path / "w").exists()


def test_a_missing_column_is_named_beside_those_there_are(tmp_path: Path) -> None:
    write(tmp_path / "a.parquet", MECHANISMS[0], pa.array(WEEKS), 1)
    with pytest.raises(dn.FormatError, match="must have one column 'wek' of groups, got columns: week, other, noisy"):
        open_groups([tmp_path], "noisy", "wek")
