"""A model of somebody who answers `breaks` in up to two tabs: what they do, and what must then be shown and kept."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, field
from random import Random
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, Request
from tests.collector.servers import Server
from tests.pages.together.breaks import counted

import deniable as dn

CHOICE, REVIEW, LEFT, WAITING, SENT = "choice", 3, "left", "waiting", "sent"
ALONE = 2
"""The place of the answer that stands alone in the list of the second question."""
TYPED = ("20", "20", "300", "many")
OFTEN = {
    "take": 6, "tick": 2, "next": 2, "back": 0.5, "change": 1, "reload": 1, "idle": 0.3, "network": 0.5, "second": 0.7,
    "leave": 0.3, "send": 3,
}  # fmt: skip
"""What somebody may do, and how often they do it where they can."""
DUE = 6
"""How much oftener they do what brings them on."""
PATIENCE = 3.0
"""Seconds within which a page shows what it must."""
LOOK = """() => {
    const seen = wanted => [...document.querySelectorAll(wanted)].some(each => each.checkVisibility());
    const head = document.querySelector("deniable-question > div:last-of-type [tabindex]")?.textContent ?? "";
    const fields = [...document.querySelectorAll("fieldset input")];
    const stage = seen("[data-act=agree]") ? "choice" : seen("dl.answers") ? 3 : fields.length
        ? Number(/\\d/.exec(document.querySelector("form > .hint").textContent)[0]) - 1 : head;
    const ticks = fields.map((each, place) => each.type === "text" ? each.value : each.checked ? place : -1);
    const held = stage === 2 ? ticks[0] : ticks.filter(each => each >= 0);
    const told = stage === 3 ? [...document.querySelectorAll("dd:nth-of-type(1)")].map(each => each.textContent) : [];
    return {stage, held, told, name: window.name, busy: !!document.querySelector("[inert]"),
            written: localStorage.length + sessionStorage.length + document.cookie.length};
}"""
KEPT = """() => indexedDB.databases().then(all => !all.length ? {} : new Promise(done => {
    indexedDB.open("deniable").onsuccess = event => {
        const database = event.target.result, found = {};
        database.transaction("entries").objectStore("entries").openCursor().onsuccess = ({target: {result: at}}) => {
            if (at) { found[at.key] = at.value; at.continue(); } else { database.close(); done(found); }
        }; }; }))"""
HEADS = {
    "Nothing more is sent": LEFT,
    "Mixed, not sent yet": WAITING,
    "Sent, once. Thank you.": SENT,
    "This browser has answered": SENT,
}


@dataclass
class Tab:
    """One tab: the page, and what it must show and keep."""

    page: Page
    stage: str | int = CHOICE
    place: int = 0
    held: list[Any] = field(default_factory=lambda: [[], [], ""])
    is_kept: bool = False
    """Whether anything was ticked or turned since it was forgotten."""

    @property
    def is_answered(self) -> bool:
        """Whether the question that is shown has an answer."""
        return self.held[2] in {"20", "300"} if self.place == 2 else self.place < 2 and bool(self.held[self.place])

    def forget(self) -> None:
        """Nothing is left of what was ticked."""
        self.place, self.held, self.is_kept = 0, [[], [], ""], False

    def form(self) -> None:
        """The form is shown where somebody left it."""
        self.stage = self.place


def press(control: Locator) -> None:
    """Click without waiting for a frame, of which a tab in the background has one a second."""
    control.evaluate("each => each.click()")


class Walk:
    """What somebody may do next, done in the browser and in the model."""

    def __init__(self, context: BrowserContext, server: Server, survey: dn.Survey) -> None:
        self.context, self.server, self.survey = context, server, survey
        self.before = counted(server, server.operator, survey)
        self.posted: set[bytes | None] = set()
        context.on("request", self._hear)
        self.granted, self.sent, self.online = False, "", True
        self.tabs: list[Tab] = []
        self.path: list[str] = []
        self.open()

    def _hear(self, request: Request) -> None:
        if request.method == "POST":
            self.posted.add(request.post_data_buffer)

    @property
    def is_over(self) -> bool:
        """Whether an answer was sent, and is still so after a reload."""
        return self.sent == SENT and self.path[-1].endswith("reload")

    def open(self) -> None:
        """A new tab."""
        self.tabs.append(Tab(self.context.new_page()))
        if len(self.tabs) == 1:
            self.context.clock.install()
        self.tabs[-1].page.goto(f"{self.server.url}/q/{self.survey.digest}")
        self._arrive(self.tabs[-1])

    def step(self, random: Random) -> None:
        """One of the things that can be done now, and what then must be so."""
        tab = random.choice(self.tabs)
        due = "next" if tab.is_answered else "tick"
        able = {name: weight + DUE * (name == due) for name, weight in OFTEN.items() if self._can(name, tab)}
        [name] = random.choices([*able], [*able.values()])
        self.act(name, tab, random)

    def act(self, name: str, tab: Tab, random: Random) -> None:
        """Do one thing, and compare."""
        self.path.append(f"{self.tabs.index(tab)}:{name}")
        getattr(self, f"_{name}")(tab, random)
        self.compare()

    def compare(self) -> None:
        """What is shown, kept and sent is what the model says."""
        for tab in self.tabs:
            end = time.monotonic() + PATIENCE
            while (found := self._found(tab)) != (wanted := self._wanted(tab)) and time.monotonic() < end:
                tab.page.wait_for_timeout(20)
            assert found == wanted, f"tab {self.tabs.index(tab)} after {' '.join(self.path)}"
        entries = self.tabs[0].page.evaluate(KEPT)
        answers = [json.loads(entry)["state"] for key, entry in entries.items() if key.startswith("answer/")]
        assert answers == ([self.sent] if self.sent else []), self.path
        assert not re.search("desk|canteen|every day|some days|never", json.dumps(entries)), "no answer in clear"
        assert counted(self.server, self.server.operator, self.survey) - self.before == (self.sent == SENT), self.path
        assert len(self.posted) == (self.sent == SENT), f"one answer, by however many tabs, after {self.path}"

    def _wanted(self, tab: Tab) -> Any:
        is_form = isinstance(tab.stage, int)
        held = tab.held[tab.place] if is_form and tab.place < REVIEW else []
        told = [_told(k, each) for k, each in enumerate(tab.held)] if tab.stage == REVIEW else []
        kept = [self.survey.digest, tab.place, tab.held] if tab.is_kept else None
        return {"stage": tab.stage, "held": held, "told": told, "kept": kept, "busy": False, "written": 0}

    def _found(self, tab: Tab) -> Any:
        look = tab.page.evaluate(LOOK)
        name = look.pop("name")
        kept = json.loads(name.removeprefix("deniable:")) if name else None
        stage = HEADS.get(look["stage"], look["stage"])
        return {**look, "stage": stage, "kept": None if kept is None else [kept[0], *kept[2:]]}

    def _can(self, name: str, tab: Tab) -> bool:
        is_form = isinstance(tab.stage, int)
        return {
            "take": self.online and tab.stage in {CHOICE, LEFT},
            "tick": is_form and tab.place < REVIEW,
            "next": is_form and tab.place < REVIEW,
            "back": is_form and tab.place < REVIEW,
            "change": tab.stage == REVIEW,
            "reload": self.online,
            "idle": True,
            "network": True,
            "second": self.online and len(self.tabs) == 1,
            "leave": tab.stage == REVIEW,
            "send": tab.stage == REVIEW,
        }[name]

    def _arrive(self, tab: Tab) -> None:
        """What is due once a page was loaded."""
        if self.sent:
            tab.forget()
            tab.stage = self.sent
        elif self.granted:
            if not tab.is_kept:
                tab.forget()
            tab.form()
        else:
            tab.stage = CHOICE
            if not tab.is_kept:
                tab.forget()

    def _take(self, tab: Tab, _: Random) -> None:
        if tab.stage == LEFT:
            press(tab.page.get_by_role("button", name="Take part after all").last)
            tab.stage = CHOICE
        press(tab.page.get_by_role("button", name="Take part", exact=True))
        self.granted = True
        tab.form()

    def _tick(self, tab: Tab, random: Random) -> None:
        if tab.place == 2:
            tab.held[2] = random.choice(TYPED)
            tab.page.get_by_role("textbox").fill(tab.held[2])
        else:
            self.tick(tab, random.randrange(3))
        tab.is_kept = True

    def tick(self, tab: Tab, place: int) -> None:
        """Click one of the answers."""
        now = tab.held[tab.place]
        press(tab.page.locator("fieldset input").nth(place))
        if tab.place == 0:
            tab.held[0] = [place]
        elif place in now:
            now.remove(place)
        else:
            tab.held[1] = sorted([each for each in now if place != ALONE and each != ALONE] + [place])
        tab.is_kept = True

    def _next(self, tab: Tab, _: Random) -> None:
        press(tab.page.locator("[type=submit]"))
        if tab.is_answered:
            self._turn(tab, tab.place + 1)

    def _back(self, tab: Tab, _: Random) -> None:
        press(tab.page.get_by_role("button", name="Back", exact=True))
        if tab.place == 0:
            tab.stage = CHOICE
        else:
            self._turn(tab, tab.place - 1)

    def _change(self, tab: Tab, random: Random) -> None:
        place = random.randrange(3)
        press(tab.page.get_by_role("button", name="Change").nth(place))
        self._turn(tab, place)

    def _turn(self, tab: Tab, place: int) -> None:
        tab.stage = tab.place = place
        tab.is_kept = True

    def _reload(self, tab: Tab, _: Random) -> None:
        tab.page.reload()
        self._arrive(tab)

    def _idle(self, _: Tab, __: Random) -> None:
        self.context.clock.fast_forward(601_000)
        for tab in self.tabs:
            tab.forget()
            if isinstance(tab.stage, int):
                tab.form()

    def _network(self, _: Tab, __: Random) -> None:
        self.online = not self.online
        self.context.set_offline(not self.online)
        if self.online and self.sent:
            self._all(SENT)

    def _second(self, _: Tab, __: Random) -> None:
        self.open()

    def _leave(self, tab: Tab, _: Random) -> None:
        press(tab.page.get_by_role("button", name="Do not send"))
        self.granted = False
        for each in self.tabs:
            each.forget()
            each.stage = LEFT if isinstance(each.stage, int) else each.stage

    def _send(self, tab: Tab, _: Random) -> None:
        press(tab.page.locator("[type=submit].alike"))
        self._all(SENT if self.online else WAITING)

    def _all(self, stage: str) -> None:
        """An answer of one tab is that of all, but for one that still shows the choice."""
        self.sent = stage
        for each in self.tabs:
            each.forget()
            each.stage = stage


def _told(place: int, held: Any) -> str:
    """An answer as the look over says it."""
    names = [["every day", "some days", "never"], ["canteen", "desk", "no break"]]
    if place < 2:
        return ", ".join(names[place][each] for each in held)
    return "300 counts as 60, the most that is asked." if held == "300" else f"{held}\u00a0min"
