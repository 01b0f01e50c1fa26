"""The protocol of all kinds of values: each value has an index, in closed domains and among any text."""

from __future__ import annotations

from typing import Any, Protocol

from deniable.arrays import Flags, Indices
from deniable.protocol.errors import DomainError
from deniable.values.columns import Kind, Labels
from deniable.values.domain import Domain
from deniable.values.texts import Texts


class Values(Protocol):
    """A set of values that people may hold. A mechanism randomizes their indices: 64-bit integers, or rows of them.

    Two sets are equal, and have equal hashes, if they give every value the same index.

    >>> answers: Values = Domain.of(["yes", "no"])
    >>> answers.size, answers.indices(["no", "yes"]).tolist(), "perhaps" in answers
    (2, [1, 0], False)
    """

    @property
    def size(self) -> int | None:
        """The number of values; None if it is infinite."""

    def __contains__(self, value: object) -> bool: ...

    def every(self) -> Domain:
        """All values, in the order of their indices; refused if they are too many to be written out."""

    def column(self, labels: Labels) -> Indices:
        """The indices of a column; other values may get an out-of-range index, for ``check`` to refuse."""

    def check(self, found: Indices) -> None:
        """Raise a LabelError if an index of a column is out of range."""

    @property
    def kind(self) -> Kind:
        """The kind of the values, which decides how a file's column is read."""

    @property
    def empty_is_blank(self) -> bool:
        """Whether an empty field of a file means no answer rather than the empty text."""

    @property
    def labels(self) -> Domain:
        """The labels whose shares are estimated; refused for any text."""

    @property
    def holding(self) -> Flags:
        """Which labels (columns) somebody with each value of ``every`` (rows) holds."""

    def one(self, value: Any) -> Indices:
        """The index of one value, as a column of one."""

    def index(self, value: Any) -> int:
        """The index of one value; a LabelError for anything else."""

    def indices(self, labels: Labels) -> Indices:
        """The indices of a column of values; a LabelError if anything else is in it."""

    def to_json(self) -> Any:
        """The values as a spec stores them."""


def values_from_json(written: object, key: str = "") -> Domain | Texts:
    """The values that ``to_json`` wrote: a number or a list of labels; null for any text, hashed under ``key``.

    >>> values_from_json(3), values_from_json(None)
    (3 labels, any text)
    """
    return Texts(key) if written is None else Domain.from_json(written)


def closed_domain(values: Values) -> Domain:
    """The values as a Domain, for code that counts or lists labels; refused for any text."""
    if not isinstance(values, Domain):
        raise DomainError(f"the values must be a closed domain, got {values!r}")
    return values
