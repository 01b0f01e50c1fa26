"""What a questionnaire that is not ours needs to ask a private question: filled templates, and the element beside."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Mapping
from importlib.resources import files
from keyword import iskeyword
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from deniable.protocol.checks import shown
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Phrase, Statement

if TYPE_CHECKING:
    from deniable.surveys.document import Document

Host: TypeAlias = Literal["html", "surveyjs", "otree", "limesurvey", "qualtrics", "redcap", "formr"]
HOSTS: Final[tuple[Host, ...]] = get_args(Host)
"""The questionnaires that there are files for."""
TRIED: Final = ("html", "surveyjs", "otree")
"""Those in which the files are tried by tests; of the others their formats alone."""
PROGRAMS: Final[Mapping[Host, Phrase]] = {
    "html": Statement("a_form_of_your_own"), "surveyjs": "SurveyJS", "otree": "oTree", "limesurvey": "LimeSurvey",
    "qualtrics": "Qualtrics", "redcap": "REDCap", "formr": "formr",
}  # fmt: skip
"""What they are called."""
TEMPLATES: Final = files("deniable.pages.handing") / "hosts"
ELEMENT: Final = files("deniable.pages") / "static" / "field.js"
"""The element in one file, which asks no host for anything."""
COLUMN: Final = re.compile(r"[a-z][a-z0-9]{0,19}")
"""What every host takes for the name of a field: with LimeSurvey it is a question's code, with oTree one of Python."""
PLACE: Final = re.compile(r"@@(\w+)(?:\|(\w+))?@@")
"""A place in a template: what stands there, and for which language it is written."""
THEME: Final = "survey/questions/answer/longfreetext"
"""Where LimeSurvey looks for a theme of its long free text."""
FILES: Final[Mapping[Host, Mapping[str, str]]] = {
    "html": {"question.html": "html.html", "field.js": "element"},
    "surveyjs": {"@@column@@.js": "surveyjs.js", "field.js": "element"},
    "otree": {
        "@@column@@/__init__.py": "otree.txt",
        "@@column@@/Question.html": "otree.html",
        "@@column@@/static/@@column@@/field.js": "element",
    },
    "limesurvey": {
        f"deniable_@@column@@/{THEME}/config.xml": "limesurvey.xml",
        f"deniable_@@column@@/{THEME}/answer.twig": "limesurvey.twig",
        f"deniable_@@column@@/{THEME}/assets/scripts/@@column@@.js": "page.js",
    },
    "qualtrics": {"question.js": "qualtrics.js", "field.js": "element"},
    "redcap": {"@@column@@.js": "page.js"},
    "formr": {"@@column@@.csv": "formr.csv", "@@column@@.js": "page.js"},
}
"""The files of each host by their names, each with its template."""
ZIP_NAMES: Final[Mapping[Host, str]] = {"limesurvey": "deniable_@@column@@.zip"}
"""Hosts that take all files in one, and what that is called."""
FIELDS: Final[Mapping[Host, str]] = {"limesurvey": 'textarea[data-deniable="@@digest@@"]'}
"""By which selector a host's own text field is found, if it is not by its name."""
USUAL_FIELD: Final = 'textarea[name="@@column@@"]'
DAY: Final = (2026, 1, 1, 0, 0, 0)
"""In files that are packed; the same survey makes the same bytes."""


def host_files(document: Document, host: Host, column: str = "private") -> dict[str, bytes]:
    """The files by which a questionnaire asks a survey with carrier="field", by their names.

    ``column`` is the name of the field, and of the column in what the questionnaire exports.

    >>> import deniable as dn
    >>> survey = dn.Survey.plan("hit", [dn.OneOf("hit", ["yes", "no"])], 1.0, 900, carrier="field")
    >>> sorted(host_files(survey, "otree"))
    ['private/Question.html', 'private/__init__.py', 'private/static/private/field.js']
    """
    if document.carrier is None:
        raise ParameterError(
            'a survey for a questionnaire that is not ours must have carrier="field", got one that a collector counts; '
            'plan it again with carrier = "field"'
        )
    if host not in HOSTS:
        raise ParameterError(f"host must be one of {', '.join(HOSTS)}, got host={shown(host)}")
    if not COLUMN.fullmatch(column) or iskeyword(column):
        raise ParameterError(
            "column must be a small letter and up to 19 small letters or digits, and no word of Python's own, "
            f"got column={shown(column)}"
        )
    fill = _filler(document, host, column)
    contents = {fill(name): fill(_template(template)).encode() for name, template in FILES[host].items()}
    return {fill(ZIP_NAMES[host]): zip_file(contents)} if host in ZIP_NAMES else contents


def next_steps(host: Host, column: str = "private") -> list[Statement]:
    """What is to be done with the files of a host."""
    untried = [] if host in TRIED else [Statement("embed_untried")]
    return [Statement(f"embed_{host}", column=column), *untried, Statement("embed_read", column=column)]


def zip_file(contents: Mapping[str, bytes]) -> bytes:
    """Files, given by their names, as one ZIP file."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in contents.items():
            file.writestr(zipfile.ZipInfo(name, DAY), content, zipfile.ZIP_DEFLATED)
    return whole.getvalue()


def _template(name: str) -> str:
    return "@@element@@" if name == "element" else (TEMPLATES / name).read_text(encoding="utf-8")


def _filler(document: Document, host: Host, column: str) -> Callable[[str], str]:
    """What fills in the places of a text of ours, and those in the values of some."""
    values = {
        "survey": document.document.decode(),
        "digest": document.digest[:16],
        "title": "".join(filter(str.isprintable, " ".join((document.title or document.name).split()))),
        "column": column,
        "element": ELEMENT.read_text(encoding="utf-8"),
    }

    def fill(text: str) -> str:
        return PLACE.sub(put, text)

    def put(place: re.Match[str]) -> str:
        ours = {"ask": lambda: _template("ask.js"), "field": lambda: FIELDS.get(host, USUAL_FIELD)}
        name, written = place.groups()
        value = fill(ours[name]()) if name in ours else values[name]
        return value if written is None else ESCAPES[written](value)

    return fill


def _as_markup(text: str) -> str:
    """A text in HTML or XML, also as an attribute, in which no template of a host finds a place of its own."""
    return re.sub(r"[\x00-\x7f]", lambda sign: sign[0] if _is_plain(sign[0]) else f"&#{ord(sign[0])};", text)


def _is_plain(sign: str) -> bool:
    return sign.isalnum() or sign in " ,.:-_"


def _as_script(text: str) -> str:
    """A text as JavaScript, also within HTML, in which no host finds a text to be piped in."""
    return re.sub(r"[<>&'{}$%`\[\]]", lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(text))


ESCAPES: Final[Mapping[str, Callable[[str], str]]] = {"markup": _as_markup, "script": _as_script}
"""How a text is written where a template wants it so."""
