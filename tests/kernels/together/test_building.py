"""The source archive builds, what it builds runs without the sources, and what cannot be built says so in one line."""

from __future__ import annotations

import importlib
import os
import shlex
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import compile_kernels
import pytest
from tests.house.house_tree import ROOT

from deniable import kernels
from deniable.kernels import sources

DRAW = """
import sys; sys.path.insert(0, sys.argv[1])
import deniable as dn
from deniable.kernels import sources
assert dn.__file__.startswith(sys.argv[1]) and sources.sources_digest() is None
print(dn.Rappor(9, 1.0).privatize_many([1, 2, 3], seed=1).tolist())
"""


def run(*command: str, folder: Path = ROOT, **told: str) -> str:
    """What a command prints; it must end well."""
    world = {**os.environ, **told}
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=world, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def quick_compiler() -> dict[str, str]:
    """The machine's compiler, without its optimizations: a sixth of the time, and the same numbers."""
    found = compile_kernels.machine_compiler()
    return {"CC": shlex.join(["sh", "-c", 'exec "$@" -O0', "sh", *found])} if found else {}


def test_the_source_archive_is_built_and_installed(tmp_path: Path) -> None:
    """Without a compiled module in it, and into a wheel without C files or extras that need a copy of the project."""
    run("-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path))
    (archive,) = tmp_path.glob("deniable-*.tar.gz")
    alone = () if compile_kernels.machine_compiler() is None else ("--no-build-isolation",)  # pip fetches one
    pip = ("-m", "pip", "install", "-q", "--no-deps", *alone, "--disable-pip-version-check")
    run(*pip, "--target", str(tmp_path / "there"), str(archive), folder=tmp_path, **quick_compiler())
    module = tmp_path / "there" / "deniable" / "kernels"
    assert not (module / "c").exists()
    assert len(list(module.glob("_kernels.*.so"))) == 1
    [installed] = metadata.distributions(path=[str(tmp_path / "there")])
    assert set(installed.metadata.get_all("Provides-Extra") or ()) == {
        "files",
        "pictures",
        "collector",
        "regression",
        "spark",
    }
    assert run("-c", DRAW, str(tmp_path / "there"), folder=tmp_path) == run(
        "-c", DRAW.replace("is None", "or 1"), str(ROOT)
    )


@pytest.mark.parametrize("compiler", ["false", "no-such-compiler", f"{sys.executable} -c 1/0"])
def test_a_compiler_that_fails_is_told_of_in_one_line(
    compiler: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CC", compiler)
    with pytest.raises(SystemExit, match=r"^deniable: [^\n]{20,}$"):
        compile_kernels.compiled(compile_kernels.machine_compiler() or [], into=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_module_is_kept_until_a_file_changes(tmp_path: Path) -> None:
    made = Path(kernels._kernels.__file__ or "")
    for name in ("c", "sources.py", made.name):
        (shutil.copytree if name == "c" else shutil.copy)(made.parent / name, tmp_path / name)
    kept = tmp_path / made.name
    os.utime(kept)
    assert compile_kernels.current(tmp_path) == kept
    os.utime(kept, (0, 0))
    assert compile_kernels.current(tmp_path) is None
    os.utime(kept)
    (tmp_path / "c" / "more.h").touch()
    assert compile_kernels.current(tmp_path) is None


def test_a_module_that_does_not_load_is_not_kept(tmp_path: Path) -> None:
    made = Path(kernels._kernels.__file__ or "")
    shutil.copy(made.parent / "sources.py", tmp_path)
    (tmp_path / made.name).write_bytes(b"for another system")
    assert compile_kernels.current(tmp_path) is None


def test_without_a_compiler_zig_s_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", "")
    assert compile_kernels.machine_compiler() is None


def test_a_module_of_other_files_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "sources_digest", lambda: "0" * 16)
    with pytest.raises(ImportError, match="must be of the C files beside them, but those are newer"):
        importlib.reload(kernels)
    monkeypatch.undo()
    importlib.reload(kernels)
