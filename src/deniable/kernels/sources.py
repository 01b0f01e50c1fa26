"""Which C files a compiled module was made of. The build asks this, too: it needs nothing but the standard library."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).parent / "c"


def sources_digest() -> str | None:
    """A short digest of all C files, by name; None where there are none, as in an installed wheel."""
    files = sorted(FOLDER.glob("*.[ch]"))
    whole = sha256()
    for file in files:
        text = file.read_bytes()
        whole.update(b"%s %d\n%s" % (file.name.encode(), len(text), text))
    return whole.hexdigest()[:16] if files else None
