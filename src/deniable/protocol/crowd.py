"""Sealing by the package cryptography, which ``deniable-client[crowd]`` brings; see wire/crowd.md.

It is the one file here that needs more than the standard library, and nothing imports it but those who seal or open.
"""

from __future__ import annotations

from typing import Final

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

from .errors import ParameterError
from .surveys.crowd import PLAIN_POINT, POINT

SUITE: Final = Suite(KEM.P256, KDF.HKDF_SHA256, AEAD.AES_128_GCM)
"""HPKE (RFC 9180) in base mode: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-128-GCM."""


class HpkeSealer:
    """Seals by HPKE.

    >>> HpkeSealer().check(bytes([4]) + bytes(64))
    Traceback (most recent call last):
      ...
    deniable.protocol.errors.ParameterError: key must be a point on the curve P-256, got bytes that are none
    """

    def check(self, key: bytes) -> None:
        """Refuse a key that is no point of the curve."""
        _point(key)

    def seal(self, key: bytes, info: bytes, plain: bytes) -> bytes:
        """``plain``, sealed for whoever has the private key of ``key``; it opens only with the same ``info``."""
        return SUITE.encrypt(plain, _point(key), info=info)


def _point(key: bytes) -> EllipticCurvePublicKey:
    """A key as an object of the package, which would also read compressed points: they are refused here."""
    if len(key) == POINT and key[0] == PLAIN_POINT:
        try:
            return EllipticCurvePublicKey.from_encoded_point(SECP256R1(), key)
        except ValueError:
            pass
    raise ParameterError("key must be a point on the curve P-256, got bytes that are none")
