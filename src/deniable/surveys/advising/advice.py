"""Advice: a survey as it was asked about, what it tells, and the designs that tell more, ranked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from deniable.checks import naming_arguments, odd_one
from deniable.estimation.frame import Frame
from deniable.estimation.table import Table, Tabled
from deniable.estimation.words import listed, people
from deniable.planning.outlook import points_in_words
from deniable.protocol.checks import check_epsilon, check_int, check_positive, shown
from deniable.protocol.errors import ParameterError
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Statement, english
from deniable.protocol.surveys.crowd import Crowd
from deniable.surveys.advising.changes import Change
from deniable.surveys.advising.designs import SEES, AdvisedDesign
from deniable.surveys.advising.inputs import DesignInputs
from deniable.surveys.advising.ranking import gain, ranked
from deniable.surveys.advising.search import Candidate, candidates
from deniable.surveys.advising.words import GOOD, NOTHING, named
from deniable.surveys.grid import Grid, one_by_one

PLANNED: Final = 12
"""Of so many candidates at most that keep as many questions the best one is found by planning them."""
DRASTIC: Final = ("yes_no", "protected", "people")
"""The kinds of changes after which a question is another one, or of which an author has said that they cannot be."""
WANTED: Final = GOOD
"""The error to reach, unless said otherwise."""
NO_OPTION: Final = "No change that is known here would help by a fifth or more."


@dataclass(frozen=True)
class Advice(Frame, Tabled):
    """What a survey tells ``now``, and ``options`` that tell more: those first that bring most for what they cost.

    >>> import deniable as dn
    >>> advice = dn.advise([dn.OneOf("way", ["car", "bus", "bike", "foot"])], people=120, epsilon=1.0)
    >>> advice.now.verdict
    'nothing: the error is larger than most shares'
    >>> print(advice.options[0].what)  # doctest: +NORMALIZE_WHITESPACE
    Protect less: a guess of 50 in 100 becomes 89 at most; as asked it becomes 74.
    """

    now: AdvisedDesign
    options: tuple[AdvisedDesign, ...]
    wanted: float
    """The error to reach: half of a 95% interval, as a share."""

    @property
    def finding(self) -> str:
        """What the survey tells now, in a sentence."""
        return english(self.statement)

    @property
    def statement(self) -> Statement:
        """``finding``, in any language."""
        inputs = self.now.inputs
        untold = [named(row.question) for row in self.now.rows if row.is_nothing]
        design = Statement("and_protection", people=people(inputs.people), strength=self.now.protection.name)
        if len(untold) == len(inputs.questions):
            return Statement("nothing_yet_questions_are_too", count=len(untold), asked=design)
        if untold:
            return Statement("nothing_of_that_is_too", names=listed(untold), asked=design)
        key = "something_is_told_of_each" if len(inputs.questions) > 1 else "something_is_told"
        return Statement(key, asked=design, verdict=self.now.verdict_statement)

    @cached_property
    def best_by_questions_kept(self) -> tuple[AdvisedDesign, ...]:
        """Of several questions the best design that keeps all, the best that keeps some, and the best that keeps one.

        Designs that tell nothing are left out, and so are those that keep fewer questions for no less error.
        """
        now, wanted, count = self.now, self.wanted, len(self.now.inputs.questions)
        if count == 1:
            return ()
        every, best = list(candidates(now.inputs, wanted, may_be_weaker=True)), list[AdvisedDesign]()
        for fewest, most in ((count, count), (2, count - 1), (1, 1)):
            of_size = [each for each in every if fewest <= len(each.inputs.questions) <= most]
            error_limit = max(best[-1].errors.values()) if best else 1.0
            designs = [each for each in _planned(of_size, now, wanted) if max(each.errors.values()) < error_limit]
            best += sorted(designs, key=lambda each: _preference(each.changes, each.errors, now, wanted))[:1]
        return tuple(best)

    @property
    def about(self) -> dict[str, Any]:
        return {"finding": self.finding, "wanted": self.wanted, "people": self.now.inputs.people}

    @property
    def columns(self) -> dict[str, list[Any]]:
        """A value for each question of each design: number 0 is the survey as it was asked about."""
        rows = [(number, design, row) for number, design in enumerate(self._designs) for row in design.rows]
        return {
            "option": [number for number, _, _ in rows],
            "change": [design.brief for _, design, _ in rows],
            "question": [row.question.name for _, _, row in rows],
            "error": [row.error for _, _, row in rows],
            "smallest": [row.smallest for _, _, row in rows],
            "verdict": [row.verdict for _, _, row in rows],
        }

    @property
    def named(self) -> tuple[str, ...]:
        return ()

    @property
    def _designs(self) -> tuple[AdvisedDesign, ...]:
        return (self.now, *self.options)

    def to_dict(self) -> dict[str, Any]:
        return {**self.about, "now": self.now.to_dict(), "options": [option.to_dict() for option in self.options]}

    def table(self) -> Table:
        """A row for each design, and below them what each option gives up."""
        rows = [
            (f"{number or 'now'}", design.brief, design.give_or_take, design.seen, design.verdict)
            for number, design in enumerate(self._designs)
        ]
        headings = ("", "change", "give or take", "sees", "which is")
        given_up = [f"{number}. {option.what}" for number, option in enumerate(self.options, 1)]
        return Table(self.finding, headings, rows, [SEES, *(given_up or [self._no_option])])

    @property
    def _no_option(self) -> str:
        """Why there is no option: what is wanted is reached, or nothing helps."""
        if max(self.now.errors.values()) <= self.wanted:
            return f"It comes within {points_in_words(self.wanted)}, as is wanted; a smaller --wanted asks for more."
        return NO_OPTION

    def __repr__(self) -> str:
        return f"Advice({self.finding!r}, {len(self.options)} options)"


@naming_arguments
def advise(
    questions: Iterable[Question | Grid],
    people: int,
    epsilon: float,
    population: int | None = None,
    wanted: float = WANTED,
    cross: Iterable[tuple[str, str]] = (),
    crowd: Crowd | Mapping[str, Any] | None = None,
    mixer: bool = False,
) -> Advice:
    """What so many people can tell about these questions, and which changes would tell more.

    The first question counts most. ``population`` is how many people there are in all, if that is known, and
    ``wanted`` the error to reach: half of a 95% interval, as a share. With a ``crowd`` answers go through a mixer;
    where a ``mixer`` could be had, one is proposed if it helps.

    >>> import deniable as dn
    >>> way = dn.OneOf("way", ["car", "bus", "bike"])
    >>> advice = dn.advise([way], people=200, epsilon=1.0)
    >>> [design.give_or_take for design in (advice.now, advice.options[0])]
    ['17.9 points', '9.6 points']
    """
    asked = tuple(one_by_one(questions))
    if not asked or not all(isinstance(question, Question) for question in asked):
        raise ParameterError(f"questions must be a list of one or more questions, got {odd_one(asked, Question)}")
    size = None if population is None else check_int("population", population, 1)
    terms = None if crowd is None else Crowd.read(crowd)
    inputs = DesignInputs(asked, check_int("people", people, 1), check_epsilon(epsilon), size, _pairs(cross), terms)
    now = AdvisedDesign(inputs)
    target_error = _check_wanted(wanted)
    return Advice(now, ranked(now, target_error, mixer), target_error)


def _pairs(cross: Any) -> tuple[tuple[str, str], ...]:
    """The pairs of names; whether there are such questions is seen when they are planned."""
    listed = list(cross) if isinstance(cross, Iterable) and not isinstance(cross, str | bytes) else [cross]
    if not all(isinstance(pair, tuple | list) and len(pair) == 2 for pair in listed):
        raise ParameterError(f"cross must be a list of pairs of questions, got {shown(cross)}")
    return tuple((str(one), str(other)) for one, other in listed)


def _check_wanted(wanted: Any) -> float:
    if check_positive("wanted", wanted) >= NOTHING:
        raise ParameterError(f"wanted must be a share below {NOTHING:g}, beyond which it tells nothing, got {wanted}")
    return float(wanted)


def _planned(every: list[Candidate], now: AdvisedDesign, wanted: float) -> Iterator[AdvisedDesign]:
    """The designs of the candidates that seem best, without those that tell nothing of a question."""
    for each in sorted(every, key=lambda each: _preference(each.changes, each.rough_errors, now, wanted))[:PLANNED]:
        with suppress(ParameterError):  # a level too small to be shared, or a pair that cannot be crossed any more
            design = AdvisedDesign(each.inputs, each.changes)
            if not design.is_nothing:
                yield design


def _preference(
    changes: tuple[Change, ...], errors: dict[str, float], now: AdvisedDesign, wanted: float
) -> tuple[int, float]:
    """What designs are sorted by, the best first: few drastic changes, then a large gain for what is given up."""
    drastic = sum(change.kind in DRASTIC for change in changes)
    price = sum(change.price for change in changes)
    return drastic, -gain(errors, now, wanted) / price if price else 0.0
