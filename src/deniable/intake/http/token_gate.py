"""Whose token came with a request, and whether it allows what is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from starlette.requests import Request

from deniable.intake.access import allows, bearer_of
from deniable.intake.http.limits import Rates, address_of
from deniable.intake.refusals import SCOPE, TOKEN, TOO_MANY, UNKNOWN, Refused
from deniable.intake.storage.rows import SurveyRow, Token

BEARER = "Bearer "


class TokenGate:
    """Lets those in whose token allows it; ``operator`` is this process's own admin, whose token is stored nowhere."""

    def __init__(self, tokens: Callable[[], Sequence[Token]], operator: Token, wrong: Rates) -> None:
        self._tokens, self._operator, self._wrong = tokens, operator, wrong

    def admit(self, request: Request, action: str, survey: SurveyRow | None = None) -> Token:
        """The token of a request, if it allows the action; blocks while tokens are read."""
        header = request.headers.get("authorization", "")
        token = self.holder(request, header[len(BEARER) :] if header.startswith(BEARER) else "")
        if not allows(token, action, survey):
            # who may not see a survey does not learn that it is there
            raise Refused(SCOPE if survey is None or allows(token, "read", survey) else UNKNOWN)
        return token

    def holder(self, request: Request, secret: str) -> Token:
        """The token of a secret; whoever guesses often is told to wait, and a right secret is always let in."""
        token = bearer_of([self._operator, *self._tokens()], secret)
        if token is None:
            raise Refused(TOKEN if self._wrong.allow(address_of(request.scope)) else TOO_MANY)
        return token
