"""Pictures as the bytes of a file."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def picture_bytes(figure: Figure, kind: str) -> bytes:
    """The figure as PNG or SVG, the same bytes for the same picture: without dates or random names."""
    from matplotlib import rc_context

    out = BytesIO()
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    with rc_context({"svg.hashsalt": "deniable", "svg.fonttype": "none"}):
        figure.savefig(out, format=kind, dpi=110, metadata=metadata)
    return out.getvalue()
