"""The papers' figures on files of whoever has them: of other files they are run, and no verdict is given."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from deniable.cli import app
from deniable.protocol.errors import DenialError
from studies import published
from studies.jiang2018 import tables as work
from studies.published_files import GOWALLA, KOSARAK
from studies.store import csv_rows
from studies.study import Row, Tables, column
from studies.verdicts import Verdict

POPULAR = 15_001
PAGES = 40


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with forty pages, one of them popular, and thirty people in two districts of the US."""
    monkeypatch.chdir(tmp_path)
    Path("data").mkdir()
    seen = ["1 " * POPULAR, " ".join(map(str, range(2, PAGES + 1)))]
    Path("data", KOSARAK).write_text("\n".join(seen) + "\n", encoding="ascii")
    places = ["40.7\t-74.0\t1", "34.05\t-118.25\t2"]
    lines = [f"{n}\t2010-10-{day:02}T12:00:00Z\t{places[(n * day) % 2]}" for n in range(30) for day in (3, 4, 5)]
    Path("data", GOWALLA).write_text("\n".join(lines) + "\n", encoding="ascii")


def run(*words: str, code: int = 0) -> str:
    """What a command says that must end with this exit code."""
    result = CliRunner().invoke(app, ["reproduce", *words, "--quick", "--jobs", "1"])
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else result.stderr


def test_figure_9_is_run_on_the_files_and_other_files_get_no_verdict() -> None:
    said = run("jiang2018", "--data", "data")
    assert "kosarak.dat has 40 pages, the published file 41,270: no verdict is given of it." in said
    assert f"{GOWALLA} has 90 check-ins, the published file 6,442,892 or 6,442,890: no verdict" in said
    assert "In agreement" not in said
    folder = Path("studies-output-quick", "jiang2018-files")
    pages, districts = (csv_rows((folder / f"{name}.csv").read_text()) for name in ("pages", "districts"))
    assert column(pages, "people") == [PAGES] * len(pages)
    assert column(districts, "people") == [30] * len(districts)
    prior = 1 / PAGES
    assert column(pages, "no_report") == [pytest.approx(np.sqrt(prior * (1 - prior)))] * len(pages)
    page = (folder / "index.md").read_text()
    assert "deniable reproduce jiang2018 --data FOLDER --seed 1 --quick" in page
    assert not (folder / "checks.csv").exists()


def test_one_of_the_files_is_enough() -> None:
    Path("data", GOWALLA).unlink()
    assert "check-ins" not in run("jiang2018", "--data", "data")
    assert "got a folder without it" in run("acharya2019", "--data", "data", code=2)


def test_a_file_that_is_known_gets_its_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Known by the number that the paper prints; what else it prints is then compared, and can differ."""
    monkeypatch.setattr(work, "PAGES", PAGES)
    found = published.fig9_on_files(Path("data"))
    assert f"kosarak.dat is the published file of {PAGES} pages." in found.about
    better: list[Row] = [{"lip": 0.1, "ldp": 0.2}]
    clicks, errors = found.checks({"pages": better, "districts": better})
    assert (clicks.reference, clicks.ours, clicks.verdict) == (8, 0.01504, Verdict.DIFFERS)
    assert (errors.ours, errors.verdict) == (1, Verdict.AGREES)


def test_table_1_is_compared_with_the_printed_errors_of_the_published_file_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = {35: 0.298, 875: 0.108, 1: 0.591, 1750: 0.2}
    tables: Tables = {"table1": [{"blocks": n, "dtv": dtv, "dtv_error": 0.0001} for n, dtv in told.items()]}
    other = published.table1_on_check_ins(Path("data"))
    assert other.checks(tables) == ()
    assert "90 of them are in the box" in other.about
    monkeypatch.setattr(published, "CHECK_INS", (90,))
    checks = published.table1_on_check_ins(Path("data")).checks(tables)
    assert [check.verdict for check in checks] == [Verdict.DIFFERS, *[Verdict.AGREES] * 3, Verdict.DIFFERS]
    assert {check.source.origin.value for check in checks} == {"printed"}


def test_a_column_of_table_1_is_of_the_people_given() -> None:
    people = [0] * 43_750
    people[10] = people[43_000] = 2000
    plain, blocks = (published.check_in_errors(1, people, *shape, 2)[0] for shape in ((1, 1), (25, 70)))
    assert plain["blocks"] == 1
    assert float(str(blocks["dtv"])) < float(str(plain["dtv"]))
    assert len(published.table1_on_check_ins(Path("data")).tasks(True)) == 4


@pytest.mark.parametrize(
    ("name", "content", "study", "said"),
    [
        (KOSARAK, "1 2 3\n", "jiang2018", "must have pages above 15,000 clicks and others, got one kind only"),
        (GOWALLA, "1\t2010-10-03T12:00:00Z\t40.7\t-74.0\t1\n", "jiang2018", "users who checked in twice, got none"),
        (GOWALLA, "1\t2010-10-03T12:00:00Z\t-40.7\t-74.0\t1\n", "acharya2019", "in the United States, got none"),
    ],
)
def test_files_in_which_nothing_can_be_counted_are_refused(name: str, content: str, study: str, said: str) -> None:
    Path("data", name).write_text(content, encoding="ascii")
    with pytest.raises(DenialError, match=said):
        published.STUDIES[study](Path("data"))


def test_what_has_no_files_is_refused() -> None:
    said = run("ye2017", "--data", "data", code=2)
    assert "must be one of acharya2019, jiang2018, all, got" in said
    Path("empty").mkdir()
    assert "got a folder without them" in run("jiang2018", "--data", "empty", code=2)
    assert "got nowhere, which is none" in run("all", "--data", "nowhere", code=2)
