"""HTTPS with a certificate made here: trusted by who has its root, made anew when it must be, and by nobody else."""

from __future__ import annotations

import datetime
import json
import socket
import ssl
import stat
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from cryptography import x509
from tests.collector.test_http import started, stopped

from deniable.collector.http import certificates
from deniable.collector.http.certificates import fingerprint_of, made_here, names_of

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
        command = [sys.executable, "-m", "deniable", "collector", "status", "--data", str(tmp_path / "data"), "--json"]
        assert json.loads(subprocess.run(command, check=True, capture_output=True).stdout) == []
    finally:
        assert stopped(server) == 0


def test_an_own_certificate_is_spoken_with_by_commands_too(tmp_path: Path) -> None:
    own = made_here(tmp_path / "own", ["collector.example"])
    options = ("--tls-certificate", str(own.certificate), "--tls-key", str(own.key))
    server = started(tmp_path / "data", *options)
    try:
        assert not (tmp_path / "data" / "tls").exists()
        assert server.url.startswith("https://")
        command = [sys.executable, "-m", "deniable", "token", "ann", "--scope", "author", "--data", str(server.data)]
        assert subprocess.run(command, check=True, capture_output=True).stdout.strip()
    finally:
        assert stopped(server) == 0


@pytest.mark.parametrize("given", [("--tls-key",), ("--tls-certificate",)])
def test_a_certificate_without_its_key_is_refused(tmp_path: Path, given: tuple[str]) -> None:
    command = [sys.executable, "-m", "deniable", "serve", "--data", str(tmp_path / "data"), *given, "nothing.pem"]
    refused = subprocess.run(command, check=False, capture_output=True, text=True)
    assert refused.returncode == 2
    assert "must be given together" in " ".join(refused.stderr.replace("│", " ").split())
    assert not (tmp_path / "data").exists()


def test_a_certificate_is_kept_while_it_is_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = made_here(tmp_path, NAMES)
    written = first.certificate.read_bytes()
    assert made_here(tmp_path, NAMES[:2]).certificate.read_bytes() == written
    assert made_here(tmp_path, [*NAMES, "moved.example"]).certificate.read_bytes() != written
    written = first.certificate.read_bytes()
    monkeypatch.setattr(certificates, "RENEWED", certificates.DAYS + 1)
    assert made_here(tmp_path, NAMES).certificate.read_bytes() != written


def test_its_key_is_the_owners_and_the_roots_is_nowhere(tmp_path: Path) -> None:
    files = made_here(tmp_path, NAMES)
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
