"""What all pages share: who reads, which survey it is about, whose form came, and how a page is sent."""

from __future__ import annotations

import asyncio
import hmac
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import cache, partial
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, quote, urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.filters import do_truncate
from markupsafe import Markup, escape
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from deniable.collector.http.context import Context
from deniable.estimation.words import as_typed
from deniable.intake.access import allows
from deniable.intake.events import warn
from deniable.intake.http.bodies import MOST_FORM
from deniable.intake.http.replies import problem
from deniable.intake.http.reply_headers import root_of
from deniable.intake.http.requests import text_of
from deniable.intake.refusals import SCOPE, UNKNOWN, Refusal, Refused, busy
from deniable.intake.storage.rows import SurveyRow, Token
from deniable.intake.storage.transaction import Transaction
from deniable.pages import result_links
from deniable.pages.assets import address_of, integrity_of
from deniable.pages.builder.shelf import Shelf
from deniable.pages.languages import TemplateLanguage, author_language, keep_choice, language_choices
from deniable.pages.proofs import Proofs
from deniable.pages.result_links import GUEST, ResultLinks, guest_of
from deniable.pages.results.about import hint_of, in_groups, in_short, source_of
from deniable.pages.results.headlines import Headlines
from deniable.pages.results.period_view import PeriodView, day_in_words, find
from deniable.pages.results.readings import Readings
from deniable.pages.results.survey_view import tabs
from deniable.pages.sessions import COOKIE, OneTimeLinks, Sessions, Visitor, visitor_of
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
LOCAL: Final = ("localhost", "127.0.0.1", "::1")
"""Hosts that nobody else reaches."""
VISITORS: Final = "deniable.visitors"
"""Where in a request's scope it is kept who reads."""
MOST_FIELDS: Final = 10_000
LONGEST_WAY_BACK: Final = 4096
"""So many signs of an address are remembered while somebody signs in; clients give up on far longer ones."""
ADDRESSES: Final = re.compile(r'(?<=\s)(?:href|src|action|formaction|result)="(?=/)')
"""What begins an address of this server in a page."""
QUOTED: Final = re.compile("“([^”]*)”|„([^“]*)“")
Endpoint = Callable[[Request], Awaitable[Response]]


class SignInNeeded(Exception):
    """Nobody is signed in, and the page is not for everybody."""


class Site(NamedTuple):
    """The collector behind the pages, and its readers."""

    context: Context
    sessions: Sessions
    links: OneTimeLinks
    result_links: ResultLinks
    proofs: Proofs
    headlines: Headlines
    shelf: Shelf
    readings: Readings
    drawing: asyncio.Lock
    """Pixels and long tables take memory: one picture or table is made at a time."""

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
        self, request: Request, template: str, *, status: int = 200, frame: bool = False, mixer: str = "", **values: Any
    ) -> Response:
        """A page of a template. Only with ``frame`` pages of other hosts may show it within theirs.

        Only where it seals answers does it know of another host: that of its ``mixer``.
        """
        visitor = await self.visitor(request)
        shared = {
            "request": request,
            "token": None if visitor is None else visitor.token,
            "has_lan": self.context.lan is not None,
            "is_guest": visitor is not None and visitor.token.name == GUEST,
            "csrf": "" if visitor is None else visitor.csrf,
        }
        html = self.fragment(request, template, **shared, **values)
        reply = HTMLResponse(html, status, headers_of(frame=frame, mixer=mixer))
        if is_translated(template):
            keep_choice(request, reply)
        return reply

    def fragment(self, request: Request, template: str, /, **values: Any) -> str:
        """A template in the language of whoever reads, with the addresses in it as browsers see them."""
        code = author_language(request) if is_translated(template) else OWN
        choices = language_choices(request, code) if is_translated(template) else ()
        html = templates(code).get_template(template).render(values, language_choices=choices)
        root = root_of(request.scope)  # a quotation mark that somebody wrote is never one in a page
        return ADDRESSES.sub(rf"\g<0>{root}", html) if root else html

    async def visitors(self, request: Request) -> list[Visitor]:
        """Whoever is signed in, and then the same person as a guest, if they followed a shared link.

        They are looked up once, and kept with the request.
        """
        if VISITORS not in request.scope:
            names = COOKIE, result_links.COOKIE
            cookies = {name: value for name in names if (value := request.cookies.get(name))}
            request.scope[VISITORS] = await asyncio.to_thread(self._visitors, cookies) if cookies else []
        found: list[Visitor] = request.scope[VISITORS]
        return found

    def _visitors(self, cookies: Mapping[str, str]) -> list[Visitor]:
        session, shared = cookies.get(COOKIE, ""), cookies.get(result_links.COOKIE, "")
        now = self.context.collector.now()

        def look(t: Transaction) -> list[Visitor | None]:
            return [visitor_of(t, session, now), guest_of(t, shared, now)]

        return [visitor for visitor in self.context.collector.run(look) if visitor is not None]

    async def visitor(self, request: Request) -> Visitor | None:
        """Whoever reads."""
        return next(iter(await self.visitors(request)), None)

    async def admit(self, request: Request, action: str, row: SurveyRow | None = None) -> Token:
        """The token of whoever reads, by their session or by the request's own, if it allows the action."""
        if "authorization" in request.headers:
            return await self.context.admit(request, action, row)
        tokens = [visitor.token for visitor in await self.visitors(request)]
        if not tokens:
            raise SignInNeeded
        for token in tokens:
            if allows(token, action, row):
                return token
        # who may not see a survey does not learn that it is there
        hidden = row is not None and not any(allows(token, "read", row) for token in tokens)
        raise Refused(UNKNOWN if hidden else SCOPE)

    async def named(self, request: Request) -> SurveyRow:
        """The survey of the address: the newest of its name, unless a digest is asked for."""
        name, digest = request.path_params["name"], request.query_params.get("digest")
        rows = await asyncio.to_thread(self.context.desk.surveys, name)
        found = [row for row in rows if digest is None or row.digest.startswith(digest)]
        if not found:
            raise Refused(UNKNOWN)
        return found[-1]

    async def found(self, request: Request) -> PeriodView:
        """The period of the address, for whoever may read it."""
        row = await self.named(request)
        token = await self.admit(request, "read", row)
        return await self.period(request, row, (await self.parts(request, token)).get(row.name))

    async def parts(self, request: Request, token: Token) -> Mapping[str, frozenset[str]]:
        """The questions that whoever was admitted may see, of surveys of which they may not see all."""
        return next((each.parts for each in await self.visitors(request) if each.token == token), {})

    async def period(self, request: Request, row: SurveyRow, only: frozenset[str] | None) -> PeriodView:
        """The period of the address, for who may see ``only`` these questions; None is all of them."""
        wanted = request.query_params.get("period")
        found = await asyncio.to_thread(find, self.context.collector, self.context.desk, row, wanted)
        return found if only is None else found.with_only(only)

    def source(self, request: Request, found: PeriodView, ending: str = "", when: Phrase = "") -> Phrase:
        """Who asked, when, and where it stands: for pictures, which leave their page."""
        address = f"{base_of(request).partition('://')[2]}/s/{found.row.name}{ending}"
        return source_of(found, day_in_words(self.context.collector.now()), address, when)

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

    async def long_form(self, request: Request, most: int) -> FormData:
        """The fields of a form from any page: a long one of those alone who are signed in, or were hours ago."""
        known = await asyncio.to_thread(self.sessions.knows, request.cookies.get(COOKIE, ""))
        return await read_form(request, most if known else MOST_FORM)

    async def refuse(self, request: Request, refusal: Refusal) -> Response:
        """A page that says what went wrong and what to do; a problem for whoever asks for no page."""
        if request.url.path.endswith(".json") or "text/html" not in request.headers.get("accept", ""):
            return problem(refusal)
        return await self.render(request, "refused.html", status=refusal.status, refusal=refusal)


def headers_of(*, frame: bool = False, mixer: str = "") -> dict[str, str]:
    """What a browser is told of a page: what it may ask, who may show it, and whom it tells where it came from.

    >>> headers_of(mixer="https://mixer.example/a")["Content-Security-Policy"].split("; ")[4]
    "connect-src 'self' https://mixer.example"
    """
    hosts = f"'self' {'/'.join(mixer.split('/')[:3])}" if mixer else "'self'"
    policy = SOURCES.format(hosts=hosts, frames="*" if frame else "'none'")
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


FOREIGN: Final = Refusal("scope", 403, "a form must be sent from a page of this site that is open now, got another")
OWN: Final = "en"
"""The language of templates in which no author reads."""
OWN_CHOICE: Final = "question/"
"""Pages for people asked, who choose their language by themselves."""


def is_translated(template: str) -> bool:
    """Whether the page of a template is there in the languages of authors."""
    return not template.startswith(OWN_CHOICE)


def compile_templates() -> None:
    """Make the templates of results ready, so that no first reader waits for it."""
    found = templates(OWN)
    for name in ("home.html", *found.list_templates(filter_func=lambda name: name.startswith("result/"))):
        found.get_template(name)


def _truncated(made: Environment, say: Say, text: Phrase, length: int) -> str:
    """A text that is cut off after so many letters."""
    return do_truncate(made, say(text), length)


@cache
def templates(code: str) -> Environment:
    """The templates in a language of authors."""
    say = TemplateLanguage(code)
    found = Environment(
        loader=PackageLoader("deniable.pages"),
        auto_reload=False,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=say.plain.text,
    )
    found.filters["isolated"] = isolated
    found.globals |= {
        "asset": address_of, "integrity": integrity_of, "lang": code, "tabs": tabs,
        "protection": in_short, "hint": hint_of,
        "say": say, "figure": Figure, "as_typed": as_typed, "text": say.plain.text, "number": say.number,
    }  # fmt: skip
    found.filters |= {"groups": in_groups, "truncate": partial(_truncated, found, say.plain.text)}
    return found
