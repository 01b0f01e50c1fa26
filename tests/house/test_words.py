"""The words: "one bit per label", never "one bit a label"; and messages that say what came, not that it was another."""

import re
from pathlib import Path

from tests.house.house_tree import ROOT, named, python_files

AMOUNT = (
    r"binomials?|bits?|bytes?|call|columns?|digests?|file|integers?|line|multinomial|nats|number|operations?|"
    r"process|reports?|rows?|tally|task|texts?|transforms?|words?"
)
EACH = (
    r"block|bit|cohort|candidate|cell|group|hash|iteration|label|library|mechanism|part|person|processor|report|"
    r"row|symbol|user|value"
)
WITHOUT_PER = re.compile(rf"\b(?:{AMOUNT})\s+an?\s+(?:{EACH})\b")
VAGUE = re.compile(r"\bgot (?:others?|another(?: one| text)?|something else|other ones)\b")
"""The end of a message that leaves its reader to find out what came."""
MOST_VAGUE = 20
"""Where nothing better can be said: it would repeat a value, or the bytes cannot be read."""
RESULTS = ("docs/studies/", "studies/")
"""Committed results of the studies, and the sentences that make them."""


def written() -> list[Path]:
    """The code and the documents that people write."""
    pages = [
        *ROOT.glob("*.md"),
        *(ROOT / "benchmarks").glob("*.md"),
        *(ROOT / "clients").glob("*/*.md"),
        *(ROOT / "docs").rglob("*.md"),
    ]
    return [*python_files("src", "clients", "studies", "benchmarks", "examples", "scripts"), *pages]


def test_amounts_are_per_something() -> None:
    strays = [
        f"{named(file)}: {found.group()}"
        for file in written()
        if not named(file).startswith(RESULTS)
        for found in WITHOUT_PER.finditer(file.read_text(encoding="utf-8"))
    ]
    assert strays == []


def test_a_missing_per_is_seen() -> None:
    assert WITHOUT_PER.search("Packed reports of one bit a label.")
    assert WITHOUT_PER.search("two words\n    a report")
    assert not WITHOUT_PER.search("Packed reports of one bit per label.")


def test_messages_say_what_came() -> None:
    files = [*python_files("src"), *(ROOT / "wire" / "sentences" / "en").glob("*.json")]
    vague = [
        f"{named(file)}: {said.group()}" for file in files for said in VAGUE.finditer(file.read_text(encoding="utf-8"))
    ]
    assert 0 < len(vague) <= MOST_VAGUE, vague
