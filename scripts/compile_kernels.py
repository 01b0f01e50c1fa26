"""Compiles the kernels: ``python scripts/compile_kernels.py [--sanitize] [--into FOLDER]``; the build calls this, too.

The machine's compiler is used, or the one that CC names. The standard library is all that this needs.
"""

from __future__ import annotations

import argparse
import os
import platform as host
import runpy
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
KERNELS = ROOT / "src" / "deniable" / "kernels"
WINDOWS = ROOT / "scripts" / "windows"
FLAGS = ("-std=gnu17", "-O3", "-ffp-contract=off", "-fvisibility=hidden", "-Wno-psabi", "-DNDEBUG")
"""Products and sums are rounded each, as written: estimates must not depend on what a processor can do in one step."""
WHEELS = {
    "manylinux_2_17_x86_64": "x86_64-linux-gnu.2.17",
    "manylinux_2_17_aarch64": "aarch64-linux-gnu.2.17",
    "musllinux_1_2_x86_64": "x86_64-linux-musl",
    "musllinux_1_2_aarch64": "aarch64-linux-musl",
    "macosx_11_0_arm64": "aarch64-macos.11.0",
    "macosx_10_13_x86_64": "x86_64-macos.10.13",
    "win_amd64": "x86_64-windows-gnu",
}
"""The platforms that ``make wheels`` makes wheels for from any machine, as pip calls them and as Zig does."""
SANITIZED = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-g")


def machine_compiler() -> list[str] | None:
    """The compiler that CC names, or the first of the usual ones, as a command."""
    if named := os.environ.get("CC"):
        return shlex.split(named)
    return next(([found] for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)


def zig(platform: str | None = None) -> list[str]:
    """Zig's compiler, for this machine or for one of WHEELS."""
    return [sys.executable, "-m", "ziglang", "cc", *(["-target", WHEELS[platform]] if platform else [])]


def compiled(
    compiler: Sequence[str], more: Sequence[str] = (), into: Path = KERNELS, platform: str | None = None
) -> Path:
    """The kernels compiled into a module, beside their Python files unless told; one line and no more if that fails."""
    made = into / f"_kernels.{'pyd' if system_of(platform) == 'Windows' else 'abi3.so'}"
    digest = runpy.run_path(str(KERNELS / "sources.py"))["sources_digest"]()
    sources = map(str, sorted((KERNELS / "c").glob("*.c")))
    stamp, headers = f'-DSOURCES="{digest}"', f"-I{sysconfig.get_path('include')}"
    flags = [*FLAGS, *module_flags(system_of(platform)), *more, stamp, headers]
    with tempfile.TemporaryDirectory(dir=into) as folder:  # what runs keeps the old file
        fresh = Path(folder) / made.name
        run([*compiler, *flags, *sources, *python_of(platform, Path(folder)), "-o", str(fresh), "-lm"])
        return fresh.replace(made)


def current(folder: Path = KERNELS) -> Path | None:
    """The module that lies there, if it loads here, is of the C files there, and is newer than this file."""
    made = folder / f"_kernels.{'pyd' if system_of(None) == 'Windows' else 'abi3.so'}"
    if not made.exists() or made.stat().st_mtime < Path(__file__).stat().st_mtime:
        return None
    digest = runpy.run_path(str(folder / "sources.py"))["sources_digest"]()
    asked = [sys.executable, "-c", "import _kernels; print(_kernels.SOURCES)"]
    said = subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=False).stdout
    return made if said.strip() == digest else None


def run(command: Sequence[str]) -> None:
    """Run a compiler or what belongs to it; one line and no more if that fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        sys.exit(f"deniable: the compiler {command[0]!r} must run to compile the kernels, but: {error}")
    if done.returncode:
        lines = done.stderr.splitlines() or ["it said nothing"]
        said = next((line for line in lines if "error" in line), lines[-1])
        sys.exit(f"deniable: the kernels could not be compiled by {shlex.join(command[:4])}: {said}")


def system_of(platform: str | None) -> str:
    """The system of one of WHEELS, as Python names it; this machine's for None."""
    if platform is None:
        return host.system()
    return {"win": "Windows", "mac": "Darwin"}.get(platform[:3], "Linux")


def module_flags(system: str) -> list[str]:
    """What makes a module that Python loads."""
    if system == "Darwin":  # a module says its name, which else would be the folder where it was made
        return ["-shared", "-fPIC", "-undefined", "dynamic_lookup", "-Wl,-install_name,@rpath/_kernels.abi3.so"]
    return ["-shared"] if system == "Windows" else ["-shared", "-fPIC"]


def python_of(platform: str | None, into: Path) -> list[str]:
    """Python itself, which a module for Windows is linked with; elsewhere it is found when the module is loaded."""
    if system_of(platform) != "Windows":
        return []
    if platform is None:
        return [f"-L{Path(sys.base_prefix) / 'libs'}", "-lpython3"]
    library = into / "libpython3.a"
    dlltool = [sys.executable, "-m", "ziglang", "dlltool"]
    run([*dlltool, "-m", "i386:x86-64", "-d", str(WINDOWS / "python3.def"), "-l", str(library)])
    return ["-include", str(WINDOWS / "pyconfig.h"), str(library)]


def main(words: Sequence[str] | None = None) -> None:
    """Compile as told."""
    parser = argparse.ArgumentParser(prog="compile_kernels", description="compile the kernels")
    parser.add_argument("--sanitize", action="store_true", help="with AddressSanitizer and UBSan, for tests")
    parser.add_argument("--into", type=Path, default=KERNELS, help="the folder for the module")
    args = parser.parse_args(words)
    compiler = machine_compiler() or zig()
    print(compiled(compiler, SANITIZED if args.sanitize else (), args.into))


if __name__ == "__main__":
    main()
