"""A data engineer turns many Parquet files of reports into one tally; a file that was altered is refused."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import deniable as dn

SURVEY = dn.Hadamard(1000, epsilon=2.0)
DAYS, USERS_A_DAY = 6, 40_000


def collect(folder: Path) -> list[Path]:
    """Stands for the devices: a Parquet file of reports for each day."""
    files: list[Path] = []
    for day in range(DAYS):
        pages = np.random.default_rng(day).zipf(1.6, USERS_A_DAY) % 1000
        answers = folder / "answers.parquet"
        files.append(folder / f"day-{day}.parquet")
        pq.write_table(pa.table({"page": pages}), answers)
        with dn.files.open_labels(answers, "page") as labels:
            dn.files.privatize_file(SURVEY, labels, files[-1], seed=day)  # a seed is for stories like this one
        answers.unlink()
    return files


def main() -> None:
    """The whole story."""
    with tempfile.TemporaryDirectory() as name:
        files = collect(Path(name))
        print(f"{len(files)} files, {DAYS * USERS_A_DAY} reports of {SURVEY.report_bits} bits")

        # Two workers count half of the files each. Tallies travel as bytes and add in any order.
        early, late = dn.files.tally_files(files[:3]).to_bytes(), dn.files.tally_files(files[3:]).to_bytes()
        week = dn.Tally.from_bytes(early) + dn.Tally.from_bytes(late)
        print(f"two halves add up to all: {week == dn.files.tally_files(files)}")

        # The tally says what made it, so whoever finds it can read it.
        estimate = dn.from_spec(week.spec).estimate(week)
        for label, share, low, high in estimate.top(3):
            print(f"page {label}: {share:.1%}, between {low:.1%} and {high:.1%}")

        # A file with a byte that changed on the way is refused, and nothing is counted.
        whole = files[2].read_bytes()
        files[2].write_bytes(whole[:9999] + bytes([whole[9999] ^ 1]) + whole[10000:])
        try:
            dn.files.tally_files(files)
        except dn.FormatError as error:
            print(f"refused: {error}".replace(name, "the folder"))


if __name__ == "__main__":
    main()
