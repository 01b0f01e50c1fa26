"""A survey by prefixes: how a device draws its group, and what it reports there.

Every device draws a group. Group l = 1 to L reports the first l * step characters of its text through HashedResponse,
texts that end earlier with their end marked; the last group reports the whole text. A device knows the survey from its
spec, and the groups' reports travel as files, each with the spec of its group.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from deniable.arrays import Column
from deniable.checks import check_epsilon, check_int
from deniable.errors import CapacityError, DenialError, FormatError, LabelError
from deniable.mechanisms.drawing import draw_column
from deniable.mechanisms.hashed.cohort_hashes import check_key
from deniable.mechanisms.hashed.hashed_response import HashedResponse
from deniable.privacy.entropy import Entropy, checked_entropy, draw_uniform, entropy_of
from deniable.reports.spec import VERSION, Spec, equivalent, read_spec
from deniable.reports.tally import Tally
from deniable.theory.risk.hashed import best_symbols
from deniable.values.columns import Labels
from deniable.values.texts import is_unicode, text_column

END = "\uffff"
"""Marks the end of a text that is shorter than its prefix; no text may hold it."""
COHORTS = 512
LONGEST = 1024
"""The most characters of a text that can be found, since there is one group per step."""
FIELDS = ("epsilon", "longest", "step", "cohorts", "key", "symbols")
MOST_CELLS = 1 << 28
"""The most counts of all groups together: two gibibytes."""
MOST_CANDIDATES = 1 << 17
"""The most prefixes that are tested on one group."""


@dataclass(frozen=True)
class PrefixSurvey:
    """The groups of a survey that discovers texts of up to ``longest`` characters.

    ``symbols`` are chosen for ``epsilon`` unless given.

    >>> survey = PrefixSurvey(epsilon=3.0, longest=8)
    >>> len(survey.groups), survey.symbols
    (5, 16)
    >>> PrefixSurvey.from_spec(survey.spec()) == survey
    True
    """

    epsilon: float
    longest: int
    step: int = 2
    cohorts: int = COHORTS
    key: str = ""
    symbols: int | None = None

    def __post_init__(self) -> None:
        check_key(self.key)
        level = check_epsilon(self.epsilon)
        symbols = best_symbols(level, MOST_CANDIDATES) if self.symbols is None else self.symbols
        group = HashedResponse(level, symbols, self.cohorts)  # refuses impossible groups
        longest, step = (check_int(name, getattr(self, name), 1, LONGEST) for name in ("longest", "step"))
        if (-(-longest // step) + 1) * group.layout.cells > MOST_CELLS:
            raise CapacityError(f"groups times cohorts times symbols must be at most {MOST_CELLS}, got more")
        plain = (group.epsilon, longest, step, group.cohorts, self.key, group.symbols)
        for name, value in zip(FIELDS, plain, strict=True):  # as a spec can hold them
            object.__setattr__(self, name, value)

    @property
    def levels(self) -> int:
        """How many groups report prefixes."""
        return -(-self.longest // self.step)

    @cached_property
    def groups(self) -> tuple[HashedResponse, ...]:
        """One mechanism per group, each with its own hashes; the last one is for whole texts."""
        symbols = check_int("symbols", self.symbols, 2)
        names = [*map(str, range(1, self.levels + 1)), "whole"]
        return tuple(HashedResponse(self.epsilon, symbols, self.cohorts, key=f"{self.key}/{name}") for name in names)

    def spec(self) -> Spec:
        """The survey's description as a dictionary, with everything that devices and collectors need."""
        fields = {name: getattr(self, name) for name in FIELDS}
        return {"version": VERSION, "survey": type(self).__name__, **fields}

    @classmethod
    def from_spec(cls, spec: Any) -> PrefixSurvey:
        """The survey that a spec describes."""
        given = read_spec(spec, "a survey's spec")
        if given.get("version") != VERSION or given.get("survey") != cls.__name__:
            raise FormatError(f"a survey's spec must be of a {cls.__name__}, version {VERSION}, got another one")
        try:
            made = cls(**{name: value for name, value in given.items() if name not in ("version", "survey")})
            same = equivalent(made.spec(), given)
        except DenialError as error:
            raise FormatError(f"a survey's spec must describe one, got one that does not: {error}") from error
        except (TypeError, ValueError):
            raise FormatError(f"a survey's spec must have the fields of a {cls.__name__}, got others") from None
        if not same:
            raise FormatError("a survey's spec must have all of its fields, got one that lacks some")
        return made

    def said(self, text: str, group: int) -> str:
        """The prefix of a text that is reported in a group, with the end of short texts marked."""
        length = (group + 1) * self.step
        return text if group == self.levels else text[:length].ljust(length, END)

    def privatize(self, text: str, entropy: Entropy | None = None) -> tuple[int, int]:
        """One person's group and report. Anything but text is refused, whatever the group."""
        source = checked_entropy(entropy)
        if not _sayable(text):
            raise LabelError("the value must be text in Unicode without U+FFFF, got one that is not")
        group = int(draw_uniform(1, len(self.groups), source)[0])
        return group, int(self.groups[group].privatize(self.said(text, group), source))

    def privatize_many(self, texts: Labels, seed: int | None = None) -> list[Tally]:
        """One tally per group from a column of texts. A seed is for simulation only."""
        drawn = self.draw_groups(texts, entropy_of(seed))
        return [mechanism.tally(reports) for mechanism, reports in zip(self.groups, drawn, strict=True)]

    def draw_groups(self, texts: Labels, entropy: Entropy) -> list[Column]:
        """A column of texts as the reports of each group."""
        values = text_column(texts)
        wrong = [place for place, value in enumerate(values) if not _sayable(value)]
        if wrong:
            raise LabelError(
                f"every value must be text in Unicode without U+FFFF, got {len(wrong)} of {len(values)} that are not "
                f"(the first at position {wrong[0]})"
            )
        chosen, drawn = draw_uniform(len(values), len(self.groups), entropy), []
        for number, mechanism in enumerate(self.groups):
            said = [self.said(values[place], number) for place in np.flatnonzero(chosen == number).tolist()]
            if said:
                drawn.append(draw_column(mechanism, mechanism.domain.indices(said), entropy.part(number)))
            else:
                drawn.append(mechanism.layout.empty(0))
        return drawn


def _sayable(text: object) -> bool:
    return isinstance(text, str) and END not in text and is_unicode(text)
