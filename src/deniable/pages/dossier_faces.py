"""A dossier as one page to fill in, to print and to keep, with nothing from elsewhere; and as text."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from deniable.engines.certificate_page import STYLE
from deniable.pages.dossier import FALSE, Box, Dossier
from deniable.protocol.say import Language

PARTS: Final = {"signed": "dossier_number", "boxes": "dossier_order", "questions": "dossier_opinion"}
"""The parts, and the sentence below the heading of each."""
SIGNED: Final = ("sign_decision", "sign_name", "sign_place")
"""What whoever signs writes down."""
OWN_STYLE: Final = """\
:root { background: light-dark(#fcfcfa, #15181c); color: light-dark(#181a1d, #e4e6e8); }
h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
section { border-top: 1px solid var(--rule); padding-bottom: .5rem; }
ul { list-style: none; margin: 0; padding: 0; }
li { display: grid; grid-template-columns: 1fr 11rem; gap: 0 1.5rem; margin: .35rem 0; overflow-wrap: anywhere; }
small { color: light-dark(#585e66, #a3aab2); font-size: .875rem; }
label { display: block; margin: .5rem 0; }
label strong { color: light-dark(#934600, #efab66); }
textarea { display: block; box-sizing: border-box; width: 100%; min-height: 3.5rem; margin-top: .35rem; padding: .5rem;
  font: inherit; color: inherit; background: none; border: 1px solid light-dark(#7d848c, #747c86);
  field-sizing: content; }
@media (max-width: 40rem) { li { grid-template-columns: 1fr; margin: .75rem 0; } }
@media print {
  :root { color-scheme: light; background: none; }
  section { break-inside: avoid; }
  .screen { display: none; }
  textarea { border-width: 0 0 1px; resize: none; }
}
"""


def markdown(dossier: Dossier, say: Language) -> str:
    """The dossier as Markdown, which reads as text too."""
    return "\n".join(_text(dossier, say))


def page(dossier: Dossier, say: Language) -> str:
    """The dossier as an HTML page, without script."""
    return "\n".join(_page(dossier, say)) + "\n"


def _text(dossier: Dossier, say: Language) -> Iterator[str]:
    yield f"# {say(dossier.title)}\n\n{say(dossier.finding)}\n\n{say('dossier_you')}\n"
    for part, below in PARTS.items():
        yield f"## {say(f'dossier_{part}')}\n\n{say(below)}\n"
        for place, box in enumerate(getattr(dossier, part), 1):
            yield f"### {_heading(part, place, box, say)}\n"
            for sentence, source in box.lines:
                yield f"- {say.text(sentence)}" + (f" ({say(source)})" if source else "")
            for ask in box.asks:
                yield f"- **{say('must_answer')}:** {say(ask)}\n\n  {'_' * 60}"
            yield ""
    yield f"{say('treat_as_personal')}\n\n## {say('dossier_signature')}\n"
    yield "\n\n".join(f"{say(each)}: {'_' * 40}" for each in SIGNED)


def _page(dossier: Dossier, say: Language) -> Iterator[str]:
    fails = "" if dossier.holds else ' class="fails"'
    yield f'<!doctype html>\n<html lang="{say.code}">\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(say(dossier.title))}</title>\n<style>\n{STYLE}{OWN_STYLE}</style>\n<main>"
    yield f"<p>{escape(say(dossier.title))}</p>\n<h1{fails}>{escape(say(dossier.finding))}</h1>"
    yield f'<p>{escape(say("dossier_you"))}</p>\n<p class="screen">{escape(say("dossier_keep"))}</p>'
    for part, below in PARTS.items():
        yield f"<h2>{escape(say(f'dossier_{part}'))}</h2>\n<p>{escape(say(below))}</p>"
        for place, box in enumerate(getattr(dossier, part), 1):
            yield f"<section>\n<h3>{escape(_heading(part, place, box, say))}</h3>\n<ul>"
            for sentence, source in box.lines:
                mark = " class=fails" if source == FALSE else ""
                behind = f" <small{mark}>{escape(say(source))}</small>" if source else ""
                yield f"<li><span>{escape(say.text(sentence))}</span>{behind}</li>"
            yield "</ul>"
            for ask in box.asks:
                yield _field(f"<strong>{escape(say('must_answer'))}:</strong> {escape(say(ask))}")
            yield "</section>"
    yield f"<p>{escape(say('treat_as_personal'))}</p>\n<section>\n<h2>{escape(say('dossier_signature'))}</h2>"
    yield from (_field(escape(say(each))) for each in SIGNED)
    yield "</section>\n</main>\n</html>"


def _heading(part: str, place: int, box: Box, say: Language) -> str:
    """The heading of a box; those of NIST have numbers."""
    return f"{place}. {say(box.name)}" if part == "boxes" else say(box.name)


def _field(label: str) -> str:
    return f'<label>{label}<textarea rows="2"></textarea></label>'
