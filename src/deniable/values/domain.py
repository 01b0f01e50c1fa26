"""Closed domains: a fixed list of labels, and their indices."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.arrays import Flags, Indices
from deniable.protocol.errors import DomainError, LabelError
from deniable.protocol.values import Domain as Labels
from deniable.values.columns import (
    MISSING,
    Kind,
    bare_column,
    distinct_values,
    is_arrow_column,
    is_column,
    is_frame,
    mark_missing,
    no_column,
    python_values,
    strangers,
    unquoted,
    values_at,
)
from deniable.values.columns import Labels as Column

LARGEST = 1 << 62
"""Beyond this, sums of labels would not fit 64 bits."""
LOOKED_AT = 1 << 16
"""An error looks at so many values that are no labels."""
GAPS = 4
"""Integer labels are looked up in a table if it has at most so many entries per label."""

DomainLike: TypeAlias = "int | Iterable[Hashable] | Labels"
"""A domain as users write it: a number of labels, or the labels themselves."""


class Domain(Labels):
    """A closed set of labels in a fixed order, and the indices of whole columns of them.

    >>> import deniable as dn
    >>> dn.Domain.of(["yes", "no"]).indices(["no", "yes", "no"]).tolist()
    [1, 0, 1]
    """

    @cached_property
    def kind(self) -> Kind:
        """How a file's column of labels is read."""
        types = self._types
        if all(issubclass(own, int) for own in types):
            return "integers"
        return "text" if all(issubclass(own, str) for own in types) else "other"

    @cached_property
    def _is_text(self) -> bool:
        """Whether all labels are texts, or tuples of them."""
        return self._types <= {str, tuple} and all(map(_holds_no_number, self))

    @cached_property
    def _types(self) -> set[type]:
        return {int} if self.run is not None else set(map(type, self))

    @classmethod
    def _listed(cls, labels: Any) -> Self:
        unreadable = DomainError("labels must be values that Python can hold, got some that it cannot")
        return super()._listed(unquoted(lambda: bare_column(labels), unreadable))

    @property
    def empty_is_blank(self) -> bool:
        """Whether an empty field of a file means no answer: yes, unless the empty text is a label."""
        return "" not in self

    @property
    def labels(self) -> Domain:
        """The labels themselves: everybody holds one."""
        return self

    @property
    def holding(self) -> Flags:
        """A table of booleans, of which only the diagonal is true."""
        return np.eye(self.size, dtype=np.bool_)

    def every(self) -> Domain:
        """The labels themselves."""
        return self

    def one(self, value: Any) -> Indices:
        """The index of one label, as a column of one."""
        return np.array([self.index(value)], np.int64)

    def indices(self, labels: Column) -> Indices:
        """The indices of a column of labels; the whole column is refused if it has an unknown value, NaN or None."""
        indices = self.column(labels)
        self.check(indices, labels)
        return indices

    def column(self, labels: Column) -> Indices:
        """The indices of a column of labels, not yet checked: an out-of-range index for unknown values."""
        bare = bare_column(labels)
        if not is_column(bare) or is_frame(labels):
            raise LabelError(f"labels must be a column of values, got {no_column(labels)}")
        indices = self._look_up(bare)
        if len(indices) == 0:
            raise LabelError("labels must hold at least one value, got an empty column")
        return indices

    def check(self, found: Indices, labels: Any = None) -> None:
        """Raise a LabelError with the number of out-of-range indices in a column, if there are any.

        Of the ``labels`` that were looked up it says in what they differ, but never what they are.
        """
        if len(found) and found.view(np.uint64).max() >= self.size:  # as unsigned numbers, negative ones are very large
            wrong, missing = np.flatnonzero((found < 0) | (found >= self.size)), np.count_nonzero(found == MISSING)
            got = strangers(wrong, len(found), int(missing))
            if labels is not None:
                got += self._unlike_in(labels, wrong[found[wrong] != MISSING])
            raise LabelError(f"every value must be one of the domain's {self.size} labels, {got}", int(wrong[0]))

    def _unlike_in(self, labels: Any, wrong: Indices) -> str:
        """In what the values of a column differ from labels; of very many the first ones are looked at."""
        difference = self.near_miss_note(values_at(labels, wrong[:LOOKED_AT]))
        return f"; of the first {LOOKED_AT:,}{difference}" if difference and len(wrong) > LOOKED_AT else difference

    def _look_up(self, labels: Any) -> Indices:
        """The indices of a column, in the way that suits its kind; negative or too large for what is no label."""
        if is_arrow_column(labels):
            chunks = [self._repeated(values, places) for values, places in distinct_values(labels)]
            return np.concatenate([np.empty(0, np.int64), *chunks])
        if isinstance(labels, np.ndarray):
            return self._of_array(labels)
        values = python_values(labels)
        if (run := self._as_run) is not None and set(map(type, values)) == {int}:
            return places_within(values, run)
        return self._one_by_one(values)

    def _repeated(self, distinct: list[Any], places: Indices) -> Indices:
        """The indices of a column, looking up each distinct value once; nulls have a place past the last value."""
        return np.append(self._one_by_one(distinct), MISSING)[places]

    @cached_property
    def _as_run(self) -> range | None:
        """The labels as a run, however they were given; None if they are none."""
        return self.run if self.names is None else run_of(self.names)

    def _of_array(self, column: npt.NDArray[Any]) -> Indices:
        """The indices of a NumPy array: without a loop in Python where its values are numbers."""
        if (run := self._as_run) is not None and column.dtype.kind == "i":
            return places_of(column.astype(np.int64, copy=False), run)
        if run is not None and column.dtype.kind == "u":
            # an unsigned value beyond int64 must not wrap round into the domain
            return places_of(np.minimum(column.astype(np.uint64), np.uint64(max(run.stop, 0))).astype(np.int64), run)
        if column.dtype.kind in "iu" and (table := self._table):
            least, places = table
            inside = (column >= least) & (column < least + len(places) - 1)
            return places[np.where(inside, column.astype(np.int64) - least, -1)]
        if column.dtype.kind in "iufb":
            distinct, places = np.unique(column, return_inverse=True)
            return self._repeated(distinct.tolist(), places)
        return self._one_by_one(list(column) if column.dtype.kind in "Mm" else python_values(column))

    @cached_property
    def _table(self) -> tuple[int, Indices] | None:
        """The least integer label and a table of indices from it on, -1 for gaps and at the end; None if too large.

        It is made when a first column is looked up: a device, which looks up one value, does not need it.
        """
        whole = {name: i for i, name in enumerate(self) if type(name) is int}
        least, most = min(whole, default=0), max(whole, default=0)
        if not whole or most - least > GAPS * len(self) or max(-least, most) >= 1 << 62:
            return None
        places = np.full(most - least + 2, -1, np.int64)
        places[[name - least for name in whole]] = list(whole.values())
        return least, places

    def _one_by_one(self, values: list[Any]) -> Indices:
        return mark_missing(self._index_or_minus_one(values), values)

    def _index_or_minus_one(self, values: list[Any]) -> Indices:
        if self._is_text:  # no number equals a text, so one look-up is enough
            try:
                get = self._index.get
                return np.fromiter((get(value, -1) for value in values), np.int64, len(values))
            except Exception:  # not hashable
                pass
        indices = (self.find(value) for value in values)
        return np.fromiter((-1 if i is None else i for i in indices), np.int64, len(values))


def run_of(names: Sequence[Hashable]) -> range | None:
    """The run that labels are, one after the other; None where they are anything else.

    The index in a run is the distance from its first label, so that no table is needed.

    >>> run_of([7, 8, 9]), run_of([7, 9]), run_of([False, True])
    (range(7, 10), None, None)
    """
    if isinstance(names, range):
        return names if names.step == 1 else None
    first = names[0]
    if type(first) is not int or abs(first) >= LARGEST or any(type(name) is not int for name in names):
        return None
    run = range(first, first + len(names))
    return run if all(name == place for name, place in zip(names, run, strict=True)) else None


def places_within(values: list[int], run: range) -> Indices:
    """Integers as indices of a run; one that 64 bits do not hold is beyond all labels."""
    try:
        return places_of(np.array(values, np.int64), run)
    except OverflowError:
        return np.array([min(max(value, run.start - 1), run.stop) - run.start for value in values], np.int64)


def places_of(values: Indices, run: range) -> Indices:
    """Numbers as indices of a run, beyond it where they are none; a difference must not wrap round into the run."""
    if not run.start:
        return values
    return np.clip(values, run.start - 1, run.stop) - run.start


def _holds_no_number(label: Any) -> bool:
    """Whether a label is text, or texts together, which only its like is equal to."""
    return isinstance(label, str) or (isinstance(label, tuple) and all(map(_holds_no_number, label)))
