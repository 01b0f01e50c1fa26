"""Files as they are published, made small: what is counted, and what is said of files that are something else."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from deniable.protocol.errors import DenialError
from studies.places import COLUMNS
from studies.published_files import GOWALLA, KOSARAK, SIDE, check_ins, clicks, file_in

CHECK_INS = """\
7\t2010-10-19T23:55:27Z\t30.2359091167\t-97.7951395833\t22847
7\t2010-10-18T22:17:43Z\t25.0\t-130.0\t420315
9\t2010-10-12T00:21:28Z\t53.3648119\t-2.2723465833\t145064
9\t2010-10-12T15:57:20Z\t49.99999\t-60.00001\t1275991
9\t2010-10-11T15:57:20Z\t50.0\t-60.5\t1275991
3\t2010-01-01T00:00:00Z\t405.5\t-60.5\t1
"""


def district(latitude: float, longitude: float) -> int:
    return int((latitude + 90) / 9) * SIDE + int((longitude + 180) / 18)


@pytest.mark.parametrize("packed", [False, True])
def test_check_ins_are_counted_by_cell_and_by_last_district(tmp_path: Path, packed: bool) -> None:
    if packed:
        (tmp_path / f"{GOWALLA}.gz").write_bytes(gzip.compress(CHECK_INS.encode()))
    else:
        (tmp_path / GOWALLA).write_text(CHECK_INS, encoding="ascii")
    path = file_in(tmp_path, GOWALLA)
    assert path is not None
    found = check_ins(path)
    assert (found.lines, found.inside) == (6, 3)
    austin = 26 * COLUMNS + 161
    assert np.flatnonzero(found.cells).tolist() == [0, austin, len(found.cells) - 1]
    assert np.flatnonzero(found.last).tolist() == sorted([district(30.2, -97.8), district(49.9, -60.1)])
    earlier = [district(25, -130), district(53, -2), district(50, -60.5)]
    assert np.flatnonzero(found.earlier).tolist() == sorted(set(earlier))
    assert sum(found.earlier) + sum(found.last) == 5


def test_clicks_are_counted_by_page(tmp_path: Path) -> None:
    (tmp_path / KOSARAK).write_text("1 2 3\n1\n4 5 1 1\n", encoding="ascii")
    assert clicks(tmp_path / KOSARAK) == [4, 1, 1, 1, 1]


@pytest.mark.parametrize("read", [check_ins, clicks])
@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.txt", b"", "must hold lines of .*, got an empty file"),
        ("a.txt", b"\xff\xfe", "a.txt, line 1, must hold "),
        ("a.txt", b"user,time,latitude\n", "a.txt, line 1, must hold "),
        ("a.gz", b"1 2 3\n", "must be a whole gzip file"),
        ("a.gz", gzip.compress(b"1 2 3\n" * 9999, mtime=0)[:-20], "must be a whole gzip file|line 1"),
        ("a.gz", gzip.compress(b"", mtime=0), "got an empty file"),
    ],
)
def test_another_file_is_refused(
    tmp_path: Path, read: Callable[[Path], object], name: str, content: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DenialError, match=said):
        read(tmp_path / name)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2010-10-12T00:21:28Z", "yesterday"),
        ("53.3648119", "north"),
        ("53.3648119", "nan"),
        ("53.3648119", "inf"),
        ("\t145064", ""),
        ("9\t2010-10-12T00", "nine\t2010-10-12T00"),
    ],
)
def test_the_line_that_is_wrong_is_named(tmp_path: Path, old: str, new: str) -> None:
    (tmp_path / GOWALLA).write_text(CHECK_INS.replace(old, new), encoding="ascii")
    with pytest.raises(DenialError, match=f"{GOWALLA}, line 3, must hold user, time, latitude, longitude and place"):
        check_ins(tmp_path / GOWALLA)


def test_a_folder_that_is_not_there_is_refused_and_a_file_that_is_not_is_none(tmp_path: Path) -> None:
    assert file_in(tmp_path, KOSARAK) is None
    with pytest.raises(DenialError, match="--data must be a folder that holds"):
        file_in(tmp_path / "none", KOSARAK)
