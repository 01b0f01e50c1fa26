"""Certificates for HTTPS: the operator's own, or one made here for a laptop in its own network."""

from __future__ import annotations

import datetime
import ipaddress
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from deniable.intake.private_files import make_folder, write_private

if TYPE_CHECKING:
    from cryptography.x509 import GeneralName

FOLDER: Final = "tls"
DAYS: Final = 397
"""How long a certificate made here is good: browsers refuse longer ones."""
RENEWED: Final = 30
"""Days before its end when a certificate is made anew."""


class TlsFiles(NamedTuple):
    """What a server shows and signs with, and what its clients may trust."""

    certificate: Path
    key: Path
    root: Path


def self_made(data: Path, names: Sequence[str]) -> TlsFiles:
    """The certificate in a collector's folder, made anew where there is none, or one that lacks a name or soon ends.

    It is signed by a root whose key is thrown away at once, so that trusting the root trusts nothing else, ever.
    """
    folder = data / FOLDER
    files = TlsFiles(folder / "certificate.pem", folder / "key.pem", folder / "root.pem")
    if not (files.certificate.exists() and _is_good(files.certificate.read_bytes(), names)):
        make_folder(folder)
        for path, written in zip(files, _make(names), strict=True):
            write_private(path, written)
    return files


def fingerprint_of(certificate: Path) -> str:
    """The SHA-256 of a certificate as devices show it before they trust it."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes

    digest = x509.load_pem_x509_certificate(certificate.read_bytes()).fingerprint(hashes.SHA256())
    return digest.hex(":").upper()


def end_of(certificate: Path) -> float:
    """When a certificate ends, in seconds since 1970."""
    from cryptography import x509

    return x509.load_pem_x509_certificate(certificate.read_bytes()).not_valid_after_utc.timestamp()


def names_of(host: str) -> list[str]:
    """The names under which a server that listens on ``host`` can be reached."""
    name = socket.gethostname()
    listened = [own_address()] if is_everywhere(host) else [host]
    return list(dict.fromkeys([*listened, "127.0.0.1", "localhost", name, f"{name.split('.')[0]}.local"]))


def is_everywhere(host: str) -> bool:
    """Whether a server listens on all addresses of its machine."""
    return host in ("0.0.0.0", "::")


def own_address() -> str:
    """The address of this machine in its own network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: only the route is looked up
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _is_good(written: bytes, names: Sequence[str]) -> bool:
    """Whether a certificate has these names, and at least RENEWED days left."""
    from cryptography import x509

    certificate = x509.load_pem_x509_certificate(written)
    left = certificate.not_valid_after_utc - datetime.datetime.now(datetime.UTC)
    alternative = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    named = {*alternative.get_values_for_type(x509.DNSName), *map(str, alternative.get_values_for_type(x509.IPAddress))}
    return left.days >= RENEWED and set(names) <= named


def _make(names: Sequence[str]) -> tuple[bytes, bytes, bytes]:
    """A certificate with its key, and the root that signed it, in PEM."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    now = datetime.datetime.now(datetime.UTC)
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"deniable on {socket.gethostname()[:40]}")])

    def begin(subject: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
        named = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key.public_key())
        dated = named.not_valid_before(now - datetime.timedelta(hours=1)).serial_number(x509.random_serial_number())
        return dated.not_valid_after(now + datetime.timedelta(days=DAYS))

    root_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    may_sign = x509.BasicConstraints(ca=True, path_length=0)
    root = begin(issuer, root_key).add_extension(may_sign, critical=True).sign(root_key, hashes.SHA256())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0][:64])])
    alternative = x509.SubjectAlternativeName([_name(name) for name in names])
    purpose = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
    extended = begin(subject, key).add_extension(alternative, critical=False).add_extension(purpose, critical=False)
    builder = extended.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    signed = builder.sign(root_key, hashes.SHA256())
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return signed.public_bytes(pem), secret, root.public_bytes(pem)


def _name(name: str) -> GeneralName:
    """An address or a host name as certificates hold it."""
    from cryptography import x509

    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
