"""Invitations: codes of which only hashes are kept, each good for one answer a period."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from deniable.intake.access import hash_of_code, new_code
from deniable.intake.refusals import Refusal, Refused
from deniable.intake.running import Run
from deniable.intake.storage.transaction import Transaction

CODES_AT_ONCE: Final = 1000
"""How many invitations are written while uploads wait."""
ANSWERED = Refusal("conflict", 409, "invitations must come before the first answer, got a survey answered without any")


def invite(run: Run, digest: str, people: int, day: str, who: str) -> list[str]:
    """New invitations to a survey, which nobody can look up later; refused once somebody answered without one."""
    codes = [new_code() for _ in range(people)]
    hashes = [hash_of_code(code) for code in codes]

    def begin(t: Transaction) -> None:
        row = t.lock([digest], alone=True)[digest]
        if not row.invited and t.batches(digest):
            raise Refused(ANSWERED)
        t.invite(digest, hashes[:CODES_AT_ONCE])
        t.note(day, who, "invite", digest)

    run(begin)
    for start in range(CODES_AT_ONCE, people, CODES_AT_ONCE):  # uploads are taken in between
        run(partial(Transaction.invite, digest=digest, codes=hashes[start : start + CODES_AT_ONCE]))
    return codes


def state_of_code(digest: str, periods: Sequence[str], hashed: bytes, t: Transaction) -> str:
    """What a code is worth in the periods that are open: ``unused``, ``spent``, or ``unknown`` where it is none."""
    if hashed not in t.invited(digest, [hashed]):
        return "unknown"
    return "spent" if periods and t.spent(digest, periods, hashed) else "unused"
