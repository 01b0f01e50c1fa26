"""What the page of a privacy label shows, in its language: only what the label proves, rounded outwards."""

from __future__ import annotations

import datetime
import math
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from markupsafe import Markup

from deniable.estimation.table import printable
from deniable.mechanisms.facts import ReportFacts
from deniable.pages.dots import dots
from deniable.pages.label_terms import Row, day, kept_of
from deniable.pages.label_versions import History
from deniable.pages.languages import marked
from deniable.pages.proofs import SurveyProof
from deniable.protocol.privacy.context import Blocks, HighLow
from deniable.protocol.questions.question import Question, QuestionWords
from deniable.protocol.say import READABLE, Language, Statement, up
from deniable.protocol.surveys.statements import RISES, belief_about, moved
from deniable.protocol.surveys.translations import SurveyWords
from deniable.surveys.document import Document
from deniable.surveys.label import Label

MOST_PICTURES = 3
HOST_KEEPS = ("host_address", "host_device")
HOST_SHOWS = ("host_script", "host_order", "nearly_all", "second_browser")
"""Keys of what a collector's pages promise, and do not, of every survey, beside what its own label says."""
NEARLY_SURE = math.log(99)
"""The level from which on a guess of 50 in 100 becomes more than 99."""
GRADES = {1.0: "grade_strong", 2.0: "grade_middling", 3.0: "grade_weak"}
"""What levels up to these are called."""


@dataclass(frozen=True)
class Guess:
    """How sure somebody can be: before, and at most and at least after. ``least`` is empty where none is proven."""

    before: str
    most: str
    least: str


@dataclass(frozen=True)
class Guesses:
    """What guesses can become; ``picture`` shows the one that is right every second time."""

    captions: tuple[Markup, ...]
    """What the table is of: more than one where the same holds of each."""
    rows: tuple[Guess, ...]
    told: str
    picture: Markup


@dataclass(frozen=True)
class Fitting:
    """How many of 100 people send a report that fits an answer: of those with the answer, and of others."""

    about: str
    own: str
    other: str
    own_picture: Markup
    other_picture: Markup


class LabelQuestion(NamedTuple):
    """A question, what the label's sentences call it if that is something else, and what is said of which answers."""

    wording: str
    name: str
    parts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class LabelView:
    """All that the page of a label shows."""

    say: Language
    title: str
    lang: str
    """The tag of the language of the author's texts; empty if the survey does not say it."""
    document: Document
    asked: tuple[LabelQuestion, ...]
    statements: tuple[Statement, ...]
    promised: tuple[Statement, ...]
    unpromised: tuple[Statement, ...]
    claim: str
    """The key of the whole label in a sentence."""
    grade: Statement | None
    """How strong the protection is, in a word; None where no level covers all answers once and for all."""
    guesses: tuple[Guesses, ...]
    fitting: tuple[Fitting, ...]
    terms: tuple[Row, ...]
    facts: tuple[Row, ...]
    history: History
    proof: SurveyProof
    address: str
    """Where the survey's document is, for other machines."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the label says."""
        return tuple(map(self.say, self.statements))

    def marked(self, statements: Iterable[Statement]) -> list[Markup]:
        """What is stated, with the author's words set apart: they may run in the other direction."""
        return list(map(marked(self.say.code), statements))

    @property
    def rights(self) -> tuple[str, ...]:
        """What people may ask for, and what nobody can give them; last what the author adds, if anything."""
        own = (self.document.responsible or {}).get("rights", "")
        return (*map(self.say, ("rights_unknown", "rights_none", "rights_stop")), *([own] if own else []))

    @property
    def commands(self) -> str:
        """What proves the promise on any machine that has the library."""
        file = f"{self.document.name}.json"
        return f"curl -fsSo {file} {shlex.quote(self.address)}\ndeniable audit {file}"

    @property
    def verdict(self) -> str:
        """The key of what the certificate says, in a sentence."""
        if self.proof.proving:
            return "proof_waits"
        if self.proof.certificate is None:
            return "proof_late"
        return "proof_holds" if self.proof.certificate["holds"] else "proof_fails"

    @property
    def proven(self) -> str:
        """What came of the proof, and when it was made."""
        made = self.proof.day and day(datetime.date.fromisoformat(self.proof.day))
        return self.say(self.verdict, date=made)

    @property
    def claims(self) -> list[tuple[CertificateRow, int]]:
        """What the certificate says of each kind of claim, and of how many parts it says that."""
        arms = self.proof.certificate["arms"] if self.proof.certificate else []
        return [*Counter(CertificateRow.of(arm) for arm in arms).items()]


class CertificateRow(NamedTuple):
    """A claim of the certificate, as its table shows it."""

    questions: str
    span: str
    claimed: str
    found: str
    holds: bool
    method: str

    @classmethod
    def of(cls, arm: Mapping[str, Any]) -> CertificateRow:
        """The claim on an arm, or on what all of it costs."""
        levels = level_shown(arm["claimed"]), level_shown(arm["epsilon"])
        return cls(", ".join(arm["questions"]), arm["span"], *levels, arm["holds"], arm["method"])


def promised_of(label: Label) -> tuple[Statement, ...]:
    """What is promised of a survey on a collector's pages, but for what the table of guesses says."""
    own = label.statements[: -len(label.stated.unprotected)]
    told = [each for each in own if not each.key.endswith("belief")] if label.level <= READABLE else own
    return (*told, *kept_of(label.document), *map(Statement, HOST_KEEPS))


def unpromised_of(label: Label) -> tuple[Statement, ...]:
    """What is not."""
    return (*label.stated.unprotected, *map(Statement, HOST_SHOWS))


def claim_of(label: Label) -> str:
    """The key of the whole label in a sentence, which says no more than holds."""
    if label.level == math.inf:
        return "label_partly"
    return "label_nearly" if label.level > NEARLY_SURE else "label_certain"


def grade_of(label: Label) -> Statement | None:
    """How strong the protection of whole answers is."""
    if label.level == math.inf or label.rounds is not None:
        return None
    found = next((key for level, key in GRADES.items() if label.level <= level), "grade_beyond")
    after = [math.ceil(round(100 / (1 + math.exp(-level)), 9)) for level in GRADES]
    grades = dict(zip(("strong", "middling", "weak"), after, strict=True))
    return Statement("graded", {"grade": Statement(found), **grades, "level": label.level})


def asked_of(document: Document, words: SurveyWords, say: Language) -> tuple[LabelQuestion, ...]:
    """All questions, in their order."""
    return tuple(_asked(document, each, words.questions[each.name], say) for each in document.questions)


def _asked(document: Document, question: Question, words: QuestionWords, say: Language) -> LabelQuestion:
    name, parts = question.name if words.wording else "", tuple(dict.fromkeys(_parts(document, question, words, say)))
    return LabelQuestion(words.wording or question.name, name, parts)


def _parts(document: Document, question: Question, words: QuestionWords, say: Language) -> Iterator[tuple[str, str]]:
    """What the mechanisms leave open of a question's answers."""

    def listed(places: Iterable[int]) -> str:
        return ", ".join(printable(words.labels[place]) for place in places)

    for part in (part for arm in document.arms for part in arm.parts if part.names == (question.name,)):
        guarantee = part.mechanism.guarantee
        if isinstance(guarantee, HighLow):
            yield say("only_these"), listed(guarantee.places)
        elif isinstance(guarantee, Blocks):
            yield say("groups"), "; ".join(map(listed, guarantee.places))


def guesses_of(label: Label, say: Language, words: SurveyWords | None = None) -> tuple[Guesses, ...]:
    """Tables of what guesses can become; none where a factor is too large to protect, or no belief is bound."""
    promises = _promises(label, words or label.document.own_words)
    found: dict[tuple[Guess, ...], Guesses] = {}
    for table in (_guesses(each, say) for each in promises if each.level <= READABLE):
        same = found.setdefault(table.rows, table)
        if same is not table:
            found[table.rows] = replace(same, captions=(*same.captions, *table.captions))
    return tuple(found.values())


def fitting_of(label: Label, say: Language, words: SurveyWords | None = None) -> tuple[Fitting, ...]:
    """The different facts of reports that fit answers one by one; the first few of them."""
    found: dict[tuple[str, float, float], Fitting] = {}
    worded = (words or label.document.own_words).questions
    for part in (part for arm in label.parts for part in arm):
        own, other = part.report.own, part.report.other
        if own is not None and other is not None:
            asked = " ".join(worded[name].wording or name for name in part.questions)
            found.setdefault((asked, own, other), _fitting(asked, part.report, own, other, say))
    return tuple(found.values())[:MOST_PICTURES]


def level_shown(level: float | str) -> str:
    """A level of a certificate as people read it, rounded up; a text if it is no number.

    >>> level_shown(0.9999999999996901), level_shown(2.0), level_shown("inf")
    ('1', '2', 'inf')
    """
    return up(level) if isinstance(level, float) and math.isfinite(level) else str(level)


class Bound(NamedTuple):
    """What a promise is about, the key of what is said of a belief, and the level that bounds it."""

    about: Statement
    key: str
    level: float
    during: Statement | str = ""


def _promises(label: Label, words: SurveyWords) -> Iterator[Bound]:
    """Each promise that bounds a belief: the same that the label has sentences on."""
    stated, rounds = label.stated, label.rounds
    if rounds is not None:
        yield Bound(Statement("one_round"), "round_belief", rounds.each)
        yield Bound(Statement("life_of_rounds"), "life_belief", rounds.life)
        return
    if label.level < math.inf:
        yield Bound(Statement("all_answers"), "belief", label.level, stated.during)
    for name, guarantee in stated.apart():
        wording = words.questions[name].wording or name
        yield Bound(Statement("by_itself", {"wording": wording}), *belief_about(guarantee))


def _guesses(bound: Bound, say: Language) -> Guesses:
    moves = [each.values for each in moved(bound.key, bound.level)]
    even = round(100 * moves[-1]["most"], 1)
    told = say("guessed", share=even, count=math.ceil(even))
    caption = marked(say.code)(f"caption_{bound.key}", about=bound.about, during=bound.during)
    rows = tuple(_guess(move, bound.key not in RISES, say) for move in moves)
    return Guesses((caption,), rows, told, dots(50, told, max(math.ceil(even) - 50, 0)))


def _guess(move: Mapping[str, float], falls: bool, say: Language) -> Guess:
    before, most, least = (say("in_hundred", share=100 * move[name]) for name in ("before", "most", "least"))
    return Guess(before, most, least if falls else "")


def _fitting(asked: str, facts: ReportFacts, own: float, other: float, say: Language) -> Fitting:
    here = "" if facts.rounds is None else "_round"
    with_it = say(f"own_fits{here}", fitting=about_hundred(own))
    without = say(f"other_fits{here}", fitting=about_hundred(other))
    return Fitting(asked, with_it, without, dots(round(100 * own), with_it), dots(round(100 * other), without))


def about_hundred(share: float) -> Statement | int:
    """How many of 100 people a share is, in words where it is no whole number."""
    count = round(100 * share)
    if share > 0 and count == 0:
        return Statement("fewer_than_one")
    return count if math.isclose(100 * share, count, abs_tol=1e-9) else Statement("about_count", {"count": count})
