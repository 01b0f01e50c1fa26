"""The common style of all pictures: black and white, with different lines and markers, drawn without a display."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deniable.protocol.errors import ParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

STYLES = ("-", "--", ":", "-.")
MARKERS = "os^Dv<>PX*"


OUTSIDE = "estimate outside its interval"
INTERVAL: dict[str, Any] = {"color": "0.6", "linewidth": 5}
"""How the band of an interval is drawn."""


def blank(size: tuple[float, float]) -> Figure:
    """An empty figure of this size in inches; refused where Matplotlib is not installed."""
    try:
        from deniable.estimation.shown_figure import ShownFigure  # loads Matplotlib, which takes a second
    except ImportError:
        raise ParameterError("Matplotlib must be installed to draw: pip install 'deniable[pictures]'") from None
    return ShownFigure(figsize=size, layout="constrained")


def canvas(size: tuple[float, float]) -> tuple[Figure, Axes]:
    """A figure of this size in inches, with one pair of axes in the common style."""
    figure, cells = panels(1, 1, size)
    return figure, cells[0]


def panels(rows: int, columns: int, size: tuple[float, float], **shared: Any) -> tuple[Figure, list[Axes]]:
    """A figure with a grid of axes, listed row by row; ``shared`` may hold sharex and sharey.

    >>> len(panels(2, 3, (6.0, 4.0))[1])
    6
    """
    figure = blank(size)
    cells = list(figure.subplots(rows, columns, squeeze=False, **shared).flat)
    for each in cells:
        each.grid(color="0.9")
        each.set_axisbelow(True)
        each.spines[["top", "right"]].set_visible(False)
    return figure, cells


def name_rows(axes: Axes, names: list[str]) -> None:
    """A row for each name, the first on top."""
    axes.yaxis.set_ticks(range(len(names)), names, parse_math=False)  # a dollar sign in a label is a dollar sign
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")


def percent(axis: Axis, *, signed: bool = False) -> None:
    """Shares as percentages, differences with their sign."""
    from matplotlib.ticker import FuncFormatter, PercentFormatter

    def with_sign(share: float, _: int | None) -> str:
        return f"{100 * share:+.3g}%" if round(share, 12) else "0%"

    axis.set_major_formatter(FuncFormatter(with_sign) if signed else PercentFormatter(1.0))


def line_style(index: int) -> dict[str, Any]:
    """Matplotlib options for a black line and marker, different for every index below twenty."""
    filled = "black" if index % 2 == 0 else "white"
    return {
        "linestyle": STYLES[index % len(STYLES)],
        "marker": MARKERS[index % len(MARKERS)],
        "markerfacecolor": filled,
        "color": "black",
        "markersize": 4.5,
        "linewidth": 1.1,
    }


def legend(figure: Figure, columns: int = 2, source: Axes | None = None) -> None:
    """Add a legend below the axes, where it hides nothing; of only the lines of ``source`` if that is given."""
    handles = () if source is None else source.get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=columns, frameon=False, fontsize=9)
