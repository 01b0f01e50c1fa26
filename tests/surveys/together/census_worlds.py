"""Made-up censuses: N people, of whom all or some, drawn by lot, answer one survey and then another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from tests.surveys.together.census_claims import Claim, Pair, answers, claims_of

import deniable as dn
from deniable.arrays import Counts

LABELS: Final = ("a", "b", "c", "d")
HALVES: Final = [["a", "b"], ["c", "d"]]
ASKED: Final = {
    "plain": dn.OneOf("q", LABELS),
    "two": dn.OneOf("q", LABELS[:2]),
    "sensitive": dn.OneOf("q", LABELS, sensitive=["a", "b"]),
    "blocks": dn.OneOf("q", LABELS, blocks=HALVES),
    "scale": dn.Scale("q", LABELS),
    "list": dn.AnyOf("q", LABELS),
    "spread": dn.Number("q", 0, 15, want=("mean", "spread")),
    "ranges": dn.Number("q", 0, 15, want=("mean", "quantiles")),
}


class Design(NamedTuple):
    """A question, and what reports it in each arm; nothing where a plan chooses."""

    question: str
    made: Sequence[Callable[[float], dn.Mechanism]] = ()

    def survey(self, epsilon: float, population: int) -> dn.Survey:
        asked: Any = ASKED[self.question]
        arms = [dn.Arm(dn.Part(asked, make(epsilon))) for make in self.made]
        if not arms:
            arms = [*dn.Survey.plan("census", [asked], epsilon, population).arms]
        return dn.Survey("census", [asked], arms, population=population)


DESIGNS: Final = {
    "response": Design("plain", [lambda e: dn.RandomizedResponse(LABELS, e)]),
    "Warner": Design("two", [lambda e: dn.RandomizedResponse(LABELS[:2], e)]),
    "subset": Design("plain", [lambda e: dn.Subset(LABELS, e, 2)]),
    "unary": Design("plain", [lambda e: dn.OptimizedUnary(LABELS, e)]),
    "signs": Design("plain", [lambda e: dn.Hadamard(LABELS, e, parts=2)]),
    "informed": Design("plain", [lambda e: dn.InformedResponse(LABELS, [0.6, 0.2, 0.1, 0.1], e)]),
    "high and low": Design("sensitive", [lambda e: dn.HighLowResponse(LABELS, ["a", "b"], e)]),
    "blocks": Design("blocks", [lambda e: dn.BlockSubset(HALVES, e)]),
    "two arms": Design(
        "plain", [lambda e: dn.RandomizedResponse(LABELS, e), lambda e: dn.Subset(LABELS, 2 * e)]
    ),
    "scale": Design("scale", [lambda e: dn.RandomizedResponse(LABELS, e)]),
    "scale in signs": Design("scale", [lambda e: dn.Hadamard(LABELS, e, parts=2)]),
    "scale in two arms": Design(
        "scale", [lambda e: dn.Subset(LABELS, e, 2), lambda e: dn.RandomizedResponse(LABELS, 2 * e)]
    ),
    "items": Design("list", [lambda e: dn.ItemResponse(LABELS, e)]),
    "asked items": Design("list", [lambda e: dn.AskedItems(LABELS, e, 2)]),
    "sets": Design("list", [lambda e: dn.PrivateSet(LABELS, e, 2)]),
    "mean and spread": Design("spread"),
    "ranges": Design("ranges"),
}  # fmt: skip


class World(NamedTuple):
    """A census that is simulated: who holds what in the first survey and in the second, and how many answer."""

    design: str
    epsilon: float
    first: Counts
    second: Counts
    told: int

    @property
    def is_at_an_end(self) -> bool:
        """Whether everybody gives the same answer, or all but one do."""
        return bool(max(self.first) >= self.first.sum() - 1)

    @property
    def _asked(self) -> Any:
        return ASKED[DESIGNS[self.design].question]

    def claims(self, surveys: int, generator: np.random.Generator) -> Iterator[list[Claim]]:
        """The claims of so many pairs of surveys."""
        survey = DESIGNS[self.design].survey(self.epsilon, int(self.first.sum()))
        for _ in range(surveys):
            one, two = (self._estimate(survey, people, generator) for people in (self.first, self.second))
            if one is not None and two is not None:
                yield list(claims_of(Pair(self._asked, one, two, self.first, self.second)))

    def _estimate(self, survey: dn.Survey, people: Counts, generator: np.random.Generator) -> Any:
        told = generator.multivariate_hypergeometric(people, self.told)
        tally = survey.draw_tally({"q": answers(self._asked)}, told, generator)
        try:
            return survey.estimate(tally)["q"]
        except dn.TallyError:  # of a few people nobody may have been asked what the result needs
            return None
