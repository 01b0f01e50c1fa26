"""What a study measures is taken anew in every run, shown and kept apart from CSV."""

import json
from dataclasses import replace
from itertools import count
from pathlib import Path

from matplotlib.figure import Figure
from tests.studies.worlds import curve, made_up

from studies.run import Setting, reproduce
from studies.study import MEASURED, Picture, Row, Study, Tables

CLOCK = count(1)


def stopwatch(quick: bool) -> list[Row]:
    """Another time whenever it is asked."""
    return [{"quick": int(quick), "seconds": next(CLOCK) / 8}]


def timed(folder: Path, seen: list[Row]) -> Study:
    """The made-up study with a stopwatch, and a picture that looks at it."""

    def look(tables: Tables) -> Figure:
        seen.extend(tables[MEASURED])
        return curve(tables)

    study = made_up(folder / "log")
    shown = Picture("times", "The times", "They pass. They do not come back.", look, measured=True)
    remarks = study.remarks
    return replace(
        study,
        pictures=(*study.pictures, shown),
        measured=stopwatch,
        remarks=lambda tables: [*remarks(tables), f"it took {tables[MEASURED][0]['seconds']} s"],
    )


def test_times_are_measured_in_every_run_and_are_no_csv(tmp_path: Path) -> None:
    seen: list[Row] = []
    for _ in range(2):
        found = reproduce(timed(tmp_path, seen), Setting(tmp_path / "out"))
        folder = tmp_path / "out" / "made-up"
        written = json.loads((folder / "measurements.json").read_text(encoding="utf-8"))
        assert written["rows"] == found.measured.rows == seen[-1:]
        assert "processors" in written["machine"]
        assert {path.name for path in folder.glob("*.csv")} == {"errors.csv", "doubled.csv", "checks.csv"}
        assert MEASURED not in found.tables
    assert seen[0] != seen[-1]
    assert len((tmp_path / "log").read_text(encoding="utf-8").split()) == 3


def test_the_page_says_what_was_measured(tmp_path: Path) -> None:
    reproduce(timed(tmp_path, []), Setting(tmp_path / "out", quick=True))
    text = (tmp_path / "out" / "made-up" / "index.md").read_text(encoding="utf-8")
    _, first, second = text.split("\n## ")[:3]
    assert "Measured on the machine" not in first
    assert "They do not come back.\n\nMeasured on the machine of this run: " in second
    assert "[measurements.json](measurements.json) (measured, " in text
    assert "it took " in text


def test_a_study_without_printed_values_has_no_checks(tmp_path: Path) -> None:
    study = replace(made_up(tmp_path / "log"), checks=lambda _tables: ())
    reproduce(study, Setting(tmp_path / "out"))
    folder = tmp_path / "out" / "made-up"
    assert not (folder / "checks.csv").exists()
    assert not (folder / "measurements.json").exists()
    text = (folder / "index.md").read_text(encoding="utf-8")
    assert "## What the numbers say\n\n- we have 3 rows" in text
    assert "printed value" not in text
