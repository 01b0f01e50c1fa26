"""A result of shares of answers: its rows, notes and doubts; two compared, and many over time."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from deniable.estimation.error_sources import ErrorSources
from deniable.estimation.estimate import ALONE, Estimate
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.people_needed import people_to_say
from deniable.estimation.saying import LEVEL, says_nothing, share_sentence, takes
from deniable.estimation.scales.scale_estimate import mean_beside
from deniable.estimation.table import printable
from deniable.estimation.words import points, share_in_words
from deniable.pages.results.comparison import Comparison, shares_compared, sure_difference_of_shares
from deniable.pages.results.result_kind import Measurement, ResultKind, Section
from deniable.pages.results.rows import HUNDRED, LEVELS, Axis, Chart, Span, axis_of, chart, share_line, spans
from deniable.pages.results.selection import AT_ONCE, Paging, Selection, is_cut, is_sorted, places, unshown
from deniable.protocol.say import Phrase, Statement

MOST_CHOICES: Final = 200
"""Of more labels no lists to choose from are made: they would outweigh the page."""
IN_HUNDRED: Final = Statement("people_in_100")


class ShareResult(ResultKind[Estimate]):
    """Labels with their shares."""

    def finding(self, estimate: Estimate, is_open: bool) -> Statement:
        """What is said of the shares alone: the mean of a scale is said beside it."""
        return share_sentence(estimate, is_open)

    def more(self, estimate: Estimate) -> Phrase:
        """What is said beside it; mostly nothing."""
        return ""

    def section(self, estimate: Estimate, wanted: Selection, typed: tuple[str, str] | None, axis: Axis) -> Section:
        """The labels that a reader asked for."""
        needed = people_to_say(estimate, estimate.size) if says_nothing(estimate) else None
        few = len(estimate.labels) <= MOST_CHOICES
        return Section(
            selected_chart(estimate, wanted, axis),
            "" if needed is None else takes(needed, estimate.size),
            noise_of(estimate, places(estimate, wanted), is_sorted(estimate, wanted)),
            notes_of(estimate),
            [printable(label) for label in estimate.labels] if few else (),
            self.more(estimate),
        )

    def rehearsal(self, estimate: Estimate, most: int) -> Section:
        """The first labels."""
        shown = range(min(len(estimate.labels), most))
        return Section(chart(estimate, shown), noise=noise_of(estimate, shown))

    def headline(self, estimate: Estimate) -> tuple[tuple[Span, ...], float | None]:
        """Bands and dot of the first of two, or of the largest of many: chosen by value, so its band allows for all."""
        shares = np.where(np.isfinite(estimate.unbiased), estimate.unbiased, -np.inf)
        is_one = len(shares) == 2 and estimate.adds_up and estimate.unlisted is None
        place = 0 if is_one or not len(shares) else int(np.argmax(shares))
        bounds = [estimate.unclipped(level, not is_one)[place] for level in (LEVELS if is_one else LEVELS[:1])]
        if not np.isfinite([*bounds, (shares[place], 0.0)]).all():
            return (), None
        return spans(HUNDRED, bounds), HUNDRED.place(float(shares[place]))

    def half_width(self, estimate: Estimate) -> Phrase:
        """In points."""
        low, high = estimate.unclipped(LEVEL, simultaneous=False).T
        widest = np.nanmax(np.fmax(high - estimate.unbiased, estimate.unbiased - low), initial=0.0)
        return Statement("points", points=points(float(widest)))

    def comparison(
        self, first: Estimate, second: Estimate, titles: tuple[str, str], are_weeks: bool = False
    ) -> Comparison:
        return shares_compared(first, second, titles, are_weeks)

    def sure_difference(
        self, first: Estimate, second: Estimate, titles: tuple[str, str], chance: float
    ) -> Statement | None:
        return sure_difference_of_shares(first, second, titles, chance)

    def change(self, first: Estimate, second: Estimate) -> dict[str, Any]:
        return first.difference(second).to_dict()

    def followed(self, estimate: Estimate) -> Sequence[Hashable]:
        """The answers."""
        return estimate.labels

    def name(self, label: Hashable) -> Phrase:
        return printable(label)

    def measurements(self, estimate: Estimate, labels: Sequence[Hashable]) -> Mapping[Hashable, Measurement]:
        """Each label's share with its own interval, which is drawn where it is and said from 0 to 1."""
        place_of = {label: place for place, label in enumerate(estimate.labels)}
        bounds = estimate.unclipped(LEVEL, simultaneous=False)
        measured = {}
        for label in labels:
            if (place := place_of.get(label)) is not None:
                share, (low, high) = float(estimate.unbiased[place]), bounds[place].tolist()
                words = share_in_words(*np.clip(bounds[place], 0, 1).tolist())
                measured[label] = Measurement(share, low, high, words, points(share))
        return measured

    def axis(self, estimate: Estimate, bounds: Sequence[tuple[float, float]]) -> Axis:
        return axis_of(np.array(bounds, np.float64).reshape(-1, 2))

    def unit(self, estimate: Estimate) -> Phrase:
        """People of a hundred."""
        return IN_HUNDRED

    def give_or_take(self, estimate: Estimate, half: float) -> Phrase:
        """In points."""
        return Statement("in", share=math.ceil(100 * half), base=100)


class ScaleResult(ShareResult):
    """The shares of the answers on a scale, and the mean of their places."""

    def more(self, estimate: Any) -> Phrase:
        """Between which places the mean lies, where that can be said."""
        return mean_beside(estimate) or ""

    def mean(self, estimate: Any) -> Quantity:
        mean: Quantity = estimate.mean
        return mean


def noise_of(estimate: Estimate, among: Sequence[int], simultaneous: bool = False) -> ErrorSources | None:
    """Where the uncertainty of the largest share comes from, among those that are shown."""
    if not among:
        return None
    largest = max(among, key=lambda place: float(estimate.frequencies[place]))
    return estimate.error_sources(estimate.labels[largest], simultaneous)


def selected_chart(estimate: Estimate, wanted: Selection, axis: Axis = HUNDRED) -> Chart:
    """The labels that a reader asked for, or a page of them; beside a line that a reader drew, each with a verdict."""
    selected = places(estimate, wanted)
    paging = Paging.of(wanted.page, len(selected)) if wanted.page and wanted.all and len(selected) > AT_ONCE else None
    shown = selected if paging is None else paging.part(selected)
    picture, line = (
        chart(estimate, shown, is_sorted(estimate, wanted), selected, axis),
        share_line(estimate, wanted.above),
    )
    if line is not None and line.is_drawn:
        verdicts = [line.verdict(estimate.labels[place]) for place in shown]
        rows = tuple(replace(row, verdict=verdict) for row, verdict in zip(picture.rows, verdicts, strict=True))
        picture = replace(picture, rows=rows, axis=replace(axis, mark=axis.place(line.share)))
    rest = rest_of(estimate, shown) if is_cut(estimate, wanted) else ""
    return replace(picture, rest=rest, unshown=unshown(estimate, wanted), paging=paging, line=line)


def rest_of(estimate: Estimate, shown: Sequence[int]) -> Phrase:
    """What holds of each label that is left out, of all of them at once."""
    most = np.delete(estimate.interval(LEVEL, simultaneous=True)[:, 1], list(shown))
    if not len(most):
        return ""
    return Statement("the_other_each", count=len(most), share=share_in_words(0.0, float(most.max())))


def notes_of(estimate: Estimate) -> list[Phrase]:
    """What the estimate remarks and its page does not say elsewhere; and the share of words that are not listed."""
    remarks = estimate.remarks[estimate.census is not None :]  # the first of a census stands where people are counted
    notes: list[Phrase] = [Statement("note", note=remark) for remark in remarks if remark != ALONE]
    if estimate.unlisted is not None:
        share = share_in_words(*Quantity.normal(*estimate.unlisted, 0, 1).interval(LEVEL))
        notes.append(Statement("other_words", share=share))
    return notes
