"""What an author is advised before a survey goes out: what to beware of, and changes that would tell more."""

from __future__ import annotations

import itertools
import math
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from deniable.estimation.words import joined, rounded
from deniable.pages.builder.branches import drafts_with_branches
from deniable.pages.builder.draft import Draft
from deniable.pages.builder.outlook import DraftTerms, terms_of
from deniable.pages.builder.translations import mistaken_languages
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.results.cautions import Caution
from deniable.protocol.checks import shown
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Phrase, Say, Statement, english
from deniable.protocol.surveys.protection import Protection
from deniable.surveys.advising.advice import Advice, advise
from deniable.surveys.advising.changes import stem_of
from deniable.surveys.advising.designs import AdvisedDesign
from deniable.surveys.advising.outlooks import QuestionOutlook
from deniable.surveys.advising.words import named
from deniable.surveys.document import Document
from deniable.surveys.survey import Survey

RANGE: Final = re.compile(
    r"\s*(?P<start>[0-9]{1,15})\s*"
    r"(?:(?:-|\N{EN DASH}|to|bis)\s*(?P<end>[0-9]{1,15})(?![0-9])|\+)(?P<unit>.*)"
)
MANY: Final = 1000
"""Of more answers hardly anything is told of each."""
WEAK: Final = 3.0
"""A level above which authors are cautioned."""
CHANGED: Final = ("questions", "people", "epsilon", "census")
"""The fields that advice may change."""
WEAKER: Final = ("level", "protected")
"""The kinds of changes after which less is protected."""
_ONE_AT_A_TIME: Final = threading.Lock()


# --- what to beware of ------------------------------------------------------------------------------------------------


def cautions_of(draft: Draft) -> list[Caution]:
    """All that would stop a careful colleague."""
    return [*mistaken_languages(draft), *_of_answers(draft), *_of_terms(draft)]


def _of_answers(draft: Draft) -> Iterator[Caution]:
    """What is wrong with answers although they can be asked."""
    for _, question in draft.asked:
        pair = overlapping(question.written) if question.kind == "one_of" else same_words(question.written)
        if pair:
            both = Statement("and_may_both_be_true_of_one", first=pair[0], second=pair[1])
            yield Caution(Statement("overlapping_answers"), both)
        if (count := len(question.labels)) > MANY:
            yield Caution(Statement("many_answers"), Statement("are_hard_to_choose_from_and_only", count=count))
        if answer := lone_answer(question):
            reason = Statement("is_alone_in_its_group", answer=answer)
            yield Caution(Statement("an_answer_that_is_not_protected"), reason)


def lone_answer(question: DraftQuestion) -> str | None:
    """The first answer that is a group of its own, where groups of answers become known."""
    if question.protected != "blocks" or question.kind != "one_of":
        return None
    groups = question.grouped
    sizes = Counter(groups)
    return next((label for label, group in zip(question.labels, groups, strict=True) if sizes[group] == 1), None)


def spent_caps(survey: Survey, others: Iterable[Document]) -> list[Caution]:
    """That devices which answered earlier surveys on the same topic have too little left of their cap for this one."""
    earlier = [other for other in others if other.topic == survey.topic and other.digest != survey.digest]
    over = [other for other in earlier if other.promise.charge + survey.promise.charge > min(other.cap, survey.cap)]
    if not over:
        return []
    reason = Statement("a_device_keeps_to_one", topic=survey.topic, earlier=over[-1].title or over[-1].name)
    return [Caution(Statement("who_answered_before_cannot"), reason)]


def _of_terms(draft: Draft) -> Iterator[Caution]:
    """That people are protected weakly, and that nobody is named who asks."""
    if draft.level is not None and draft.level > WEAK:
        protection = Protection(draft.level)
        yield Caution(Statement("caution_of_protection", grade=protection.name), protection.hint)
    if not draft.owner:
        yield Caution(Statement("nobody_is_named"), Statement("people_trust_a_survey_that_says"))


def overlapping(answers: tuple[str, ...]) -> tuple[str, str] | None:
    """Two answers of which both may be true: the same words but for case, or ranges that share a number.

    >>> overlapping(("18-25", "25-30")), overlapping(("18-24", "25-30")), overlapping(("Yes", "yes "))
    (('18-25', '25-30'), None, ('Yes', 'yes '))
    """
    return same_words(answers) or _shared_number(answers)


def same_words(answers: tuple[str, ...]) -> tuple[str, str] | None:
    """Two answers that differ in nothing but case, spaces, and how their accents are stored."""
    seen: dict[str, str] = {}
    for answer in answers:
        other = seen.setdefault(" ".join(unicodedata.normalize("NFKC", answer).casefold().split()), answer)
        if other is not answer:
            return other, answer
    return None


def _shared_number(answers: tuple[str, ...]) -> tuple[str, str] | None:
    """Two ranges of the same unit that share a number; sorted, each need be held against the widest before it alone."""
    widest: dict[str, tuple[float, int]] = {}
    for start, end, unit, place in sorted(_ranges(answers)):
        latest_end, other = widest.get(unit, (-math.inf, place))
        if start <= latest_end:
            first, second = sorted((other, place))
            return answers[first], answers[second]
        widest[unit] = (end, place)
    return None


def _ranges(answers: tuple[str, ...]) -> Iterator[tuple[int, float, str, int]]:
    """Start, end, unit and place of each answer that is a range, such as "18-25 years" or "65+"."""
    for place, answer in enumerate(answers):
        match = RANGE.fullmatch(answer)
        if match is None:
            continue
        start, end = int(match["start"]), math.inf if match["end"] is None else int(match["end"])
        if start <= end:
            yield start, end, match["unit"].strip().casefold(), place


# --- what would tell more ---------------------------------------------------------------------------------------------


def advice_on(draft: Draft) -> Advice:
    """What the survey of a draft would tell, and what would tell more."""
    terms = terms_of(draft)
    with _ONE_AT_A_TIME:  # so that the collector keeps answering while several authors type
        return _advice(terms)


@lru_cache(maxsize=32)
def _advice(terms: DraftTerms) -> Advice:
    """The advice, kept since it is asked for again when some of it is applied."""
    return advise(terms.questions, terms.people, terms.epsilon, terms.population)


class Card(NamedTuple):
    """A design to choose, as its author reads it; what there is nothing to say of is empty."""

    design: AdvisedDesign
    title: Phrase
    """What it keeps of what was asked, if it does."""
    changed: Phrase
    errors: tuple[Phrase, ...]
    """How closely the questions are told."""
    sees: tuple[Phrase, ...]
    """From which size on shares are seen, and when it is known which answer is the first."""
    price: Phrase
    """At which weaker level it protects, if it does."""

    @property
    def is_urged(self) -> bool:
        """Whether it may stand out as what to take."""
        return not _weakens(self.design)


def cards_of(advice: Advice, designs: Iterable[AdvisedDesign]) -> list[Card]:
    """Designs as cards."""
    return [_card(advice, each) for each in designs]


def _title(advice: Advice, design: AdvisedDesign) -> Phrase:
    """What a design keeps, of several questions; empty where it is none of those between which an author chooses."""
    if design.key not in {each.key for each in advice.best_by_questions_kept}:
        return ""
    count = len(design.inputs.questions)
    if count == 1:
        return Statement("keep_one")
    return Statement("keep_all" if count == len(advice.now.inputs.questions) else "keep_some", count=count)


def _card(advice: Advice, design: AdvisedDesign) -> Card:
    prices = [change.short or change.what for change in design.changes if change.kind == "level"]
    changes = [change.short or change.what for change in design.changes if change.kind != "level"]
    changed, price = joined(changes) if changes else "", prices[-1] if prices else ""
    return Card(design, _title(advice, design), changed, _errors(design.rows), _sees(design.rows), price)


def _errors(rows: Sequence[QuestionOutlook]) -> tuple[Phrase, ...]:
    """How closely the questions are told: of shares the worst, then of each mean."""
    shares, means = [row for row in rows if row.is_of_shares], [row for row in rows if not row.is_of_shares]
    worst = [max(shares, key=lambda row: row.error)] if shares else []
    errors = [Statement("plus_minus", error=row.error_statement) for row in (*worst, *means)]
    if len(rows) == 1:
        return tuple(errors)
    named_errors = (
        Statement("question_error", question=named(row.question), error=error)
        for row, error in zip(means, errors[len(worst) :], strict=True)
    )
    return (*errors[: len(worst)], *named_errors)


def _sees(rows: Sequence[QuestionOutlook]) -> tuple[Phrase, ...]:
    """Which shares are seen whatever the question, and which answer is known to be the first; nothing of numbers."""
    shares = [row for row in rows if row.is_of_shares]
    leads = [row.lead for row in shares if row.lead is not None]
    worst = [max(shares, key=lambda row: row.smallest)] if shares else []
    return (
        *(Statement("shows_shares_from", share=row.seen_statement) for row in worst),
        *([Statement("tells_the_first", lead=rounded(100 * max(leads), 2))] if leads else []),
    )


def gentlest(designs: Iterable[AdvisedDesign]) -> list[AdvisedDesign]:
    """One design of each kind, those first that protect as much as was asked, and of these what asks fewest people."""
    kinds: dict[str, AdvisedDesign] = {}
    for each in sorted(designs, key=lambda each: (_weakens(each), each.inputs.people)):
        kinds.setdefault(each.kind, each)
    return list(kinds.values())


def _weakens(design: AdvisedDesign) -> bool:
    """Whether a design protects less, or fewer answers, than was asked: it is never urged."""
    return any(change.kind in WEAKER for change in design.changes)


def contradicts(cards: Iterable[Card]) -> bool:
    """Whether one of two designs errs less and shows fewer shares all the same."""
    ends = [(max(card.design.errors.values()), _smallest(card.design)) for card in cards]
    return any(one[0] < other[0] and one[1] > other[1] for one, other in itertools.permutations(ends, 2))


def _smallest(design: AdvisedDesign) -> float:
    """The smallest share that is seen, whatever the question; of a number none is told."""
    return max((row.smallest for row in design.rows if row.is_of_shares), default=0.0)


def with_advice(draft: Draft, key: str, say: Say = english) -> Draft:
    """The draft as one of the options has it, which can be taken back; ``say`` says what was applied."""
    advice = advice_on(draft)
    option = next((each for each in (*advice.best_by_questions_kept, *advice.options) if each.key == key), None)
    if option is None:
        raise ParameterError(f"the change must be one that is advised, got {shown(key)}; look at the advice again")
    before = dict(zip(draft.names(), (question for _, question in draft.lines), strict=True))
    original = Draft(**{name: getattr(draft, name) for name in CHANGED})
    return replace(
        draft,
        questions=drafts_with_branches(
            option.survey.questions,
            [page_kind(each).to_draft(each, before[each.name]) for each in option.survey.questions],
        ),
        people=f"{option.inputs.people}",
        epsilon=f"{option.inputs.epsilon:g}",
        census=option.inputs.population is not None,
        applied=f"{draft.applied} {say(_title(advice, option) or option.short)}".strip(),
        original=draft.original or original.to_json(),
    )


def without_advice(draft: Draft) -> Draft:
    """The draft with what it asked before anything was applied to it; all else stays as it was typed."""
    if not draft.original:
        return draft
    before = Draft.from_json(draft.original)
    return replace(draft, applied="", original="", **{name: getattr(before, name) for name in CHANGED})


def put_aside(draft: Draft) -> tuple[str, ...]:
    """The questions that were asked before something was applied, and are not asked now."""
    if not draft.original:
        return ()
    now = [each.wording for _, each in draft.asked]
    before = [each.wording for _, each in Draft.from_json(draft.original).asked]
    return tuple(wording for wording in before if not any(each.startswith(stem_of(wording)) for each in now))
