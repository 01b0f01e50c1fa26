"""What people may hold: a label of a closed domain, a list of labels, or any text."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, TypeAlias

from .canonical import is_int
from .checks import check_int, is_unicode
from .errors import FormatError, LabelError, ParameterError
from .labels import kind_of, read_label, write_label

LARGEST = 1 << 24
"""The largest number of labels."""
FARTHEST = (1 << 53) - 1
"""The largest number at either end of a run."""


class Domain:
    """Labels in a fixed order: 0 to d - 1, a run of whole numbers, or a list. The index of a value is its place.

    >>> Domain.read(["yes", "no"]).index("no")
    1
    """

    def __init__(self, size: int, names: tuple[Any, ...] | range | None = None) -> None:
        if not 2 <= size <= LARGEST:
            raise ParameterError(f"domain must hold between 2 and {LARGEST} labels, got {size}")
        self.size = size
        self.names = names
        self._run = range(size) if names is None else names if isinstance(names, range) else None
        self._places: dict[Any, int] = {} if self._run else {name: i for i, name in enumerate(names or ())}
        if not self._run and len(self._places) < size:
            raise ParameterError("domain must not repeat a label, got one twice")

    @classmethod
    def read(cls, written: Any) -> Domain:
        """The domain that a spec holds."""
        if isinstance(written, list):
            return cls(len(written), tuple(map(read_label, written)))
        if isinstance(written, dict) and set(written) == {"low", "high"}:
            return cls.run(**written)
        if is_int(written):
            return cls(written)
        raise FormatError("a domain must be a number, low and high of a run, or a list of labels, got something else")

    @classmethod
    def run(cls, low: int, high: int) -> Domain:
        """The whole numbers from ``low`` to ``high``; from 0 on they are written as their number."""
        first, last = check_int("low", low, -FARTHEST, FARTHEST), check_int("high", high, -FARTHEST, FARTHEST)
        return cls(last + 1 - first, range(first, last + 1) if first else None)

    def write(self) -> Any:
        """The domain as a spec holds it."""
        if isinstance(self.names, range):
            return {"low": self.names[0], "high": self.names[-1]}
        return self.size if self.names is None else [write_label(name) for name in self.names]

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, place: int) -> Any:
        return range(self.size)[place] if self.names is None else self.names[place]

    def __iter__(self) -> Iterator[Any]:
        return iter(range(self.size) if self.names is None else self.names)

    def __contains__(self, value: object) -> bool:
        return self.find(value) is not None

    def __eq__(self, other: object) -> bool:
        """Whether the labels are the same in the same order, however they are written."""
        if not isinstance(other, Domain):
            return NotImplemented
        if self._run and other._run:
            return self._run == other._run
        return self.size == other.size and all(
            a == b and kind_of(a) == kind_of(b) for a, b in zip(self, other, strict=True)
        )

    def __hash__(self) -> int:
        return hash(self.size)

    def __repr__(self) -> str:
        return f"{self.size} labels"

    def find(self, value: object) -> int | None:
        """The index of a label, or None; True, 1 and 1.0 are three labels, although Python calls them equal."""
        try:
            if self._run:
                known = isinstance(value, int) and is_int(value) and value in self._run
                return value - self._run[0] if known and isinstance(value, int) else None
            place = self._places.get(value)
        except TypeError:  # not hashable
            return None
        return place if place is not None and kind_of(self[place]) == kind_of(value) else None

    def index(self, value: object) -> int:
        """The index of a label; anything else is refused."""
        found = self.find(value)
        if found is None:
            raise LabelError("the value must be one of the domain's labels, got one that is not")
        return found


class Lists:
    """Every list of distinct labels, the empty one too; the index of a list is the set of its labels' places."""

    def __init__(self, labels: Domain) -> None:
        self.labels = labels

    def __eq__(self, other: object) -> bool:
        return self.labels == other.labels if isinstance(other, Lists) else NotImplemented

    def __hash__(self) -> int:
        return hash((Lists, self.labels))

    def __repr__(self) -> str:
        return f"lists of {self.labels!r}"

    def __contains__(self, value: object) -> bool:
        return self._find(value) is not None

    def write(self) -> Any:
        """The labels as a spec holds them."""
        return self.labels.write()

    def index(self, value: object) -> frozenset[int]:
        """The places of a list's labels; anything but a list of distinct labels is refused."""
        found = self._find(value)
        if found is None:
            raise LabelError("the value must be a list of distinct labels of the domain, got something else")
        return found

    def _find(self, value: object) -> frozenset[int] | None:
        if not isinstance(value, (list, tuple, set, frozenset)):
            return None
        places = [place for place in map(self.labels.find, value) if place is not None]
        return frozenset(places) if len(set(places)) == len(value) else None


class Texts:
    """Any text, which is its own index."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Texts)

    def __hash__(self) -> int:
        return hash(Texts)

    def __repr__(self) -> str:
        return "any text"

    def write(self) -> None:
        """None: a spec of any text holds no labels."""
        return

    def index(self, value: object) -> str:
        """The text; lone surrogates and other values are refused."""
        if not isinstance(value, str) or not is_unicode(value):
            raise LabelError("the value must be text in Unicode, got one that is not")
        return value


Values: TypeAlias = Domain | Lists | Texts
Label = Hashable
