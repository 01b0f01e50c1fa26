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

ROOT = Path(__file__).parents[1]
FORMATS = {
    "linux_2_17_x86_64": (b"\x7fELF", 18, b"\x3e\x00"),
    "linux_2_17_aarch64": (b"\x7fELF", 18, b"\xb7\x00"),
    "linux_1_2_x86_64": (b"\x7fELF", 18, b"\x3e\x00"),
    "linux_1_2_aarch64": (b"\x7fELF", 18, b"\xb7\x00"),
    "macosx_11_0_arm64": (b"\xcf\xfa\xed\xfe", 4, b"\x0c\x00\x00\x01"),
    "macosx_10_13_x86_64": (b"\xcf\xfa\xed\xfe", 4, b"\x07\x00\x00\x01"),
}
"""The first bytes of a module by the end of its wheel's name, and where which bytes name the processor."""
EXPORTED = b"PyInit__kernels"
LEFT_OUT = ("--ignore=tests/kernels/test_building.py", "--ignore=tests/kernels/test_secrets.py")
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
    if wheel.stem.endswith("win_amd64"):
        start = int.from_bytes(module[60:64], "little")
        return None if module[start : start + 6] == b"PE\0\0\x64\x86" else "the module must be for Windows on x86-64"
    (magic, place, processor), *_ = (told for name, told in FORMATS.items() if wheel.stem.endswith(name))
    right = module.startswith(magic) and module[place:].startswith(processor)
    return None if right else "the module must have its platform's format and processor"


def is_for_here(wheel: Path) -> bool:
    """Whether the wheel's module runs on this machine."""
    return "manylinux" in wheel.stem and platform.system() == "Linux" and wheel.stem.endswith(platform.machine())


def tests_pass(wheel: Path) -> bool:
    """Whether the tests of the kernels pass on what the wheel holds."""
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(wheel).extractall(folder)
        tested = [sys.executable, "-m", "pytest", "tests/kernels", *LEFT_OUT, "-k", "not files_beside_it"]
        return subprocess.run(tested, cwd=ROOT, env={**os.environ, "PYTHONPATH": folder}, check=False).returncode == 0


def main(words: Sequence[str]) -> None:
    """Look at each wheel."""
    for wheel in map(Path, words):
        fault = fault_of(wheel)
        if fault is None and is_for_here(wheel) and not tests_pass(wheel):
            fault = "the tests of the kernels must pass on it"
        print(
            f"{wheel.name}: {fault or ('runs' if is_for_here(wheel) else 'has the format and the name that it must have')}"
        )
        if fault:
            sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
