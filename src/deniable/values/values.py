"""What all values have in common: an index for each, whether they are a closed set of labels or any text."""

from __future__ import annotations

from typing import Any, Protocol

from deniable.arrays import Indices
from deniable.errors import DomainError
from deniable.values.columns import Kind, Labels
from deniable.values.domain import Domain
from deniable.values.texts import Texts


class Values(Protocol):
    """The values that people may hold. A mechanism randomizes their indices, which are 64-bit integers.

    Values are equal, and hash alike, if they give the same value the same index.

    >>> answers: Values = Domain.of(["yes", "no"])
    >>> answers.size, answers.indices(["no", "yes"]).tolist(), "perhaps" in answers
    (2, [1, 0], False)
    """

    @property
    def size(self) -> int | None:
        """How many values there are; None if there is no end of them."""

    @property
    def kind(self) -> Kind:
        """What the values are, and so what a file's column is read as."""

    @property
    def empty_is_blank(self) -> bool:
        """Whether an empty field of a file is no answer, rather than the empty text."""

    def __contains__(self, value: object) -> bool: ...

    def index(self, value: Any) -> int:
        """The index of one value. Whatever else is given is refused."""

    def indices(self, labels: Labels) -> Indices:
        """The indices of a column of values. If anything else is in it, the whole column is refused."""

    def column(self, labels: Labels) -> Indices:
        """As ``indices``, but what is none of the values may be left for ``check`` to refuse.

        Its index is then out of range.
        """

    def check(self, found: Indices) -> None:
        """Refuse a column if an index in it is out of range."""

    def to_json(self) -> Any:
        """The form that a spec holds."""


def values_from_json(written: object, key: str = "") -> Domain | Texts:
    """Read what ``to_json`` wrote: a number or a list of labels; null is any text, hashed under the key.

    >>> values_from_json(3), values_from_json(None)
    (3 labels, any text)
    """
    return Texts(key) if written is None else Domain.from_json(written)


def closed_domain(values: Values) -> Domain:
    """The labels, where the values are a closed set of them: to count them, or to go through them all."""
    if not isinstance(values, Domain):
        raise DomainError(f"the values must be a closed domain, got {values!r}")
    return values
