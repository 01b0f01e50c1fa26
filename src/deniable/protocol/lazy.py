"""Packages whose names are loaded when they are first used: the stub beside a package says where each of them is."""

from __future__ import annotations

import ast
from collections.abc import Callable
from importlib import import_module
from pkgutil import get_data
from typing import Any

from .checks import near


def attach(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """What a package needs to find the names of its stub: ``__getattr__``, ``__dir__`` and ``__all__``.

    The stub has a line for each name, ``from HOME import NAME as NAME``, by which type checkers see it too. It is also
    value where the package is in an archive. A name is kept once it was used.
    """
    body = ast.parse(get_data(package, "__init__.pyi") or b"").body
    homes = {
        alias.name: (f"{'.' * node.level}{node.module or ''}", alias.name)
        for node in body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}{near(name, homes)}")
        value = vars(import_module(package))[name] = _imported(package, *homes[name])
        return value

    return find, lambda: [*sorted(homes), "__version__"], sorted(homes)


def _imported(package: str, module: str, name: str) -> Any:
    """What ``from module import name`` gives within a package: a module of that name where there is no such name."""
    home = import_module(module, package)
    if home.__name__ == package or not hasattr(home, name):
        return import_module(f"{home.__name__}.{name}")
    return getattr(home, name)
