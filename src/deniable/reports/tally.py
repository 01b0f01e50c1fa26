"""The tally: integers that add. Threads, stored rows and collectors all use this one object."""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from deniable.arrays import Counts
from deniable.estimation.frame import Frame
from deniable.estimation.table import Table, printable
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import is_int
from deniable.protocol.errors import FormatError, TallyError
from deniable.reports.magic import TALLY
from deniable.reports.spec import canonical, differences, parse

VERSION = 1
LARGEST = (1 << 63) - 1
_HEAD = struct.Struct("<15sBQQQ")  # magic, version, users, number of counts, bytes of spec
_HASH = 32


@dataclass(frozen=True, slots=True, eq=False, init=False)
class Tally(Frame):
    """The counts of ``n`` reports with one ``spec``. Adding is exactly associative; a tally of another spec is refused.

    >>> import deniable as dn
    >>> m = dn.RandomizedResponse(["yes", "no"], 1.0)
    >>> a, b = m.tally([0, 1, 1]), m.tally([1])
    >>> (a + b).n, (a + b).counts.tolist(), Tally.from_bytes((a + b).to_bytes()) == a + b
    (4, [1, 3], True)
    """

    n: int
    counts: Counts
    spec_bytes: bytes
    """The spec in its one writing, which ``__init__`` takes as it is."""

    def __init__(self, n: int, counts: Any, spec: Spec | bytes) -> None:
        if not is_int(n) or not 0 <= n <= LARGEST:
            raise TallyError(f"a tally must hold between 0 and 2^63 - 1 reports, got n={_shown(n)}")
        whole = _whole_numbers(counts)
        if whole is None or (len(whole) and not 0 <= whole.min() <= whole.max() <= n):
            raise TallyError(f"a tally's counts must be whole numbers from 0 to its {n} reports, got some that are not")
        self._set(int(n), whole, spec if isinstance(spec, bytes) else _written(spec))

    def _set(self, n: int, counts: Counts, spec_bytes: bytes) -> None:
        """Set the fields of a frozen tally, once."""
        counts.flags.writeable = False
        object.__setattr__(self, "n", n)
        object.__setattr__(self, "counts", counts)
        object.__setattr__(self, "spec_bytes", spec_bytes)

    @classmethod
    def counted(cls, n: int, counts: Counts, spec_bytes: bytes) -> Tally:
        """The tally of counts that were just made for it: neither copied nor looked through, and never changed again.

        For mechanisms: of a million symbols the copy would take as long as counting a few hundred reports.

        >>> Tally.counted(2, np.array([2, 0]), b"{}").counts.flags.writeable
        False
        """
        tally = object.__new__(cls)
        tally._set(n, counts, spec_bytes)
        return tally

    @property
    def spec(self) -> Spec:
        """The mechanism's spec as a dictionary, with everything needed to decode the counts."""
        return parse(self.spec_bytes)

    @property
    def digest(self) -> str:
        """SHA-256 of the spec: tallies with the same digest, and only those, add."""
        return hashlib.sha256(self.spec_bytes).hexdigest()

    @property
    def about(self) -> dict[str, Any]:
        return {"n": self.n, "digest": self.digest, "spec": self.spec}

    @property
    def columns(self) -> dict[str, list[int]]:
        """The counts, for whoever reads tables: what each cell counts is the mechanism's to say."""
        return {"cell": list(range(len(self.counts))), "count": self.counts.tolist()}

    @property
    def named(self) -> tuple[str, ...]:
        return ()

    def __add__(self, other: Tally) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        if self.spec_bytes != other.spec_bytes or len(self.counts) != len(other.counts):
            raise TallyError(
                f"only tallies of one spec add, got digests {self.digest[:12]} and {other.digest[:12]}"
                + differences(self.spec_bytes, other.spec_bytes)
            )
        if self.n + other.n > LARGEST:
            raise TallyError("the sum must hold at most 2^63 - 1 reports, got more; keep such tallies apart")
        return Tally(self.n + other.n, self.counts + other.counts, self.spec_bytes)

    def __radd__(self, other: object) -> Tally:
        """Support ``sum(tallies)``, which starts from 0."""
        return self if other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return self.n == other.n and self.spec_bytes == other.spec_bytes and np.array_equal(self.counts, other.counts)

    def __hash__(self) -> int:
        return hash((self.n, self.counts.tobytes(), self.spec_bytes))

    def __repr__(self) -> str:
        return f"Tally(n={self.n}, {self.spec.get('mechanism')}, digest={self.digest[:12]})"

    def _repr_html_(self) -> str:
        row = (printable(self.spec.get("mechanism")), f"{self.n:,}", f"{len(self.counts):,}", self.digest[:12])
        return Table("Tally", ("mechanism", "reports", "counts", "digest"), [row])._repr_html_()

    def to_bytes(self) -> bytes:
        """The tally as bytes: head, spec, counts (int64, little-endian) and the SHA-256 of all that."""
        head = _HEAD.pack(TALLY, VERSION, self.n, len(self.counts), len(self.spec_bytes))
        body = head + self.spec_bytes + self.counts.astype("<i8").tobytes()
        return body + hashlib.sha256(body).digest()

    @classmethod
    def from_bytes(cls, written: bytes) -> Tally:
        """Read ``to_bytes``; anything truncated, altered, longer or of another version is refused."""
        if not isinstance(written, bytes):
            raise FormatError(f"a tally must be bytes, got {type(written).__name__}")
        if len(written) < _HEAD.size + _HASH or not written.startswith(TALLY):
            raise FormatError(f"a tally must start with its {_HEAD.size} byte head, got {len(written)} other bytes")
        _, version, n, cells, spec_bytes = _HEAD.unpack_from(written)
        if version != VERSION:
            raise FormatError(f"a tally must have version {VERSION}, got version {version}; a newer release reads it")
        body, checksum = written[:-_HASH], written[-_HASH:]
        if len(body) != _HEAD.size + spec_bytes + 8 * cells:
            raise FormatError("a tally must be as long as its head says, got a truncated or longer one")
        if hashlib.sha256(body).digest() != checksum:
            raise FormatError("a tally must match its checksum, got one that was altered")
        spec_end = _HEAD.size + spec_bytes
        written = canonical(parse(body[_HEAD.size : spec_end]))
        return cls(n, np.frombuffer(body, "<i8", cells, spec_end).astype(np.int64), written)


def _whole_numbers(counts: Any) -> Counts | None:
    """A copy as an int64 row; None for anything that is not a row of whole numbers that fit."""
    try:
        array = np.asarray(counts)
    except ValueError:  # ragged
        return None
    if array.ndim != 1 or array.dtype.kind not in "iu" or (array.dtype == np.uint64 and (array > LARGEST).any()):
        return None
    return np.array(array, np.int64)


def _written(spec: Any) -> bytes:
    """A spec in its one writing; refused if JSON cannot hold it."""
    try:
        return canonical(spec)
    except (TypeError, ValueError, RecursionError):
        got = "one that it cannot" if isinstance(spec, dict) else f"{type(spec).__name__}; mechanism.spec() is one"
        raise TallyError(f"a tally's spec must be a dict that JSON can hold, got {got}") from None


def _shown(n: object) -> str:
    return str(n) if is_int(n) and n.bit_length() <= 128 else type(n).__name__
