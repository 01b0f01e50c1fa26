"""Where a collector listens, what it needs to start, and whose its files are."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.collector.commands import command
from tests.collector.servers import started, stopped
from tests.collector.worlds import a_survey
from tests.waiting import PATIENCE

import deniable as dn
from deniable.kernels.threads import processors

THREADS = """
import os, sys
from deniable.cli import app
try:
    app()
finally:
    print("numpy" in sys.modules, len(os.listdir("/proc/self/task")))
"""
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


def has_ipv6() -> bool:
    """Whether this machine speaks IPv6 to itself."""
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@pytest.mark.parametrize(
    "host", ["0.0.0.0", pytest.param("::", marks=pytest.mark.skipif(not has_ipv6(), reason="IPv4"))]
)
def test_a_collector_on_all_addresses_is_reached_by_commands_over_loopback(host: str, tmp_path: Path) -> None:
    """So that an admin's token never travels through a network."""
    server = started(tmp_path / "data", "--host", host)
    try:
        told = json.loads((tmp_path / "data" / "server.json").read_text())
        assert urlsplit(told["url"]).hostname == "127.0.0.1"
        document = tmp_path / "survey.json"
        dn.files.write_document(a_survey("everywhere"), document)
        put = command("collector", "put", str(document), "--data", str(tmp_path / "data"))
        assert put.returncode == 0, put.stderr
        port = urlsplit(told["url"]).port
        for address in ["127.0.0.1"] if host == "0.0.0.0" else ["127.0.0.1", "::1"]:
            with socket.create_connection((address, port or 0), timeout=PATIENCE):
                pass
    finally:
        assert stopped(server) == 0


def test_too_few_open_files_are_refused_at_the_start(tmp_path: Path) -> None:
    """It would say that it collects, and send everybody away."""
    found = command("serve", "--data", str(tmp_path / "data"), "--port", "0", before="ulimit -Sn 129; ulimit -Hn 129; ")
    assert found.returncode == 2
    assert found.stderr == "deniable: the limit of open files must be at least 256, got 129; see ulimit -n\n"


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are not listed here")
@pytest.mark.parametrize(("asked", "threads"), [(None, 1), ("2", min(2, processors()))])
def test_linear_algebra_takes_one_thread_unless_it_is_asked_for_more(
    asked: str | None, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a collector that is refused once it has loaded all that it needs."""
    if asked is None:
        monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    else:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", asked)
    refused = ["serve", "--data", "none", "--trusted-proxy", "nowhere"]
    found = subprocess.run([sys.executable, "-c", THREADS, *refused], capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert found.stdout.split() == ["True", str(threads)]


@pytest.mark.skipif(not IS_ROOT, reason="only root can work in a folder of another user's")
def test_a_command_by_root_leaves_the_folder_to_its_owner(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert stopped(started(data)) == 0
    for path in (data, *data.rglob("*")):
        os.chown(path, 4711, 4712)
    assert command("token", "ann", "--scope", "author", "--data", str(data)).returncode == 0
    assert {(path.stat().st_uid, path.stat().st_gid) for path in data.rglob("*")} == {(4711, 4712)}


def test_what_keeps_a_collector_from_starting_is_named(tmp_path: Path) -> None:
    """A folder in the place of a file, as any other fault of the file system: the path and the reason."""
    data = tmp_path / "data"
    assert stopped(started(data)) == 0
    (data / "starts").unlink()
    (data / "starts").mkdir()
    found = command("token", "ann", "--scope", "author", "--data", str(data))
    assert found.returncode == 2
    assert str(data / "starts") in found.stderr
    assert "one that ended" not in found.stderr


def test_a_collector_ends_in_time_whatever_it_still_works_out(tmp_path: Path) -> None:
    server = started(tmp_path / "data", program="tests.collector.endless")
    assert stopped(server) == 1
    assert "in wait" in server.log.read_text()
