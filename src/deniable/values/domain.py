"""Closed domains: a fixed list of labels, and their indices."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from deniable.arrays import Flags, Indices
from deniable.checks import check_int, is_int
from deniable.protocol.errors import DomainError, FormatError, LabelError
from deniable.protocol.labels import check_label, kind_of, label_from_json, write_label
from deniable.values.columns import (
    MISSING,
    Kind,
    Labels,
    bare_column,
    distinct_values,
    is_arrow_column,
    is_column,
    is_frame,
    is_ordered,
    mark_missing,
    no_column,
    python_value,
    python_values,
    stranger,
    strangers,
    unquoted,
)
from deniable.values.runs import places_of, places_within, run_of

LARGEST = 1 << 24
"""The largest number of labels; with more, a table of them would fill a device's memory."""
FARTHEST = (1 << 53) - 1
"""The largest number at either end of a run; every language holds those up to it exactly."""
GAPS = 4
"""Integer labels are looked up in a table if it has at most so many entries per label."""

Written: TypeAlias = "int | dict[str, int] | list[Any]"
"""A domain as JSON holds it."""
DomainLike: TypeAlias = "int | Iterable[Hashable] | Domain"
"""A domain as users write it: a number of labels, or the labels themselves."""


@dataclass(frozen=True, repr=False, eq=False)
class Domain(Sequence[Hashable]):
    """A closed set of labels in a fixed order: 0..d-1, a run of whole numbers, or an explicit list.

    >>> yes_no = Domain.of(["yes", "no"])
    >>> yes_no.index("no"), yes_no[0], len(yes_no)
    (1, 'yes', 2)
    """

    size: int
    names: tuple[Hashable, ...] | range | None = None
    kind: Kind = field(init=False)
    _index: Mapping[Hashable, int] = field(init=False)
    _text: bool = field(init=False)

    def __post_init__(self) -> None:
        if not 2 <= self.size <= LARGEST:
            raise DomainError(f"domain must hold between 2 and {LARGEST} labels, got {self.size}")
        listed = () if self.run is not None else self.names or ()
        types: set[type] = set(map(type, listed)) or {int}
        index = {name: i for i, name in enumerate(listed)}
        object.__setattr__(self, "kind", _kind_of(types))
        object.__setattr__(self, "_index", index)
        object.__setattr__(self, "_text", types <= {str, tuple} and all(map(_holds_no_number, index)))

    @classmethod
    def of(cls, domain: DomainLike) -> Domain:
        """Read a domain as users write it: a number of labels, or the labels themselves in their order."""
        if isinstance(domain, Domain):
            return domain
        if is_int(domain):
            return cls(int(domain))
        listed = bare_column(domain)
        if not is_ordered(listed):
            raise DomainError(f"domain must be a list of labels or an int, got {type(domain).__name__}")
        unreadable = DomainError("labels must be values that Python can hold, got some that it cannot")
        names = unquoted(lambda: tuple(python_value(name) for name in listed), unreadable)
        for position, name in enumerate(names):
            check_label(name, position)
        if len(set(names)) < len(names):
            raise DomainError(f"domain must not repeat a label, got {len(names) - len(set(names))} repeated")
        return cls(len(names), names)

    @classmethod
    def between(cls, low: int, high: int) -> Domain:
        """The whole numbers from ``low`` to ``high``, which a spec writes as these two; from 0 on it is a number.

        >>> ages = Domain.between(18, 120)
        >>> ages.index(30), len(ages), ages.to_json()
        (12, 103, {'low': 18, 'high': 120})
        """
        first, last = check_int("low", low, -FARTHEST, FARTHEST), check_int("high", high, -FARTHEST, FARTHEST)
        if last <= first:
            raise DomainError(f"high must be above low, got low={first}, high={last}")
        return cls(last + 1 - first, range(first, last + 1) if first else None)

    @property
    def run(self) -> range | None:
        """The labels as a run of whole numbers, if they were given as one: as their number or by its ends."""
        if self.names is None:
            return range(self.size)
        return self.names if isinstance(self.names, range) else None

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, position: int) -> Hashable: ...
    @overload
    def __getitem__(self, position: slice) -> Sequence[Hashable]: ...
    def __getitem__(self, position: int | slice) -> Hashable | Sequence[Hashable]:
        return (range(self.size) if self.names is None else self.names)[position]

    def __eq__(self, other: object) -> bool:
        """Whether the labels are the same in the same order; also compares with a list of labels."""
        if not isinstance(other, Domain | list):
            return NotImplemented
        if isinstance(other, Domain) and self.run is not None and other.run is not None:
            return self.run == other.run
        same = self.size == len(other) and all(a == b for a, b in zip(self, other, strict=True))
        return same and all(kind_of(a) == kind_of(b) for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash((self.size, self[0], self[self.size - 1]))  # the same for 2 and for [0, 1]

    def __repr__(self) -> str:
        return f"{self.size} labels"

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

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """The index of one label; a LabelError for anything else."""
        found = self._find(value)
        if found is None or not start <= found < (self.size if stop is None else stop):
            raise LabelError(f"the value must be one of the domain's labels, got {stranger(value)}")
        return found

    def __contains__(self, value: object) -> bool:
        return self._find(value) is not None

    def _find(self, value: object) -> int | None:
        """The index of a label; True, 1 and 1.0 are three different labels, although Python calls them equal."""
        try:
            plain = python_value(value)
            if (run := self._steps) is not None:
                return int(plain) - run.start if is_int(plain) and plain in run else None
            found = self._index.get(plain)
        except Exception:  # such a value is no label, and the error may quote it
            return None
        return found if found is not None and kind_of(self[found]) == kind_of(plain) else None

    def indices(self, labels: Labels) -> Indices:
        """The indices of a column of labels; the whole column is refused if it has an unknown value, NaN or None."""
        found = self.column(labels)
        self.check(found)
        return found

    def column(self, labels: Labels) -> Indices:
        """The indices of a column of labels, not yet checked: an out-of-range index for unknown values."""
        bare = bare_column(labels)
        if not is_column(bare) or is_frame(labels):
            raise LabelError(f"labels must be a column of values, got {no_column(labels)}")
        found = self._look_up(bare)
        if len(found) == 0:
            raise LabelError("labels must hold at least one value, got an empty column")
        return found

    def check(self, found: Indices) -> None:
        """Raise a LabelError with the number of out-of-range indices in a column, if there are any."""
        if len(found) and found.view(np.uint64).max() >= self.size:  # as unsigned numbers, negative ones are very large
            wrong, missing = np.flatnonzero((found < 0) | (found >= self.size)), np.count_nonzero(found == MISSING)
            said = strangers(wrong, len(found), int(missing))
            raise LabelError(f"every value must be one of the domain's {self.size} labels, {said}", int(wrong[0]))

    def _look_up(self, labels: Any) -> Indices:
        if is_arrow_column(labels):
            chunks = [self._repeated(values, places) for values, places in distinct_values(labels)]
            return np.concatenate([np.empty(0, np.int64), *chunks])
        if isinstance(labels, np.ndarray):
            return self._array(labels)
        values = python_values(labels)
        if (run := self._steps) is not None and set(map(type, values)) == {int}:
            return places_within(values, run)
        return self._one_by_one(values)

    def _repeated(self, distinct: list[Any], places: Indices) -> Indices:
        """The indices of a column, looking up each distinct value once; nulls have a place past the last value."""
        return np.append(self._one_by_one(distinct), MISSING)[places]

    @cached_property
    def _steps(self) -> range | None:
        """The labels as a run, however they were given."""
        return self.run if self.names is None else run_of(self.names)

    def _array(self, column: npt.NDArray[Any]) -> Indices:
        if (run := self._steps) is not None and column.dtype.kind == "i":
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
        return mark_missing(self._found(values), values)

    def _found(self, values: list[Any]) -> Indices:
        if self._text:  # no number equals a text, so one look-up is enough
            try:
                get = self._index.get
                return np.fromiter((get(value, -1) for value in values), np.int64, len(values))
            except Exception:  # not hashable
                pass
        found = (self._find(value) for value in values)
        return np.fromiter((-1 if i is None else i for i in found), np.int64, len(values))

    def to_json(self) -> Written:
        """The domain as it stands in a spec: a number of labels, the ends of a run, or the list of labels as JSON."""
        if isinstance(self.names, range):
            return {"low": self.names[0], "high": self.names[-1]}
        return self.size if self.names is None else [write_label(name) for name in self.names]

    @classmethod
    def from_json(cls, written: object) -> Domain:
        """The domain that ``to_json`` wrote."""
        if isinstance(written, list):
            return cls.of([label_from_json(name) for name in written])
        if isinstance(written, dict) and set(written) == {"low", "high"}:
            return cls.between(**written)
        if isinstance(written, int):
            return cls.of(written)
        raise FormatError("a spec's domain must be a number, low and high of a run, or a list of labels")


def _kind_of(types: set[type]) -> Kind:
    if all(issubclass(own, int) for own in types):
        return "integers"
    return "text" if all(issubclass(own, str) for own in types) else "other"


def _holds_no_number(label: Any) -> bool:
    """Whether a label is text, or texts together, which only its like is equal to."""
    return isinstance(label, str) or (isinstance(label, tuple) and all(map(_holds_no_number, label)))
