"""Studies run every task once, go on where they stopped, and give the same files whatever the number of processes."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.studies.worlds import EPSILONS, endless, failing, made_up, noisy

from deniable.protocol.errors import FormatError, ParameterError
from studies.run import Setting, reproduce, write_gallery
from studies.store import csv_rows, csv_text
from studies.study import Results, Row, Study, Task, column

PATIENCE = 180.0
"""Seconds to wait for another process before a test fails."""
CHILD = """
import sys
from pathlib import Path
from tests.studies.worlds import endless, made_up
from studies.run import Setting, reproduce
if __name__ == "__main__":
    folder = Path(sys.argv[1])
    reproduce(made_up(folder / "log", endless), Setting(folder / "out", jobs=2))
"""


def files(folder: Path) -> dict[str, bytes]:
    """What a reader gets."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and path.parent.name != "parts")
    return {path.name: path.read_bytes() for path in found}


def run_here(tmp_path: Path, name: str, **setting: Any) -> tuple[Results, dict[str, bytes]]:
    """A run in a folder of its own, all with one log so that the tasks are the same."""
    results = reproduce(made_up(tmp_path / "log"), Setting(tmp_path / name, **setting))
    return results, files(tmp_path / name)


def test_a_run_writes_tables_checks_pictures_and_a_page(tmp_path: Path) -> None:
    results, written = run_here(tmp_path, "out")
    assert set(written) == {"errors.csv", "doubled.csv", "checks.csv", "curve.svg", "index.md"}
    assert column(csv_rows(written["errors.csv"].decode()), "epsilon") == list(EPSILONS)
    text = written["index.md"].decode()
    assert "deniable reproduce made-up --seed 1\n" in text
    assert "It goes up. It goes down." in text
    assert "we have 3 rows" in text
    assert [check.verdict for check in results.checks] == ["agrees"] * 3


def test_one_seed_gives_the_same_bytes_with_any_number_of_processes(tmp_path: Path) -> None:
    alone, together, other = (
        run_here(tmp_path, f"out{i}", **s)[1] for i, s in enumerate(({}, {"jobs": 2}, {"seed": 2}))
    )
    assert alone == together
    assert alone["errors.csv"] != other["errors.csv"]


def test_a_finished_task_is_not_run_again(tmp_path: Path) -> None:
    first, written = run_here(tmp_path, "out")
    again, rewritten = run_here(tmp_path, "out")
    assert written == rewritten
    assert first.tables == again.tables
    assert (tmp_path / "log").read_text(encoding="utf-8").split() == [str(epsilon) for epsilon in EPSILONS]


def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path) -> None:
    log, out = tmp_path / "log", tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        reproduce(made_up(log, failing), Setting(out))
    assert log.read_text(encoding="utf-8").split() == ["0.5"]
    assert files(out) == {}
    (tmp_path / "mended").touch()
    steps: list[int] = []
    reproduce(made_up(log, failing), Setting(out), steps.append)
    assert log.read_text(encoding="utf-8").split() == ["0.5", "1.0", "2.0"]
    assert steps == [1, 1, 1]
    assert "errors.csv" in files(out)


def test_a_run_whose_results_cannot_be_kept_leaves_no_process(tmp_path: Path) -> None:
    parts = tmp_path / "out" / "made-up" / "parts"
    parts.parent.mkdir(parents=True)
    parts.symlink_to(tmp_path / "log")  # where the first task writes a file, in which no folder can be
    with pytest.raises(OSError, match="parts"):
        reproduce(made_up(tmp_path / "log"), Setting(tmp_path / "out", jobs=2))
    assert not multiprocessing.active_children()


def waited_for(what: Callable[[], bool]) -> bool:
    """Whether it comes about in time."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.05)
    return False


def alive(process: int) -> bool:
    """Whether a process of this number runs."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return not Path(f"/proc/{process}/stat").exists() or " Z " not in Path(f"/proc/{process}/stat").read_text()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_run_leaves_no_process_and_goes_on(tmp_path: Path, how: signal.Signals) -> None:
    script = tmp_path / "child.py"
    script.write_text(CHILD, encoding="utf-8")
    words, world = [sys.executable, str(script), str(tmp_path)], {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    child = subprocess.Popen(words, env=world, stderr=subprocess.DEVNULL)
    try:
        _expect_an_end(child, how, tmp_path)
    finally:
        child.kill()
        child.wait()
    (tmp_path / "mended").touch()
    reproduce(made_up(tmp_path / "log", endless), Setting(tmp_path / "out"))
    assert sorted((tmp_path / "log").read_text(encoding="utf-8").split()) == [str(epsilon) for epsilon in EPSILONS]


def _expect_an_end(child: subprocess.Popen[bytes], how: signal.Signals, folder: Path) -> None:
    """Once one task is done and two wait, the signal ends the run and its workers."""
    kept, begun = "out/made-up/parts/*.json", "process-*"
    assert waited_for(lambda: (len(list(folder.glob(kept))), len(list(folder.glob(begun)))) == (1, 2))
    workers = [int(path.name.removeprefix("process-")) for path in folder.glob(begun)]
    child.send_signal(how)
    assert child.wait(PATIENCE) != 0
    assert waited_for(lambda: not any(map(alive, workers)))


def test_a_damaged_part_is_named(tmp_path: Path) -> None:
    run_here(tmp_path, "out")
    part = next((tmp_path / "out" / "made-up" / "parts").iterdir())
    part.write_text("[{", encoding="utf-8")
    with pytest.raises(FormatError, match=part.name):
        run_here(tmp_path, "out")


def test_a_quick_run_is_marked(tmp_path: Path) -> None:
    results = reproduce(made_up(tmp_path / "log"), Setting(tmp_path, quick=True))
    text = (tmp_path / "made-up" / "index.md").read_text(encoding="utf-8")
    assert len(results.tables["errors"]) == 1
    assert "--seed 1 --quick\n" in text
    assert "**quick**" in text


def test_the_same_task_twice_is_refused(tmp_path: Path) -> None:
    twice = Study("twice", "", "", "", lambda _: [Task("t", noisy, {"epsilon": 1.0})] * 2, lambda _: (), ())
    with pytest.raises(ParameterError, match="must differ"):
        reproduce(twice, Setting(tmp_path))


@pytest.mark.parametrize("wrong", [{"seed": -1}, {"jobs": 0}, {"seed": 1.5}])
def test_a_wrong_setting_is_refused(wrong: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        Setting(tmp_path, **wrong)


def test_tasks_have_seeds_of_their_own() -> None:
    tasks = [Task(table, run, {"a": a}) for table in "tu" for run in (noisy, failing) for a in (1, 2, "1")]
    assert len({task.seed(s) for task in tasks for s in (1, 2)}) == 2 * len(tasks)


def test_csv_reads_back() -> None:
    rows: list[Row] = [{"a": 1, "b": 0.25, "c": 'x, "y"\nz', "d": None}, {"a": -2, "b": 1e-300, "c": "é", "d": 3}]
    assert csv_rows(csv_text(rows)) == rows
    assert csv_text([]) == "\n"
    assert json.loads(json.dumps(rows)) == rows


def test_the_gallery_shows_the_first_picture_of_each_study(tmp_path: Path) -> None:
    results, _ = run_here(tmp_path, "out")
    write_gallery([results], tmp_path / "out")
    text = (tmp_path / "out" / "index.md").read_text(encoding="utf-8")
    assert "![The curve](made-up/curve.svg)" in text
    assert "In agreement: 3 of 3 comparisons with printed numbers." in text


def test_a_page_lists_errata_and_what_is_not_run(tmp_path: Path) -> None:
    study = replace(made_up(tmp_path / "log"), errata=("(1) prints 2 for 3.",), left_out=("Fig. 9: no data.",))
    reproduce(study, Setting(tmp_path / "out"))
    text = (tmp_path / "out" / "made-up" / "index.md").read_text(encoding="utf-8")
    assert (
        "## Errata in the paper\n\n- (1) prints 2 for 3.\n\n## What is not run, and why\n\n- Fig. 9: no data." in text
    )
