"""Sealing on a device: who seals, and how an answer that waits becomes one that its collector alone can open."""

from __future__ import annotations

from typing import Self

from ..errors import ParameterError, StoreError
from ..surveys.crowd import read_key
from ..surveys.device_document import DeviceDocument
from ..surveys.sealed_answer import SealedForm, Sealer, info_of, new_inner_id
from .upload import ID, answer_in, upload_of_one


def installed_sealer() -> Sealer:
    """The sealer that is installed; refused, with what to install, where there is none."""
    try:
        from ..crowd import HpkeSealer
    except ImportError:
        raise ParameterError(
            "sealing must be installed for a survey with a mixer: pip install 'deniable-client[crowd]'"
        ) from None
    return HpkeSealer()


class Sealing:
    """Seals the answers to a survey for its collector; see wire/crowd.md."""

    def __init__(self, document: DeviceDocument, key: bytes, sealer: Sealer) -> None:
        self._document = document
        self._key = key
        self._sealer = sealer
        self._form = SealedForm.of(document)

    @classmethod
    def of(cls, document: DeviceDocument) -> Self | None:
        """How answers are sealed; None if they go to the collector as they are. Refused where nothing can be sealed."""
        if document.crowd is None:
            return None
        if document.crowd.key is None:
            raise ParameterError("a survey with a crowd must have the key of its collector to be answered, got none")
        key, sealer = read_key(document.crowd.key), installed_sealer()
        sealer.check(key)
        return cls(document, key, sealer)

    def seal(self, waiting: bytes, period: str) -> bytes:
        """The upload of an answer that waits, sealed for a period: its bytes are others at every call."""
        plain = self._form.write(new_inner_id(), answer_in(self._document, waiting))
        sealed = self._sealer.seal(self._key, info_of(self._document.digest, period), plain)
        return upload_of_one(waiting[:ID], sealed)

    def check(self, upload: bytes) -> None:
        """Refuse to send what is not sealed."""
        if len(upload) != len(upload_of_one(bytes(ID), bytes(self._form.sealed))):
            raise StoreError("the store must hold sealed answers once they have a period, got one of another length")
