"""Labels and their indices: the closed set of values that people may hold."""

from __future__ import annotations

import datetime
import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, cast, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from deniable.errors import DomainError, FormatError, LabelError

Indices: TypeAlias = npt.NDArray[np.int64]
LARGEST = 1 << 24
"""More labels than this do not fit the reports of any mechanism here."""

DomainLike: TypeAlias = "int | Iterable[Hashable] | Domain"
"""A domain as users write it: a number of labels, or the labels themselves."""


class Labels(Protocol):
    """What a column of values must offer: an order and a length. Lists, arrays and Arrow columns do."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...


@dataclass(frozen=True, slots=True, repr=False)
class Domain(Sequence[Hashable]):
    """A closed set of labels in a fixed order: either 0..d-1 or an explicit list.

    >>> yes_no = Domain.of(["yes", "no"])
    >>> yes_no.index("no"), yes_no[0], len(yes_no)
    (1, 'yes', 2)
    """

    size: int
    names: tuple[Hashable, ...] | None = None
    _index: Mapping[Hashable, int] = field(init=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        if not 2 <= self.size <= LARGEST:
            raise DomainError(f"domain must hold between 2 and {LARGEST} labels, got {self.size}")
        index = {} if self.names is None else {name: i for i, name in enumerate(self.names)}
        object.__setattr__(self, "_index", index)

    @classmethod
    def of(cls, domain: DomainLike) -> Domain:
        """Read a domain as users write it: a number of labels, or the labels themselves."""
        if isinstance(domain, Domain):
            return domain
        if isinstance(domain, int | np.integer) and not isinstance(domain, bool):
            return cls(int(domain))
        if isinstance(domain, str | bytes | Mapping) or not isinstance(domain, Iterable):
            raise DomainError(f"domain must be a list of labels or an int, got {type(domain).__name__}")
        names = tuple(_plain(name) for name in domain)
        for position, name in enumerate(names):
            _check_name(name, position)
        if len(set(names)) < len(names):
            raise DomainError(f"domain must not repeat a label, got {len(names) - len(set(names))} repeated")
        return cls(len(names), names)

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, position: int) -> Hashable: ...
    @overload
    def __getitem__(self, position: slice) -> Sequence[Hashable]: ...
    def __getitem__(self, position: int | slice) -> Hashable | Sequence[Hashable]:
        return (range(self.size) if self.names is None else self.names)[position]

    def __repr__(self) -> str:
        return f"{self.size} labels"

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """The index of one label."""
        found = self._find(value)
        if found is None or not start <= found < (self.size if stop is None else stop):
            raise LabelError("the value must be one of the domain's labels, got one that is not")
        return found

    def __contains__(self, value: object) -> bool:
        return self._find(value) is not None

    def _find(self, value: object) -> int | None:
        if self.names is not None:
            try:
                return self._index.get(_plain(value))
            except TypeError:  # an unhashable value is no label
                return None
        if isinstance(value, int | np.integer) and 0 <= value < self.size:
            return int(value)
        return None

    def indices(self, labels: Labels) -> Indices:
        """The indices of a column of labels, checked: an unknown value, NaN or None is refused, uncounted."""
        if isinstance(labels, str | bytes) or not hasattr(labels, "__len__"):
            raise LabelError(f"labels must be a column of values, got {type(labels).__name__}")
        if len(labels) == 0:
            raise LabelError("labels must hold at least one value, got an empty column")
        found = self._column(labels)
        wrong = np.flatnonzero((found < 0) | (found >= self.size))
        if len(wrong):
            raise LabelError(
                f"every value must be one of the domain's {self.size} labels, "
                f"got {len(wrong)} of {len(found)} that are not (the first at position {wrong[0]})"
            )
        return found

    def _column(self, labels: Labels) -> Indices:
        if isinstance(labels, pa.Array | pa.ChunkedArray):
            return self._arrow(labels)
        return self._integers(labels) if self.names is None else self._names(labels)

    def _arrow(self, column: Any) -> Indices:
        """Look up each distinct value once."""
        chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
        return np.concatenate([self._arrow_chunk(chunk.dictionary_encode()) for chunk in chunks])

    def _arrow_chunk(self, encoded: Any) -> Indices:
        distinct = encoded.dictionary.to_pylist()
        found = np.append(self._one_by_one(distinct), -1)  # a null's index is the last
        places: Indices = np.asarray(encoded.indices.fill_null(len(distinct)), np.int64)
        return found[places]

    def _integers(self, labels: Labels) -> Indices:
        column = labels if isinstance(labels, np.ndarray) else None
        if column is None and isinstance(labels, range):
            column = np.asarray(labels)
        if column is not None and column.ndim != 1:
            raise LabelError(f"labels must be one column, got {column.ndim} dimensions")
        if column is not None and column.dtype.kind in "iu":
            # an unsigned value beyond int64 must not wrap round into the domain
            return np.minimum(column, self.size).astype(np.int64)
        return self._one_by_one(labels)

    def _names(self, labels: Labels) -> Indices:
        values = labels.tolist() if isinstance(labels, np.ndarray) else labels
        try:
            get = self._index.get
            return np.fromiter((get(value, -1) for value in values), np.int64, len(labels))
        except TypeError:  # something unhashable, or a type with a plain form
            return self._one_by_one(labels)

    def _one_by_one(self, labels: Labels) -> Indices:
        found = (self._find(value) for value in labels)
        return np.fromiter((-1 if i is None else i for i in found), np.int64, len(labels))

    def to_json(self) -> int | list[Any]:
        """The form that a spec holds: a number of labels, or the labels as JSON."""
        return self.size if self.names is None else [_to_json(name) for name in self.names]

    @classmethod
    def from_json(cls, written: object) -> Domain:
        """Read what ``to_json`` wrote."""
        if isinstance(written, list):
            return cls.of([_from_json(name) for name in written])
        if isinstance(written, int):
            return cls.of(written)
        raise FormatError("a spec's domain must be a number or a list of labels")


def _plain(name: Any) -> Any:
    """NumPy and Arrow scalars as the Python values they stand for."""
    if isinstance(name, np.generic):
        return name.item()
    return name.as_py() if hasattr(name, "as_py") else name


def _check_name(name: Any, position: int) -> None:
    if name is None or (isinstance(name, float) and not math.isfinite(name)):
        raise DomainError(f"a label must be a value, got None, NaN or infinity at position {position}")
    if isinstance(name, tuple):
        for part in name:
            _check_name(part, position)
    elif not isinstance(name, str | bytes | int | float | datetime.date):
        kinds = "text, bytes, numbers, dates or tuples of them"
        raise DomainError(f"labels must be {kinds}, got {type(name).__name__} at position {position}")


def _to_json(name: Any) -> Any:
    if isinstance(name, tuple):
        return {"tuple": [_to_json(part) for part in name]}
    if isinstance(name, bytes):
        return {"bytes": name.hex()}
    if isinstance(name, datetime.datetime):
        return {"datetime": name.isoformat()}
    if isinstance(name, datetime.date):
        return {"date": name.isoformat()}
    return name


def _from_json(written: Any) -> Hashable:
    if not isinstance(written, dict) or len(written) != 1:
        return cast("Hashable", written)  # Domain.of refuses what is not
    ((kind, value),) = written.items()
    match kind:
        case "tuple":
            return tuple(_from_json(part) for part in value)
        case "bytes":
            return bytes.fromhex(value)
        case "datetime":
            return datetime.datetime.fromisoformat(value)
        case "date":
            return datetime.date.fromisoformat(value)
    raise FormatError("a spec's label has an unknown kind")
