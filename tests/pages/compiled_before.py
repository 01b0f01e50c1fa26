"""Stands in for a compiler where only a wheel's other files matter: hands over the module that is compiled already."""

from __future__ import annotations

import shutil
import sys

from deniable.kernels import _kernels

if __name__ == "__main__":
    shutil.copy(str(_kernels.__file__), sys.argv[sys.argv.index("-o") + 1])
