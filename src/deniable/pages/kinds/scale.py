"""Questions with an ordered list of answers."""

from __future__ import annotations

from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.one_of import OneOfPage
from deniable.protocol.questions.scale import Scale
from deniable.sentence import sentence


class ScalePage(OneOfPage):
    """One label is the answer, as of ``OneOf``; the mean needs a caution."""

    caution = sentence("The mean counts every step from one answer to the next as equally large.")
    title = sentence("A scale")
    hint = sentence("never to always, in order")
    fields = "answers"
    preview = "one"

    def made(self, asked: DraftQuestion, name: str) -> Scale:
        """Its answers, in their order; everybody is protected."""
        return Scale(name, asked.written, asked.wording)

    def brief(self, asked: DraftQuestion) -> str:
        """How many answers."""
        return sentence("A scale of {count}", count=len(asked.written))
