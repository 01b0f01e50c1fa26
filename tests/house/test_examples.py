"""Every example in README.md, docs/ and the docstrings runs, each document in a folder of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from document_examples import DOCSTRINGS, MARKDOWN, commands, missing_lines, run, run_examples
from house_tree import ROOT, named, python_files
from matplotlib import pyplot

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SPOKEN = [page for page in DOCUMENTS if "```python\n" in page.read_text(encoding="utf-8")]
MODULES = [file for file in python_files("src", "scripts") if "    >>> " in file.read_text(encoding="utf-8")]


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
    assert run_examples(MARKDOWN, document) >= (document in SPOKEN)


@pytest.mark.parametrize("module", MODULES, ids=named)
def test_the_examples_of_docstrings_run(module: Path) -> None:
    assert run_examples(DOCSTRINGS, module) > 0


def test_console_blocks_are_read_as_people_read_them() -> None:
    first, second = commands("$ deniable plan --domain 4 \\\n  --json\n{\n  ...\n\n$ deniable demo\n")
    assert first.words == ("deniable", "plan", "--domain", "4", "--json")
    assert first.shown == ["{", "  ..."]
    assert (second.words, second.shown) == (("deniable", "demo"), [])


def test_output_that_is_not_shown_is_missed() -> None:
    output = "Subset   4 bits\nCyclic   3 bits\n"
    assert missing_lines(["Subset ... bits", "Cyclic   3 bits"], output) == []
    assert missing_lines(["Cyclic...", "Subset..."], output) == ["Subset..."]
    assert missing_lines(["Hadamard"], output) == ["Hadamard"]


def test_a_command_that_fails_is_seen() -> None:
    code, _ = run(("deniable", "audit", "--mechanism", "Subset", "--domain", "1", "--epsilon", "1"))
    assert code != 0


@pytest.mark.parametrize("block", ["```python\nassert 1 == 2\n```", "```console\n$ deniable no-such-command\n```"])
def test_a_broken_example_is_seen(block: str, tmp_path: Path) -> None:
    document = tmp_path / "broken.md"
    document.write_text(block + "\n", encoding="utf-8")
    with pytest.raises(AssertionError):
        run_examples(MARKDOWN, document)
