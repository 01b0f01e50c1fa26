"""HTTPS with a certificate made here: trusted by who has its root, made anew when it must be, and by nobody else."""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import signal
import socket
import ssl
import stat
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from tests.collector.commands import command, in_a_line
from tests.collector.servers import started, stopped
from tests.waiting import until

from deniable.intake.http import certificates
from deniable.intake.http.certificates import TlsFiles, fingerprint_of, names_of, self_made
from deniable.intake.http.renewal import Renewal

NAMES = ["192.0.2.7", "127.0.0.1", "localhost"]


def test_devices_that_trust_the_root_speak_https(tmp_path: Path) -> None:
    server = started(tmp_path / "data", "--tls", "--host", "127.0.0.1")
    try:
        assert server.url.startswith("https://127.0.0.1:")
        root = tmp_path / "data" / "tls" / "root.pem"
        with urllib.request.urlopen(f"{server.url}/live", context=ssl.create_default_context(cafile=root)) as reply:
            assert reply.status == 200
        with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
            urllib.request.urlopen(f"{server.url}/live")
        shown = command("collector", "status", "--data", str(tmp_path / "data"), "--json")
        assert json.loads(shown.stdout) == []
    finally:
        assert stopped(server) == 0


def made_in(folder: Path, names: Sequence[str]) -> TlsFiles:
    """A certificate made in a new folder."""
    folder.mkdir()
    return self_made(folder, names)


def test_an_own_certificate_is_spoken_with_by_commands_too(tmp_path: Path) -> None:
    own = made_in(tmp_path / "own", ["collector.example"])
    options = ("--tls-certificate", str(own.certificate), "--tls-key", str(own.key))
    server = started(tmp_path / "data", *options)
    try:
        assert not (tmp_path / "data" / "tls").exists()
        assert server.url.startswith("https://")
        made = command("token", "ann", "--scope", "author", "--data", str(server.data))
        assert made.returncode == 0
        assert made.stdout.strip()
    finally:
        assert stopped(server) == 0


@pytest.mark.parametrize("given", [("--tls-key",), ("--tls-certificate",)])
def test_a_certificate_without_its_key_is_refused(tmp_path: Path, given: tuple[str]) -> None:
    refused = command("serve", "--data", str(tmp_path / "data"), *given, "nothing.pem")
    assert refused.returncode == 2
    assert "must be given together" in " ".join(refused.stderr.replace("│", " ").split())
    assert not (tmp_path / "data").exists()


def test_a_certificate_is_kept_while_it_is_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = self_made(tmp_path, NAMES)
    written = first.certificate.read_bytes()
    assert self_made(tmp_path, NAMES[:2]).certificate.read_bytes() == written
    assert self_made(tmp_path, [*NAMES, "moved.example"]).certificate.read_bytes() != written
    written = first.certificate.read_bytes()
    monkeypatch.setattr(certificates, "RENEWED", certificates.DAYS + 1)
    assert self_made(tmp_path, NAMES).certificate.read_bytes() != written


def test_its_key_is_the_owners_and_the_roots_is_nowhere(tmp_path: Path) -> None:
    files = self_made(tmp_path, NAMES)
    assert stat.S_IMODE(files.key.stat().st_mode) == 0o600
    assert sorted(path.name for path in (tmp_path / "tls").iterdir()) == ["certificate.pem", "key.pem", "root.pem"]
    root = x509.load_pem_x509_certificate(files.root.read_bytes())
    leaf = x509.load_pem_x509_certificate(files.certificate.read_bytes())
    leaf.verify_directly_issued_by(root)
    assert leaf.public_key() != root.public_key()
    assert leaf.not_valid_after_utc - leaf.not_valid_before_utc <= datetime.timedelta(days=398)
    assert len(fingerprint_of(files.root).split(":")) == 32


def test_a_server_for_everybody_names_its_own_address() -> None:
    names = names_of("0.0.0.0")
    assert names[0] == certificates.own_address()
    assert {"127.0.0.1", "localhost", socket.gethostname()} <= set(names)
    assert names_of("127.0.0.1").count("127.0.0.1") == 1


def shown_by(url: str) -> str:
    """The fingerprint of the certificate that a server shows to a new connection."""
    where = urlsplit(url)
    pem = ssl.get_server_certificate((str(where.hostname), where.port or 443))
    return x509.load_pem_x509_certificate(pem.encode()).fingerprint(hashes.SHA256()).hex(":").upper()


def shaken(context: ssl.SSLContext, name: str | None) -> str:
    """The fingerprint of the certificate that a client sees which names a host, or none."""
    client_context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client_context.check_hostname, client_context.verify_mode = False, ssl.CERT_NONE
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = client_context.wrap_bio(to_client, to_server, server_hostname=name)
    server = context.wrap_bio(to_server, to_client, server_side=True)
    for side in (client, server, client, server):
        with contextlib.suppress(ssl.SSLWantReadError):
            side.do_handshake()
    shown = x509.load_der_x509_certificate(client.getpeercert(binary_form=True) or b"")
    return shown.fingerprint(hashes.SHA256()).hex(":").upper()


def of_rsa(folder: Path) -> TlsFiles:
    """A certificate of another kind of key."""
    folder.mkdir()
    files = TlsFiles(folder / "certificate.pem", folder / "key.pem", folder / "certificate.pem")
    key, name = rsa.generate_private_key(65537, 2048), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "rsa")])
    now = datetime.datetime.now(datetime.UTC)
    begun = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(7)
    ends = now + datetime.timedelta(days=certificates.DAYS)
    made = begun.not_valid_before(now).not_valid_after(ends).sign(key, hashes.SHA256())
    files.certificate.write_bytes(made.public_bytes(Encoding.PEM))
    files.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return files


def replaced(one: TlsFiles, other: TlsFiles) -> None:
    """Put another certificate and its key in the place of one, as what renews certificates does."""
    for path, new in zip(one[:2], other[:2], strict=True):
        beside = path.with_suffix(".new")
        beside.write_bytes(new.read_bytes())
        beside.rename(path)


@pytest.mark.parametrize("asked", [False, True], ids=["by itself", "SIGHUP"])
def test_a_renewed_certificate_is_shown_by_a_running_server(tmp_path: Path, asked: bool) -> None:
    one, other = made_in(tmp_path / "one", NAMES), made_in(tmp_path / "other", NAMES)
    server = started(tmp_path / "data", "--tls-certificate", str(one.certificate), "--tls-key", str(one.key))
    try:
        assert shown_by(server.url) == fingerprint_of(one.certificate)
        before = [path.stat() for path in one[:2]]
        replaced(one, other)
        if asked:
            for path, found in zip(one[:2], before, strict=True):
                os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
            server.process.send_signal(signal.SIGHUP)
        until(lambda: shown_by(server.url) == fingerprint_of(other.certificate), 0.1)
    finally:
        assert stopped(server) == 0


def test_an_unsound_certificate_changes_nothing_and_is_told_of_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    one, other = made_in(tmp_path / "one", NAMES), made_in(tmp_path / "other", NAMES)
    context, first = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), fingerprint_of(one.certificate)
    context.load_cert_chain(one.certificate, one.key)
    renewal = Renewal(context, one.certificate, one.key)
    for text in (b"no certificate", other.certificate.read_bytes()):  # whose key has not been replaced yet
        one.certificate.write_bytes(text)
        for _ in range(3):
            renewal.check()
            assert [shaken(context, name) for name in (None, "localhost")] == [first] * 2
    told = "a new certificate must come with its key; the one before is shown further on"
    assert [line.rpartition(": ")[0] for line in caplog.messages] == [told] * 2
    one.certificate.unlink()
    renewal.check()
    for new in (other, of_rsa(tmp_path / "rsa"), made_in(tmp_path / "third", NAMES)):
        replaced(one, new)
        renewal.check()
        assert [shaken(context, name) for name in (None, "localhost")] == [fingerprint_of(new.certificate)] * 2
    assert caplog.messages[-1] == "the certificate was renewed"
    assert renewal.end == pytest.approx(time.time() + certificates.DAYS * 86400, abs=60)


@pytest.mark.parametrize(("days", "warned"), [(5, True), (13, True), (20, False)])
def test_an_end_that_is_near_is_warned_of_once_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, days: int, warned: bool
) -> None:
    monkeypatch.setattr(certificates, "DAYS", days)
    files = self_made(tmp_path, NAMES)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    renewal = Renewal(context, files.certificate, files.key)
    for _ in range(3):
        renewal.check()
    said = f"the certificate must be renewed: it is good for {days} days more"
    assert caplog.messages == ([said] if warned else [])


def test_a_certificate_that_ended_is_named_by_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificates, "DAYS", 0)
    ended = made_in(tmp_path / "one", NAMES)
    time.sleep(1.1)  # certificates tell whole seconds
    server = started(tmp_path / "data", "--tls-certificate", str(ended.certificate), "--tls-key", str(ended.key))
    try:
        refused = command("collector", "status", "--data", str(server.data))
        assert refused.returncode == 2
        assert "certificate has expired" in in_a_line(refused.stderr)
    finally:
        assert stopped(server) == 0
