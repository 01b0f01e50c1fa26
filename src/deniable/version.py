"""Which version of the package this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def installed_version() -> str:
    """The version that is installed; a package that was only put on the path does not know it."""
    try:
        return version("deniable")
    except PackageNotFoundError:
        return "0+unknown"
