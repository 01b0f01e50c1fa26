"""A result as a picture of pixels."""

from __future__ import annotations

import io

from deniable.estimation.estimate import Estimate

DOTS_PER_INCH = 150


def png_of(estimate: Estimate) -> bytes:
    """The picture that the library draws of a number."""
    written = io.BytesIO()
    estimate.plot().savefig(written, format="png", dpi=DOTS_PER_INCH)
    return written.getvalue()
