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
from deniable.engines.by_group import open_groups
from deniable.engines.tally_folder import TallyFolder, require_new
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
    found = open_groups([tmp_path], mechanism, "noisy", ["week"]).count()
    assert list(found.tallies) == [(week,) for week in sorted(WEEKS)]
    for week in WEEKS:
        own = np.concatenate([each[held == week] for each, held in zip(reports, weeks, strict=True)])
        assert found.tallies[week,] == mechanism.tally(own)


def test_files_are_named_after_groups_and_stay_in_their_folder(tmp_path: Path) -> None:
    mechanism = MECHANISMS[0]
    write(tmp_path / "a.parquet", mechanism, pa.array(WEEKS * 5), 1)
    found = open_groups([tmp_path], mechanism, "noisy", ["week"]).count()
    files = found.write(tmp_path / "weeks")
    assert {file.parent for file in files.values()} == {tmp_path / "weeks"}
    assert len(set(files.values())) == 4
    assert files["2026-W40",] == tmp_path / "weeks" / "2026-W40.tally"
    assert {name: dn.Tally.from_bytes(file.read_bytes()) for name, file in files.items()} == found.tallies
    assert TallyFolder.read(tmp_path / "weeks") == found
    with pytest.raises(dn.ParameterError, match="must be a new or an empty folder for the tallies of groups"):
        require_new(tmp_path / "weeks")


@pytest.mark.parametrize("groups", [pa.array([7, 8]), pa.array([True, False]), pa.array([0, 1], pa.date32())])
def test_groups_may_be_numbers_days_and_booleans(groups: Any, tmp_path: Path) -> None:
    write(tmp_path / "a.parquet", MECHANISMS[0], groups, 1)
    found = open_groups([tmp_path], MECHANISMS[0], "noisy", ["week"]).count()
    assert sorted(found.tallies) == sorted((str(group),) for group in groups.to_pylist())


def test_a_name_that_stands_in_no_row_is_no_group(tmp_path: Path) -> None:
    names = pa.DictionaryArray.from_arrays(pa.array([0, 2, 0], pa.int8()), pa.array(["a", "", "b"]))
    write(tmp_path / "a.parquet", MECHANISMS[0], names, 1)
    found = open_groups([tmp_path], MECHANISMS[0], "noisy", ["week"]).count()
    assert {group: tally.n for group, tally in found.tallies.items()} == {("a",): 2, ("b",): 1}


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
        open_groups([tmp_path], MECHANISMS[0], "noisy", ["week"]).count().write(tmp_path / "w")
    assert not (tmp_path / "w").exists()


def test_a_missing_column_is_named_beside_those_there_are(tmp_path: Path) -> None:
    write(tmp_path / "a.parquet", MECHANISMS[0], pa.array(WEEKS), 1)
    with pytest.raises(dn.FormatError, match="must have one column 'wek' of groups, got columns: week, other, noisy"):
        open_groups([tmp_path], MECHANISMS[0], "noisy", ["wek"])


def test_several_columns_make_the_groups_together(tmp_path: Path) -> None:
    mechanism, rng = MECHANISMS[1], np.random.default_rng(1)
    reports = mechanism.privatize_many(rng.integers(0, 12, 3000), seed=1)
    columns = {"country": rng.choice(["DK", "SE,", "NO"], 3000), "day": rng.integers(1, 4, 3000)}
    table = pa.table({**{name: pa.array(column) for name, column in columns.items()}, "report": to_arrow(reports)})
    pq.write_table(table, tmp_path / "a.parquet")
    found = open_groups([tmp_path], mechanism, "report", ["day", "country"]).count()
    assert found.by == ("day", "country")
    assert sum(found.tallies.values()) == mechanism.tally(reports)
    assert len(found.tallies) == 9
    held = (columns["country"] == "SE,") & (columns["day"] == 2)
    assert found.tallies["2", "SE,"] == mechanism.tally(reports[held])
    assert found.write(tmp_path / "out")["2", "SE,"].name == "2,SE%2C.tally"
    assert TallyFolder.read(tmp_path / "out") == found
    for again in (["day", "day"], ["report"]):
        with pytest.raises(dn.ParameterError, match="by must name other columns than that of the reports"):
            open_groups([tmp_path / "a.parquet"], mechanism, "report", again)


def test_a_later_run_adds_files_that_were_not_counted(tmp_path: Path) -> None:
    mechanism, folder = MECHANISMS[0], tmp_path / "weeks"
    write(tmp_path / "a.parquet", mechanism, pa.array(WEEKS * 5), 1)
    found = open_groups([tmp_path / "a.parquet"], mechanism, "noisy", ["week"])
    found.count().write(folder)
    write(tmp_path / "b.parquet", mechanism, pa.array(["2026-W41", "2026-W44"]), 2)
    both = open_groups([tmp_path / "a.parquet", tmp_path / "b.parquet"], mechanism, "noisy", ["week"])
    earlier = TallyFolder.begin(folder, anew=False)
    assert earlier is not None
    new = both.without(earlier.counted)
    assert new.n == 2
    (earlier + new.count()).write(folder)
    assert TallyFolder.read(folder) == both.count()
    assert both.without(TallyFolder.read(folder).counted).files == ()
    write(tmp_path / "a.parquet", mechanism, pa.array(WEEKS * 6), 1)
    with pytest.raises(dn.FormatError, match="must be as it was when it was counted"):
        open_groups([tmp_path / "a.parquet"], mechanism, "noisy", ["week"]).without(TallyFolder.read(folder).counted)
    assert TallyFolder.begin(folder, anew=True) is None
    fewer = open_groups([tmp_path / "b.parquet"], mechanism, "noisy", ["week"]).count()
    fewer.write(folder)
    assert TallyFolder.read(folder) == fewer


def test_tallies_that_do_not_go_together_are_not_mixed(tmp_path: Path) -> None:
    mechanism, other = MECHANISMS
    write(tmp_path / "a.parquet", mechanism, pa.array(WEEKS), 1)
    found = open_groups([tmp_path / "a.parquet"], mechanism, "noisy", ["week"]).count()
    with pytest.raises(dn.TallyError, match="must be of groups by week, got by day"):
        _ = found + TallyFolder(("day",), found.tallies)
    with pytest.raises(dn.TallyError, match="only tallies of one spec add"):
        _ = found + TallyFolder(("week",), {("new",): other.tally([])})
    files = found.write(tmp_path / "weeks")
    files["2026-W40",].unlink()
    with pytest.raises(dn.FormatError, match=r"must hold the tallies of its _groups.json, got changed ones"):
        TallyFolder.read(tmp_path / "weeks")
    (tmp_path / "weeks" / "_groups.json").write_text("[]")
    with pytest.raises(dn.FormatError, match=r"must be the record of a folder of tallies"):
        TallyFolder.read(tmp_path / "weeks")
