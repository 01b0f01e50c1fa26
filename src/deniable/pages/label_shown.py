"""What a page of a privacy label is made of, in its language."""

from __future__ import annotations

from dataclasses import dataclass

from deniable.pages.label_asked import Asked
from deniable.pages.label_terms import Row
from deniable.pages.label_view import Fitting, Guesses
from deniable.pages.proofs import Certificate
from deniable.protocol.say import Language, Statement
from deniable.surveys.document import Document

HOST = ("host_script", "host_hash", "host_number", "host_address", "host_order")
"""Keys of what holds of every survey that is answered on a collector's pages, beside what its own label says."""


@dataclass(frozen=True)
class Version:
    """A survey of the same name."""

    digest: str
    since: Statement
    closed: bool
    shown: bool


@dataclass(frozen=True)
class Shown:
    """All that the page of a label shows."""

    say: Language
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

    @property
    def verdict(self) -> str:
        """The key of what the certificate says, in a sentence."""
        if self.proving:
            return "proof_waits"
        if self.certificate is None:
            return "proof_late"
        return "proof_holds" if self.certificate["holds"] else "proof_fails"
