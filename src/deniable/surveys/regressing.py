"""Regression of reports on open columns, whatever mechanism drew them (``dn.regress``)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from deniable.arrays import Flags, Indices, Vector
from deniable.checks import as_vector
from deniable.estimation.models.design import RegressionDesign, complete_rows, read_design, rows_of, size_of, with_rows
from deniable.estimation.models.fit import Fit
from deniable.estimation.models.fit_words import FRACTIONAL, IDENTITY, LOGIT, MEAN, MODELS, NORMAL, PROBIT
from deniable.estimation.models.fitting import People, fit_of, open_item
from deniable.estimation.models.report_rows import ItemReports, in_pairs, together
from deniable.estimation.survey_design import SurveyDesign, codes
from deniable.estimation.weighted import check_weights
from deniable.protocol.checks import check_choice, near, shown
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Statement
from deniable.surveys.reported_item import ReadReports, ReportedItem, event_of, item_of, labels_of
from deniable.values.columns import is_column, is_missing, python_values
from deniable.values.tables import columns_of

USUAL: tuple[Hashable, ...] = ("yes", True, "ja")
"""What is the event of two labels unless told; True is also 1."""
OF_EVENTS = (LOGIT, PROBIT, IDENTITY)
PairReports: TypeAlias = tuple[tuple[str, ...], ReadReports]
"""The names of two items, and reports of both together."""
REFUSE, DROP = "refuse", "drop"


def regress(
    formula: str | tuple[str, Sequence[str]],
    frame: Any,
    private: Mapping[str, Any],
    model: str = LOGIT,
    event: Hashable = None,
    weights: Any = None,
    strata: Any = None,
    clusters: Any = None,
    missing: str = REFUSE,
    counts: Any = None,
) -> Fit:
    """A regression on protected answers: how they depend on open columns, or open ones on them.

    ``private`` names items with the mechanism and its reports, row by row of the frame; several ways of asking in a
    list, with None where a row has no such report, and None for the mechanism of answers that were given openly. Other
    names in the formula are columns of the frame. A frame that is a matrix, or ("late", ["age"]) in the place of
    "late ~ age", needs no ``formulaic``.

    model: "logit", "probit" or "identity" of the ``event``; "multinomial" or "ordinal" of all labels; "mean" or
    "fractional" of labels that are numbers; "normal" or "identity" of an open number on a private item, "mean" on a
    private number. ``weights``, ``strata`` and ``clusters`` are columns, or their names. Rows with something missing
    are refused, or dropped. Rows that are equal may be one, with how many people they are in ``counts``: so
    ``dn.files.counted_rows`` reads files, and so any database or cluster groups a table.

    >>> import deniable as dn
    >>> coin, rng = dn.RandomizedResponse(["no", "yes"], 2.0), np.random.default_rng(1)
    >>> night = rng.integers(0, 2, 4000)
    >>> late = np.where(rng.random(4000) < 0.2 + 0.3 * night, "yes", "no").tolist()
    >>> reports = coin.privatize_many(late, seed=1)
    >>> fit = dn.regress(("late", ["night"]), {"night": night}, {"late": (coin, reports)})
    >>> fit.names, fit.coefficients.round(1).tolist()
    (('(constant)', 'night'), [-1.3, 1.3])
    """
    by_item: Any = private
    if not isinstance(by_item, Mapping) or not by_item:
        got = type(by_item).__name__ if by_item else "none"
        raise ParameterError(f'private must be a dict such as {{"late": (mechanism, reports)}}, got {got}')
    sources = {name: _sources(name, value) for name, value in private.items()}
    first_reports = next(iter(sources.values()))[0][1]
    frame = with_rows(frame, len(first_reports) if is_column(first_reports) else 0)
    items = {name: item_of(str(name), ways, size_of(frame)) for name, ways in sources.items()}
    return regressed(formula, frame, items, model, event, (weights, strata, clusters, counts), missing)


def _sources(name: str, value: Any) -> list[tuple[Any, Any]]:
    """The ways of asking about an item, each a mechanism with its reports, from its value in ``private``."""
    sources = [value] if isinstance(value, tuple) else value
    if not isinstance(sources, list) or not all(isinstance(each, tuple) and len(each) == 2 for each in sources):
        got = type(value).__name__
        raise ParameterError(f"private[{name!r}] must be (mechanism, reports), or a list of these, got {got}")
    return sources


def regressed(
    formula: Any,
    frame: Any,
    items: Mapping[str, ReportedItem],
    model: str,
    event: Hashable,
    sampling: Sequence[Any],
    missing: str,
    asked_together: Sequence[PairReports] = (),
    may_lack: bool = False,
) -> Fit:
    """The fit, from items that are read already; where reports ``may_lack``, rows without one are left out.

    ``sampling`` has the weights, strata, clusters and counts of the rows, or None in their place.
    """
    check_choice("model", model, MODELS)
    check_choice("missing", missing, (REFUSE, DROP))
    design = read_design(formula, frame, tuple(items))
    _check_sides(design, items, frame, model)
    columns = [
        None if each is None else _column(frame, each, what) for each, what in zip(sampling, SAMPLING, strict=True)
    ]
    outcome, covariate = _sides(design, items, frame, model, event)
    pairs = _pair_item(asked_together, design, outcome, covariate)
    if pairs is None:
        reported = np.logical_and.reduce([each.told for each in (outcome, covariate) if isinstance(each, ItemReports)])
    else:
        reported = pairs.told
    open_outcome = [] if design.outcome in items else [design.outcome]
    complete = complete_rows(frame, [*design.used, *open_outcome])
    for column in columns:
        if column is not None:
            complete &= np.array([not is_missing(value) for value in column])
    rows, notes = _usable_rows(complete, reported, missing, may_lack)
    counts = _counts(columns[3], rows)
    if counts is not None and any(column is not None for column in columns[:3]):  # these are of one person each
        rows, counts = np.repeat(rows, counts.astype(np.int64)), None
    weights, *groups = (None if column is None else [column[row] for row in rows.tolist()] for column in columns[:3])
    people = People(
        design, rows_of(frame, rows), outcome.only(rows) if isinstance(outcome, ItemReports) else outcome[rows],
        None if covariate is None else covariate.only(rows), None if pairs is None else pairs.only(rows),
        *_weights_and_design(weights, groups, len(rows)), notes, counts,
    )  # fmt: skip
    return fit_of(people, model)


SAMPLING = ("weights", "strata", "clusters", "counts")


def _check_sides(design: RegressionDesign, items: Mapping[str, ReportedItem], frame: Any, model: str) -> None:
    """Refuse names that are unknown or ambiguous, and models that do not fit what is private."""
    known = {} if isinstance(frame, np.ndarray) else columns_of(frame)
    if both := sorted(set(items) & set(known)):
        raise ParameterError(f"a name must be of a private item or of a column, got {both[0]!r} as both")
    if design.outcome not in items and design.outcome not in known:
        raise ParameterError(
            f"the outcome must be a private item or a column, got {shown(design.outcome)}"
            f"{near(design.outcome, [*items, *map(str, known)])}"
        )
    if len(design.private) > 1:
        raise ParameterError(
            f"a formula must have at most one private item on its right side, got {len(design.private)}"
        )
    if design.outcome in design.private:
        raise ParameterError("the outcome must not stand on both sides of a formula, got it on both")
    if design.outcome not in items and not design.private:
        raise ParameterError("a formula must name a private item, got open columns alone; any other library fits these")
    if design.private and model not in (*OF_EVENTS, NORMAL, MEAN):
        raise ParameterError(
            f'model must be "logit", "probit", "normal", "identity" or "mean" on a private item, got {model!r}'
        )
    if model == NORMAL and design.outcome in items:
        raise ParameterError('model must be one of labels, such as "logit", for a private outcome, got "normal"')


def _sides(
    design: RegressionDesign, items: Mapping[str, ReportedItem], frame: Any, model: str, event: Hashable
) -> tuple[ItemReports | Vector, ItemReports | None]:
    """The outcome, and the private item on the right side."""
    covariate = None
    if design.private:
        item = items[design.private[0]]
        usual = next((label for label in USUAL if label in item.labels), None)
        covariate = item.of_event(usual) if len(item.labels) == 2 and usual is not None else item.of_labels()
        if item.number is not None:
            raise ParameterError(
                f"a private number must be reported by its labels to be regressed on, got {item.name!r} by points, "
                "which tell its mean and not how it varies; ask for it as a Scale, or as the outcome"
            )
        if model == MEAN:
            _check_numbers(item.name, covariate)
    if design.outcome not in items:
        return _open_outcome(design.outcome, frame, model, event), covariate
    outcome = items[design.outcome]
    if model in OF_EVENTS:
        return outcome.of_event(event_of(outcome.labels, event, USUAL)), covariate
    if event is not None:
        raise ParameterError(f"event must be left out of model={model!r}, got event={shown(event)}")
    reports = outcome.of_labels()
    if model in (MEAN, FRACTIONAL):
        _check_numbers(outcome.name, reports)
    return reports, covariate


def _check_numbers(name: str, item: ItemReports) -> None:
    others = [label for label in item.labels if as_vector([label]) is None]
    if others:
        raise ParameterError(f"labels of {name!r} must be numbers for a mean, got {shown(others[0])}")


def _open_outcome(name: str, frame: Any, model: str, event: Hashable) -> ItemReports | Vector:
    """An open column: a yes or no as an item that everybody told as it is, or numbers."""
    values = python_values(columns_of(frame)[name])
    if model in (LOGIT, PROBIT):
        labels = list(dict.fromkeys(value for value in values if not is_missing(value)))
        if len(labels) != 2:
            raise ParameterError(f"the outcome {name!r} must have two values for model={model!r}, got {len(labels)}")
        last = event_of(labels, event, USUAL)
        return open_item(values, [label for label in labels if label != last] + [last])
    numbers = as_vector([float("nan") if is_missing(value) else value for value in values])
    if numbers is None:
        raise ParameterError(f"the outcome {name!r} must hold numbers for model={model!r}, got values that are none")
    return numbers


def _pair_item(
    asked_together: Sequence[PairReports], design: RegressionDesign, outcome: Any, covariate: ItemReports | None
) -> ItemReports | None:
    """Reports of both private items as of pairs of their labels, where some were asked together."""
    if covariate is None or not isinstance(outcome, ItemReports) or not asked_together:
        return None
    pairs = [(a, b) for a in covariate.labels for b in outcome.labels]
    items = [in_pairs(covariate, outcome.labels, True), in_pairs(outcome, covariate.labels, False)]
    for names, reports in asked_together:
        labels = labels_of(" and ".join(names), reports.mechanism) if reports.mechanism else ()
        ordered = [
            label if names[0] == design.private[0] else label[::-1] for label in labels if isinstance(label, tuple)
        ]
        items.append(reports.of_labels(ordered).in_order([ordered.index(pair) for pair in pairs]))
    return together(items)


def _usable_rows(
    complete: Flags, reported: Flags, missing: str, may_lack: bool
) -> tuple[Indices, tuple[Statement, ...]]:
    """The rows that can be used, with a note on those that cannot."""
    is_usable, needed = complete & reported, complete if may_lack else complete & reported
    if missing == REFUSE and not needed.all():
        raise ParameterError(
            "every row must have its report and its columns, "
            f'got {int((~needed).sum())} of {len(needed)} rows with something missing or infinite; see missing="drop"'
        )
    rows = np.flatnonzero(is_usable)
    if not len(rows):
        raise ParameterError("some row must have its report and all its columns, got none")
    lost = len(is_usable) - len(rows)
    return rows, (Statement("fit_rows_left_out", count=lost),) * bool(lost)


def _column(frame: Any, column: Any, what: str) -> list[Any]:
    """Weights, strata, clusters or counts: a column, or the name of one."""
    if isinstance(column, str):
        known = {} if isinstance(frame, np.ndarray) else columns_of(frame)
        if column not in known:
            raise ParameterError(f"{what} must be a column or the name of one, got {shown(column)}")
        column = known[column]
    if not is_column(column) or len(column) != size_of(frame):
        got = f"{len(column)} values" if is_column(column) else type(column).__name__
        raise ParameterError(f"{what} must be a column of {size_of(frame)} values, got {got}")
    return python_values(column)


def _weights_and_design(weights: Any, groups: Sequence[Any], rows: int) -> tuple[Vector | None, SurveyDesign | None]:
    """What each row counts, and how rows were drawn where that is said or they do not count alike."""
    checked = None if weights is None else check_weights(weights, rows)
    if groups == [None, None] and (checked is None or not np.ptp(checked)):
        return checked, None
    strata, clusters = (None if each is None else codes(each) for each in groups)
    return checked, SurveyDesign.of(strata, clusters, rows)


def _counts(column: list[Any] | None, rows: Indices) -> Vector | None:
    """How many people each of these ``rows`` is; None where each is one."""
    if column is None:
        return None
    counts = as_vector([column[row] for row in rows.tolist()])
    if counts is None or not np.isfinite(counts).all() or counts.min() < 1 or (counts % 1).any():
        raise ParameterError("counts must be whole numbers of people, 1 at least, got some that are not")
    return counts
