"""Compiled kernels are kept where nobody else can write, and only for the text that they were compiled from."""

from __future__ import annotations

import os
import pickle
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import pytest
from numba.core import config

from deniable.kernels import cache_folder as folders
from deniable.kernels import compiled as compiling
from deniable.kernels import early, first_use
from deniable.kernels.draw.bits import draw_bernoulli

POSIX = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners and modes are POSIX's")
HEAD = "from deniable.kernels.compiled import compiled\n"
INNER = HEAD + "@compiled()\ndef inner(number):\n    return number + 1\n"
OUTER = (
    HEAD
    + "from deniable.kernels.draw.inner import inner\n@compiled()\ndef outer(number):\n    return 2 * inner(number)\n"
)
CALL = """
from deniable.kernels.outer import outer
print(outer(3), outer.dispatcher.stats.cache_hits.total())
"""
"""Prints 2 * (3 + 1), and whether the kernel was found compiled."""
NOWHERE = {"HOME": os.devnull, "XDG_CACHE_HOME": f"{os.devnull}/cache", "LOCALAPPDATA": f"{os.devnull}/cache"}
NO_ROOM = f"import tempfile\ntempfile.tempdir = {os.devnull!r}\n"
"""Stands for a machine without a folder for temporary files."""
HOW = "NUMBA_CACHE_DIR names a folder for it, which you can write and others cannot"


@pytest.fixture(autouse=True)
def looked_afresh() -> Iterator[None]:
    """The folder is looked for once a process; each of these tests looks for its own."""
    for found in (folders.cache_folder, folders.lasting_folder):
        found.cache_clear()
    yield
    for found in (folders.cache_folder, folders.lasting_folder):
        found.cache_clear()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A package of two small kernels, of which one calls the other, below what compiles and keeps them here.

    The kernels of the library would take a minute for each process that compiles them.
    """
    kernels = tmp_path / "copy" / "deniable" / "kernels"
    (kernels / "draw").mkdir(parents=True)
    for package in (kernels.parent, kernels, kernels / "draw"):
        (package / "__init__.py").write_text("", encoding="utf-8")
    for module in (folders, compiling, early, first_use):
        shutil.copy(str(module.__file__), kernels)
    (kernels / "draw" / "inner.py").write_text(INNER, encoding="utf-8")
    (kernels / "outer.py").write_text(OUTER, encoding="utf-8")
    return tmp_path / "copy"


def run(code: str, package: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The code in a process of its own, with this copy of the package."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    variables = inherited | {"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"} | environment
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=variables, capture_output=True, text=True, timeout=200, check=True)


def test_a_mended_kernel_reaches_the_kernels_that_use_it(copy: Path) -> None:
    """Even where the file keeps its size and its time, as some stores keep them."""
    assert run(CALL, copy).stdout == "8 0\n"
    assert run(CALL, copy).stdout == "8 1\n", "what was compiled is kept"
    inner = copy / "deniable" / "kernels" / "draw" / "inner.py"
    times = inner.stat()
    inner.write_text(INNER.replace("+ 1", "+ 4"), encoding="utf-8")
    os.utime(inner, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert inner.stat().st_size == times.st_size
    assert run(CALL, copy).stdout == "14 0\n"


def test_processes_that_start_together_share_what_they_compile(copy: Path) -> None:
    variables = os.environ | {"PYTHONPATH": str(copy)}
    started = [
        subprocess.Popen([sys.executable, "-c", CALL], env=variables, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    assert [process.communicate(timeout=200)[0][:2] for process in started] == ["8 "] * 3
    assert run(CALL, copy).stdout == "8 1\n"


@pytest.mark.parametrize("asked", [False, True])
def test_without_any_folder_kernels_are_compiled_in_each_process(copy: Path, asked: bool) -> None:
    """A file stands where each folder would be: root is stopped by that too."""
    (copy / "deniable" / "kernels" / "__pycache__").write_text("")
    done = run(NO_ROOM + CALL, copy, **NOWHERE, **({"NUMBA_CACHE_DIR": f"{os.devnull}/kernels"} if asked else {}))
    assert done.stdout == "8 0\n"
    assert done.stderr.count("NUMBA_CACHE_DIR must be a folder") == asked
    assert asked or done.stderr == f"deniable: compiled code cannot be kept; {HOW}\n"


def test_among_temporary_files_kernels_are_kept_for_a_while(copy: Path, tmp_path: Path) -> None:
    """Who compiles is told, in one line; who finds what was compiled is not."""
    (copy / "deniable" / "kernels" / "__pycache__").write_text("")
    own = tmp_path.resolve() / (f"deniable-{os.geteuid()}" if hasattr(os, "geteuid") else "deniable")
    first, second = (run(CALL, copy, **NOWHERE, TMPDIR=str(tmp_path)) for _ in range(2))
    assert (first.stdout, second.stdout) == ("8 0\n", "8 1\n")
    assert first.stderr == f"deniable: compiled code is kept in {own} only, among temporary files; {HOW}\n"
    assert second.stderr == ""
    assert list(own.glob("*.nbi"))


def test_the_working_folder_is_not_taken_for_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python takes it where nothing else can be written."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert folders._temporary() is not None
    monkeypatch.chdir(tmp_path)
    assert folders._temporary() is None


def test_what_cannot_be_written_serves_if_it_is_warm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "_writable", lambda folder: False)
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    with pytest.warns(RuntimeWarning, match="compiled kernels are not kept"):
        assert folders.cache_folder() is None
    folders.cache_folder.cache_clear()
    digest = folders.kernels_digest()
    assert digest is not None
    (tmp_path / "deniable" / f"words.ones-1-{folders.short(digest)}.py311.nbi").write_bytes(b"")
    assert folders.cache_folder() == tmp_path.resolve() / "deniable"


def test_a_zipped_package_is_compiled_and_kept_for_the_user(copy: Path, tmp_path: Path) -> None:
    """As Spark's ``--py-files`` ships it."""
    zipped = Path(shutil.make_archive(str(tmp_path / "shipped"), "zip", copy))
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "LOCALAPPDATA": str(tmp_path / "cache")}
    assert [run(CALL, zipped, **home).stdout for _ in range(2)] == ["8 0\n", "8 1\n"]


@POSIX
def test_a_planted_index_is_not_opened(copy: Path, tmp_path: Path) -> None:
    """An index is a pickle, and a pickle runs what it likes."""
    shared, proof = tmp_path / "shared", tmp_path / "proof"
    shared.mkdir()
    run(CALL, copy, NUMBA_CACHE_DIR=str(shared))
    indices = list(shared.rglob("*.nbi"))
    assert indices
    assert all(stat.S_IMODE(index.stat().st_mode) == 0o644 for index in indices)
    for index in indices:
        index.write_bytes(pickle.dumps(numba.__version__) + pickle.dumps(Planted(proof)))
        index.chmod(0o666)
    assert run(CALL, copy, NUMBA_CACHE_DIR=str(shared)).stdout == "8 0\n"
    assert not proof.exists()
    assert run(CALL, copy, NUMBA_CACHE_DIR=str(shared)).stdout == "8 1\n", "it was replaced"


class Planted:
    """Makes a folder when it is unpickled."""

    def __init__(self, proof: Path) -> None:
        self.proof = proof

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.proof),)


@POSIX
@pytest.mark.parametrize("mode", [0o777, 0o775, 0o757])
def test_a_folder_that_others_can_write_is_refused(mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    tmp_path.chmod(mode)
    with pytest.warns(RuntimeWarning, match="NUMBA_CACHE_DIR must be a folder that this user can write and others"):
        assert folders.cache_folder() is None


@POSIX
@pytest.mark.parametrize("mode", [0o755, 0o700, 0o1777])
def test_a_private_or_sticky_folder_serves(mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    tmp_path.chmod(mode)
    found = folders.cache_folder()
    assert found == tmp_path.resolve() / "deniable"
    assert stat.S_IMODE(found.stat().st_mode) == 0o755


@POSIX
@pytest.mark.parametrize("mode", [0o777, 0o1777])
def test_a_folder_below_one_that_everybody_can_write(
    mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There it can be renamed and another put in its place, unless the upper one is sticky."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "own"))
    tmp_path.chmod(mode)
    if mode == 0o1777:
        assert folders.cache_folder() is not None
        return
    with pytest.warns(RuntimeWarning, match="NUMBA_CACHE_DIR"):
        assert folders.cache_folder() is None


@POSIX
def test_what_another_user_owns_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = tmp_path.stat().st_uid
    assert folders.private(tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert folders.private(tmp_path) is (owner == 0), "root's is trusted, other users' is not"


@POSIX
def test_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    assert not folders.private(tmp_path / "link")


@POSIX
def test_the_package_s_own_folder_gives_way_to_the_user_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the umask lets a group write, as many systems have it, nobody is warned and nothing is lost."""
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__").chmod(0o775)
    monkeypatch.setattr(folders, "__file__", str(tmp_path / "cache_folder.py"))
    monkeypatch.setattr(config, "CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "platform", "linux")
    assert folders.cache_folder() == tmp_path.resolve() / "cache" / "numba" / "deniable"


@pytest.mark.parametrize("file", sorted(Path(compiling.__file__).parent.rglob("*.py")), ids=lambda file: file.stem)
def test_every_kernel_is_kept_by_the_digest_of_all(file: Path) -> None:
    """Numba's own decorator would keep it by the text of its file alone."""
    imports = [line for line in file.read_text(encoding="utf-8").splitlines() if "import" in line and "njit" in line]
    assert imports == (["from numba import njit"] if file.stem == "compiled" else [])


def test_what_the_digest_does_not_cover_is_not_kept() -> None:
    """A function of another room could change unseen."""
    elsewhere: Any = compiling.compiled()(run)
    within: Any = compiling.compiled()(folders.private)
    below: Any = draw_bernoulli
    kept = [isinstance(kernel.dispatcher._cache, compiling.KernelCache) for kernel in (elsewhere, within, below)]
    assert kept == [False, True, True]


def test_a_full_disk_costs_time_only(copy: Path) -> None:
    """Writing fails after the folder was found: the answer comes all the same."""
    fail = """
import deniable.kernels.compiled as compiling
def fail(*_):
    raise OSError(28, "No space left on device")
compiling._Files._save_data = fail
"""
    assert run(fail + CALL, copy).stdout == "8 0\n"
