"""What was regressed on what, and what a fit says of it: a sentence for each coefficient, what protection costs."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.estimation.models.design import CONSTANT, Columns, FormulaColumns
from deniable.estimation.survey_design import SurveyDesign
from deniable.estimation.table import printable
from deniable.estimation.words import fixed, listed, magnitude, outward_by, precise
from deniable.protocol.say import Figure, Phrase, Statement

LOGIT, PROBIT, IDENTITY, MULTINOMIAL, ORDINAL, MEAN, FRACTIONAL, NORMAL = MODELS = (
    "logit", "probit", "identity", "multinomial", "ordinal", "mean", "fractional", "normal",
)  # fmt: skip
ODDS: Final = (LOGIT, MULTINOMIAL, ORDINAL)
"""Models whose coefficients are logs of ratios of odds."""
SLOPES: Final = (IDENTITY, MEAN, NORMAL)
"""Models whose coefficients are differences of shares or means."""


LEVEL = re.compile(r"(?:C\()?(\w+)\)?\[(?:T\.)?([^\]]*)\]")
"""How formulaic names a level of a column."""


class Term(NamedTuple):
    """One coefficient: what it is called, and of whom it says something."""

    name: str
    where: Phrase | None = None
    """Who is compared with whom; None of what says nothing by itself, such as the constant."""
    of: Phrase = ""
    """Of whose chance it says something."""

    @property
    def column(self) -> str:
        """The column whose value differs: of a level its own."""
        level = LEVEL.fullmatch(self.name)
        return level[1] if level else self.name

    @property
    def spoken(self) -> Phrase:
        """What it is called in sentences: a level by its column and itself, not as formulas write it."""
        level = LEVEL.fullmatch(self.name)
        return Statement("fit_term_level", term=level[1], level=level[2]) if level else self.name


@dataclass(frozen=True, eq=False)
class Setting:
    """What was regressed on what, by which model, of which people.

    Of two ``labels`` the event is the second; of many the first is what others are compared with.
    """

    model: str
    outcome: str
    labels: tuple[Hashable, ...]
    columns: Columns
    table: Any
    """The columns of people that the right side uses, a row for each merged one."""
    used: Sequence[str]
    terms: tuple[Term, ...]
    people: int
    design: SurveyDesign | None
    notes: tuple[Statement, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of coefficients, in the order in which they are shown."""
        return tuple(term.name for term in self.terms)

    @property
    def event(self) -> Hashable:
        """The label whose chance is modelled, of two."""
        return self.labels[-1]

    @property
    def title(self) -> str:
        """What was fitted, on one line."""
        of = self.outcome if len(self.labels) != 2 else f"{self.outcome} = {printable(self.event)}"
        first = f", compared with {printable(self.labels[0])}" if self.model == MULTINOMIAL else ""
        return f"{self.model} of {of}{first}: protected answers of {self.people:,} people"


FUNCTIONS = {"C", "I", "log", "center", "poly"}


def column_terms(names: Sequence[str], columns: Columns, x: Matrix, of: Phrase) -> list[Term]:
    """A term for each column of x; of several that change together none compares people. ``of`` as in ``Term``."""
    bases = {name: re.sub(r"\[[^\]]*\]", "", name) for name in names}
    of_column = {base: set(re.findall(r"[^\W\d]\w*", base)) - FUNCTIONS for base in bases.values()}
    shared = {
        base for base, inside in of_column.items() for other in of_column if other != base and inside & of_column[other]
    }
    return [
        Term(name, None if bases[name] in shared else _where(name, columns, x[:, place]), of)
        for place, name in enumerate(names)
    ]


def label_terms(names: Sequence[str], columns: Columns, x: Matrix, labels: Sequence[Hashable]) -> list[Term]:
    """A term for each column and each label but the first, with which it is compared."""
    terms = []
    for label in labels[1:]:
        of = Statement("fit_label_against", label=str(label), first=str(labels[0]))
        terms += [each._replace(name=f"{label}: {each.name}") for each in column_terms(names, columns, x, of)]
    return terms


def _where(name: str, columns: Columns, column: Matrix) -> Phrase | None:
    """Who is compared with whom; None of the constant, and of columns of several that only count together."""
    if name == CONSTANT or ":" in name or "poly(" in name:
        return None
    level = LEVEL.fullmatch(name)
    if level and isinstance(columns, FormulaColumns):
        if "[T." not in name:
            return None
        levels = {str(each) for each in columns.levels.get(level[1], ())}
        matches = [match for each in columns.names if (match := LEVEL.fullmatch(each))]
        first = min(levels - {match[2] for match in matches if match[1] == level[1]}, default="")
        return Statement("fit_where_level", term=level[1], level=level[2], first=first)
    if ((column == 0) | (column == 1)).all():
        return Statement("fit_where_one", term=name)
    return Statement("fit_where_more", term=name)


METHODS = {
    "score": Statement("fit_by_score"), "profile": Statement("fit_by_profile"), "wald": Statement("fit_by_wald"),
    "wald, HC3": Statement("fit_by_hc3"), "wald, sandwich": Statement("fit_by_sandwich"),
}  # fmt: skip
LARGEST, FINEST = 1000.0, 4
"""Ratios beyond are said as more than this; the most decimals of one."""


def fit_headline(setting: Setting, bounds: Matrix) -> Statement:
    """What surely goes with the outcome, by name."""
    ends = zip(setting.terms, bounds.tolist(), strict=True)
    sure = [term.spoken for term, (low, high) in ends if term.where and not low <= 0 <= high]
    of = Statement("quoted", words=str(setting.event) if len(setting.labels) == 2 else setting.outcome)
    return Statement("fit_goes_with", of=of, terms=listed(sure)) if sure else Statement("fit_goes_with_none", of=of)


def fit_statements(setting: Setting, bounds: Matrix, effects: Vector) -> list[Statement]:
    """A sentence for each coefficient that says something, then what all of them cost, then two cautions."""
    terms = zip(setting.terms, bounds.tolist(), strict=True)
    sentences = [_sentence(setting, term, *ends) for term, ends in terms if term.where]
    return [*sentences, *_worth(setting, effects), Statement("fit_no_reason"), Statement("fit_lies")]


def _sentence(setting: Setting, term: Term, low: float, high: float) -> Statement:
    """What one interval says of people who differ in nothing else."""
    assert term.where is not None
    compared = {"where": term.where, "of": term.of}
    if math.isinf(low) and math.isinf(high):
        return Statement("fit_says_nothing", term=term.spoken)
    if setting.model in ODDS:
        return _odds(compared, math.exp(low), math.exp(min(high, 700)))
    if setting.model in SLOPES:
        share = setting.model == "identity" and len(setting.labels) > 0
        scale = 100 if share else 1
        return _difference("points" if share else "mean", compared, scale * low, scale * high)
    key = "fit_more_frequent" if low > 0 else "fit_less_frequent" if high < 0 else "fit_frequency_open"
    return Statement(key, **compared)


def _odds(compared: dict[str, Phrase], low: float, high: float) -> Statement:
    """How many times as high odds are, by bounds on their ratio; ``compared`` tells whose and of what."""
    if high > LARGEST and low > 1:
        return Statement("fit_odds_at_least", least=_ratio(low, down=True), **compared)
    if low < 1 / LARGEST and high < 1:
        return Statement("fit_odds_at_most", most=_ratio(high, down=False), **compared)
    if low <= 1 <= high:
        if low < 1 / LARGEST and high > LARGEST:
            return Statement("fit_odds_unknown", **compared)
        return Statement("fit_odds_open", span=_span(low, high), **compared)
    return Statement("fit_odds", span=_span(low, high), **compared)


def span_in_words(setting: Setting, low: float, high: float) -> Statement:
    """An interval by itself: of ratios of odds, else of the coefficient."""
    if setting.model in ODDS:
        return Statement("fit_times", span=_span(math.exp(low), math.exp(min(high, 700))))
    return Statement("to_first_last", first=fixed(low, 3), last=fixed(high, 3))


def _span(low: float, high: float) -> Statement:
    most: Phrase = _ratio(high, down=False) if high <= LARGEST else Statement("fit_any_number")
    return Statement("to_first_last", first=_ratio(low, down=True), last=most)


def _ratio(ratio: float, down: bool) -> Figure:
    """A ratio of odds, rounded outward: to two digits, and to one of what it differs from 1 where that is finer.

    >>> _ratio(1.337, down=True), _ratio(4.21, down=False), _ratio(1.0123, down=False), _ratio(0.99312, down=True)
    ('1.3', '4.3', '1.02', '0.993')
    """
    if ratio < 1 / LARGEST:
        return Figure("0")
    digits = 1 - magnitude(ratio) if ratio == 1 else max(1 - magnitude(ratio), min(-magnitude(abs(ratio - 1)), FINEST))
    whole = ratio * 10.0**digits
    moved = math.floor(whole + 1e-9) if down else math.ceil(whole - 1e-9)
    return fixed(moved / 10.0**digits, max(digits, 0))


def _difference(kind: str, compared: dict[str, Phrase], low: float, high: float) -> Statement:
    """How much larger a share, in points, or a mean is."""
    error = (high - low) / 4
    if low <= 0 <= high:
        span = Statement("to_first_last", first=precise(low, error), last=precise(high, error))
        return Statement(f"fit_{kind}_open", span=span, **compared)
    least, most = (low, high) if low > 0 else (-high, -low)
    first, last = outward_by(least, most, error)
    span = Statement("to_first_last", first=precise(first, error), last=precise(last, error))
    return Statement(f"fit_{kind}_higher" if low > 0 else f"fit_{kind}_lower", span=span, **compared)


def _worth(setting: Setting, effects: Vector) -> Iterator[Statement]:
    """As how many open answers these count, term by term."""
    for term, effect in zip(setting.terms, effects.tolist(), strict=True):
        if term.where and np.isfinite(effect) and effect > 1:
            yield Statement("fit_worth", people=setting.people, term=term.spoken, open=int(setting.people / effect))


def fit_notes(setting: Setting, log: float | None, values: Vector, methods: Sequence[str]) -> list[Statement]:
    """The ``log`` likelihood, which coefficients have no finite estimate, and how intervals are found."""
    statements = [] if log is None else [Statement("fit_log_likelihood", log=precise(log, 0.1))]
    endless = [name for name, value in zip(setting.names, values.tolist(), strict=True) if math.isinf(value)]
    if endless:
        statements.append(Statement("fit_endless", terms=listed(endless)))
    for method in dict.fromkeys(methods):
        alike = [name for name, each in zip(setting.names, methods, strict=True) if each == method]
        statements.append(
            METHODS[method]
            if len(alike) == len(methods)
            else Statement("fit_of", terms=listed(alike), what=METHODS[method])
        )
    return statements
