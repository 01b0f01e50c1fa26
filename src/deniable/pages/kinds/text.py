"""Questions answered in words of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from deniable.pages.kinds.page_kind import PageKind
from deniable.protocol.questions.text import Text

TEXTS: Final = ("news", "mail", "maps")


class TextPage(PageKind[Text]):
    """Words are the answer."""

    caution = "People answered in their own words; shown are texts that stand out."

    def example(self, question: Text) -> str:
        """No words in particular."""
        return "..."

    def made_up(self, question: Text, first: float, rng: np.random.Generator) -> Sequence[str]:
        """A few words, whatever was asked: what is rehearsed says nothing of them."""
        return TEXTS
