"""The private keys of surveys whose answers come sealed: files in a folder, one of each survey, for their owner alone.

Beside them stands which parcels have come. A backup of the storage has none of this, so that it opens no answer; and a
storage that was put back from one finds here what came since.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from deniable.intake.private_files import make_folder, write_private
from deniable.protocol.base64url import write_base64url
from deniable.protocol.crowd import HpkeSealer
from deniable.protocol.errors import ParameterError, StoreError
from deniable.protocol.surveys.crowd import read_key
from deniable.reports.atomic_files import settle

KEYS: Final = "keys"
"""The folder of them, in that of the collector unless it is said."""
KEY_ENDING, PARCELS_ENDING = ".pem", ".json"


class LostKeyError(StoreError):
    """A private key is not there."""


class KeyFolder:
    """The folder; it is made when there is something to put into it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def make(self) -> str:
        """A new key; the public one as documents have it."""
        make_folder(self.folder)
        private = generate_private_key(SECP256R1())
        public = public_of(private)
        write_private(self._key_file(public), pem_of(private))
        return public

    def load(self, public: str) -> EllipticCurvePrivateKey:
        """The private key of a public one; refused if its file is lost, or holds another."""
        try:
            return self._read_key(self._key_file(public))
        except FileNotFoundError:
            raise LostKeyError(f"the key of a survey must be a file in {self.folder}, got none") from None

    def check(self, public: str) -> None:
        """Refuse a document's key that is no point of the curve, or was not made here."""
        HpkeSealer().check(read_key(public))
        try:
            self.load(public)
        except LostKeyError:
            raise ParameterError(
                "key must be one that this collector made for the survey, got a strange one; see deniable collector put"
            ) from None

    def has(self, public: str) -> bool:
        """Whether a private key is there."""
        return self._key_file(public).exists()

    def destroy(self, public: str) -> None:
        """Write over a private key, and delete it, if it is there."""
        path = self._key_file(public)
        with suppress(FileNotFoundError):
            with path.open("r+b") as file:
                file.write(bytes(path.stat().st_size))
                file.flush()
                os.fsync(file.fileno())
            path.unlink()
            settle(self.folder)

    def came(self, survey: str) -> dict[str, str]:
        """The SHA-256 of parcels that came to a survey, by their periods."""
        with suppress(FileNotFoundError):
            digests: dict[str, str] = json.loads(self._parcels_file(survey).read_bytes())
            return digests
        return {}

    def note(self, survey: str, period: str, digest: str) -> None:
        """Write down that a parcel came, before the storage has what was in it."""
        make_folder(self.folder)
        write_private(self._parcels_file(survey), json.dumps({**self.came(survey), period: digest}, indent=0).encode())

    def export(self, out: Path) -> int:
        """Copy all keys and records of parcels into a folder, once each key could be read; how many keys there are."""
        keys = sorted(self.folder.glob(f"*{KEY_ENDING}"))
        if not keys:
            raise ParameterError(
                f"a folder of keys must have some to be copied, got none in {self.folder}: deniable collector put "
                "makes one for each survey with a crowd; other folders are named by --data and --keys"
            )
        for path in keys:
            self._read_key(path)
        make_folder(out)
        for path in (*keys, *sorted(self.folder.glob(f"*{PARCELS_ENDING}"))):
            write_private(out / path.name, path.read_bytes())
        return len(keys)

    def _read_key(self, path: Path) -> EllipticCurvePrivateKey:
        """The key in a file, whose name is that of the public one."""
        private = read_pem(path.read_bytes())
        if private is None or self._key_file(public_of(private)) != path:
            raise StoreError(f"a key must be the one that {path.name} is named after, got a damaged one")
        return private

    def _parcels_file(self, survey: str) -> Path:
        return self.folder / f"{survey}{PARCELS_ENDING}"

    def _key_file(self, public: str) -> Path:
        """The file of a key, by a name that tells nothing and is valid on every file system."""
        return self.folder / f"{hashlib.sha256(public.encode()).hexdigest()}{KEY_ENDING}"


def public_of(private: EllipticCurvePrivateKey) -> str:
    """The public key as documents have it."""
    return write_base64url(private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def pem_of(private: EllipticCurvePrivateKey) -> bytes:
    """A private key as it is written."""
    return private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def read_pem(written: bytes) -> EllipticCurvePrivateKey | None:
    """A private key as it was written; None if it is none."""
    try:
        private = load_pem_private_key(written, None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None
    return private if isinstance(private, EllipticCurvePrivateKey) else None
