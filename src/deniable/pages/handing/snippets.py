"""A survey put into other pages and programs: what to copy."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from deniable.pages.assets import integrity_of
from deniable.protocol.say import Phrase, Statement

CODE = "CODE"
"""Stands for the code of whoever is asked."""


class Snippet(NamedTuple):
    """Something to copy: what it is called, what it is for, and its text."""

    name: Phrase
    about: Phrase
    code: str


def embedding(url: str, digest: str, invited: bool) -> str:
    """The lines that put a survey into any web page, without a build."""
    base, code = escape(url, quote=True), f'\n  code="{CODE}"' if invited else ""
    return (
        f'<script type="module" src="{base}/static/deniable.js"\n'
        f'  integrity="{integrity_of("deniable.js")}" crossorigin="anonymous"></script>\n'
        f'<deniable-question endpoint="{base}"\n  survey="{digest}"{code}></deniable-question>'
    )


def programs(url: str, digest: str, example: str, invited: bool) -> list[Snippet]:
    """For an app with npm, and for Python; ``example`` is an answer as JSON."""
    npm_code, python_code = (f', code: "{CODE}"', f', code="{CODE}"') if invited else ("", "")
    npm = (
        "npm install deniable\n\n"
        'import { open } from "deniable/device";\n'
        f'const client = await open({{ endpoint: "{url}",\n  survey: "{digest}"{npm_code} }});\n'
        "const { sentences } = await client.facts();\n"
        "await client.consent().grant(sentences); // once the person was shown them, and agreed\n"
        f"await client.answer({example});\nawait client.flush();"
    )
    python = (
        "pip install deniable-client\n\n"
        "import deniable_client\n"
        f'client = deniable_client.open("{url}",\n    "{digest}"{python_code})\n'
        "client.consent().grant(client.survey.sentences)  # once the person was shown them, and agreed\n"
        f"client.answer({example})\nclient.flush()"
    )
    return [
        Snippet(Statement("a_javascript_app_by_npm"), Statement("in_an_app_with_a_build"), npm),
        Snippet("Python", Statement("on_a_device_that_runs"), python),
    ]
