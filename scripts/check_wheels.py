"""Looks at wheels for all systems: ``python scripts/check_wheels.py WHEEL ...``; ``make wheels`` ends with it.

A module for another system cannot be loaded here, so its format, its processor and what it exports are looked at. That
for this machine is unpacked, and the tests of the kernels run on it.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from compile_kernels import WHEELS, system_of

ROOT = Path(__file__).parents[1]
HEADERS = {
    ("Linux", "x86_64"): b"\x7fELF\x3e\x00",
    ("Linux", "aarch64"): b"\x7fELF\xb7\x00",
    ("Darwin", "x86_64"): b"\xcf\xfa\xed\xfe\x07\x00\x00\x01",
    ("Darwin", "aarch64"): b"\xcf\xfa\xed\xfe\x0c\x00\x00\x01",
    ("Windows", "x86_64"): b"PE\0\0\x64\x86",
}
"""What names the format and then the processor, by the systems and processors of WHEELS."""
EXPORTED = b"PyInit__kernels"
LEFT_OUT = ("tests/kernels/together/test_building.py", "tests/kernels/together/test_secrets.py")
"""These compile the C files, which a wheel does not hold."""


def module_of(wheel: Path) -> bytes:
    """The compiled module, which must be the only one."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (
            name for name in archive.namelist() if name.startswith("deniable/kernels/_kernels.") and "pyi" not in name
        )
        return archive.read(name)


def fault_of(wheel: Path) -> str | None:
    """What is wrong with a wheel's module, if anything is."""
    module = module_of(wheel)
    if EXPORTED not in module:
        return f"the module must export {EXPORTED.decode()}"
    platform = wheel.stem.rpartition("-")[2]
    system, processor = system_of(platform), WHEELS[platform].partition("-")[0]
    right = header_of(module, system).startswith(HEADERS[system, processor])
    return None if right else "the module must have its platform's format and processor"


def header_of(module: bytes, system: str) -> bytes:
    """Where a module's format is named, and then its processor."""
    if system == "Linux":
        return module[:4] + module[18:20]
    start = int.from_bytes(module[60:64], "little") if system == "Windows" else 0
    return module[start : start + 8]


def is_for_here(wheel: Path) -> bool:
    """Whether the wheel's module runs on this machine."""
    return "manylinux" in wheel.stem and platform.system() == "Linux" and wheel.stem.endswith(platform.machine())


def tests_pass(wheel: Path) -> bool:
    """Whether the tests of the kernels pass on what the wheel holds."""
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(wheel).extractall(folder)
        ignored = [f"--ignore={path}" for path in LEFT_OUT]
        tested = [sys.executable, "-m", "pytest", "tests/kernels", *ignored, "-k", "not files_beside_it"]
        return subprocess.run(tested, cwd=ROOT, env={**os.environ, "PYTHONPATH": folder}, check=False).returncode == 0


def main(words: Sequence[str]) -> None:
    """Look at each wheel."""
    for wheel in map(Path, words):
        fault = fault_of(wheel)
        if fault is None and is_for_here(wheel) and not tests_pass(wheel):
            fault = "the tests of the kernels must pass on it"
        right = "the tests pass" if is_for_here(wheel) else "format, processor and exported name are right; not run"
        print(f"{wheel.name}: {fault or right}")
        if fault:
            sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
