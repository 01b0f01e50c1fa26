"""Compiles the kernels when a wheel is made, or the project is installed to be edited: ``pip`` runs this.

What is edited keeps a module that is as new as its sources. Where the machine has no compiler, ``ziglang`` is asked for
as one more requirement of the build: a compiler that pip installs, and that is gone afterwards. A wheel holds the
compiled module and not its source. ``WHEEL_PLATFORM`` names another platform to make a wheel for, by Zig's compiler;
the checkout's own module is left alone then.
"""

from __future__ import annotations

import os
import runpy
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILING = runpy.run_path(str(Path(__file__).parent / "scripts" / "compile_kernels.py"))
ZIG = "ziglang>=0.14"


class KernelsHook(BuildHookInterface[Any]):
    """One compiled module beside its Python files."""

    def dependencies(self) -> list[str]:
        """The compiler that pip can install, if the machine has none."""
        needed = COMPILING["machine_compiler"]() is None or "WHEEL_PLATFORM" in os.environ
        return [ZIG] if self.target_name == "wheel" and needed else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say which processors and Pythons the wheel is for."""
        if self.target_name != "wheel":
            return
        if version == "standard":  # and not edited in place
            build_data["force_include"].update(sentences(Path(self.root)))
            self.metadata.core.optional_dependencies.pop("studies")  # no wheel holds what it is for
        if platform := os.environ.get("WHEEL_PLATFORM"):
            made = COMPILING["compiled"](COMPILING["zig"](platform), ("-s",), Path(tempfile.mkdtemp()), platform)
            build_data["force_include"][str(made)] = f"deniable/kernels/{made.name}"
        else:
            made = COMPILING["current"]() if version == "editable" else None
            made = made or COMPILING["compiled"](COMPILING["machine_compiler"]() or COMPILING["zig"]())
            build_data["artifacts"].append(f"/{made.relative_to(self.root).as_posix()}")
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data.update(pure_python=False, tag=f"cp311-abi3-{platform}")


def sentences(root: Path) -> dict[str, str]:
    """The folders of `wire/sentences`, and where they go: without links a checkout has but paths there."""
    languages = sorted((root / "wire" / "sentences").iterdir())
    return {str(each): f"deniable/protocol/sentences/{each.name}" for each in languages}
