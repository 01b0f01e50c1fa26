"""The pages of a mixer, as its server takes them."""

from __future__ import annotations

from starlette.routing import BaseRoute

from deniable.mixer.http.context import Context
from deniable.pages.mixing.mixer_site import MixerSite
from deniable.pages.mixing.operator_pages import OperatorPages
from deniable.pages.mixing.signing_in import SigningIn
from deniable.pages.sessions import OneTimeLinks, Sessions, signing_in


class MixerPages:
    """Everything that the browser of a mixer's operator sees."""

    def __init__(self) -> None:
        self._links = OneTimeLinks()

    def routes(self, context: Context) -> list[BaseRoute]:
        """The routes of all pages."""
        site = MixerSite(context, Sessions(context.intake), self._links)
        return [*SigningIn(site).all(), *OperatorPages(site).all()]

    def start(self) -> None:
        """Nothing goes on beside them."""

    def lines(self, url: str) -> list[str]:
        """What the server says of its pages once it listens at an address."""
        return [signing_in(self._links, url)]
