"""Who may do what: tokens, of which only hashes are kept, and the scopes that they are given for."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from typing import Final

from deniable.collector.storage.rows import SurveyRow, Token
from deniable.protocol.errors import ParameterError
from deniable.protocol.fields import check_survey_name

SCOPES: Final = ("author", "reader", "auditor", "admin")
ALLOWED: Final = {
    "put": ("author",),
    "close": ("author",),
    "invite": ("author",),
    "share": ("author",),
    "count": ("author",),
    "recount": ("author", "auditor"),
    "read": ("author", "reader", "auditor"),
    "export": ("auditor",),
    "manage": (),
}
"""The scopes that allow an action; an admin may do everything."""
OWN: Final = ("author",)
"""Scopes that reach no further than the surveys that the token itself put."""
BYTES: Final = 32
OPERATOR: Final = "operator"
"""Who runs the server: the name of no token that is given out."""


def new_secret() -> str:
    """256 random bits as text: a token, or an invitation."""
    return secrets.token_urlsafe(BYTES)


def hash_of(secret: str) -> bytes:
    """What is kept of a secret; it has so many random bits that nothing slower is needed."""
    return hashlib.sha256(secret.encode()).digest()


def make_token(name: str, scope: str, surveys: Iterable[str] = ()) -> tuple[Token, str]:
    """A token and its secret, which nobody can look up later."""
    named = tuple(check_survey_name("surveys", survey) for survey in surveys)
    secret = new_secret()
    if name == OPERATOR:
        raise ParameterError(f"name must be another than {OPERATOR!r}, which is whoever runs the server")
    return Token(check_survey_name("name", name), hash_of(secret), scope, named), secret


def bearer_of(tokens: Iterable[Token], secret: str) -> Token | None:
    """The token of a secret; all are compared, in a time that tells nothing of them."""
    hashed, found = hash_of(secret), None
    for token in tokens:
        if hmac.compare_digest(token.hash, hashed):
            found = token
    return found


def allows(token: Token, action: str, survey: SurveyRow | None = None) -> bool:
    """Whether a token allows an action, on a survey if it is about one."""
    if token.scope == "admin":
        return True
    if token.scope not in ALLOWED[action]:
        return False
    if survey is None:
        return True
    if token.scope in OWN:
        return survey.owner == token.name
    return not token.surveys or survey.name in token.surveys
