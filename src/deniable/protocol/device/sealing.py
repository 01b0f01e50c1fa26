"""Who seals on this device; the package that does is loaded when something is to be sealed."""

from __future__ import annotations

from ..errors import ParameterError
from ..surveys.sealed_answer import Sealer


def installed_sealer() -> Sealer:
    """The sealer that is installed; refused, with what to install, where there is none."""
    try:
        from ..crowd import HpkeSealer
    except ImportError:
        raise ParameterError(
            "sealing must be installed for a survey with a mixer: pip install 'deniable-client[crowd]'"
        ) from None
    return HpkeSealer()
