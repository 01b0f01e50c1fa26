"""A report on a fit: one file with the forest plot, what it says term by term, and what the protection costs."""

from __future__ import annotations

import datetime
import math
from typing import Final, NamedTuple

import numpy as np
from markupsafe import Markup

from deniable.estimation.models.effects import QuantityTable
from deniable.estimation.models.fit import LEVEL, Fit
from deniable.estimation.models.fit_picture import TICKS
from deniable.estimation.models.fit_words import ODDS, fit_headline, span_in_words
from deniable.estimation.models.likelihood_fit import LikelihoodFit
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.words import points
from deniable.pages.export_report import report_style
from deniable.pages.frame import OWN
from deniable.pages.moments import day
from deniable.pages.results.cautions import Caution
from deniable.pages.results.rows import Axis, Span
from deniable.pages.site import templates
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Phrase, Statement

CAUTIONS: Final = (
    Caution(Statement("it_is_no_reason"), Statement("they_go_together")),
    Caution(Statement("columns_are_not_protected"), Statement("they_stand_open")),
    Caution(Statement("a_lie_stays_a_lie"), Statement("chance_does_not_cure_it")),
)


class TermRow(NamedTuple):
    """One coefficient, which compares people as ``where`` says: dot and interval in per cent of the picture's width.

    ``words`` say the interval as odds or as it is, ``people`` as more or fewer of 100; empty where that is not told.
    """

    label: Phrase
    where: Phrase
    bands: tuple[Span, ...]
    dot: float | None
    words: Phrase
    people: Phrase = ""


def fit_report(fit: Fit, title: str = "", command: str = "", code: str = OWN) -> str:
    """The report, in a language of authors; ``command`` is what makes it again."""
    comparing = [place for place, term in enumerate(fit.setting.terms) if term.where is not None]
    statements = fit.statements
    axis, rows = _forest_plot(fit, comparing)
    effects = _effects(fit)
    columns = [fit.setting.terms[place].column for place in comparing]
    if effects and "label" not in effects.keys and effects.keys.get("term") == columns:  # one effect for each row
        rows = [row._replace(people=_more_people(each)) for row, each in zip(rows, effects.quantities, strict=True)]
    table = effects.table(LEVEL) if effects and not (rows and rows[0].people) else None
    return templates(code).get_template("result/fit_report.html").render(
        title=title or fit.setting.title, headline=fit_headline(fit.setting, fit.interval(LEVEL)),
        everybody=None if effects is None else _everybody(fit), told=statements[: len(comparing)], axis=axis, rows=rows,
        worth=statements[len(comparing) : -2],
        unit=Statement("odds_times_as_high" if fit.setting.model in ODDS else "coefficient_axis"),
        people=table, model=fit.table(LEVEL), notes=fit.notes, cautions=CAUTIONS, command=command,
        style=Markup(report_style()), today=Statement("day", day=day(datetime.datetime.now(datetime.UTC))), query=None,
    )  # fmt: skip


def _forest_plot(fit: Fit, places: list[int]) -> tuple[Axis, list[TermRow]]:
    """The terms at these places, ratios of odds on a scale of logarithms, with a line at no difference."""
    bounds, values, has_odds = fit.interval(LEVEL)[places], fit.coefficients[places], fit.setting.model in ODDS
    known = np.append(np.concatenate([bounds.ravel(), values])[np.isfinite([*bounds.ravel(), *values])], 0.0)
    margin = max(float(np.ptp(known)), 0.1) / 10
    low, high = float(known.min()) - margin, float(known.max()) + margin
    ends = np.log(TICKS) if has_odds else np.unique(np.round(np.linspace(low, high, 5), 2))
    inside = [(f"{(math.exp(end) if has_odds else end):.3g}", end) for end in ends.tolist() if low < end < high]
    scale = Axis(low, high, (), 0.0)
    axis = Axis(low, high, tuple((name, scale.place(end)) for name, end in inside), scale.place(0.0), scale.place(0.0))
    rows = []
    for place, (first, last), value in zip(places, bounds.tolist(), values.tolist(), strict=True):
        term, (start, end) = fit.setting.terms[place], (axis.place(first), axis.place(last))
        assert term.where is not None
        dot = axis.place(value) if math.isfinite(value) else None
        band = Span(start, round(end - start, 3))
        rows.append(TermRow(term.spoken, term.where, (band,), dot, span_in_words(fit.setting, first, last)))
    return axis, rows


def _effects(fit: Fit) -> QuantityTable | None:
    """How many more of 100 people that is; None of fits that do not tell of shares."""
    try:
        return fit.marginal_effects() if isinstance(fit, LikelihoodFit) else None
    except ParameterError:  # with a private item among the columns
        return None


def _more_people(effect: Quantity) -> Statement:
    """How many more or fewer of 100 people, in words."""
    low, high = effect.interval(LEVEL)
    if low <= 0 <= high:
        return Statement("fit_people_open", fewer=points(-low), more=points(high))
    first, last = (low, high) if low > 0 else (-high, -low)
    span = Statement("to_first_last", first=points(first), last=points(last))
    return Statement("fit_people_more" if low > 0 else "fit_people_fewer", span=span)


def _everybody(fit: Fit) -> Statement | None:
    """How many people there are, and the share of all with the event, where one is told."""
    if not isinstance(fit, LikelihoodFit) or not isinstance(fit.prevalence, Quantity):
        return None
    low, high = (points(end) for end in fit.prevalence.interval(LEVEL))
    event = Statement("quoted", words=str(fit.setting.event))
    span = Statement("to_first_last", first=low, last=high)
    return Statement("fit_everybody", people=fit.n, span=span, of=event)
