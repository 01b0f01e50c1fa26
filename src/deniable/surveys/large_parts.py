"""Parts of which there are too many answers or reports to list: what is proven of each by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from deniable.audit.answer_ratios import AnswerRatios, Pairs, Prior
from deniable.audit.exact import proof_of
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.errors import CapacityError
from deniable.protocol.privacy.rows import Ratio


@dataclass(frozen=True)
class LargeReports:
    """What one part sends, where only the largest ratio of its mechanism is known, from its closed form."""

    names: tuple[str, ...]
    mechanism: Mechanism

    @property
    def worst(self) -> Ratio:
        """The largest ratio between any two answers; refused where the form is of some pairs alone."""
        if not self.mechanism.guarantee.alike:
            raise CapacityError("answers must be fewer to be compared where some are protected in another way")
        return proof_of(self.mechanism).exact_ratio

    @property
    def charge(self) -> Ratio:
        """The same: no two answers can be told apart where it is finite."""
        return self.worst

    @property
    def rows(self) -> NoReturn:
        """Too many."""
        _refuse()

    def place(self, answer: Any) -> NoReturn:
        """Not known."""
        _refuse()

    def ratio(self, x: int, z: int) -> NoReturn:
        """Not known."""
        _refuse()

    def overlaps(self, x: int, z: int) -> NoReturn:
        """Not known."""
        _refuse()


class ManyAnswers(AnswerRatios):
    """Answers that are too many to be compared one with another; how far all of them differ is known."""

    def __init__(self, ratio: Ratio, prior: Prior | None) -> None:
        super().__init__((), (), (), prior)
        vars(self)["ratio"] = ratio

    def worst(self, meant: Pairs | None = None) -> Ratio | None:
        """The largest ratio of any two; of some pairs alone it is not known."""
        if meant is not None:
            _refuse()
        found: Ratio = vars(self)["ratio"]
        return found

    def pairs(self, meant: Pairs | None = None) -> list[tuple[int, int]]:
        """Too many."""
        _refuse()

    @property
    def hidden(self) -> NoReturn:
        """Not known."""
        _refuse()

    @property
    def groups(self) -> NoReturn:
        """Not known."""
        _refuse()

    def never_certain(self) -> bool:
        """Not known."""
        _refuse()

    def against_prior(self, two_sided: bool) -> Ratio:
        """Not known."""
        _refuse()


def _refuse() -> NoReturn:
    raise CapacityError("answers must be fewer to be compared with each other")
