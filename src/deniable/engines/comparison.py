"""The table of mechanisms side by side, and its picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deniable.estimation.drawing import canvas, legend, line_style
from deniable.estimation.frame import Frame
from deniable.estimation.table import Table, Tabled, printable
from deniable.planning.plan import above
from deniable.protocol.checks import check_choice

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEADINGS = (
    "mechanism", "epsilon", "loss", "predicted", "simulated", "95% interval", "coverage", "realised epsilon",
    "the least, at most", "bits", "leverage", "draw", "decode",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MechanismComparison(Frame, Tabled):
    """A row for each mechanism, level and loss; ``left_out`` says what could not be compared, and why.

    ``predicted`` is the expected error of the unbiased decoder, ``simulated`` its mean over the surveys, with an
    interval. ``coverage`` is how often 95% intervals held the truth, ``realised`` the epsilon that the auditor proves.
    ``above`` is how far, as a fraction, the squared error at the worst truth is at most above what any mechanism can
    do; ``draw_seconds`` are of one report, ``decode_seconds`` of one survey with its intervals.

    >>> import deniable as dn
    >>> found = dn.compare(["Subset", "Hadamard"], epsilons=[1.0], users=1000, truth=[0.25] * 4, surveys=20)
    >>> found.columns["mechanism"], found.left_out
    (['Subset', 'Hadamard'], ())
    """

    users: int
    surveys: int
    seed: int
    rows: tuple[dict[str, Any], ...]
    left_out: tuple[str, ...] = ()

    @property
    def about(self) -> dict[str, Any]:
        """What was simulated, and what was left out."""
        return {"users": self.users, "surveys": self.surveys, "seed": self.seed, "left_out": list(self.left_out)}

    @property
    def columns(self) -> dict[str, list[Any]]:
        return {name: [row[name] for row in self.rows] for name in self.rows[0]}

    @property
    def named(self) -> Sequence[str]:
        return ("mechanism",)

    def table(self) -> Table:
        """All rows, and below them what was left out."""
        title = f"{self.users:,} people, {self.surveys} simulated surveys, seed {self.seed}"
        return Table(title, HEADINGS, [_cells(row) for row in self.rows], self.left_out)

    def plot(self, loss: str | None = None) -> Figure:
        """Errors against epsilon: lines as predicted, bars as simulated; of the first loss unless told."""
        chosen = (
            self.rows[0]["loss"] if loss is None else check_choice("loss", loss, {row["loss"] for row in self.rows})
        )
        figure, axes = canvas((6.4, 4.4))
        of_loss = [row for row in self.rows if row["loss"] == chosen]
        for number, name in enumerate(dict.fromkeys(row["mechanism"] for row in of_loss)):
            of_mechanism = sorted((row for row in of_loss if row["mechanism"] == name), key=lambda row: row["epsilon"])
            levels, style = [row["epsilon"] for row in of_mechanism], line_style(number)
            axes.plot(levels, [row["predicted"] for row in of_mechanism], **style, label=printable(name, 60))
            low, high = ([row[end] for row in of_mechanism] for end in ("simulated_low", "simulated_high"))
            axes.vlines(levels, low, high, color="0.5", linewidth=3)
        axes.set_yscale("log")
        axes.set_xlabel("epsilon")
        axes.set_ylabel(f"error ({chosen})")
        axes.set_title(f"{self.users:,} people: lines predicted, bars simulated", loc="left", fontsize=10)
        legend(figure)
        return figure


def _cells(row: dict[str, Any]) -> list[str]:
    """The cells of the printed table for a row."""
    beyond = "" if row["above"] is None else above(1 + row["above"])
    return [
        printable(row["mechanism"], 60), f"{row['epsilon']:.4g}", row["loss"], f"{row['predicted']:.3g}",
        f"{row['simulated']:.3g}", f"{row['simulated_low']:.3g} to {row['simulated_high']:.3g}",
        f"{row['coverage']:.1%}", f"{row['realised']:.4g}", beyond, f"{row['bits']:,}", f"{row['leverage']:.3g}",
        f"{1e9 * row['draw_seconds']:.3g} ns", f"{1e3 * row['decode_seconds']:.3g} ms",
    ]  # fmt: skip
