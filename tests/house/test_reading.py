"""The documentation is easy to read, and spelled right."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
from pathlib import Path

from tests.house.house_tree import ROOT, named

PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md"]
MOST, MEDIAN = 13, 10
"""School grades: the hardest page, and the middle one."""
LEAST_WORDS = 60
"""Fewer say nothing about a page."""
NOT_PROSE = re.compile(
    r"^```.*?^```|^ {4}.*?$|^[|#!<].*?$|^---$.*?^---$|<[^>\n]+>|\]\([^)]*\)|[\[*]|(?<=\d)[.,](?=\d)",
    re.DOTALL | re.MULTILINE,
)
"""Samples, tables, headings, pictures; of links the addresses."""
CODE = re.compile(r"`[^`]*`")
VOWELS = re.compile(r"[aeiouy]+")
STRANGE = "sie,nam,ue"
"""Of examples in German, a name, and what a peer calls unary encoding."""


def grade(text: str) -> float | None:
    """The school grade that a text asks for (Flesch and Kincaid 1975); none of a text that is too short."""
    prose = NOT_PROSE.sub(" ", CODE.sub("it", NOT_PROSE.sub(" ", text)))
    sentences = [re.findall(r"[A-Za-z][A-Za-z'-]*", each) for each in re.split(r"[.!?]+\s|\n\s*\n|\n[-\d]", prose)]
    words = [word for sentence in sentences for word in sentence]
    if len(words) < LEAST_WORDS:
        return None
    syllables = sum(syllables_of(word.lower()) for word in words)
    return 0.39 * len(words) / sum(map(bool, sentences)) + 11.8 * syllables / len(words) - 15.59


def syllables_of(word: str) -> int:
    """About how many syllables a word has: its groups of vowels, but for a silent e."""
    silent = (word.endswith("e") and not word.endswith("le")) or bool(re.search(r"[^dt]ed$|[^sxzc]es$", word))
    return max(len(VOWELS.findall(word)) - silent, 1)


def test_pages_are_easy_to_read() -> None:
    grades = {named(page): grade(page.read_text(encoding="utf-8")) for page in PAGES}
    found = {page: value for page, value in grades.items() if value is not None}
    assert len(found) > 80
    assert {page: round(value, 1) for page, value in found.items() if value > MOST} == {}
    assert statistics.median(found.values()) <= MEDIAN


def test_a_text_that_is_hard_to_read_is_seen() -> None:
    hard = "Notwithstanding considerable methodological heterogeneity, confidentiality guarantees deteriorate."
    easy = "A coin falls. You say what it shows. Who asks you does not know if it is true."
    assert (grade(hard * 10) or 0) > MOST
    assert (grade(f"{easy} " * 10) or 99) < 3
    found = {word: syllables_of(word) for word in ("coin", "table", "drawn", "device", "asked", "labels")}
    assert list(found.values()) == [1, 2, 1, 2, 1, 2]
    assert grade("Short.") is None


def spelling(*files: Path) -> list[str]:
    """What codespell would write otherwise."""
    command = [sys.executable, "-m", "codespell_lib", f"--ignore-words-list={STRANGE}", *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()


def test_pages_are_spelled_right(tmp_path: Path) -> None:
    assert spelling(*PAGES, *ROOT.glob("*.md"), *(ROOT / "clients").glob("*/README.md")) == []
    wrong = tmp_path / "wrong.md"
    wrong.write_text("We recieve " + "reports.\n", encoding="utf-8")
    assert len(spelling(wrong)) == 1
