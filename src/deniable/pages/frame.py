"""A frame for the pages of a program: who reads, whose form came, how a page is sent, and what else it says."""

from __future__ import annotations

import asyncio
import hmac
import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.filters import do_truncate
from markupsafe import Markup, escape
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from deniable.estimation.words import as_typed
from deniable.intake.events import warn
from deniable.intake.http.bodies import MOST_FORM
from deniable.intake.http.replies import problem
from deniable.intake.http.reply_headers import root_of
from deniable.intake.http.requests import text_of
from deniable.intake.refusals import Refusal, Refused, busy
from deniable.pages.assets import address_of, integrity_of
from deniable.pages.languages import TemplateLanguage, author_language, keep_choice, language_choices
from deniable.pages.sessions import Visitor
from deniable.protocol.errors import DenialError, StoreError
from deniable.protocol.say import Figure, Phrase, Say

SOURCES: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src {hosts}; "
    "form-action 'self'; base-uri 'none'; frame-ancestors {frames}"
)
HEADERS: Final = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
MOST_FIELDS: Final = 10_000
LONGEST_WAY_BACK: Final = 4096
"""So many signs of an address are remembered while somebody signs in; clients give up on far longer ones."""
ADDRESSES: Final = re.compile(r'(?<=\s)(?:href|src|action|formaction|result)="(?=/)')
"""What begins an address of this server in a page."""
QUOTED: Final = re.compile("“([^”]*)”|„([^“]*)“")
FOREIGN: Final = Refusal("scope", 403, "a form must be sent from a page of this site that is open now, got another")
OWN: Final = "en"
"""The language of templates in which no author reads."""
OWN_CHOICE: Final = "question/"
"""Pages for people asked, who choose their language by themselves."""
Endpoint = Callable[[Request], Awaitable[Response]]


class SignInNeeded(Exception):
    """Nobody is signed in, and the page is not for everybody."""


class PageFrame(ABC):
    """What the pages of a collector and of a mixer share: routes, templates, forms and refusals."""

    @abstractmethod
    async def visitor(self, request: Request) -> Visitor | None:
        """Whoever reads."""

    @abstractmethod
    def templates(self, code: str) -> Environment:
        """The templates in a language of authors."""

    @abstractmethod
    def template_flags(self, visitor: Visitor | None) -> Mapping[str, Any]:
        """What every page knows of whoever reads, beside what each of a frame does."""

    def page(self, path: str, endpoint: Endpoint, methods: tuple[str, ...] = ("GET",)) -> Route:
        """A route whose refusals are pages too, or problems for programs."""

        async def answer(request: Request) -> Response:
            try:
                return await endpoint(request)
            except SignInNeeded:
                return _to_enter(request)
            except Refused as refused:
                return await self.refuse(request, refused.refusal)
            except StoreError:
                return await self.refuse(request, busy(60))
            except DenialError as error:
                return await self.refuse(request, Refusal("malformed", 422, str(error)))
            except Exception as error:
                warn("a page could not be made", error)
                return await self.refuse(request, busy(60))

        return Route(path, answer, methods=list(methods))

    async def render(
        self,
        request: Request,
        template: str,
        *,
        status: int = 200,
        is_embedded: bool = False,
        mixer: str = "",
        **values: Any,
    ) -> Response:
        """A page of a template. Only if it ``is_embedded`` pages of other hosts may show it within theirs.

        Only where it seals answers does it know of another host: that of its ``mixer``.
        """
        visitor = await self.visitor(request)
        shared = {
            "request": request,
            "token": None if visitor is None else visitor.token,
            "csrf": "" if visitor is None else visitor.csrf,
            **self.template_flags(visitor),
        }
        html = self.fragment(request, template, **shared, **values)
        reply = HTMLResponse(html, status, headers_of(is_embedded=is_embedded, mixer=mixer))
        if is_translated(template):
            keep_choice(request, reply)
        return reply

    def fragment(self, request: Request, template: str, /, **values: Any) -> str:
        """A template in the language of whoever reads, with the addresses in it as browsers see them."""
        code = author_language(request) if is_translated(template) else OWN
        choices = language_choices(request, code) if is_translated(template) else ()
        html = self.templates(code).get_template(template).render(values, language_choices=choices)
        root = root_of(request.scope)  # a quotation mark that somebody wrote is never one in a page
        return ADDRESSES.sub(rf"\g<0>{root}", html) if root else html

    async def form(self, request: Request, most: int = MOST_FORM) -> FormData:
        """The fields of a form, which must have been sent from a page of this site by whoever is signed in."""
        if not is_from_here(request):
            raise Refused(FOREIGN)
        visitor = await self.visitor(request)
        if visitor is None:
            raise SignInNeeded
        fields = await read_form(request, most)
        if not is_own_form(visitor, str(fields.get("csrf", ""))):
            raise Refused(FOREIGN)
        return fields

    async def refuse(self, request: Request, refusal: Refusal) -> Response:
        """A page that says what went wrong and what to do; a problem for whoever asks for no page."""
        if request.url.path.endswith(".json") or "text/html" not in request.headers.get("accept", ""):
            return problem(refusal)
        return await self.render(request, "refused.html", status=refusal.status, refusal=refusal)


def headers_of(*, is_embedded: bool = False, mixer: str = "") -> dict[str, str]:
    """What a browser is told of a page: what it may ask, who may show it, and whom it tells where it came from.

    >>> headers_of(mixer="https://mixer.example/a")["Content-Security-Policy"].split("; ")[4]
    "connect-src 'self' https://mixer.example"
    """
    hosts = f"'self' {'/'.join(mixer.split('/')[:3])}" if mixer else "'self'"
    policy = SOURCES.format(hosts=hosts, frames="*" if is_embedded else "'none'")
    quiet = {"Referrer-Policy": "no-referrer"} if mixer else {}
    return {**HEADERS, "Content-Security-Policy": policy, **quiet}


async def read_form(request: Request, most: int = MOST_FORM) -> FormData:
    """The fields of a form from any page; the body is refused as soon as it is too long, and read beside the loop."""
    if not is_from_here(request):
        raise Refused(FOREIGN)
    return FormData([*await asyncio.to_thread(_fields, await text_of(request, most))])


def _fields(text: str) -> list[tuple[str, str]]:
    """The fields of a form; refused with a character that PostgreSQL's texts cannot have."""
    try:
        fields = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise Refused(Refusal("malformed", 422, f"a form must have at most {MOST_FIELDS} fields, got more")) from None
    if any("\0" in each for field in fields for each in field):
        raise Refused(Refusal("malformed", 422, "a form must hold readable text, got the character NUL"))
    return fields


def is_from_here(request: Request) -> bool:
    """Whether a form was sent from a page of this host, as browsers say of each."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None:
        return site in ("same-origin", "none")
    return origin is not None and urlsplit(origin).netloc == request.headers.get("host")


def is_own_form(visitor: Visitor, secret: str) -> bool:
    """Whether a form is of a page that whoever sends it was shown in this session."""
    return hmac.compare_digest(secret.encode(), visitor.csrf.encode())


def base_of(request: Request) -> str:
    """Where the server is, as browsers see it: what stands before each of its addresses."""
    return str(request.base_url).rstrip("/")


def download(body: bytes | str, kind: str, name: str) -> Response:
    """Something to keep, with a name that says what it is."""
    return Response(body, media_type=kind, headers={**HEADERS, "Content-Disposition": f'attachment; filename="{name}"'})


def _to_enter(request: Request) -> Response:
    """Ask who reads; then go on where they wanted to go."""
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    back = f"?next={quote(wanted)}" if request.method == "GET" and wanted != "/" else ""
    back = back if len(back) <= LONGEST_WAY_BACK else ""
    return RedirectResponse(f"/enter{back}", 303, HEADERS)


def isolated(sentence: str) -> Markup:
    """A sentence as HTML in which labels, which stand in quotation marks, keep their own direction.

    >>> isolated("More answer “<b>” than “c”.")
    Markup('More answer “<bdi>&lt;b&gt;</bdi>” than “<bdi>c</bdi>”.')
    """
    return Markup(QUOTED.sub(lambda found: f"{found[0][0]}<bdi>{found[0][1:-1]}</bdi>{found[0][-1]}", escape(sentence)))


def is_translated(template: str) -> bool:
    """Whether the page of a template is there in the languages of authors."""
    return not template.startswith(OWN_CHOICE)


def environment(code: str) -> Environment:
    """The templates in a language of authors, with what those of all programs share."""
    say = TemplateLanguage(code)
    templates = Environment(
        loader=PackageLoader("deniable.pages"),
        auto_reload=False,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=say.plain.text,
    )
    templates.globals |= {
        "asset": address_of, "integrity": integrity_of, "lang": code,
        "say": say, "figure": Figure, "as_typed": as_typed, "text": say.plain.text, "number": say.number,
    }  # fmt: skip
    templates.filters |= {"isolated": isolated, "truncate": partial(_truncated, templates, say.plain.text)}
    return templates


def _truncated(templates: Environment, say: Say, text: Phrase, length: int) -> str:
    """A text that is cut off after so many letters."""
    return do_truncate(templates, say(text), length)
