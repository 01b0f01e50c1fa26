"""Labels and their indices: the closed set of values that people may hold."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol, TypeAlias, TypeGuard, TypeVar, cast, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from deniable.arrays import Indices
from deniable.checks import is_int
from deniable.errors import DenialError, DomainError, FormatError, LabelError

LARGEST = 1 << 24
"""More labels than this are refused: a table of them alone would fill a device's memory."""
DEEPEST = 8
"""How far tuples may be nested in a label."""
WIDEST = 1024
"""Bits of an integer label."""
GAPS = 4
"""Integer labels are looked up in a table if that has at most so many places for each of the domain's labels."""

T = TypeVar("T")
DomainLike: TypeAlias = "int | Iterable[Hashable] | Domain"
"""A domain as users write it: a number of labels, or the labels themselves."""


class Labels(Protocol):
    """What a column of values must offer: an order and a length. Lists, arrays and Arrow columns do."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Domain(Sequence[Hashable]):
    """A closed set of labels in a fixed order: either 0..d-1 or an explicit list.

    >>> yes_no = Domain.of(["yes", "no"])
    >>> yes_no.index("no"), yes_no[0], len(yes_no)
    (1, 'yes', 2)
    """

    size: int
    names: tuple[Hashable, ...] | None = None
    _index: Mapping[Hashable, int] = field(init=False)
    _text: bool = field(init=False)

    def __post_init__(self) -> None:
        if not 2 <= self.size <= LARGEST:
            raise DomainError(f"domain must hold between 2 and {LARGEST} labels, got {self.size}")
        index = {} if self.names is None else {name: i for i, name in enumerate(self.names)}
        object.__setattr__(self, "_index", index)
        object.__setattr__(self, "_text", bool(index) and all(type(name) is str for name in index))

    @classmethod
    def of(cls, domain: DomainLike) -> Domain:
        """Read a domain as users write it: a number of labels, or the labels themselves in their order."""
        if isinstance(domain, Domain):
            return domain
        if is_int(domain):
            return cls(int(domain))
        if not is_ordered(domain):
            raise DomainError(f"domain must be a list of labels or an int, got {type(domain).__name__}")
        unreadable = DomainError("labels must be values that Python can hold, got some that it cannot")
        names = unquoted(lambda: tuple(_plain(name) for name in domain), unreadable)
        for position, name in enumerate(names):
            _check_name(name, position, 0)
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

    def __eq__(self, other: object) -> bool:
        """The same labels in the same order; a list of them will do."""
        if not isinstance(other, Domain | list):
            return NotImplemented
        if isinstance(other, Domain) and self.names is None and other.names is None:
            return self.size == other.size
        same = self.size == len(other) and all(a == b for a, b in zip(self, other, strict=True))
        return same and all(_number_kind(a) == _number_kind(b) for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash((self.size, self[0], self[self.size - 1]))  # alike for 2 and for [0, 1]

    def __repr__(self) -> str:
        return f"{self.size} labels"

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """The index of one label."""
        found = self._find(value)
        if found is None or not start <= found < (self.size if stop is None else stop):
            raise LabelError(f"the value must be one of the domain's labels, got {stranger(value)}")
        return found

    def __contains__(self, value: object) -> bool:
        return self._find(value) is not None

    def _find(self, value: object) -> int | None:
        """The index of a label. True, 1 and 1.0 are three labels, whatever Python says of their equality."""
        try:
            plain = _plain(value)
            if self.names is None:
                return int(plain) if is_int(plain) and 0 <= plain < self.size else None
            found = self._index.get(plain)
        except Exception:  # what cannot be read or hashed is no label, and what is wrong with it may quote it
            return None
        return found if found is not None and _number_kind(self.names[found]) == _number_kind(plain) else None

    def indices(self, labels: Labels) -> Indices:
        """The indices of a column of labels, checked: an unknown value, NaN or None refuses the whole column."""
        found = self.unchecked(labels)
        self.check(found)
        return found

    def unchecked(self, labels: Labels) -> Indices:
        """The indices of a column of labels; of what is no label a number that is no index."""
        if not is_ordered(labels) or not hasattr(labels, "__len__"):
            raise LabelError(f"labels must be a column of values, got {type(labels).__name__}")
        found = self._column(labels)
        if len(found) == 0:
            raise LabelError("labels must hold at least one value, got an empty column")
        return found

    def check(self, found: Indices) -> None:
        """Refuse a column if a number in it is no index."""
        if len(found) and found.view(np.uint64).max() >= self.size:  # unsigned, what is below 0 is far above
            wrong = np.flatnonzero((found < 0) | (found >= self.size))
            raise LabelError(
                f"every value must be one of the domain's {self.size} labels, "
                f"got {len(wrong)} of {len(found)} that are not (the first at position {wrong[0]})"
            )

    def _column(self, labels: Any) -> Indices:
        if isinstance(labels, pa.Array | pa.ChunkedArray):
            chunks = labels.chunks if isinstance(labels, pa.ChunkedArray) else [labels]
            return np.concatenate([np.empty(0, np.int64), *(self._arrow_chunk(chunk) for chunk in chunks)])
        if isinstance(labels, np.ndarray):
            return self._array(labels)
        values = python_values(labels)
        if self.names is None and set(map(type, values)) == {int}:
            return np.array([min(max(value, -1), self.size) for value in values], np.int64)
        return self._one_by_one(values)

    def _arrow_chunk(self, chunk: Any) -> Indices:
        """Look up each distinct value once."""
        distinct, places = unquoted(lambda: _encoded(chunk), _unreadable(f"a column of {chunk.type}"))
        found = np.append(self._one_by_one(distinct), -1)  # a null's index is the last
        return found[places]

    def _array(self, column: npt.NDArray[Any]) -> Indices:
        if self.names is None and column.dtype.kind == "i":
            return column.astype(np.int64, copy=False)
        if self.names is None and column.dtype.kind == "u":
            # an unsigned value beyond int64 must not wrap round into the domain
            return np.minimum(column.astype(np.uint64), np.uint64(self.size)).astype(np.int64)
        if column.dtype.kind in "iu" and (table := _table(self)):
            least, places = table
            inside = (column >= least) & (column < least + len(places) - 1)
            return places[np.where(inside, column.astype(np.int64) - least, -1)]
        if column.dtype.kind in "iufb":  # look up each distinct value once
            distinct, places = np.unique(column, return_inverse=True)
            return self._one_by_one(distinct.tolist())[places]
        return self._one_by_one(list(column) if column.dtype.kind in "Mm" else python_values(column))

    def _one_by_one(self, values: list[Any]) -> Indices:
        if self._text:  # no number equals a text: one look-up will do
            try:
                get = self._index.get
                return np.fromiter((get(value, -1) for value in values), np.int64, len(values))
            except Exception:  # something that cannot be hashed
                pass
        found = (self._find(value) for value in values)
        return np.fromiter((-1 if i is None else i for i in found), np.int64, len(values))

    def to_json(self) -> int | list[Any]:
        """The form that a spec holds: a number of labels, or the labels as JSON."""
        return self.size if self.names is None else [label_to_json(name) for name in self.names]

    @classmethod
    def from_json(cls, written: object) -> Domain:
        """Read what ``to_json`` wrote."""
        if isinstance(written, list):
            return cls.of([label_from_json(name) for name in written])
        if isinstance(written, int):
            return cls.of(written)
        raise FormatError("a spec's domain must be a number or a list of labels")


def unquoted(convert: Callable[[], T], refusal: DenialError) -> T:
    """What a conversion of people's values gives; if it fails, the refusal without a trace of the failure's own words.

    Whatever library holds the values may quote one of them in its error, and a chained error shows that one too.

    >>> unquoted(lambda: int("12"), LabelError("the value must be a number"))
    12
    """
    try:
        return convert()
    except (DenialError, MemoryError):
        raise
    except Exception:
        pass
    raise refusal  # not above: there the failure would become its context


def python_values(labels: Iterable[Any]) -> list[Any]:
    """Python values of a list, of an array or of an Arrow column.

    >>> python_values(pa.array(["yes", None]))
    ['yes', None]
    """

    def listed() -> list[Any]:
        if isinstance(labels, pa.Array | pa.ChunkedArray):
            return list(labels.to_pylist())
        return list(labels.tolist() if isinstance(labels, np.ndarray) else labels)

    kind = labels.type if isinstance(labels, pa.Array | pa.ChunkedArray) else type(labels).__name__
    return unquoted(listed, _unreadable(f"a column of {kind}"))


def stranger(value: object) -> str:
    """What an error says of a value that is no label: never the value itself."""
    if isinstance(value, Mapping | Set) or is_ordered(value):
        return f"a {type(value).__name__}; one person gives one value, and a column of people's goes to privatize_many"
    return "one that is not"


def _unreadable(got: str) -> LabelError:
    return LabelError(f"labels must be values that Python can hold, got {got}")


def _encoded(chunk: Any) -> tuple[list[Any], Indices]:
    """The distinct values of an Arrow column and the place of each row's; a null's is the last."""
    encoded = chunk if pa.types.is_dictionary(chunk.type) else chunk.dictionary_encode()
    distinct = encoded.dictionary.to_pylist()
    return distinct, np.asarray(encoded.indices.cast(pa.int64()).fill_null(len(distinct)), np.int64)


def is_unicode(text: str) -> bool:
    """Whether UTF-8 can hold the text: no lone surrogates.

    >>> is_unicode("é"), is_unicode(chr(0xD800))
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_ordered(values: object) -> TypeGuard[Iterable[Any]]:
    """Whether values come one after the other in an order of their own, none of them hidden."""
    if isinstance(values, str | bytes | Mapping | Set | np.ma.MaskedArray | pa.Table):
        return False
    return isinstance(values, Iterable) and getattr(values, "ndim", 1) == 1


def _plain(name: Any) -> Any:
    """NumPy and Arrow scalars as the Python values they stand for."""
    if isinstance(name, np.datetime64) and name.astype("M8[us]") == name:
        return name.item() if isinstance(name.item(), datetime.date) else name.astype("M8[us]").item()
    if isinstance(name, np.datetime64 | np.timedelta64):
        return None if np.isnat(name) else name  # not NumPy's count of nanoseconds, which may be a label
    if isinstance(name, np.generic):
        return name.item()
    if isinstance(name, pa.Scalar):
        return _plain(name.as_py())
    return 0.0 if isinstance(name, float) and name == 0 else name  # 0.0 and -0.0 are one label


@lru_cache(maxsize=4)
def _table(domain: Domain) -> tuple[int, Indices] | None:
    """The least integer label and the indices from it on, -1 where none is, at the end too; none if too far apart.

    Made for the first column: a device, which looks up one value, has no use for it.
    """
    whole = {name: i for i, name in enumerate(domain) if type(name) is int}
    least, most = min(whole, default=0), max(whole, default=0)
    if not whole or most - least > GAPS * len(domain) or max(-least, most) >= 1 << 62:
        return None
    places = np.full(most - least + 2, -1, np.int64)
    places[[name - least for name in whole]] = list(whole.values())
    return least, places


def _number_kind(value: object) -> type | tuple[Any, ...] | None:
    """What tells True, 1 and 1.0 apart, within tuples too."""
    if isinstance(value, tuple):
        return tuple(_number_kind(part) for part in value)
    return type(value) if isinstance(value, bool | int | float) else None


def _check_name(name: Any, position: int, depth: int) -> None:
    if name is None or (isinstance(name, float) and not math.isfinite(name)):
        raise DomainError(f"a label must be a value, got None, NaN or infinity at position {position}")
    if isinstance(name, tuple) and depth < DEEPEST:
        for part in name:
            _check_name(part, position, depth + 1)
    elif not isinstance(name, str | bytes | int | float | datetime.date) or not _is_writable(name):
        kinds = "text in Unicode, bytes, numbers, dates or tuples of them"
        raise DomainError(f"labels must be {kinds}, got another {type(name).__name__} at position {position}")


def _is_writable(name: object) -> bool:
    """Whether JSON can hold the label: no lone surrogates, no endless integers."""
    if isinstance(name, str):
        return is_unicode(name)
    return not isinstance(name, int) or name.bit_length() <= WIDEST


def label_to_json(name: Any) -> Any:
    """A label as JSON holds it."""
    if isinstance(name, tuple):
        return {"tuple": [label_to_json(part) for part in name]}
    if isinstance(name, bytes):
        return {"bytes": name.hex()}
    if isinstance(name, datetime.datetime):
        return {"datetime": name.isoformat()}
    if isinstance(name, datetime.date):
        return {"date": name.isoformat()}
    return name


def label_from_json(written: Any) -> Hashable:
    """Read what ``label_to_json`` wrote; what is no label comes back as it is."""
    if not isinstance(written, dict) or len(written) != 1:
        return cast("Hashable", written)  # Domain.of refuses what is not
    ((kind, value),) = written.items()
    if kind not in _READERS:
        raise FormatError("a spec's label has an unknown kind")
    try:
        return _READERS[kind](value)
    except (TypeError, ValueError, RecursionError):
        raise FormatError(f"a spec's label must be written as a {kind} is, got something else") from None


_READERS: dict[str, Callable[[Any], Hashable]] = {
    "tuple": lambda value: tuple(label_from_json(part) for part in value),
    "bytes": bytes.fromhex,
    "datetime": datetime.datetime.fromisoformat,
    "date": datetime.date.fromisoformat,
}
