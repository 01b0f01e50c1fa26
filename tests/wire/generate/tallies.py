"""`tallies.json`: tallies as bytes, sums of them, and bytes that are no tally."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from typing import Any

import deniable as dn

HEAD = struct.Struct("<15sBQQQ")
MAGIC = b"deniable tally\0"
LARGEST = (1 << 63) - 1

SURVEY = dn.RandomizedResponse(["ja", "nein", "ウ"], 1.0)
TALLY = dn.Tally(9, [1, 2, 6], SURVEY.spec())
WHOLE = TALLY.to_bytes()
SPEC_AT, COUNTS_AT, HASH_AT = HEAD.size, len(WHOLE) - 32 - 8 * 3, len(WHOLE) - 32

GOOD = {
    "of three labels": TALLY,
    "of no reports": SURVEY.tally([]),
    "as large as any": dn.Tally(LARGEST, [LARGEST, 0, 0], SURVEY.spec()),
    "of bits": dn.Rappor(11, 2.0).tally([b"\xff\x07", b"\x00\x00", b"\x01\x04"]),
    "of subsets": dn.Subset(8, 1.0, size=3).tally([b"\x07", b"\xe0", b"\x07"]),
    "of outputs": dn.Hadamard(10, 1.0, parts=1).tally([0, 15, 15, 7]),
    "of residues": dn.Cyclic(10, 1.0).tally([0, 12, 12, 5]),
    "of cohorts and symbols": dn.HashedResponse(1.0, 3, 2).tally([0, 5, 5, 2]),
    "of cohorts and bits": dn.HashedRappor(1.0, 3, 2).tally([b"\0\0\x05", b"\1\0\x07", b"\1\0\x04"]),
    "of a channel": dn.Channel(2, [[0.75, 0.25], [0.25, 0.75]]).tally([1, 1, 0]),
}


def sealed(
    n: int = 9, cells: int = 3, spec: bytes = TALLY.spec_bytes, counts: bytes = TALLY.counts.tobytes(), **head: Any
) -> bytes:
    """The bytes of a tally with a checksum that fits them, whatever they say."""
    magic, version, length = head.get("magic", MAGIC), head.get("version", 1), head.get("length", len(spec))
    body = HEAD.pack(magic, version, n, cells, length) + spec + counts
    return body + hashlib.sha256(body).digest()


def _flipped() -> Iterator[tuple[str, bytes]]:
    """One bit of every field, the checksum left as it was."""
    fields = {
        "the first byte of the magic": 0,
        "the last byte of the magic": 14,
        "the version": 15,
        "the number of reports": 16,
        "the number of counts": 24,
        "the length of the spec": 32,
        "the first byte of the spec": SPEC_AT,
        "the middle of the spec": (SPEC_AT + COUNTS_AT) // 2,
        "the last byte of the spec": COUNTS_AT - 1,
        "the first count": COUNTS_AT,
        "the last count": HASH_AT - 1,
        "the first byte of the checksum": HASH_AT,
        "the last byte of the checksum": len(WHOLE) - 1,
    }
    for name, at in fields.items():
        yield f"a bit flipped in {name}", WHOLE[:at] + bytes([WHOLE[at] ^ 4]) + WHOLE[at + 1 :]


def _cut() -> Iterator[tuple[str, bytes]]:
    places = {"the magic": 7, "the head": 20, "the spec": SPEC_AT + 5, "the counts": COUNTS_AT + 9}
    yield "no bytes", b""
    for name, at in places.items():
        yield f"cut within {name}", WHOLE[:at]
    yield "cut before the checksum", WHOLE[:HASH_AT]
    yield "cut by one byte", WHOLE[:-1]
    yield "one byte more", WHOLE + b"\0"
    yield "one byte before", b"\0" + WHOLE
    yield "twice", WHOLE + WHOLE


def _counts(*counts: int) -> bytes:
    return struct.pack(f"<{len(counts)}q", *counts)


def _spec(text: str) -> bytes:
    return sealed(spec=text.encode())


def _misled() -> Iterator[tuple[str, bytes]]:
    """Wrong in what they say, with a checksum that fits."""
    yield "version 0", sealed(version=0)
    yield "version 2", sealed(version=2)
    yield "another magic", sealed(magic=b"deniable report")
    yield "fewer reports than a count", sealed(n=5)
    yield "a count below 0", sealed(counts=_counts(1, -1, 9))
    yield "more than 2^63 - 1 reports", sealed(n=1 << 63)
    yield "a count fewer than the head says", sealed(counts=_counts(3, 6))
    yield "a count more than the head says", sealed(counts=_counts(1, 2, 6, 0))
    yield "a spec longer than the bytes", sealed(length=len(TALLY.spec_bytes) + 1)
    yield "lengths that only fit together", sealed(cells=2, length=len(TALLY.spec_bytes) + 8)
    yield "lengths that overflow 64 bits", sealed(cells=(1 << 61) + 3)
    yield "a byte beside the counts", sealed(counts=TALLY.counts.tobytes() + b"\0")
    yield "a spec with a blank", _spec(TALLY.spec_bytes.decode().replace(",", ", "))
    yield "a spec with keys out of order", _spec('{"version":1,"domain":3,"epsilon":1.0}')
    yield "a spec with a longer float", _spec(TALLY.spec_bytes.decode().replace("1.0", "1.00"))
    yield "a spec with escapes", _spec(TALLY.spec_bytes.decode().replace("ウ", "\\u30a6"))
    yield "a spec with a key twice", _spec('{"version":1,"version":1}')
    yield "a spec that is a list", _spec("[]")
    yield "a spec that is not JSON", _spec("{")
    yield "a spec that is not UTF-8", sealed(spec=b'{"a":"\xff"}')
    yield "a spec of no bytes", sealed(spec=b"")


def _good(name: str, tally: dn.Tally) -> dict[str, Any]:
    return {
        "name": name,
        "hex": tally.to_bytes().hex(),
        "n": str(tally.n),
        "counts": [str(count) for count in tally.counts.tolist()],
        "spec": tally.spec_bytes.decode(),
        "sha256": tally.digest,
    }


def _sums() -> Iterator[dict[str, Any]]:
    for terms in ([TALLY], [TALLY, TALLY], [SURVEY.tally([]), TALLY], [TALLY, SURVEY.tally([0, 0, 2]), TALLY]):
        total = sum(terms[1:], terms[0])
        yield {"terms": [term.to_bytes().hex() for term in terms], "sum": total.to_bytes().hex()}


def _no_sums() -> Iterator[dict[str, Any]]:
    others = {
        "another epsilon": dn.RandomizedResponse(["ja", "nein", "ウ"], 1.5).tally([]),
        "another mechanism": dn.Rappor(["ja", "nein", "ウ"], 1.0).tally([]),
        "other labels": dn.RandomizedResponse(3, 1.0).tally([]),
        "labels in another order": dn.RandomizedResponse(["nein", "ja", "ウ"], 1.0).tally([]),
        "more than 2^63 - 1 reports": dn.Tally(LARGEST, [0, 0, 0], SURVEY.spec()),
        "another number of counts": dn.Tally(0, [0, 0], SURVEY.spec()),
    }
    for why, other in others.items():
        yield {"why": why, "terms": [WHOLE.hex(), other.to_bytes().hex()]}


def tallies() -> dict[str, list[dict[str, Any]]]:
    """The sections of the file."""
    bad = [*_cut(), *_flipped(), *_misled()]
    return {
        "good": [_good(name, tally) for name, tally in GOOD.items()],
        "sums": list(_sums()),
        "bad": [{"why": why, "hex": written.hex()} for why, written in bad],
        "bad_sums": list(_no_sums()),
    }
