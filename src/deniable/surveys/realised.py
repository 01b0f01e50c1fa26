"""What a survey realises, over all of its joint answers: the exact reports of its parts, and ratios between answers.

The reports of the parts of one arm are independent once the answers are given, so their ratios multiply. Parts that
share no question have answers that can differ freely, so that the worst pair of joint answers is the worst of each
group of parts that share some. Answers that are reported with the same probabilities count as one. Of a part with too
many answers or reports to list only the largest ratio is known, and the ratios of parts multiply to a bound.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NoReturn, Protocol, TypeAlias, TypeVar

from deniable.audit.answer_ratios import AnswerRatios, ManyAnswers, too_many_answers
from deniable.audit.exact import proof_of
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.repeat.remembered import Remembered
from deniable.protocol.errors import CapacityError
from deniable.protocol.privacy.rows import ListedRows, Ratio, largest
from deniable.protocol.questions.branches import chain_to, is_asked
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Statement
from deniable.surveys.arms import Part
from deniable.surveys.document import Document
from deniable.surveys.questions.kinds import companion, values_of

MOST_ANSWERS = 1 << 14
"""The most joint answers to questions that are reported together."""
MOST_PAIRS = 1 << 18
"""The most pairs of answers, times the reports about them, that are looked at."""
Answer: TypeAlias = Mapping[str, Any]


class HasNames(Protocol):
    """Whatever is about questions."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its questions."""
        ...


N = TypeVar("N", bound=HasNames)


@dataclass(frozen=True, eq=False)
class PartChannel:
    """What one part sends: rows of whole-number weights, of one total for all, and the row of each of its answers."""

    names: tuple[str, ...]
    places: Mapping[tuple[Any, ...], int]
    rows: Sequence[tuple[int, ...]]
    _ratios: dict[tuple[int, int], Ratio] = field(default_factory=dict)

    @classmethod
    def of(cls, part: Part, mechanism: Mechanism) -> PartChannel:
        """The channel of a part, through its own mechanism or through the one whose reports it remembers."""
        channel = mechanism.channel()
        weights, answers = channel.rows.listed(), [tuple(each.values()) for each in joint_answers(part.questions)]
        values = [part.encoder.chances(part.questions, answer) for answer in answers]
        common = math.lcm(*(chance.denominator for chances in values for _, chance in chances))
        rows: dict[tuple[int, ...], int] = {}
        places = {}
        for answer, chances in zip(answers, values, strict=True):
            mixture = [(int(chance * common), weights[channel.domain.index(value)]) for value, chance in chances]
            row = tuple(sum(share * row[y] for share, row in mixture) for y in range(len(weights[0])))
            places[answer] = rows.setdefault(row, len(rows))
        return cls(part.names, places, list(rows))

    def place(self, answer: Answer) -> int:
        """The row of an answer."""
        return self.places[tuple(answer[name] for name in self.names)]

    def ratio(self, x: int, z: int) -> Ratio:
        """The largest ratio of the probability of a report in one row to that in another."""
        if (x, z) not in self._ratios:
            self._ratios[x, z] = largest(zip(self.rows[x], self.rows[z], strict=True))
        return self._ratios[x, z]

    @cached_property
    def worst(self) -> Ratio:
        """The largest ratio between any two rows, report by report."""
        return largest((max(column), min(column)) for column in zip(*self.rows, strict=True))

    @cached_property
    def charge(self) -> Ratio:
        """The largest finite ratio between two rows: that of answers which no report tells apart for certain."""
        if self.worst < math.inf:
            return self.worst
        if len(self.rows) ** 2 > MOST_PAIRS:
            raise CapacityError("answers of which some can be told apart must be fewer to be compared")
        ratios = itertools.starmap(self.ratio, itertools.permutations(range(len(self.rows)), 2))
        return max((ratio for ratio in ratios if ratio < math.inf), default=Fraction(1))

    def overlaps(self, x: int, z: int) -> bool:
        """Whether some report may come from both rows."""
        return any(p and q for p, q in zip(self.rows[x], self.rows[z], strict=True))


class UnlistedPartChannel(PartChannel):
    """What a part sends whose reports or answers are too many to list: only the largest ratio is known."""

    def __init__(self, names: tuple[str, ...], mechanism: Mechanism) -> None:
        vars(self).update(names=names, mechanism=mechanism, _ratios={})

    @property
    def places(self) -> NoReturn:
        """Refused, and with it all that is asked of single answers."""
        too_many_answers()

    @property
    def rows(self) -> NoReturn:
        """Refused as well."""
        too_many_answers()

    @cached_property
    def worst(self) -> Ratio:
        """By the closed form of the mechanism; refused where that is of some pairs of answers alone."""
        mechanism: Mechanism = vars(self)["mechanism"]
        return proof_of(mechanism).exact_ratio if mechanism.guarantee.alike else too_many_answers()

    @cached_property
    def charge(self) -> Ratio:
        """``worst``, for where that is finite no report tells any two answers apart for certain."""
        return self.worst


def part_channel(part: Part, mechanism: Mechanism) -> PartChannel:
    """What a part sends, row by row if it can be listed."""
    try:
        return PartChannel.of(part, mechanism)
    except CapacityError:
        return UnlistedPartChannel(part.names, mechanism)


@dataclass(frozen=True)
class LinkedParts:
    """Parts of one arm that share questions; ``states`` counts the joint answers by their row in each part.

    There are none where they are too many to list.
    """

    parts: tuple[PartChannel, ...]
    states: Mapping[tuple[int, ...], int]

    @classmethod
    def of(cls, parts: Sequence[PartChannel], by_name: Mapping[str, Question]) -> LinkedParts:
        """Enumerate the joint answers to the questions of some parts."""
        questions = [by_name[name] for name in dict.fromkeys(name for part in parts for name in part.names)]
        try:
            return cls(tuple(parts), Counter(tuple(part.place(a) for part in parts) for a in joint_answers(questions)))
        except CapacityError:
            return cls(tuple(parts), {})

    @property
    def is_by_parts(self) -> bool:
        """Whether pairs of joint answers are too many, so that the ratios of parts are taken together."""
        return not self.states or (len(self.parts) > 1 and len(self.states) ** 2 * len(self.parts) > MOST_PAIRS)

    @cached_property
    def worst(self) -> Ratio:
        """The largest ratio between two joint answers, or a bound on it."""
        if len(self.parts) == 1 or self.is_by_parts:
            return product(part.worst for part in self.parts)
        return max(self.ratio(x, z) for x in self.states for z in self.states)

    def ratio(self, state: Sequence[int], other: Sequence[int]) -> Ratio:
        """The largest ratio of what is sent from one state to that from another."""
        return product(part.ratio(x, z) for part, x, z in zip(self.parts, state, other, strict=True))

    @cached_property
    def certain(self) -> frozenset[tuple[int, ...]]:
        """The states of a single answer, whose reports no other answer may have sent."""
        if not self.states and self.worst == math.inf:
            raise CapacityError("answers of which some can be told apart must be fewer to be compared")
        return frozenset(
            state for state, count in self.states.items()
            if count == 1 and not any(self._overlap(state, other) for other in self.states if other != state)
        )  # fmt: skip

    def is_certain(self, answer: Answer) -> bool:
        """Whether no other answer may have sent the same."""
        return tuple(part.place(answer) for part in self.parts) in self.certain

    def _overlap(self, state: Sequence[int], other: Sequence[int]) -> bool:
        return all(part.overlaps(x, z) for part, x, z in zip(self.parts, state, other, strict=True))


@dataclass(frozen=True)
class SurveyChannel:
    """What a survey sends in one answer or round, arm by arm; ``permanent`` is of all rounds with the same answers."""

    document: Document
    arms: tuple[tuple[LinkedParts, ...], ...]
    permanent: tuple[tuple[LinkedParts, ...], ...]

    @classmethod
    def of(cls, document: Document) -> SurveyChannel:
        """Enumerate a survey as far as that can be done."""
        arms = _enumerated(document, lambda mechanism: mechanism)
        if document.repeat != "remembered":
            return cls(document, arms, arms)
        return cls(document, arms, _enumerated(document, lambda m: m.permanent if isinstance(m, Remembered) else m))

    @property
    def is_by_parts(self) -> bool:
        """Whether some answers or reports are too many to list, so that what is proven of parts is taken together."""
        return any(group.is_by_parts for arm in (*self.arms, *self.permanent) for group in arm)

    @property
    def during(self) -> Statement | str:
        """The stretch of time that is spoken of where people answer anew; nothing elsewhere."""
        return Statement(f"during_{self.document.period}") if self.document.repeat == "fresh" else ""

    @cached_property
    def worst(self) -> Ratio:
        """The largest ratio of one answer, or one round, between any two joint answers, whichever arm was drawn."""
        return max(product(group.worst for group in arm) for arm in self.arms)

    @cached_property
    def charge(self) -> Ratio:
        """The largest ratio between answers that no report tells apart for certain, from those of the parts."""
        return max(product(part.charge for group in arm for part in group.parts) for arm in self.arms)

    @cached_property
    def worst_unchanged(self) -> Ratio:
        """The largest ratio of all rounds together, as long as answers stay the same."""
        return max(product(group.worst for group in arm) for arm in self.permanent)

    @cached_property
    def some_answer(self) -> Answer:
        """One joint answer."""
        answer: dict[str, Any] = {}
        for name, question in self.document.by_name.items():
            answer[name] = companion(question).sample(question) if is_asked(question, answer) else None
        return answer

    @cached_property
    def asked(self) -> list[int]:
        """On how many questions each arm reports."""
        return [len({name for group in arm for part in group.parts for name in part.names}) for arm in self.arms]

    def never_certain(self) -> bool:
        """Whether whatever somebody answers, another answer may have sent the same.

        So it is in an arm that leaves a question out.
        """
        groups = [group for arm in self.arms for group in arm]
        if min(self.asked) < len(self.document.questions) or not all(group.certain for group in groups):
            return True
        answers = joint_answers(self.document.questions)
        return not any(all(group.is_certain(answer) for group in groups) for answer in answers)

    def about(self, name: str) -> AnswerRatios:
        """The ratios between answers to one question, all others being the same: of all arms, whatever the others are.

        Another answer may lead to other questions, which are then answered in any way.
        """
        try:
            return self._listed_about(self.document.by_name[name])
        except CapacityError:
            arms = [[part.worst for group in arm for part in group.parts if name in part.names] for arm in self.arms]
            return ManyAnswers(max(map(product, arms)), getattr(self.document.by_name[name], "prior", None))

    def _listed_about(self, question: Question) -> AnswerRatios:
        """``about`` a question, from the rows of its answers; refused where these are too many to list."""
        name, answers = question.name, [each[question.name] for each in joint_answers([question])]
        if len(answers) ** 2 > MOST_PAIRS:
            raise CapacityError("answers to a question must be fewer to be compared with each other")
        of_arms = ([part for group in arm for part in group.parts if name in part.names] for arm in self.arms)
        asking = [parts for parts in of_arms if parts]
        cases = [(parts, states) for parts in asking for states in self._states(parts, question, answers)]
        each = range(len(answers))
        square = [[max(_ratio(*case, x, z) for case in cases) for z in each] for x in each]
        alone = [parts[0] for parts in asking if len(parts) == 1 and parts[0].names == (name,)]
        rows = [ListedRows.reduced(part.rows[part.places[answer,]] for answer in answers) for part in alone]
        return AnswerRatios(answers, square, rows, getattr(question, "prior", None))

    def _states(self, parts: Sequence[PartChannel], question: Question, answers: Sequence[Any]) -> set[tuple[Any, ...]]:
        """The states that each answer may have, for all that may be answered to the other questions of the parts.

        A state is a row of each part. An answer may have several, if further questions follow from it.
        """
        names, by_name = {name for part in parts for name in part.names}, self.document.by_name
        others = [each for name, each in by_name.items() if name in names and question not in chain_to(each, by_name)]
        following = [each for name, each in by_name.items() if name in names - {question.name} and each not in others]

        def states_of(answer: Any, before: Answer) -> frozenset[tuple[int, ...]]:
            every = _joint(following, {**before, question.name: answer})
            return frozenset(tuple(part.place(joint) for part in parts) for joint in every)

        asked = (each for each in joint_answers(others, MOST_ANSWERS // len(answers)) if is_asked(question, each))
        return {tuple(states_of(answer, before) for answer in answers) for before in asked}


def _enumerated(
    document: Document, mechanism_of: Callable[[Mechanism], Mechanism]
) -> tuple[tuple[LinkedParts, ...], ...]:
    """The linked parts of each arm, whose reports are those of ``mechanism_of`` each part's mechanism."""
    return tuple(
        tuple(
            LinkedParts.of([part_channel(part, mechanism_of(part.mechanism)) for part in parts], document.by_name)
            for parts in apart(arm.parts)
        )
        for arm in document.arms
    )


def _ratio(parts: Sequence[PartChannel], states: Sequence[Iterable[Sequence[int]]], x: int, z: int) -> Ratio:
    """The largest ratio between two answers, given by their places, over the states that each may have."""
    if x == z:
        return Fraction(1)
    return max(
        product(part.ratio(a, b) for part, a, b in zip(parts, state, other, strict=True))
        for state, other in itertools.product(states[x], states[z])
    )


def joint_answers(questions: Sequence[Question], most: float = MOST_ANSWERS) -> Iterator[dict[str, Any]]:
    """Every joint answer to some questions; refused if there are more than so many."""
    sizes = [values_of(question).size for question in questions]
    if None in sizes or math.prod(size or 0 for size in sizes) > most:
        raise CapacityError("joint answers must be fewer to be enumerated, and none in one's own words")
    return _joint(questions, {})


def _joint(questions: Sequence[Question], before: Answer) -> Iterator[dict[str, Any]]:
    """Every joint answer that continues the answers ``before``: None to a question that these do not lead to."""
    if not questions:
        yield dict(before)
        return
    question, *others = questions
    only_if = question.only_if
    is_left_out = only_if is not None and only_if.question in before and not only_if.holds(before)
    answers = [None] if is_left_out else filter(question.is_covered, values_of(question).every())
    for answer in answers:
        yield from _joint(others, {**before, question.name: answer})


def apart(parts: Iterable[N]) -> list[list[N]]:
    """The parts of an arm in groups that share no question with each other."""
    groups: list[list[N]] = []
    for part in parts:
        sharing = [group for group in groups if any(set(part.names) & set(other.names) for other in group)]
        groups = [group for group in groups if group not in sharing] + [[*itertools.chain(*sharing), part]]
    return groups


def product(ratios: Iterable[Ratio]) -> Ratio:
    """Ratios multiplied; infinite if one of them is."""
    result: Ratio = Fraction(1)
    for ratio in ratios:
        if isinstance(ratio, float):
            return math.inf
        result *= ratio
    return result
