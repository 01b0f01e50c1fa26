"""Opening what was sealed for a survey of this collector; see wire/crowd.md."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

from deniable.protocol.crowd import SUITE
from deniable.protocol.surveys.document import Document
from deniable.protocol.surveys.sealed_answer import OpenedAnswer, SealedForm, info_of


class Opener(NamedTuple):
    """Opens the answers to one period of a survey."""

    key: EllipticCurvePrivateKey
    form: SealedForm
    info: bytes
    """The survey and the period that answers must have been sealed for."""

    @classmethod
    def of(cls, key: EllipticCurvePrivateKey, document: Document[Any], digest: str, period: str) -> Self:
        """With the survey's own key."""
        return cls(key, SealedForm.of(document), info_of(digest, period))

    def open(self, sealed: bytes) -> OpenedAnswer | None:
        """What was sealed; None if these bytes were sealed for nobody here, or hold no answer of the survey's shape."""
        if len(sealed) != self.form.sealed:
            return None
        try:
            return self.form.read(SUITE.decrypt(sealed, self.key, info=self.info))
        except InvalidTag:
            return None
