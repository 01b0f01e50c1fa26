"""Questions with an ordered list of answers."""

from __future__ import annotations

from deniable.pages.kinds.one_of import OneOfPage


class ScalePage(OneOfPage):
    """One label is the answer, as of ``OneOf``; the mean needs a caution."""

    caution = "The mean counts every step from one answer to the next as equally large."
