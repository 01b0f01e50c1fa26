"""A figure that a notebook shows: drawn without a display, it says itself how it looks."""

from __future__ import annotations

from matplotlib.figure import Figure

from deniable.estimation.picture_bytes import picture_bytes


class ShownFigure(Figure):
    """A Matplotlib figure that shows itself where it is the last line of a cell."""

    def _repr_png_(self) -> bytes:
        return picture_bytes(self, "png")
