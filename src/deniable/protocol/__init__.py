"""Answer surveys under local differential privacy: the device's half of deniable, in the standard library alone."""

from .lazy import attach

__version__ = "0.1.0"
__getattr__, __dir__, __all__ = attach(__name__)
