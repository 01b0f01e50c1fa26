"""The public privacy label of a survey: for people, for programs, and to print."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute

from deniable.intake.http.json_reply import json_reply
from deniable.intake.storage.rows import SurveyRow
from deniable.pages.assets import integrity_of
from deniable.pages.frame import HEADERS, base_of
from deniable.pages.guesses import guesses_of
from deniable.pages.json_values import finite
from deniable.pages.label_sending import sending_of
from deniable.pages.label_terms import facts_of, grade_of, reveals_of, terms_of
from deniable.pages.label_text import label_text
from deniable.pages.label_versions import History
from deniable.pages.label_view import LabelView, promised_of, questions_of, unpromised_of
from deniable.pages.languages import language_for, others, wanted_by
from deniable.pages.proofs import SurveyProof
from deniable.pages.site import Site
from deniable.protocol.say import Language, language
from deniable.protocol.surveys.protection import Protection
from deniable.protocol.surveys.translations import nearest
from deniable.surveys.auditing import LIFE, PAIRS, PARTS, ROUND
from deniable.surveys.document import Document
from deniable.surveys.label import Label

CERTIFICATE_WORDS = {ROUND: "span_round", LIFE: "span_life", PAIRS: "by_pairs", PARTS: "by_parts"}
"""The statements for each span and each method that a certificate's claims have."""
NONE_YET: Final = History()
UNPROVEN: Final = SurveyProof(None, True)
"""Of a survey that no server asks."""


class LabelPages:
    """Shows labels to anybody."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def all(self) -> list[BaseRoute]:
        """The routes."""
        page = self._site.page
        return [
            page("/label/{digest}.json", self.json),
            page("/label/{digest}.txt", self.text),
            page("/label/{digest}", self.label),
        ]

    async def label(self, request: Request) -> Response:
        """The label as a page."""
        say = language_for(request)
        shown = await self._view(request, say, wanted_by(request))
        return await self._site.render(
            request, "question/label.html", label=shown, say=say, others=others(say), keys=CERTIFICATE_WORDS
        )

    async def json(self, request: Request) -> Response:
        """The label for programs, in English."""
        label = await self._view(request, language("en"), ())
        versions = [
            {**each._asdict(), "when": label.say(each.when), "since": label.say(each.since)}
            for each in label.history.versions
        ]
        about: dict[str, Any] = {"versions": versions, "changes": [each._asdict() for each in label.history.changes]}
        proof = {
            "certificate": label.proof.certificate, "proving": label.proof.proving, "proven": label.proof.day or None,
        }  # fmt: skip
        promises = {name: list(map(label.say, getattr(label, name))) for name in ("promised", "unpromised")}
        about["sending"] = label.sending.to_dict()
        content = {**Label(label.document).to_dict(), **promises, **about, **proof, "terms": dict(label.terms)}
        return json_reply(finite(content), headers=HEADERS)

    async def text(self, request: Request) -> Response:
        """The label to print, or to read where nothing but text can be."""
        say = language_for(request)
        shown = await self._view(request, say, wanted_by(request))
        return PlainTextResponse(label_text(shown), headers={**HEADERS, "Content-Language": say.code})

    async def _view(self, request: Request, say: Language, wanted: Sequence[str]) -> LabelView:
        row = await self._site.context.row(request)
        proof = await self._site.proofs.of(row.digest, row.document)
        address = f"{base_of(request)}/v1/surveys/{row.digest}"
        return await asyncio.to_thread(self._view_of, row, proof, address, say, wanted)

    def _view_of(
        self, row: SurveyRow, proof: SurveyProof, address: str, say: Language, wanted: Sequence[str]
    ) -> LabelView:
        """The label, with all versions of its survey and the other surveys of the server."""
        form = self._site.context.collector.form
        rows = [(each, form(each).survey) for each in self._site.context.desk.surveys()]
        history = History.of([each for each in rows if each[0].name == row.name], row.digest, say)
        documents = [document for _, document in rows]
        label, script = form(row).survey.label(), integrity_of("deniable.js")
        return shown_label(label, say, script, history, proof, address, wanted, row.ended, documents)


def shown_label(
    label: Label,
    say: Language,
    script: str,
    history: History = NONE_YET,
    proof: SurveyProof = UNPROVEN,
    address: str = "",
    wanted: Sequence[str] = (),
    ended: float | None = None,
    others: Iterable[Document] = (),
) -> LabelView:
    """A label in a language; ``script`` is the hash of the one that asks.

    The author's texts are in the survey's language that is nearest to those ``wanted``. ``ended`` is when it was closed
    by hand, if it was; ``others`` are the surveys of the same server.
    """
    survey = label.document
    tag = nearest(survey.languages, wanted)
    words = survey.texts(tag)
    facts = (*facts_of(label, say), (say("script_hash"), script))
    reveals = reveals_of(survey, others)
    promised = promised_of(label, reveals, ended)
    questions, terms = questions_of(survey, words, say), terms_of(survey, say, words.purpose)
    return LabelView(
        say, words.title or survey.name, tag or "", survey, questions, label.statements, promised, unpromised_of(label),
        Protection.of(survey).hint, grade_of(label), guesses_of(label, say, words), sending_of(label, say, words),
        terms, facts, history, proof, address, ended, reveals,
    )  # fmt: skip
