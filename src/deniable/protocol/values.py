"""What people may hold: a label of a closed domain, a list of labels, or any text."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence, Set, Sized
from dataclasses import dataclass, field
from typing import Any, Self, TypeAlias, overload

from .checks import check_int, is_int, is_unicode
from .errors import DomainError, FormatError, LabelError, ParameterError
from .labels import check_label, kind_of, label_from_json, write_label
from .python_values import checked_list, is_ordered, is_several, python_value, stranger
from .say import Statement

LABELS = 'a list of labels, such as ["yes", "no"], or their number'
LARGEST = 1 << 24
"""The largest number of labels."""
FARTHEST = (1 << 53) - 1
"""The largest number at either end of a run."""


@dataclass(frozen=True, repr=False, eq=False)
class Domain(Sequence[Any]):
    """Labels in a fixed order: 0 to d - 1, a run of whole numbers, or a list. The index of a value is its place.

    >>> yes_no = Domain.of(["yes", "no"])
    >>> yes_no.index("no"), yes_no[0], len(yes_no)
    (1, 'yes', 2)
    """

    size: int
    names: tuple[Hashable, ...] | range | None = None
    _index: Mapping[Hashable, int] = field(init=False)

    def __post_init__(self) -> None:
        if not 2 <= self.size <= LARGEST:
            raise DomainError(Statement("labels_between", most=str(LARGEST), got=str(self.size)))
        listed = () if self.run is not None else self.names or ()
        object.__setattr__(self, "_index", {name: i for i, name in enumerate(listed)})
        if len(self._index) < len(listed):
            raise DomainError(Statement("labels_repeated", got=len(listed) - len(self._index)))

    @classmethod
    def of(cls, domain: Any) -> Self:
        """Read a domain as users write it: a number of labels, or the labels themselves in their order."""
        if isinstance(domain, cls):
            return domain
        if isinstance(domain, Domain):
            return cls(domain.size, domain.names)
        return cls(int(domain)) if is_int(domain) else cls._listed(domain)

    @classmethod
    def _listed(cls, labels: Any) -> Self:
        names = tuple(checked_list("domain", labels, LABELS, DomainError))
        for position, name in enumerate(names):
            check_label(name, position)
        return cls(len(names), names)

    @classmethod
    def between(cls, low: int, high: int) -> Self:
        """The whole numbers from ``low`` to ``high``, which a spec writes as these two; from 0 on it is a number.

        >>> ages = Domain.between(18, 120)
        >>> ages.index(30), len(ages), ages.to_json()
        (12, 103, {'low': 18, 'high': 120})
        """
        first, last = check_int("low", low, -FARTHEST, FARTHEST), check_int("high", high, -FARTHEST, FARTHEST)
        if last <= first:
            raise DomainError(f"high must be above low, got low={first}, high={last}")
        return cls(last + 1 - first, range(first, last + 1) if first else None)

    @classmethod
    def from_json(cls, written: object) -> Self:
        """The domain that ``to_json`` wrote."""
        if isinstance(written, list):
            return cls._listed([label_from_json(name) for name in written])
        if isinstance(written, dict) and set(written) == {"low", "high"}:
            return cls.between(**written)
        if isinstance(written, int):
            return cls.of(written)
        raise FormatError("a spec's domain must be a number, low and high of a run, or a list of labels")

    def to_json(self) -> Any:
        """The domain as it stands in a spec: a number of labels, the ends of a run, or the list of labels as JSON."""
        if isinstance(self.names, range):
            return {"low": self.names[0], "high": self.names[-1]}
        return self.size if self.names is None else [write_label(name) for name in self.names]

    @property
    def run(self) -> range | None:
        """The labels as a run of whole numbers, if they were given as one: as their number or by its ends."""
        if self.names is None:
            return range(self.size)
        return self.names if isinstance(self.names, range) else None

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, position: int) -> Any: ...
    @overload
    def __getitem__(self, position: slice) -> Sequence[Any]: ...
    def __getitem__(self, position: int | slice) -> Any:
        return (range(self.size) if self.names is None else self.names)[position]

    def __contains__(self, value: object) -> bool:
        return self.find(value) is not None

    def __eq__(self, other: object) -> bool:
        """Whether the labels are the same in the same order, however they are written; also of a list of labels."""
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

    def find(self, value: object) -> int | None:
        """The index of a label, or None; True, 1 and 1.0 are three labels, although Python calls them equal."""
        try:
            plain = python_value(value)
            if (run := self.run) is not None:
                return int(plain) - run.start if is_int(plain) and plain in run else None
            place = self._index.get(plain)
        except Exception:  # such a value is no label, and the error may quote it
            return None
        return place if place is not None and kind_of(self[place]) == kind_of(plain) else None

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """The index of a label from ``start`` to before ``stop`` (the end if None); a LabelError for anything else."""
        place = self.find(value)
        if place is None or not start <= place < (self.size if stop is None else stop):
            raise LabelError(
                f"the value must be one of the domain's labels, got {stranger(value)}{self.near_miss_note([value])}"
            )
        return place

    def near_miss_note(self, strangers: Sequence[Any]) -> str:
        """The end of a message that says how many values, none of them a label, would be one but for writing or type.

        >>> Domain.of(["yes", "no"]).near_miss_note(["Yes", " no", True])
        '; but for capitals, or blanks around them, 2 would be; 1 of them is bool, the labels are str'
        """
        types = {"int"} if self.run is not None else {type(name).__name__ for name in self}
        folded_labels = {_folded(name) for name in self} if "str" in types else set()
        single = [_plain(value) for value in strangers if value is not None and not is_several(value)]
        near = sum(isinstance(value, str) and _folded(value) in folded_labels for value in single)
        foreign = [kind for value in single if (kind := type(value).__name__) not in types]
        alone, are = len(strangers) == 1, "is" if len(foreign) == 1 else "are"
        it, them = ("it, it", "it") if alone else (f"them, {near}", f"{len(foreign)} of them")
        spelling_note = f"; but for capitals, or blanks around {it} would be" if near else ""
        given_types, label_types = (" or ".join(sorted(names)) for names in (set(foreign), types))
        type_note = f"; {them} {are} {given_types}, the labels are {label_types}"
        return spelling_note + (type_note if foreign else "")

    def places(self, field: str, labels: Any) -> tuple[int, ...]:
        """The indices of some of the labels, given as a list; ``field`` is what an error calls them."""
        given = checked_list(field, labels, "a list of labels")
        places = tuple(place for place in map(self.find, given) if place is not None)
        if len(places) < len(given):
            strangers = len(given) - len(places)
            raise ParameterError(f"{field} must be labels of the domain, got {strangers} of {len(given)} that are not")
        return places

    def checked_subset(self, field: str, labels: Any) -> tuple[Hashable, ...]:
        """Some of the labels, in their own order; none at all, or one twice, is refused."""
        given = sorted(labels, key=repr) if isinstance(labels, Set) else labels
        places = self.places(field, given)
        if not places:
            raise ParameterError(Statement("some_of_the_labels", field=field))
        if len(set(places)) < len(places):
            raise ParameterError(f"{field} must not repeat a label, got {len(places) - len(set(places))} repeated")
        return tuple(self[place] for place in sorted(places))


def _plain(value: object) -> object:
    """A scalar as a value of Python, if it is one."""
    try:
        return python_value(value)
    except Exception:  # which may quote it
        return value


def _folded(label: object) -> object:
    """A text without blanks around it and without capitals; anything else as it is."""
    return label.strip().casefold() if isinstance(label, str) else label


class Lists:
    """Every list of distinct labels, the empty one too; the index of a list is the set of its labels' places."""

    def __init__(self, labels: Domain) -> None:
        self.labels = labels

    def __eq__(self, other: object) -> bool:
        return self.labels == other.labels if isinstance(other, Lists) else NotImplemented

    def __hash__(self) -> int:
        return hash(("lists", self.labels))  # as the library's lists, which are equal

    def __repr__(self) -> str:
        return f"lists of {self.labels!r}"

    def __contains__(self, value: object) -> bool:
        return self._find(value) is not None

    def to_json(self) -> Any:
        """The labels as a spec holds them."""
        return self.labels.to_json()

    def index(self, value: object) -> frozenset[int]:
        """The places of a list's labels; anything but a list of distinct labels is refused."""
        places = self._find(value)
        if places is None:
            raise LabelError(f"the value must be a list of distinct labels of the domain, got {type(value).__name__}")
        return places

    def _find(self, value: object) -> frozenset[int] | None:
        if not (isinstance(value, Set) or is_ordered(value)) or not isinstance(value, Sized):
            return None
        listed = list(value)
        places = {place for place in map(self.labels.find, listed) if place is not None}
        return frozenset(places) if len(places) == len(listed) else None


class Texts:
    """Any text, which is its own index."""

    def __eq__(self, other: object) -> bool:
        return True if isinstance(other, Texts) else NotImplemented

    def __hash__(self) -> int:
        return hash("any text")

    def __repr__(self) -> str:
        return "any text"

    def to_json(self) -> None:
        """None: a spec of any text holds no labels."""
        return

    def index(self, value: object) -> str:
        """The text; lone surrogates and other values are refused."""
        if not isinstance(value, str) or not is_unicode(value):
            raise LabelError("the value must be text in Unicode, got one that is not")
        return value


Values: TypeAlias = Domain | Lists | Texts
Label = Hashable
