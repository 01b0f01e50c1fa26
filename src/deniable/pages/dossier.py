"""What somebody who has to sign for a survey reads: sentences with what stands behind each, and what they must answer.

The boxes are those of NIST SP 800-226, from the top of its pyramid: the level and what it is about, the mechanism and
what it costs, and what all of that rests on. The three questions after them are those of WP216.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from deniable.pages.label_terms import grade_of, kept_of, level_shown, reports_of, reveals_of
from deniable.pages.moments import day
from deniable.planning.outlook import TWO_SIDED
from deniable.protocol.errors import CapacityError
from deniable.protocol.say import READABLE, Language, Phrase, Statement
from deniable.protocol.surveys.protection import Protection, crowd_hints
from deniable.protocol.surveys.statements import BELIEFS
from deniable.protocol.surveys.translations import SurveyWords, nearest
from deniable.surveys.auditing import ANSWER, LIFE, ROUND, SurveyCertificate, audit_survey
from deniable.surveys.document import Document
from deniable.surveys.expectation import expected
from deniable.surveys.label import Label
from deniable.surveys.manipulation import MADE_UP, manipulation
from deniable.surveys.questions.kinds import companion
from deniable.surveys.realised import SurveyChannel
from deniable.surveys.statement_audit import JUDGES, judged_statement
from deniable.version import installed_version

AUTHOR, DOCUMENT, LAWS, PROGRAM = "from_author", "from_document", "from_laws", "from_program"
AUDIT, FALSE, UNJUDGED = "from_audit", "from_false", "from_unjudged"
"""What may stand behind a sentence, as the keys of statements."""
SPANS: Final = {ANSWER: "span_answer", ROUND: "span_round", LIFE: "span_life"}
NOTHING: Final = 0.5
"""A margin from which on a share may be anything."""


class Line(NamedTuple):
    """A sentence, and what stands behind it; nothing where it claims nothing."""

    said: Phrase
    source: str = ""


class Box(NamedTuple):
    """What is asked, what is known of it, and what a person must answer."""

    name: str
    lines: Sequence[Line]
    asks: Sequence[Statement] = ()

    def to_dict(self, say: Language) -> dict[str, Any]:
        """The box in words, for programs."""
        lines = [{"text": say.text(line.said), "from": line.source.removeprefix("from_")} for line in self.lines]
        return {"box": self.name, "heading": say(self.name), "lines": lines, "asks": [say(each) for each in self.asks]}


@dataclass(frozen=True)
class Dossier:
    """A survey's dossier. ``signed`` says who asks for what, and what the audit of this ``day`` found."""

    document: Document
    words: SurveyWords
    day: datetime.date
    holds: bool
    signed: tuple[Box, ...]
    boxes: tuple[Box, ...]
    questions: tuple[Box, ...]

    @property
    def title(self) -> Statement:
        """Of which survey it is."""
        return Statement("dossier_of", title=self.words.title or self.document.name)

    @property
    def finding(self) -> Statement:
        """How many boxes are answered, or that the promise does not hold."""
        asking, every = sum(bool(box.asks) for box in self.boxes), len(self.boxes)
        told = Statement("dossier_finding", answered=every - asking, boxes=every, count=asking)
        return told if self.holds else Statement("dossier_fails")

    def to_dict(self, say: Language) -> dict[str, Any]:
        """The dossier in words, for programs."""
        about = {"survey": self.document.name, "digest": self.document.digest, "day": self.day.isoformat()}
        parts = {name: [box.to_dict(say) for box in getattr(self, name)] for name in ("signed", "boxes", "questions")}
        return {**about, "holds": self.holds, "finding": say(self.finding), **parts, "then": say("treat_as_personal")}


def dossier_of(
    document: Document, people: int | None = None, today: datetime.date | None = None, lang: str = "en"
) -> Dossier:
    """The dossier of a survey that so many ``people`` will answer, if that is known; it is audited for this.

    The author's words are in the survey's language that is nearest to ``lang``.

    >>> import deniable as dn
    >>> found = dossier_of(dn.Survey.plan("late", [dn.OneOf("late", ["yes", "no"])], 1.0, 500), people=500)
    >>> found.holds, [box.name for box in found.boxes if not box.asks]
    (True, ['box_parameter', 'box_unit', 'box_mechanism', 'box_utility'])
    """
    made = datetime.datetime.now(datetime.UTC).date() if today is None else today
    channel = SurveyChannel.of(document)
    words, found = document.texts(nearest(document.languages, (lang,))), audit_survey(document, channel)
    known = _Known(document, channel, found, Label(document), day(made))
    signed, boxes = (
        tuple(_signed(known, words)),
        (*_promised(known), *_result(document, words, people), *_rests_on(known)),
    )
    return Dossier(document, words, made, found.holds, signed, boxes, tuple(_questions(known)))


class _Known(NamedTuple):
    """What the document says, and what the audit proves of it."""

    document: Document
    channel: SurveyChannel
    certificate: SurveyCertificate
    label: Label
    day: Statement

    @property
    def verdict(self) -> list[Line]:
        """What came of the audit."""
        found = self.certificate
        key = "proof_fails" if not found.holds else "worked_out_parts" if found.by_parts else "worked_out"
        return _lines(AUDIT, Statement(key, date=self.day))

    @property
    def strength(self) -> list[Line]:
        """How strong the protection is, in a word, and what a guess becomes; in a crowd of each party."""
        found = Protection.of(self.document)
        whole = Statement("certified_protection", grade=found.name, guess=found.guess())
        crowd = [crowd_hints(self.document, self.label.stated.during)] if self.document.crowd is not None else []
        return self.proven(whole, *crowd)

    @property
    def record(self) -> Statement:
        """How well a record is found by what it says: as well as one answer, or one round, is told from another."""
        rounds = self.document.rounds
        level = self.document.promise.level if rounds is None else rounds.each
        if level > READABLE:
            return Statement("record_found_nearly")
        return Statement("record_found", before=BELIEFS[0], most=Protection(level).most(BELIEFS[0]))

    def of_label(self, *keys: str) -> list[Statement]:
        """The sentences of the label with these keys, or whose keys begin with one that ends in ``_``."""
        begun = tuple(key for key in keys if key.endswith("_"))
        return [each for each in self.label.statements if each.key in keys or (begun and each.key.startswith(begun))]

    def proven(self, *said: Statement) -> list[Line]:
        """Sentences with the audit's verdict on each; one that it does not know is as true as those in it."""
        return [Line(each, self._behind(each)) for each in said]

    def _behind(self, said: Statement) -> str:
        inner = [each for each in said.values.values() if isinstance(each, Statement)]
        with suppress(CapacityError):
            judged = [judged_statement(self.channel, each) for each in ([said] if said.key in JUDGES else inner)]
            return AUDIT if judged and all(each.holds for each in judged) else FALSE
        return UNJUDGED


def _lines(source: str, *said: Phrase) -> list[Line]:
    return [Line(each, source) for each in said]


def _asked(*keys: str) -> list[Statement]:
    return list(map(Statement, keys))


def _signed(known: _Known, words: SurveyWords) -> Iterator[Box]:
    """Who asks, for what and on what ground, how long reports are kept, how strong it is, and what was audited."""
    document = known.document
    told = {"controller": "", "by": document.owner, "contact": document.contact, "purpose": words.purpose}
    for name, text in {**told, "legal_basis": "", "officer": "", **(document.responsible or {})}.items():
        yield Box(name, _lines(AUTHOR, text), []) if text else Box(name, [], _asked("not_in_document"))
    kept = Box("retention", _lines(DOCUMENT, kept_of(document)[1]))
    yield Box("retention", [], _asked("ask_retention")) if document.carrier else kept
    yield Box("strength", known.strength)
    again = Statement("audit_again", version=installed_version(), file=f"{document.name}.json")
    yield Box("audit", [*known.verdict, Line(again)])
    yield Box("dossier_digest", _lines(DOCUMENT, document.digest))


def _promised(known: _Known) -> Iterator[Box]:
    """The level, what it is about, what adds up, and the mechanism."""
    document, label, found = known.document, known.of_label, Protection.of(known.document)
    during, grade = known.label.stated.during, grade_of(known.label)
    first, second, third = map(found.guess, BELIEFS)
    guesses = [Statement("guesses_in_all", first=first, second=second, third=third)] if found.level <= READABLE else []
    counted = _lines(DOCUMENT, *label("crowd_counts"))
    crowd = known.proven(*label("crowd_collector", "crowd_together"))
    strong = known.strength if grade is None else known.proven(grade)
    yield Box("box_parameter", [*strong, *known.proven(*guesses, document.promise.statement), *counted, *crowd])

    shared = "unit_kiosk" if document.kiosk else "unit_form" if document.carrier else ""
    unit = Statement(shared or f"unit_{document.repeat}", during=during)
    twice = label("kiosk", "field_again") if shared or document.crowd else [Statement("unit_people")]
    parts = known.proven(*label("about", "open_", "paths"))
    yield Box("box_unit", [*_lines(DOCUMENT, unit), *parts, *_lines(PROGRAM, *twice)])

    adds = label("round", "unchanged", "life")
    if isinstance(during, Statement) and document.promise.level < math.inf:
        adds.append(Statement("as_it_stands", said=Protection(document.promise.level).during(during)))
    alone = [Statement("answers_once")] if document.repeat == "once" and not shared else []
    terms = *alone, *label("fresh", "remembered", "crowd_periods"), *(() if document.carrier else reveals_of(document))
    shown = label("changes", "changed_labels")
    told = [*_lines(DOCUMENT, *terms), *known.proven(*adds), *_lines(PROGRAM, *shown)]
    yield Box("box_time", told, _asked("ask_other_data"))

    reports = dict.fromkeys(reports_of(part) for arm in document.arms for part in arm.parts)
    mixed = known.proven(*label("drawn", "changed", "changed_part", "bytes"))
    named = [Statement("drawn_by", report=each) for each in reports]
    yield Box("box_mechanism", [*mixed, *_lines(DOCUMENT, *named)])


def _result(document: Document, words: SurveyWords, people: int | None) -> Iterator[Box]:
    """How exact the result is, and whom it misses."""
    errors = [] if people is None else _lines(LAWS, *_errors(document, words, people))
    yield Box("box_utility", errors, [] if errors else _asked("ask_people"))
    shifts = [each for each in manipulation(document, MADE_UP).shifts.values() if each.moved]
    moved = [Statement("made_up_moves", question=_worded(words, each.name), moved=each.statement) for each in shifts]
    missed = _asked("small_groups", "who_declines_may_differ")
    yield Box("box_bias", [*_lines(LAWS, *moved), *_lines(PROGRAM, *missed)], _asked("ask_missed"))


def _worded(words: SurveyWords, name: str) -> str:
    return words.questions[name].wording or name


def _errors(document: Document, words: SurveyWords, people: int) -> Iterator[Statement]:
    rows = expected(document.name, document.questions, document.arms, people, document.population)
    for question in document.questions:
        told = {"question": _worded(words, question.name), "people": people}
        margin = TWO_SIDED * max(rows[question.name].deciding)
        useful = Statement("useful_to", **told, amount=companion(question).amount(question, margin))
        yield useful if margin < NOTHING else Statement("useful_for_nothing", **told)


def _rests_on(known: _Known) -> Iterator[Box]:
    """Whom one has to trust, with what, and what else is seen."""
    document, label, crowd = known.document, known.of_label, known.document.crowd
    local = [] if document.carrier or document.promise.level == math.inf else _asked("trust_local")
    trusted = [*local, Statement("host_script"), *label("lan", "crowd_mixer", "crowd_made_up", "crowd_apart")]
    parties = [] if crowd is None else [Statement("ask_apart", owner=document.owner, operator=crowd.operator)]
    yield Box("box_trust", _lines(PROGRAM, *trusted), [*_asked("ask_served"), *parties])

    levels = [
        Statement("found_level", span=Statement(SPANS[span]), claimed=level_shown(claimed), found=level_shown(found))
        for span, (claimed, found) in known.certificate.spans.items()
        if claimed < math.inf
    ]
    drawn = [*_asked("whole_numbers", "watched_device"), *label("paths_time")]
    right = [*known.verdict, *_lines(AUDIT, *levels), *_lines(PROGRAM, *drawn)]
    yield Box("box_program", right, _asked("ask_programs"))

    kept = [] if document.carrier else kept_of(document)
    read = ["form_keeps"] if document.carrier else ["readers", "host_device", "host_copies"]
    yield Box("box_access", [*_lines(DOCUMENT, *kept), *_lines(PROGRAM, *_asked(*read))], _asked("ask_access"))

    seen = label("taking_part", "crowd_opened", "crowd_codes", "field_beside", "field_same")
    if crowd is not None:
        seen.append(Statement("mixer_address", operator=crowd.operator, owner=document.owner))
    elif not document.carrier:
        seen += _asked("host_address", "host_order")
    yield Box("box_collection", _lines(PROGRAM, *seen), _asked("ask_collection"))


def _questions(known: _Known) -> Iterator[Box]:
    """Whether a person can be singled out, linked, or guessed about."""
    crowd, found = known.document.crowd, Protection.of(known.document)
    single = Statement("record_single") if crowd is None else Statement("record_mixed", least=crowd.least)
    shown = crowd is not None or known.document.carrier
    seen = known.of_label("crowd_mixer", "crowd_apart") if shown else _asked("host_device", "host_order")
    yield Box("wp_singled", [*_lines(PROGRAM, single), *known.proven(known.record), *_lines(PROGRAM, *seen)])

    beside = [] if known.document.carrier else _asked("linked_elsewhere")
    yield Box("wp_linked", [*_linked(known, found), *_lines(PROGRAM, *beside)])

    told = known.proven(found.hint, *known.of_label("open_"))
    yield Box("wp_inferred", [*known.strength, *told, *_lines(PROGRAM, Statement("nearly_all"))])


def _linked(known: _Known, found: Protection) -> list[Line]:
    """Whether records of the same survey tell that they are of one person."""
    if known.document.carrier:
        return _lines(PROGRAM, Statement("linked_form"), *known.of_label("field_same"))
    if known.document.repeat == "once":
        return _lines(PROGRAM, Statement("linked_kiosk" if known.document.kiosk else "linked_once"))
    every = known.proven(Statement("linked_all", guess=found.guess()))
    if known.document.repeat == "remembered":
        same = known.of_label("changes", "changed_labels")
        return [*_lines(PROGRAM, Statement("linked_remembered"), *same), *every]
    if known.record.key == "record_found_nearly":
        return [*known.proven(known.record), *every]
    return [*known.proven(Statement("records_linked", **known.record.values)), *every]
