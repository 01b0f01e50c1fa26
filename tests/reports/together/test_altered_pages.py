"""A small file that was altered is refused for little: whatever its pages claim, no more memory than it may need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import deniable as dn
from deniable.reports.report_file import write_reports

READ = """
import sys
import pyarrow as pa
import deniable as dn
from deniable.engines.files import tally_files
refused = 0
for name in sys.argv[1:]:
    try:
        tally_files([name])
    except dn.DenialError:
        refused += 1
print(refused, pa.default_memory_pool().max_memory())
"""


@pytest.mark.parametrize("mechanism", [dn.RandomizedResponse(4, 1.0), dn.Rappor(64, 1.0)])
@pytest.mark.parametrize("counted", [True, False])
def test_no_page_claims_more_than_the_file_has(mechanism: dn.Rappor, counted: bool, tmp_path: Path) -> None:
    whole = tmp_path / "whole.parquet"
    with write_reports(whole, mechanism.spec(), mechanism.layout, counted) as writer:
        writer.write(mechanism.privatize_many([0, 1, 2, 3] * 5, seed=1))
    stored, names = whole.read_bytes(), list[str]()
    for place in range(5, 12):  # the head of the first page: its sizes
        for more in (b"\x80", b"\xff", b"\xff\xff"):
            altered = tmp_path / f"{place}-{more.hex()}.parquet"
            altered.write_bytes(stored[:place] + more + stored[place:])
            names.append(str(altered))
    ended = subprocess.run([sys.executable, "-c", READ, *names], check=True, capture_output=True, text=True, timeout=60)
    refused, memory = map(int, ended.stdout.split())
    assert refused > len(names) / 2
    assert memory < 1 << 20
