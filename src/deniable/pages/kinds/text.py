"""Questions answered in words of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.page_kind import PageKind
from deniable.pages.kinds.sent_answer import SentAnswer, parts_note
from deniable.protocol.questions.question import QuestionWords
from deniable.protocol.questions.text import Prefix, Text
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.arms import Part

LONGEST: Final = 16
"""The most characters that are asked for."""
TEXTS: Final = ("news", "mail", "maps")


class TextPage(PageKind[Text]):
    """Words are the answer."""

    caution = Statement("people_answered_in_their_own")
    title = Statement("own_words")
    hint = Statement("characters_only_frequent_words", count=LONGEST)
    fields = "nothing"
    preview = "words"

    def to_question(self, question: DraftQuestion, name: str) -> Text:
        """Words of so many characters."""
        return Text(name, LONGEST, question.wording)

    def to_draft(self, question: Text, before: DraftQuestion) -> DraftQuestion:
        """Nothing but its wording."""
        return replace(before, kind="text", protected="everybody")

    def sent_answer(self, question: Text, parts: Sequence[Part], words: QuestionWords) -> SentAnswer:
        """A sentence: a picture of marks that very many texts share shows nothing of any text."""
        lengths = [part.encoder.length for part in parts if isinstance(part.encoder, Prefix)]
        statement = Statement("parts_text", count=len(parts), lengths=", ".join(map(str, lengths)))
        return SentAnswer(
            None, Statement("sent_text"), (statement,) if lengths else parts_note("parts_answer", len(parts))
        )

    def brief(self, question: DraftQuestion) -> Phrase:
        return Statement("own_words_characters", count=LONGEST)

    def example(self, question: Text) -> str:
        """No words in particular."""
        return "..."

    def made_up_answers(self, question: Text, first: float, rng: np.random.Generator) -> Sequence[str]:
        """A few words, whatever was asked: what is rehearsed says nothing of them."""
        return TEXTS
