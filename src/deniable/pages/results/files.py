"""A result as a file that is no text: pixels, or columns."""

from __future__ import annotations

import io

from pyarrow import parquet

from deniable.estimation.estimate import Estimate
from deniable.surveys.results import Results

DOTS_PER_INCH = 150


def png_of(estimate: Estimate) -> bytes:
    """The picture that the library draws of a number."""
    written = io.BytesIO()
    estimate.plot().savefig(written, format="png", dpi=DOTS_PER_INCH)
    return written.getvalue()


def parquet_of(results: Results) -> bytes:
    """A row for each label of each question."""
    written = io.BytesIO()
    parquet.write_table(results.to_arrow(), written)
    return written.getvalue()
