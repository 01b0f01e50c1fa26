"""The look at wheels sees a module of another format or processor, or one without the exported name."""

from __future__ import annotations

import zipfile
from pathlib import Path

import check_wheels
import pytest
from compile_kernels import WHEELS, system_of
from tests.house.house_tree import ROOT

KINDS = {platform: (system_of(platform), zig.partition("-")[0]) for platform, zig in WHEELS.items()}


def wheel_of(folder: Path, platform: str, module: bytes) -> Path:
    made = folder / f"deniable-0.1.0-cp311-abi3-{platform}.whl"
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("deniable/kernels/_kernels.pyi", "")
        archive.writestr("deniable/kernels/_kernels.abi3.so", module)
    return made


def module_of(system: str, processor: str) -> bytes:
    """The bytes that say what a module is, where the formats of ELF, Mach-O and PE have them, and the exported name."""
    header = bytearray(128)
    if system == "Linux":
        header[:4], header[18:20] = b"\x7fELF", {"x86_64": b"\x3e\x00", "aarch64": b"\xb7\x00"}[processor]
    elif system == "Darwin":
        header[:4], header[4:8] = b"\xcf\xfa\xed\xfe", {"x86_64": b"\7\0\0\1", "aarch64": b"\x0c\0\0\1"}[processor]
    else:
        header[60:64], header[96:102] = (96).to_bytes(4, "little"), b"PE\0\0\x64\x86"
    return bytes(header) + b"PyInit__kernels"


@pytest.mark.parametrize("platform", WHEELS)
def test_the_module_is_of_the_wheel_s_platform(platform: str, tmp_path: Path) -> None:
    for kind in sorted(set(KINDS.values())):
        fault = check_wheels.fault_of(wheel_of(tmp_path, platform, module_of(*kind)))
        assert (fault is None) == (kind == KINDS[platform]), kind


def test_each_kind_of_module_has_a_header() -> None:
    assert set(check_wheels.HEADERS) == set(KINDS.values())


def test_a_module_without_the_exported_name_is_seen(tmp_path: Path) -> None:
    wheel = wheel_of(tmp_path, "win_amd64", module_of("Windows", "x86_64")[:-1])
    assert "must export PyInit__kernels" in (check_wheels.fault_of(wheel) or "")


def test_the_tests_that_are_left_out_are_there() -> None:
    assert [path for path in check_wheels.LEFT_OUT if not (ROOT / path).is_file()] == []
