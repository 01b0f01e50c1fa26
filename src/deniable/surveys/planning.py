"""Planning a survey: which mechanisms, and who is asked what, with the least error."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

from deniable.estimation.words import rounded
from deniable.protocol.checks import check_epsilon, check_int, near
from deniable.protocol.errors import ParameterError
from deniable.protocol.questions.branches import chain_to, check_branches
from deniable.protocol.questions.question import Question
from deniable.protocol.surveys.crowd import Crowd
from deniable.surveys.arms import Arm, Part
from deniable.surveys.choosing import FreshChoice, MechanismChoice, part_of
from deniable.surveys.expectation import Expectation, expected
from deniable.surveys.grouping import QuestionGroup, crossings, groupings, joined_words
from deniable.surveys.questions.kinds import companion
from deniable.surveys.sharing import Allocation, arms_of, drawn_by_weight, in_equal_shares, side_by_side

MOST_PAIRED = 10
"""Up to so many questions of yes or no, all pairs of them are considered, which may tell more than single ones."""


USUAL_MINIMUM = 50
"""Below how many answers no result is shown, unless fewer than 75 people are asked."""


def minimum_for(people: int) -> int:
    """Below how many answers no result is shown unless it is said: two thirds of the people, rounded up, 50 at most.

    >>> minimum_for(28), minimum_for(74), minimum_for(75), minimum_for(1800)
    (19, 50, 50, 50)
    """
    return min(USUAL_MINIMUM, math.ceil(2 * people / 3))


Crossed: TypeAlias = tuple[Question, Question]
"""Two questions whose answers are one label; a number comes second."""


@dataclass(frozen=True, slots=True)
class CandidateDesign:
    """One way to ask: the arms, and what each person does, in words that follow "Each person"."""

    arms: tuple[Arm, ...]
    what_each_does: str


@dataclass(frozen=True, slots=True)
class ChosenDesign:
    """The arms of the best design, why it is that, and the error that designs were compared by."""

    arms: tuple[Arm, ...]
    why: str
    error: float
    crowd: Crowd | None = None
    """With the level and the belief that are certified, where answers go through a mixer."""


def best_design(
    name: str,
    questions: Iterable[Question],
    epsilon: float,
    people: int,
    cross: Iterable[Any] = (),
    choice: MechanismChoice | None = None,
    population: int | None = None,
) -> ChosenDesign:
    """The design of least error of one answer that keeps ``epsilon``-LDP, or what its questions ask for; and why.

    ``choice`` says how mechanisms are chosen; unless given every answer is reported afresh. With a ``population``
    errors are those of the shares among so many people.
    """
    level, users = check_epsilon(epsilon), check_int("people", people, 1)
    size = None if population is None else check_int("population", population, 1)
    task = DesignTask(name, list(questions), level, users, choice or FreshChoice(), size)
    crossed = _read_pairs(task.questions, cross)
    check_branches(task.questions)
    designs = [design for groups in groupings(task.questions) for design in task.designs(groups, crossed)]
    expectations = [task.expected(design) for design in designs]
    errors = list(map(_score, expectations))
    best = min(range(len(designs)), key=lambda number: errors[number])
    return ChosenDesign(designs[best].arms, _why(task.questions, designs, expectations, best), errors[best])


def _why(
    questions: Sequence[Question], designs: Sequence[CandidateDesign], expectations: Sequence[Expectation], best: int
) -> str:
    """What the best design asks, what error to expect of it, and how much larger that of each other design is."""
    averaged, least = ", averaged over the questions," if len(questions) > 1 else "", _score(expectations[best])
    error = f"The standard error of {_compared(questions)}{averaged} is then {rounded(100 * least)} points"
    lines = [f"Each person {designs[best].what_each_does}. {error}{_by_question(questions, expectations[best])}."]
    others = [
        f"If each person {design.what_each_does}, it is {_score(expectation) / least:.3g} times as large"
        f"{_by_question(questions, expectation)}."
        for number, (design, expectation) in enumerate(zip(designs, expectations, strict=True)) if number != best
    ]  # fmt: skip
    return " ".join([*lines, *others])


def _score(expectation: Expectation) -> float:
    """The root of the mean squared error of a design, over the questions and what is wanted of each."""
    each = (math.fsum(error**2 for error in row.deciding) / len(row.deciding) for row in expectation.values())
    return math.sqrt(math.fsum(each) / len(expectation))


def _by_question(questions: Sequence[Question], expectation: Expectation) -> str:
    """The error of each question where some follow from others: joining them costs one what it gives another."""
    if all(question.only_if is None for question in questions):
        return ""
    return f" ({', '.join(f'{name} {rounded(100 * max(row.deciding))}' for name, row in expectation.items())})"


def _compared(questions: Sequence[Question]) -> str:
    """Whose errors are compared, in words that follow "the standard error of"."""
    kinds = dict.fromkeys(kind for question in questions for kind in companion(question).errors(question))
    return " or ".join(sorted(kinds, key=len))


@dataclass(frozen=True, slots=True)
class DesignTask:
    """What a design must do: ask these questions, at this level of a whole answer, of so many people.

    ``choice`` says how mechanisms are chosen; methods make designs.
    """

    name: str
    questions: Sequence[Question]
    level: float
    people: int
    choice: MechanismChoice
    population: int | None = None

    def expected(self, design: CandidateDesign) -> Expectation:
        """What a design tells."""
        return expected(self.name, self.questions, design.arms, self.people, self.population)

    def designs(self, groups: Sequence[QuestionGroup], pairs: Sequence[Crossed]) -> Iterator[CandidateDesign]:
        """All ways to ask that are considered for questions that are reported in such groups."""
        if pairs:
            yield self.crossed(groups, pairs)
            return
        yield self.apart(groups)
        if len(_closed(groups)) > 1:
            with suppress(ParameterError):  # a level too small to be shared is no reason not to ask apart
                yield self.together(groups)
        yes_no = [q for q in self.questions if _is_plain_yes_no(q)]
        if 2 <= len(yes_no) == len(self.questions) <= MOST_PAIRED:
            with suppress(ParameterError):
                yield self.crossed(groups, [(a, b) for i, a in enumerate(yes_no) for b in yes_no[i + 1 :]])

    def apart(self, groups: Sequence[QuestionGroup]) -> CandidateDesign:
        """One question each, or one way through questions, with the whole of epsilon."""
        allocations = [self._allocation_for_share(group, len(groups)) for group in groups]
        alone = "answers the question, and spends the whole of epsilon on it"
        drawn = "answers one question, drawn at random, and spends the whole of epsilon on it"
        words = (drawn if len(groups) > 1 else alone) + joined_words(groups)
        return CandidateDesign(arms_of(drawn_by_weight(allocations, [len(group.reported) for group in groups])), words)

    def together(self, groups: Sequence[QuestionGroup]) -> CandidateDesign:
        """All questions but texts are asked of everybody, each with its part of epsilon."""
        closed = _closed(groups)
        part, texts = part_of(self.level, len(closed)), [group for group in groups if group not in closed]
        whole = side_by_side([self._allocation(group, part, self.people) for group in closed])
        allocations = [whole, *(self._allocation_for_share(group, len(groups)) for group in texts)]
        asked = "all but texts" if texts else "everything"
        words = f"answers {asked}, and spends {part:g} of epsilon on each question{joined_words(groups)}"
        weights = [sum(len(group.reported) for group in closed), *[1] * len(texts)]
        return CandidateDesign(arms_of(drawn_by_weight(allocations, weights)), words)

    def crossed(self, groups: Sequence[QuestionGroup], pairs: Sequence[Crossed]) -> CandidateDesign:
        """Each pair is one label, asked with the whole of epsilon; numbers and questions of no pair are asked alone."""
        paired = crossings(groups, pairs)
        in_pairs = {question.name for group in paired for question in group.reported if question.choices}
        alone = [group for group in groups if not in_pairs.issuperset(question.name for question in group.reported)]
        every = (*paired, *alone)
        allocations = [self._allocation_for_share(group, len(every)) for group in every]
        words = "answers one pair of questions" + (" or one question" if alone else "")
        joined = joined_words(group for group in every if group.is_way)
        words = f"{words}, drawn at random, and spends the whole of epsilon on it{joined}"
        return CandidateDesign(arms_of(drawn_by_weight(allocations, [1] * len(every))), words)

    def _allocation_for_share(self, group: QuestionGroup, shares: int) -> Allocation:
        """Who reports what about a group of questions, if one of so many equal shares of the people is asked."""
        return self._allocation(group, self.level, max(1, self.people // shares))

    def _allocation(self, group: QuestionGroup, level: float, people: int) -> Allocation:
        """Who reports what about a group of questions, at a level and of so many people."""
        if len(group.questions) > 1:
            mechanism = self.choice.of_joined(group.labels, level, people)
            return in_equal_shares([Part(group.questions, mechanism, group.encoder)])
        question = group.reported[0]
        return companion(question).allocation(question, level, people, f"{self.name}/{question.name}", self.choice)


def _is_plain_yes_no(question: Question) -> bool:
    """Whether a question has two answers that are both protected."""
    return len(question.choices) == 2 and question.only_if is None and question.guarantee(1.0).alike


def _closed(groups: Sequence[QuestionGroup]) -> list[QuestionGroup]:
    """All groups but those that are answered in one's own words."""
    return [group for group in groups if not group.reported[0].own_words]


def _read_pairs(questions: Sequence[Question], cross: Iterable[Any]) -> list[Crossed]:
    """The pairs of questions to cross, from their names; a number comes second."""
    by_name = {question.name: question for question in questions}
    pairs: dict[frozenset[str], Crossed] = {}
    if isinstance(cross, str | bytes) or not isinstance(cross, Iterable):
        raise ParameterError(f"cross must be a list of pairs of questions, got {type(cross).__name__}")
    for names in cross:
        pair = [by_name.get(str(name)) for name in names] if isinstance(names, tuple | list) else []
        single = [question for question in pair if question is not None and question.pair_labels]
        if len(pair) != 2 or len(single) != 2 or pair[0] is pair[1]:
            unknown = [str(name) for name in names if str(name) not in by_name] if pair else []
            got = f"no question {unknown[0][:40]!r}{near(unknown[0], by_name)}" if unknown else "another"
            raise ParameterError(f"cross must name pairs of two different questions with one answer each, got {got}")
        one, other = sorted(single, key=lambda question: (not question.choices, question.only_if is None))
        if one.only_if is not None:
            _check_beside(one, other, by_name)
        pairs[frozenset((one.name, other.name))] = (one, other)
    return list(pairs.values())


def _check_beside(one: Question, other: Question, by_name: Mapping[str, Question]) -> None:
    """Refuse to cross a question that only some are asked with any but a choice that everybody is asked."""
    first = chain_to(one, by_name)[0]
    if chain_to(other, by_name)[0] == first:
        raise ParameterError(
            f"cross must not name questions that follow from each other, got {one.name!r} and {other.name!r}; what "
            "those who were asked said is told without crossing"
        )
    if other.only_if is not None or not other.choices:
        raise ParameterError(
            f"cross must pair {one.name!r}, which only some are asked, with a OneOf or a Scale that everybody is "
            f"asked, got {other.name!r}; cross it with {first.name!r} instead"
        )
