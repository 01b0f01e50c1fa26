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


class SourcedSentence(NamedTuple):
    """A sentence, and the key of what stands behind it, such as the audit; empty where it claims nothing."""

    sentence: Phrase
    source: str = ""


class Box(NamedTuple):
    """A box of the dossier: the key of its heading, what is known of it, and what a person must still answer."""

    name: str
    lines: Sequence[SourcedSentence]
    asks: Sequence[Statement] = ()

    def to_dict(self, say: Language) -> dict[str, Any]:
        """The box in words, for programs."""
        lines = [{"text": say.text(line.sentence), "from": line.source.removeprefix("from_")} for line in self.lines]
        return {"box": self.name, "heading": say(self.name), "lines": lines, "asks": [say(each) for each in self.asks]}


@dataclass(frozen=True)
class Dossier:
    """A survey's dossier. ``signed`` says who asks for what, and what the audit of this ``day`` found.

    ``holds`` tells whether that proved the promise. ``boxes`` are about the whole survey, ``questions`` about one each.
    """

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
        if not self.holds:
            return Statement("dossier_fails")
        return Statement("dossier_finding", answered=every - asking, boxes=every, count=asking)

    def to_dict(self, say: Language) -> dict[str, Any]:
        """The dossier in words, for programs."""
        about = {"survey": self.document.name, "digest": self.document.digest, "day": self.day.isoformat()}
        parts = {name: [box.to_dict(say) for box in getattr(self, name)] for name in ("signed", "boxes", "questions")}
        return {**about, "holds": self.holds, "finding": say(self.finding), **parts, "then": say("treat_as_personal")}


def dossier_of(
    document: Document, people: int | None = None, today: datetime.date | None = None, lang: str = "en", file: str = ""
) -> Dossier:
    """The dossier of a survey that so many ``people`` will answer, if that is known; it is audited for this.

    The author's words are in the survey's language that is nearest to ``lang``. ``file`` is that of the document.

    >>> import deniable as dn
    >>> found = dossier_of(dn.Survey.plan("late", [dn.OneOf("late", ["yes", "no"])], 1.0, 500), people=500)
    >>> found.holds, [box.name for box in found.boxes if not box.asks]
    (True, ['box_parameter', 'box_unit', 'box_mechanism', 'box_utility'])
    """
    today = datetime.datetime.now(datetime.UTC).date() if today is None else today
    channel = SurveyChannel.of(document)
    words, certificate = document.texts(nearest(document.languages, (lang,))), audit_survey(document, channel)
    audited = _AuditedSurvey(document, channel, certificate, Label(document), day(today))
    boxes = (*_promised(audited), *_result(document, words, people), *_rests_on(audited))
    signed, questions = tuple(_signed(audited, words, file or f"{document.name}.json")), tuple(_questions(audited))
    return Dossier(document, words, today, certificate.holds, signed, boxes, questions)


class _AuditedSurvey(NamedTuple):
    """A survey, and what its audit on a day proves of it."""

    document: Document
    channel: SurveyChannel
    certificate: SurveyCertificate
    label: Label
    day: Statement

    @property
    def verdict(self) -> list[SourcedSentence]:
        """What came of the audit."""
        sound = "worked_out_parts" if self.certificate.by_parts else "worked_out"
        key = sound if self.certificate.holds else "proof_fails"
        return _lines(AUDIT, Statement(key, date=self.day))

    @property
    def strength(self) -> list[SourcedSentence]:
        """How strong the protection is, in a word, and what a guess becomes; in a crowd of each party."""
        crowd = [crowd_hints(self.document, self.label.stated.during)] if self.document.crowd is not None else []
        return self.proven(Protection.of(self.document).certified, *crowd)

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

    def proven(self, *statements: Statement) -> list[SourcedSentence]:
        """Sentences with the audit's verdict on each."""
        return [SourcedSentence(each, self._verdict_on(each)) for each in statements]

    def _verdict_on(self, statement: Statement) -> str:
        """Whether the audit finds a statement true; one that no judge knows is as true as the statements in it."""
        inner = [each for each in statement.values.values() if isinstance(each, Statement)]
        with suppress(CapacityError):
            judged = [
                judged_statement(self.channel, each) for each in ([statement] if statement.key in JUDGES else inner)
            ]
            return AUDIT if judged and all(each.holds for each in judged) else FALSE
        return UNJUDGED


def _lines(source: str, *sentences: Phrase) -> list[SourcedSentence]:
    return [SourcedSentence(each, source) for each in sentences]


def _statements(*keys: str) -> list[Statement]:
    return list(map(Statement, keys))


def _signed(audited: _AuditedSurvey, words: SurveyWords, file: str) -> Iterator[Box]:
    """Who asks, for what and on what ground, how long reports are kept, how strong it is, and what was audited."""
    document = audited.document
    stated = {"controller": "", "by": document.owner, "contact": document.contact, "purpose": words.purpose}
    for name, text in {**stated, "legal_basis": "", "officer": "", **(document.responsible or {})}.items():
        yield Box(name, _lines(AUTHOR, text), []) if text else Box(name, [], _statements("not_in_document"))
    kept = Box("retention", _lines(DOCUMENT, kept_of(document)[1]))
    yield Box("retention", [], _statements("ask_retention")) if document.carrier else kept
    yield Box("strength", audited.strength)
    again = Statement("audit_again", version=installed_version(), file=file)
    yield Box("audit", [*audited.verdict, SourcedSentence(again)])
    yield Box("dossier_digest", _lines(DOCUMENT, document.digest))


def _promised(audited: _AuditedSurvey) -> Iterator[Box]:
    """The level, what it is about, what adds up, and the mechanism."""
    document, label, protection = audited.document, audited.of_label, Protection.of(audited.document)
    during, grade = audited.label.stated.during, grade_of(audited.label)
    by_belief = dict(zip(("first", "second", "third"), map(protection.guess, BELIEFS), strict=True))
    guesses = [Statement("guesses_in_all", **by_belief)] if protection.level <= READABLE else []
    counted = _lines(DOCUMENT, *label("crowd_counts"))
    crowd = audited.proven(*label("crowd_collector", "crowd_together"))
    strong = audited.strength if grade is None else audited.proven(grade)
    yield Box("box_parameter", [*strong, *audited.proven(*guesses, document.promise.statement), *counted, *crowd])

    shared = "unit_kiosk" if document.kiosk else "unit_form" if document.carrier else ""
    unit = Statement(shared or f"unit_{document.repeat}", during=during)
    twice = label("kiosk", "field_again") if shared or document.crowd else [Statement("unit_people")]
    parts = audited.proven(*label("about", "open_", "paths"))
    yield Box("box_unit", [*_lines(DOCUMENT, unit), *parts, *_lines(PROGRAM, *twice)])

    adds = label("round", "unchanged", "life")
    if isinstance(during, Statement) and document.promise.level < math.inf:
        adds.append(Statement("as_it_stands", said=Protection(document.promise.level).during(during)))
    alone = [Statement("answers_once")] if document.repeat == "once" and not shared else []
    terms = *alone, *label("fresh", "remembered", "crowd_periods"), *(() if document.carrier else reveals_of(document))
    shown = label("changes", "changed_labels")
    lines = [*_lines(DOCUMENT, *terms), *audited.proven(*adds), *_lines(PROGRAM, *shown)]
    yield Box("box_time", lines, _statements("ask_other_data"))

    reports = dict.fromkeys(reports_of(part) for arm in document.arms for part in arm.parts)
    mixed = audited.proven(*label("drawn", "changed", "changed_part", "bytes"))
    named = [Statement("drawn_by", report=each) for each in reports]
    yield Box("box_mechanism", [*mixed, *_lines(DOCUMENT, *named)])


def _result(document: Document, words: SurveyWords, people: int | None) -> Iterator[Box]:
    """How exact the result is, and whom it misses."""
    errors = [] if people is None else _lines(LAWS, *_errors(document, words, people))
    yield Box("box_utility", errors, [] if errors else _statements("ask_people"))
    shifts = [each for each in manipulation(document, MADE_UP).shifts.values() if each.moved]
    moved = [Statement("made_up_moves", question=_wording(words, each.name), moved=each.statement) for each in shifts]
    missed = _statements("small_groups", "who_declines_may_differ")
    yield Box("box_bias", [*_lines(LAWS, *moved), *_lines(PROGRAM, *missed)], _statements("ask_missed"))


def _wording(words: SurveyWords, name: str) -> str:
    return words.questions[name].wording or name


def _errors(document: Document, words: SurveyWords, people: int) -> Iterator[Statement]:
    """For each question how exact its result is with so many people."""
    rows = expected(document.name, document.questions, document.arms, people, document.population)
    for question in document.questions:
        about = {"question": _wording(words, question.name), "people": people}
        margin = TWO_SIDED * max(rows[question.name].deciding)
        useful = Statement("useful_to", **about, amount=companion(question).amount(question, margin))
        yield useful if margin < NOTHING else Statement("useful_for_nothing", **about)


def _rests_on(audited: _AuditedSurvey) -> Iterator[Box]:
    """Whom one has to trust, with what, and what else is seen."""
    document, label, crowd = audited.document, audited.of_label, audited.document.crowd
    local = [] if document.carrier or document.promise.level == math.inf else _statements("trust_local")
    trusted = [*local, Statement("host_script"), *label("lan", "crowd_mixer", "crowd_made_up", "crowd_apart")]
    parties = [] if crowd is None else [Statement("ask_apart", owner=document.owner, operator=crowd.operator)]
    yield Box("box_trust", _lines(PROGRAM, *trusted), [*_statements("ask_served"), *parties])

    levels = [
        Statement("found_level", span=Statement(SPANS[span]), claimed=level_shown(claimed), found=level_shown(found))
        for span, (claimed, found) in audited.certificate.spans.items()
        if claimed < math.inf
    ]
    drawn = [*_statements("whole_numbers", "watched_device"), *label("paths_time")]
    right = [*audited.verdict, *_lines(AUDIT, *levels), *_lines(PROGRAM, *drawn)]
    yield Box("box_program", right, _statements("ask_programs"))

    kept = [] if document.carrier else kept_of(document)
    read = _statements(*(["form_keeps"] if document.carrier else ["readers", "host_device", "host_copies"]))
    yield Box("box_access", [*_lines(DOCUMENT, *kept), *_lines(PROGRAM, *read)], _statements("ask_access"))

    seen = label("taking_part", "crowd_opened", "crowd_codes", "field_beside", "field_same")
    if crowd is not None:
        seen.append(Statement("mixer_address", operator=crowd.operator, owner=document.owner))
    elif not document.carrier:
        seen += _statements("host_address", "host_order")
    yield Box("box_collection", _lines(PROGRAM, *seen), _statements("ask_collection"))


def _questions(audited: _AuditedSurvey) -> Iterator[Box]:
    """Whether a person can be singled out, linked, or guessed about."""
    crowd, protection = audited.document.crowd, Protection.of(audited.document)
    single = Statement("record_single") if crowd is None else Statement("record_mixed", least=crowd.least)
    shown = crowd is not None or audited.document.carrier
    seen = audited.of_label("crowd_mixer", "crowd_apart") if shown else _statements("host_device", "host_order")
    yield Box("wp_singled", [*_lines(PROGRAM, single), *audited.proven(audited.record), *_lines(PROGRAM, *seen)])

    elsewhere = [] if audited.document.carrier else _statements("linked_elsewhere")
    yield Box("wp_linked", [*_linked(audited, protection), *_lines(PROGRAM, *elsewhere)])

    hints = audited.proven(protection.hint, *audited.of_label("open_"))
    yield Box("wp_inferred", [*audited.strength, *hints, *_lines(PROGRAM, Statement("nearly_all"))])


def _linked(audited: _AuditedSurvey, protection: Protection) -> list[SourcedSentence]:
    """What is known of whether records of the same survey tell that they are of one person."""
    if audited.document.carrier:
        return _lines(PROGRAM, Statement("linked_form"), *audited.of_label("field_same"))
    if audited.document.repeat == "once":
        return _lines(PROGRAM, Statement("linked_kiosk" if audited.document.kiosk else "linked_once"))
    every = audited.proven(Statement("linked_all", guess=protection.guess()))
    if audited.document.repeat == "remembered":
        same = audited.of_label("changes", "changed_labels")
        return [*_lines(PROGRAM, Statement("linked_remembered"), *same), *every]
    if audited.record.key == "record_found_nearly":
        return [*audited.proven(audited.record), *every]
    return [*audited.proven(Statement("records_linked", **audited.record.values)), *every]
