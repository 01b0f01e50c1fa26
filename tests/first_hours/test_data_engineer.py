"""A data engineer gets folders of Parquet files from devices, every day, and some from another tool."""

from __future__ import annotations

import json

import pytest
from tests.first_hours.conftest import Hour

FILES = """
import json, pathlib
import numpy as np, pyarrow as pa, pyarrow.parquet as pq
import deniable as dn

m = dn.Cyclic(1000, 1.0)
pathlib.Path("spec.json").write_text(json.dumps(m.spec()))
for day in range(3):
    folder = pathlib.Path(f"reports/day={day}")
    folder.mkdir(parents=True)
    with dn.files.write_reports(folder / "part-0.parquet", m.spec(), m.layout) as writer:
        writer.write(m.privatize_many(np.arange(20_000) % 100))
pq.write_table(pa.table({"noisy": m.privatize_many(np.arange(5000) % 100)}), "theirs.parquet")
"""


@pytest.mark.minutes(3)
def test_from_folders_to_one_estimate(hour: Hour) -> None:
    hour.python(FILES)
    days = [json.loads(hour.deniable(f"tally reports/day={day} --out day-{day}.tally --json")) for day in range(3)]
    whole = json.loads(hour.deniable("tally reports --out all.tally --json"))
    assert whole["reports"] == sum(day["reports"] for day in days) == 60_000
    assert {day["digest"] for day in days} == {whole["digest"]}
    theirs = hour.deniable("tally theirs.parquet --spec spec.json --column noisy --out theirs.tally")
    assert theirs.startswith("5,000 reports")
    assert json.loads(hour.deniable("estimate all.tally --json"))["n"] == 60_000
    altered = bytearray((hour.folder / "reports/day=1/part-0.parquet").read_bytes())
    altered[len(altered) // 2] ^= 1
    (hour.folder / "reports/day=1/part-0.parquet").write_bytes(bytes(altered))
    assert "day=1" in hour.deniable("tally reports --out broken.tally", code=2)
    skipped = hour.deniable("tally reports --skip-bad --out rest.tally")
    assert "40,000 reports" in skipped
    assert "1 bad file" in skipped
