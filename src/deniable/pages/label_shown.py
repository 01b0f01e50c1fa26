"""What a page of a privacy label is made of."""

from __future__ import annotations

from dataclasses import dataclass

from deniable.pages.label_asked import Asked
from deniable.pages.label_terms import Row
from deniable.pages.label_view import Fitting, Guesses
from deniable.pages.proofs import Certificate
from deniable.surveys.document import Document

HOST = (
    "On pages of this server you trust it to send your browser the real script, which changes your answers.",
    "The hash of that script is below: anybody can build it from its source, and compare.",
    "With each report go the survey's number, its period, and 16 random bytes by which it is counted once.",
    "Your network address reaches the server, as with every page; this server does not store it.",
    "Until a period has been closed, this server's disk still shows in which order reports came.",
)
"""What holds of every survey that is answered on pages of a collector, beside what its own label says."""


@dataclass(frozen=True)
class Version:
    """A survey of the same name."""

    digest: str
    since: str
    closed: bool
    shown: bool


@dataclass(frozen=True)
class Shown:
    """All that the page of a label shows."""

    title: str
    document: Document
    asked: tuple[Asked, ...]
    sentences: tuple[str, ...]
    host: tuple[str, ...]
    guesses: tuple[Guesses, ...]
    fitting: tuple[Fitting, ...]
    terms: tuple[Row, ...]
    facts: tuple[Row, ...]
    versions: tuple[Version, ...]
    certificate: Certificate | None
    proving: bool
