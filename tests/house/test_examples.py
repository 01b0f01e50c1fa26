"""Every example in README.md, docs/ and the docstrings runs, each document in a folder of its own."""

import re
import runpy
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.image import imread
from tests.house.document_examples import DOCSTRINGS, MARKDOWN, commands, missing_lines, run, run_examples
from tests.house.house_tree import ROOT, named, python_files

from deniable.intake.storage.sqlite import SqliteStore
from deniable.mechanisms import registry

DOCUMENTS = [
    ROOT / "README.md",
    *sorted((ROOT / "clients").glob("*/README.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
SPOKEN = [page for page in DOCUMENTS if "```python\n" in page.read_text(encoding="utf-8")]
CODE = python_files("src", "clients", "studies", "scripts")
MODULES = [file for file in CODE if re.search("^ *>>> ", file.read_text(encoding="utf-8"), re.MULTILINE)]
PICTURES = ROOT / "docs" / "pictures"
DRAWN = {
    "docs/in-a-crowd.md": {"crowd.png": "crowd.png"},
    "docs/index.md": {"survey.png": "survey.png"},
    "docs/open-alphabets.md": {"symbols.png": "symbols.png"},
    "docs/tutorial.md": {"survey.png": "tutorial.png"},
    "docs/tutorial-features.md": {name: name for name in ("features.png", "features-change.png")},
    "docs/tutorial-numbers.md": {"married.png": "married.png"},
    "docs/tutorial-locations.md": {"cities.png": "cities.png"},
    "docs/tutorial-sensitive.md": {"sensitive.png": "sensitive.png"},
    "docs/tutorial-words.md": {"words.png": "words.png"},
    "docs/tutorial-survey.md": {name: name for name in ("affair-by-marriage.png", "longer-married.png")},
}
"""What the examples of a document draw, and the picture that the document shows of it."""
SERVED = re.compile(r"^deniable serve --data (\w+)", re.MULTILINE)
"""A collector that a reader starts in a terminal of its own."""
ALL_SHOWN = {f"docs/tutorial-{name}.md" for name in ("features", "locations", "sensitive", "survey", "words")} | {
    "docs/notebooks.md"
}
"""Documents that show everything that their examples print."""


@pytest.fixture(autouse=True)
def forgotten_families() -> Iterator[None]:
    """What an example registers is forgotten after it."""
    before = set(registry.FAMILIES)
    yield
    for name in set(registry.FAMILIES) - before:
        del registry._families[name]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Examples write files and draw pictures; both go away."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")
    yield
    pyplot.close("all")


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_the_examples_of_a_document_run(document: Path) -> None:
    for data in SERVED.findall(document.read_text(encoding="utf-8")):  # what a reader has running by then
        SqliteStore(data).close()
    all_shown = named(document) in ALL_SHOWN
    assert run_examples(MARKDOWN, document, all_shown=all_shown) >= (document in SPOKEN)
    for drawn, shown in DRAWN.get(named(document), {}).items():
        assert f"](pictures/{shown})" in document.read_text(encoding="utf-8")
        assert alike(Path(drawn), PICTURES / shown), f"docs/pictures/{shown} is not what {named(document)} draws now"


def alike(drawn: Path, shown: Path) -> bool:
    """Whether two pictures differ in no more than a few pixels, as two versions of a font do."""
    one, other = imread(drawn), imread(shown)
    return one.shape == other.shape and bool((np.abs(one - other) > 0.1).mean() < 1e-4)


def test_the_pictures_of_guarantees_are_what_the_example_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["guarantee_pictures.py", str(tmp_path)])
    runpy.run_path(str(ROOT / "examples" / "guarantee_pictures.py"), run_name="__main__")
    drawn = sorted(tmp_path.glob("*.png"))
    assert [picture.name for picture in drawn] == ["block-map.png", "error-regions.png", "prior-utility.png"]
    assert all(alike(picture, PICTURES / picture.name) for picture in drawn)


def test_another_picture_is_seen() -> None:
    assert not alike(PICTURES / "survey.png", PICTURES / "tutorial.png")


@pytest.mark.parametrize("module", MODULES, ids=named)
def test_the_examples_of_docstrings_run(module: Path) -> None:
    assert run_examples(DOCSTRINGS, module) > 0


def test_console_blocks_are_read_as_people_read_them() -> None:
    first, second = commands("$ deniable plan --domain 4 \\\n  --json\n{\n  ...\n\n$ deniable demo\n")
    assert first.words == ("deniable", "plan", "--domain", "4", "--json")
    assert first.shown == ["{", "  ..."]
    assert (second.words, second.shown) == (("deniable", "demo"), [])


def test_output_blocks_show_what_is_printed(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text("```python\nprint(1)\nprint(2)\n```\n\n```output\n1\n...\n```\n", encoding="utf-8")
    assert run_examples(MARKDOWN, document) == 2


@pytest.mark.parametrize(
    ("below", "complete"), [("```output\n1\n```\n", True), ("", False), ("```python\nx = 1\n```\n", False)]
)
def test_a_document_that_shows_everything_leaves_out_no_output(below: str, complete: bool, tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text(f"```python\nprint(1)\n```\n\n{below}", encoding="utf-8")
    if complete:
        assert run_examples(MARKDOWN, document, all_shown=True) == 2
        return
    with pytest.raises(AssertionError, match="does not show"):
        run_examples(MARKDOWN, document, all_shown=True)


def test_output_that_is_not_shown_is_missed() -> None:
    output = "Subset   4 bits\nCyclic   3 bits\n"
    assert missing_lines(["Subset ... bits", "Cyclic   3 bits"], output) == []
    assert missing_lines(["Cyclic...", "Subset..."], output) == ["Subset..."]
    assert missing_lines(["Hadamard"], output) == ["Hadamard"]


def test_a_command_that_fails_is_seen() -> None:
    code, _ = run(("deniable", "audit", "--mechanism", "Subset", "--domain", "1", "--epsilon", "1"))
    assert code != 0


@pytest.mark.parametrize(
    "block",
    [
        "```python\nassert 1 == 2\n```",
        "```console\n$ deniable no-such-command\n```",
        "```python\nprint(1)\n```\n\n```output\n2\n```",
        "```python\nprint(1)\nprint(2)\n```\n\n```output\n1\n```",
        "```python\nx = 1\n```\n\n```output\n```",
        "```output\n1\n```",
    ],
)
def test_a_broken_example_is_seen(block: str, tmp_path: Path) -> None:
    document = tmp_path / "broken.md"
    document.write_text(block + "\n", encoding="utf-8")
    with pytest.raises(AssertionError):
        run_examples(MARKDOWN, document)
