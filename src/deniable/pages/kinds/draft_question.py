"""A question as its author typed it, letter by letter, whatever its kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

SILENCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "en": "I would rather not say", "da": "Det vil jeg helst ikke sige", "de": "Das möchte ich lieber nicht sagen",
        "es": "Prefiero no decirlo", "fr": "Je préfère ne pas le dire", "it": "Preferisco non dirlo",
        "nl": "Dat zeg ik liever niet", "pt": "Prefiro não dizer", "sv": "Det vill jag helst inte säga",
    }
)  # fmt: skip
"""The answer that is proposed for those who do not want to say, in the languages in which there is one."""


def silence_in(tag: str) -> str:
    """The answer proposed for who does not want to say, in the language of a survey, or else in English.

    >>> silence_in("de-AT"), silence_in("")
    ('Das möchte ich lieber nicht sagen', 'I would rather not say')
    """
    return SILENCES.get(tag.split("-", maxsplit=1)[0].lower(), SILENCES["en"])


@dataclass(frozen=True)
class DraftQuestion:
    """A question as it was typed, of any kind: fields of other kinds keep what was typed before.

    ``protected`` is everybody, some (whose answers are ``chosen``) or blocks (of which ``groups`` has each answer's).
    """

    wording: str = ""
    kind: str = "one_of"
    answers: tuple[str, ...] = ("", "", "")
    alone: tuple[str, ...] = ()
    """Of several answers those that nobody gives together with another one."""
    silence: bool = False
    """Whether people may also choose not to say."""
    silent: str = SILENCES["en"]
    """The answer by which they do."""
    protected: str = "everybody"
    chosen: tuple[str, ...] = ()
    groups: dict[str, str] = field(default_factory=dict)
    low: str = ""
    high: str = ""
    step: str = "1"
    unit: str = ""
    wanted: tuple[str, ...] = ("mean", "ranges")
    """What a number's result is to tell."""
    rows: tuple[str, ...] = ()
    """Of a scale the lines of a table below its wording, each a question of its own."""
    heading: str = ""
    """Of such a line, what stands above the table."""
    after: str = ""
    """The place, counted from 0, of the question that it follows; empty if everybody is asked."""
    given: tuple[str, ...] = ()
    """The answers to that one after which this is asked."""
    parent: str = ""
    """The name of that one, once it has one."""

    @property
    def written(self) -> tuple[str, ...]:
        """The answers of which anything is written."""
        return tuple(answer.strip() for answer in self.answers if answer.strip())

    @property
    def labels(self) -> tuple[str, ...]:
        """The answers to choose from, with the one of those who do not want to say."""
        return (*self.written, self.silent) if self.silence and self.silent not in self.written else self.written

    @property
    def exclusive(self) -> tuple[str, ...]:
        """The answers that stand alone, of those that are written."""
        return tuple(label for label in self.written if label in self.alone)

    @property
    def grouped(self) -> tuple[str, ...]:
        """The group of each label; those without one are a group together."""
        return tuple(self.groups.get(label, "").strip() for label in self.labels)

    @property
    def blocks(self) -> list[list[str]]:
        """The groups of answers, within which nobody can tell one from another."""
        groups: dict[str, list[str]] = {}
        for group, label in zip(self.grouped, self.labels, strict=True):
            groups.setdefault(group, []).append(label)
        return list(groups.values())

    def silent_in(self, tag: str) -> DraftQuestion:
        """The draft for another language: the answer of those who do not want to say changes, if it was proposed."""
        return replace(self, silent=silence_in(tag)) if self.silent in SILENCES.values() else self

    @property
    def is_grid(self) -> bool:
        """Whether it is a table of scales."""
        return self.kind == "scale" and bool(self.rows)

    @property
    def asked_rows(self) -> tuple[str, ...]:
        """The lines that people are asked: those of no other kind, whatever was typed before it was chosen."""
        return self.rows if self.is_grid else ()

    @property
    def lines(self) -> tuple[DraftQuestion, ...]:
        """The lines of a table of scales, as questions; any other question alone."""
        if not self.is_grid:
            return (self,)
        return tuple(replace(self, wording=row, heading=self.wording, rows=()) for row in self.rows)

    @property
    def only_if(self) -> tuple[str, tuple[str, ...]] | None:
        """After which answers it is asked; None where everybody is, or names are not given yet."""
        return (self.parent, self.given) if self.parent else None

    @property
    def with_everybody(self) -> DraftQuestion:
        """The draft with everybody protected."""
        return replace(self, protected="everybody")

    @property
    def is_blank(self) -> bool:
        """Whether nothing is written."""
        return not (self.wording.strip() or self.written or self.low.strip() or self.high.strip())
