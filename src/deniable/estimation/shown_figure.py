"""A figure that a notebook shows, drawn without a display, and any figure as the bytes of a file."""

from __future__ import annotations

from io import BytesIO

from matplotlib import rc_context
from matplotlib.figure import Figure


class ShownFigure(Figure):
    """A Matplotlib figure that shows itself where it is the last line of a cell."""

    def _repr_png_(self) -> bytes:
        return picture_bytes(self, "png")


def picture_bytes(figure: Figure, kind: str) -> bytes:
    """The figure as PNG or SVG, the same bytes for the same picture: without dates or random names."""
    out = BytesIO()
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    with rc_context({"svg.hashsalt": "deniable", "svg.fonttype": "none"}):
        figure.savefig(out, format=kind, dpi=110, metadata=metadata)
    return out.getvalue()
