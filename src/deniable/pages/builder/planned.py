"""The survey that a draft plans."""

from __future__ import annotations

from typing import Any

from deniable.pages.builder.draft import Draft
from deniable.pages.builder.moments import moment_of, written, zone_of
from deniable.pages.builder.wordings import terms_of_languages
from deniable.protocol.errors import ParameterError
from deniable.protocol.surveys.responsible import RESPONSIBLE
from deniable.surveys.survey import Survey


def survey_of(draft: Draft) -> Survey:
    """The survey that a draft plans; refused with the reason if it cannot be."""
    if draft.count is None or draft.level is None or draft.least is None:
        raise ParameterError("people, protection and the least number of answers must be numbers, got another")
    terms: dict[str, Any] = {name: getattr(draft, name) for name in ("title", "purpose", "owner", "contact")}
    zone = zone_of(draft.zone)
    for name in ("opens", "closes"):
        moment = moment_of(getattr(draft, name), zone)
        terms[name] = None if moment is None else written(moment)
    questions = draft.named()
    terms |= terms_of_languages(draft, questions)
    terms |= {"kiosk": draft.kiosk, "lan": draft.lan}
    stated = {name: draft.responsible.get(name, "") for name in RESPONSIBLE}
    terms["responsible"] = {name: text for name, text in stated.items() if text} or None
    terms["population"] = draft.count if draft.census else None
    return Survey.plan(draft.slug, questions, draft.level, draft.count, minimum=draft.least, **terms)
