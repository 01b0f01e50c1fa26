"""Ready texts for what authors seldom know how to word: who knows better types something else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from deniable.pages.builder.draft import Draft
from deniable.protocol.say import Say, Statement


class ReadyText(NamedTuple):
    """What its button says, and what it writes."""

    button: Statement
    text: Statement


READY: Final[Mapping[str, tuple[ReadyText, ...]]] = {
    "legal_basis": tuple(
        ReadyText(Statement(key), Statement(key)) for key in ("basis_consent", "basis_tasks", "basis_interest")
    ),
    "officer": (ReadyText(Statement("my_works_council_has_no_officer"), Statement("officer_none")),),
}
"""By what is stated of who is responsible."""


def stated(draft: Draft, name: str, place: str, say: Say) -> Draft:
    """The draft with one of these texts; as it is if there is none such."""
    found = {str(number): each for number, each in enumerate(READY.get(name, ()))}.get(place)
    return draft if found is None else replace(draft, responsible={**draft.responsible, name: say(found.text)})
