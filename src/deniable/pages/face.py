"""The pages of a collector, as its server takes them."""

from __future__ import annotations

from pathlib import Path

from starlette.routing import BaseRoute

from deniable.collector.http.context import Context
from deniable.pages.front_pages import FrontPages
from deniable.pages.label_pages import LabelPages
from deniable.pages.question_pages import QuestionPages
from deniable.pages.sessions import Sessions
from deniable.pages.site import Site


class Pages:
    """Everything that browsers see."""

    def __init__(self, data: Path) -> None:
        self._sessions = Sessions(data)

    def routes(self, context: Context) -> list[BaseRoute]:
        """The routes of all pages."""
        site = Site(context, self._sessions)
        return [route for group in (FrontPages(site), QuestionPages(site), LabelPages(site)) for route in group.all()]

    def lines(self, url: str) -> list[str]:
        """What the server says of its pages once it listens at an address."""
        return [f"open in a browser, once: {url}/enter/{self._sessions.one_time_secret()}"]
