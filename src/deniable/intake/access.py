"""Who may do what: tokens, of which only hashes are kept, and the scopes that they are given for."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence
from typing import Final

from deniable.intake.storage.rows import SurveyRow, Token
from deniable.protocol.errors import ParameterError
from deniable.protocol.fields import check_survey_name

SCOPES: Final = ("author", "reader", "auditor", "mixer", "admin")
ALLOWED: Final = {
    "put": ("author",),
    "close": ("author",),
    "delete": ("author",),
    "invite": ("author",),
    "share": ("author",),
    "count": ("author",),
    "recount": ("author", "auditor"),
    "read": ("author", "reader", "auditor"),
    "export": ("auditor",),
    "parcel": ("mixer",),
    "manage": (),
}
"""The scopes that allow an action; an admin may do everything."""
AUTHOR: Final = "author"
"""The scope that reaches no further than the surveys that the token itself put."""
MIXER: Final = "mixer"
"""The scope of who hands over the parcels of one survey, and may do nothing else."""
BYTES: Final = 32
ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""What invitations are written in: digits, and letters that nobody takes for one (Crockford's base 32)."""
LOOKALIKES: Final = str.maketrans("OIL", "011")
CODE_LENGTH, CODE_GROUP = 16, 4
SEPARATOR: Final = "~"
"""Stands in a token's id between its name and random digits; no name holds it."""
OPERATOR: Final = "operator"
"""Who runs the server: the name of no token that is given out."""


def new_secret() -> str:
    """256 random bits as text, such as a token."""
    return secrets.token_urlsafe(BYTES)


def new_code() -> str:
    """80 random bits as an invitation that people can type: K7QM-2P4X-9TRD-WH3C."""
    return _grouped([ALPHABET[byte % len(ALPHABET)] for byte in secrets.token_bytes(CODE_LENGTH)])  # 256 is 8 times 32


def hash_of_code(typed: str) -> bytes:
    """What is kept of an invitation, however it was typed: in small letters, without hyphens, or with O for 0.

    >>> hash_of_code("k7qm 2p4x 9trd wh3c") == hash_of("K7QM-2P4X-9TRD-WH3C")
    True
    """
    signs = [sign for sign in typed.upper().translate(LOOKALIKES) if sign.isalnum()]
    return hash_of(_grouped(signs) if len(signs) == CODE_LENGTH and set(signs) <= set(ALPHABET) else typed)


def _grouped(signs: Sequence[str]) -> str:
    return "-".join("".join(signs[start : start + CODE_GROUP]) for start in range(0, len(signs), CODE_GROUP))


def hash_of(secret: str) -> bytes:
    """What is kept of a secret; it has so many random bits that nothing slower is needed."""
    return hashlib.sha256(secret.encode()).digest()


def make_token(name: str, scope: str, surveys: Iterable[str] = ()) -> tuple[Token, str]:
    """A token and its secret, which nobody can look up later."""
    checked = tuple(check_survey_name("surveys", survey) for survey in surveys)
    secret = new_secret()
    if name == OPERATOR:
        raise ParameterError(f"name must be another than {OPERATOR!r}, which is whoever runs the server")
    if scope == MIXER and len(checked) != 1:
        raise ParameterError(f"a mixer's token must be for one survey, got {len(checked)}")
    identifier = f"{check_survey_name('name', name)}{SEPARATOR}{secrets.token_hex(8)}"
    return Token(name, hash_of(secret), scope, checked, identifier), secret


def name_of(owner: str) -> str:
    """The name of the token to which something belongs, or belonged before it was deleted."""
    return owner.partition(SEPARATOR)[0]


def bearer_of(tokens: Iterable[Token], secret: str) -> Token | None:
    """The token of a secret; all are compared, in a time that tells nothing of them."""
    hashed = hash_of(secret)
    matching = [token for token in tokens if hmac.compare_digest(token.hash, hashed)]
    return matching[-1] if matching else None


def allows(token: Token, action: str, survey: SurveyRow | None = None) -> bool:
    """Whether a token allows an action, on a survey if it is about one."""
    if token.scope == "admin":
        return True
    if token.scope not in ALLOWED[action]:
        return False
    if survey is None:
        return True
    if token.scope == AUTHOR:
        return survey.owner == token.id
    return not token.surveys or survey.name in token.surveys
