"""CONTRIBUTING names files that exist, and of a kind of question the files that are about it."""

from __future__ import annotations

import re

from tests.house.house_tree import ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SUFFIXES = r"pyi?|ts|js|md|json|html|h|toml|txt"
MADE = (".hosts/", ".venv/", "dist/", "site/", "/path/")
"""What commands make, or stands for anything."""


def named(text: str) -> list[str]:
    """The paths from the root that a text names, but for patterns; those of a package's inside begin at its folder."""
    words = re.findall(r"`([^`\s]+)`", text)
    paths = [word for word in words if "/" in word and not re.search(r"[A-Z]{4}/|/NAME|/test_NAME|KIND", word)]
    return [path for path in paths if not path.startswith(MADE)]


def section(title: str) -> str:
    """The text below a heading."""
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def is_there(path: str) -> bool:
    """Whether a path is one from the root, or from the package."""
    return any((root / path).exists() for root in (ROOT, ROOT / "src" / "deniable"))


def test_every_path_that_is_named_exists() -> None:
    paths = named(PAGE)
    assert len(paths) > 60
    assert [path for path in paths if not is_there(path)] == []


def test_a_path_that_does_not_exist_is_found() -> None:
    assert [path for path in named("see `src/deniable/pages/builder/drafts.py`") if not is_there(path)] != []


def test_files_listed_for_a_kind_of_question_are_about_it() -> None:
    """A value that is neither one label nor a number is that of `AnyOf`; in a page it is a list of checkboxes."""
    common, more = section("A new kind of question").split("A kind whose value is neither")
    assert lacking(common[common.index("- `kinds.py`") :], r"scale") == []
    assert lacking(more, r"anyof|any_of|checkboxes") == []


def lacking(text: str, words: str) -> list[str]:
    """The files named in a text in which none of some words stands."""
    files = [path for path in named(text) if re.search(rf"\.({SUFFIXES})$", path)]
    assert len(files) > 10
    return [path for path in files if not re.search(words, (ROOT / path).read_text(encoding="utf-8"), re.IGNORECASE)]
