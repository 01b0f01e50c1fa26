"""Lists of labels as values: which features somebody uses, which of these happened to them."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from deniable.arrays import Flags, Indices
from deniable.protocol.errors import CapacityError, LabelError
from deniable.protocol.python_values import is_ordered
from deniable.protocol.values import Lists as PlainLists
from deniable.values.columns import Kind, Labels, is_arrow_column, is_column, python_values
from deniable.values.domain import Domain
from deniable.values.tables import flags_of, is_table

MOST_LISTED = 12
"""Of up to so many labels every list can be written out: 4,096 of them."""
WORD = 64


@dataclass(frozen=True, slots=True, repr=False)
class Lists:
    """Every list of distinct labels of a domain, the empty one too; the order of a list does not matter.

    The index of a list is a row of 64-bit integers with one bit per label, the lowest bit first.

    >>> used = Lists(Domain.of(["mail", "maps", "news"]))
    >>> used.indices([["news", "mail"], []]).tolist(), used.size, ["maps"] in used, ["chat"] in used
    ([[5], [0]], 8, True, False)
    """

    labels: Domain

    @property
    def size(self) -> int:
        """The number of lists: 2 to the number of labels."""
        return 1 << len(self.labels)

    @property
    def words(self) -> int:
        """How many 64-bit integers the index of a list takes."""
        return -(-len(self.labels) // WORD)

    @property
    def kind(self) -> Kind:
        """Lists are read from a file as they are stored."""
        return "other"

    @property
    def empty_is_blank(self) -> bool:
        """False: an empty list is an answer."""
        return False

    def __eq__(self, other: object) -> bool:
        """Whether they are lists of the same labels, as a device has them too."""
        return self.labels == other.labels if isinstance(other, Lists | PlainLists) else NotImplemented

    def __hash__(self) -> int:
        return hash(("lists", self.labels))

    def __repr__(self) -> str:
        return f"lists of {self.labels!r}"

    def __contains__(self, value: object) -> bool:
        try:
            self.one(value)
        except LabelError:
            return False
        return True

    def to_json(self) -> Any:
        """The labels, as a spec stores them; the mechanism says that its values are lists."""
        return self.labels.to_json()

    def index(self, value: Any) -> int:
        """The bits of one list as one integer; a LabelError for anything but a list of distinct labels."""
        return int.from_bytes(self.one(value).astype("<i8").tobytes(), "little")

    def one(self, value: Any) -> Indices:
        """The index of one list, as a column of one."""
        if not _is_list(value):
            raise LabelError(f"the value must be a list of labels, got {type(value).__name__}")
        return self._packed([value])

    def indices(self, labels: Labels) -> Indices:
        """The indices of a column of lists, or of a table of booleans with one column per label."""
        if isinstance(labels, np.ndarray) and labels.ndim == 2:
            return self._of_table(labels)
        if is_table(labels):
            return self._of_table(flags_of(labels, self.labels.labels))
        if not is_column(labels):
            raise LabelError(f"lists must be a column of lists of labels, got {type(labels).__name__}")
        rows = python_values(labels)
        if not rows:
            raise LabelError("lists must hold at least one, got an empty column")
        wrong = [place for place, row in enumerate(rows) if type(row) is not list and not _is_list(row)]
        if wrong:
            raise LabelError(
                f"every value must be a list of labels, got {len(wrong)} of {len(rows)} that are not "
                f"(the first at position {wrong[0]})",
                wrong[0],
            )
        return self._packed(rows)

    def column(self, labels: Labels) -> Indices:
        """As ``indices``: a list with another label in it has no index, so it is refused at once."""
        return self.indices(labels)

    def check(self, found: Indices) -> None:
        """Raise a LabelError if a row has a bit beyond the last label."""
        unused_bits = self.words * WORD - len(self.labels)
        last = found[:, -1].view(np.uint64) if found.ndim == 2 and found.shape[1] == self.words else None
        if last is None or (unused_bits and (last >> np.uint64(WORD - unused_bits)).any()):
            raise LabelError(f"every value must be a list of the domain's {len(self.labels)} labels, got one of more")

    def every(self) -> Domain:
        """All lists, as tuples in the order of their indices; refused if there are too many to write out."""
        return Domain.of([tuple(self.labels[int(j)] for j in np.flatnonzero(row)) for row in self.holding])

    @property
    def holding(self) -> Flags:
        """Which labels (columns) each list of ``every`` (rows) holds."""
        return self.flags(self.rows())

    def rows(self) -> Indices:
        """The indices of all lists, as a column; refused if there are too many to write out."""
        if len(self.labels) > MOST_LISTED:
            raise CapacityError(
                f"lists must be of at most {MOST_LISTED} labels to be written out, got {len(self.labels)}"
            )
        return np.arange(self.size, dtype=np.int64)[:, None]

    def flags(self, found: Indices) -> Flags:
        """Which labels (columns) each list of a column holds."""
        packed = np.ascontiguousarray(found.astype("<i8", copy=False)).view(np.uint8).reshape(len(found), -1)
        return np.unpackbits(packed, axis=1, count=len(self.labels), bitorder="little").view(np.bool_)

    def _packed(self, rows: list[Any]) -> Indices:
        """The bits of rows of labels; unknown and repeated labels are refused."""
        lists = [
            row if type(row) is list else list(row) if isinstance(row, Set) else python_values(row) for row in rows
        ]
        lengths = np.fromiter(map(len, lists), np.int64, len(lists))
        flat = list(chain.from_iterable(lists))
        places = self.labels.column(flat) if flat else np.empty(0, np.int64)
        owners = np.repeat(np.arange(len(rows)), lengths)  # the row of each label
        wrong = np.unique(owners[(places < 0) | (places >= len(self.labels))])
        if len(wrong):
            raise _refused(len(wrong), len(rows), int(wrong[0]), f"hold others than the {len(self.labels)} labels")
        words = np.zeros((len(rows), self.words), np.uint64)
        np.bitwise_or.at(words, (owners, places // WORD), np.uint64(1) << (places % WORD).astype(np.uint64))
        repeated = np.flatnonzero(np.bitwise_count(words).sum(axis=1, dtype=np.int64) != lengths)
        if len(repeated):
            raise _refused(len(repeated), len(rows), int(repeated[0]), "name a label twice")
        return words.view(np.int64)

    def _of_table(self, table: Any) -> Indices:
        """The bits of a table of booleans."""
        if table.dtype != np.bool_ or table.shape[1] != len(self.labels) or not len(table):
            raise LabelError(
                f"a table of lists must hold booleans, one column for each of {len(self.labels)} labels, "
                f"got {table.dtype} in {table.shape[1]} columns and {len(table)} rows"
            )
        packed = np.zeros((len(table), 8 * self.words), np.uint8)
        bits = np.packbits(table, axis=1, bitorder="little")
        packed[:, : bits.shape[1]] = bits
        return packed.view("<i8").astype(np.int64, copy=False)


def _is_list(value: object) -> bool:
    """Whether a value is several things: a list, a tuple, a set or an array, and no text."""
    return isinstance(value, Set) or is_arrow_column(value) or (is_ordered(value) and hasattr(value, "__len__"))


def _refused(wrong: int, n: int, first: int, reason: str) -> LabelError:
    """The error that refuses a column: how many of its lists are wrong, where the first stands, and why."""
    return LabelError(
        f"every list must hold distinct labels of the domain, got {wrong} of {n} that {reason} "
        f"(the first at position {first})",
        first,
    )
