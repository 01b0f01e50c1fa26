"""How an answer becomes the value that a mechanism randomizes: a closed set, known to every language.

>>> import deniable as dn
>>> [encoder.kind for encoder in (dn.encoders.Label(), dn.encoders.Listed(), dn.encoders.Pair())]
['label', 'list', 'pair']
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..canonical import Spec
from ..checks import shown
from ..errors import FormatError
from ..labels import read_label
from .any_of import Has, Listed
from .number import Block, Point
from .one_of import Label
from .pair import Pair
from .path import Path
from .question import Encoder
from .text import Prefix, Whole

__all__ = ["Block", "Has", "Label", "Listed", "Pair", "Path", "Point", "Prefix", "Whole"]
__dir__ = __all__.copy

ENCODERS: dict[str, Callable[[Spec], Encoder]] = {
    Label.kind: lambda _: Label(),
    Listed.kind: lambda _: Listed(),
    Has.kind: lambda written: Has(read_label(written["label"])),
    Whole.kind: lambda _: Whole(),
    Prefix.kind: lambda written: Prefix(written["length"]),
    Pair.kind: lambda _: Pair(),
    Path.kind: lambda written: Path(written["from"]),
    Block.kind: lambda written: Block(written["size"], written["offset"]),
    Point.kind: lambda written: Point(*(written[field] for field in ("points", "levels", "level", "about"))),
}
"""How every encoder is read, by its name in a document."""


def encoder_from_json(written: Any) -> Encoder:
    """The encoder that a document holds."""
    if not isinstance(written, dict):
        raise FormatError(f"an encoder must be a table of fields, got {type(written).__name__}")
    read = ENCODERS.get(str(written.get("kind")))
    if read is None:
        raise FormatError(f"an encoder must be one of {', '.join(ENCODERS)}, got {shown(written.get('kind'))}")
    return read(written)
