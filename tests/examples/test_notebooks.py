"""The notebooks run from top to bottom, show what they promise, and are kept with what they show."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from matplotlib import pyplot as plt
from tests.examples.notebooks import NOTEBOOKS, Book, Shown, cells, executed, run

import deniable as dn

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield
    plt.close("all")
    assert list(tmp_path.iterdir()) == []


def notebook(name: str) -> list[Shown]:
    return run(ROOT / "examples" / "notebooks" / f"{name}.ipynb")


def of_type(shown: list[Shown], kind: type[Any]) -> list[Any]:
    return [each.value for each in shown if isinstance(each.value, kind)]


def test_a_first_survey(capsys: pytest.CaptureFixture[str]) -> None:
    shown = notebook("first_survey")
    assert all(each.html.startswith("<") for each in shown if not isinstance(each.value, bytes))
    (reading,) = of_type(shown, type(dn.simulate(dn.Subset(2, 1.0), [0.5, 0.5], users=9, seed=1).reading()))
    assert all(row.low <= row.truth <= row.high for row in reading.rows())  # fixed seed
    (audit,) = [each.value for each in shown if hasattr(each.value, "holds")]
    assert audit.holds
    assert [type(each.value).__name__ for each in shown if each.html.startswith("<img")] == ["ShownFigure"]
    assert len(*of_type(shown, bytes)) == 1
    assert "“car” is the most frequent answer: between 4" in capsys.readouterr().out


def test_weekly_features(capsys: pytest.CaptureFixture[str]) -> None:
    shown = notebook("weekly_features")
    assert "The two differ." in (said := capsys.readouterr().out)
    assert "“export”: more, by " in said
    assert sum(each.html.startswith('<img src="data:image/png;base64,iVBOR') for each in shown) == 1
    assert said.count("more, by") + said.count("fewer, by") == 1  # nothing else changed
    assert shown[-1].value.iloc[0]["label"] == "export"


def test_comparing_mechanisms(capsys: pytest.CaptureFixture[str]) -> None:
    shown = notebook("comparing_mechanisms")
    assert capsys.readouterr().out.count("holds") >= 3
    compared, held = shown[-2].value, shown[-1].value
    assert compared["mechanism"].tolist() == ["Subset", "Hadamard", "Cyclic", "RandomizedResponse"]
    assert compared["ratio"].between(0.98, 1.02).all()  # fixed seeds; 200 surveys of 63 free shares: 6 sigma is 0.04
    assert 180 <= held <= 198  # binomial with 0.95: further away once in 10^4


def without_pixels(book: Book) -> Book:
    """A notebook whose pictures are only known to be there: other fonts draw other ones."""
    outputs = [output for cell in book["cells"] for output in cell.get("outputs", ())]
    assert len(outputs) > 4
    for output in outputs:
        if "image/png" in output.get("data", {}):
            output["data"] = {"image/png": ""}
    return book


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_kept_as_they_were_written(path: Path) -> None:
    """With what they show, but for pixels, and no machine's data; each begins with what it is about."""
    book = json.loads(path.read_text("utf-8"))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    assert without_pixels(book) == without_pixels(executed(path))
    assert all(cell["metadata"] == {} for cell in book["cells"])
    first = cells(path, "markdown")[0]
    assert first.startswith("# ")
    assert "pip install 'deniable[files,pictures]' pandas" in first
