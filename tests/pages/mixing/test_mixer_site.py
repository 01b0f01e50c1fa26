"""What the page says of a clock that jumped and of what went wrong, which no test can make happen to a process."""

from __future__ import annotations

from typing import Any

import pytest

from deniable.intake.storage.rows import Disk
from deniable.pages.mixing.mixer_site import templates
from deniable.pages.mixing.standing import MixerStanding, Trouble
from deniable.protocol.say import Statement, language


def shown(code: str, **told: Any) -> str:
    """The page of a mixer that stands so."""
    nothing: dict[str, Any] = {"open": [], "handed": [], "waiting": [], "withheld": [], "troubles": [], "doubts": False}
    standing = MixerStanding(**{**nothing, **told})
    values = {
        "standing": standing, "waiting": [], "error": "", "most": 5, "needs": standing.needs(0), "token": None,
        "csrf": "secret", "is_mixer": True, "is_guest": False, "language_choices": (),
        "outside": Statement("mixer_is_reached"),
    }  # fmt: skip
    return templates(code).get_template("mixing/desk.html").render(values)


@pytest.mark.parametrize("code", ["en", "de"])
def test_a_clock_that_jumped_is_confirmed_by_a_button(code: str) -> None:
    page, words = shown(code, doubts=True), language(code)
    assert words("mixer_clock_jumped") in page
    assert f"<button>{words('mixer_clock_is_right')}</button>" in page
    assert '<form method="post" action="/clock"><input type="hidden" name="csrf" value="secret">' in page
    assert "/clock" not in shown(code)


@pytest.mark.parametrize("code", ["en", "de"])
def test_what_went_wrong_is_said_in_the_readers_language_or_marked_as_english(code: str) -> None:
    lost, unsent = Trouble("Rent", "", Statement("mixer_lost_gaps")), Trouble("Bus <b>", "2026-W48", "got <no> reply")
    page = shown(code, troubles=[lost, unsent])
    assert language(code)("mixer_lost_gaps") in page
    assert '<bdi>Bus &lt;b&gt;</bdi></strong> · 2026-W48: <span lang="en">got &lt;no&gt; reply</span>' in page
    assert 'id="troubles"' not in shown(code)


@pytest.mark.parametrize("code", ["en", "de"])
def test_a_disk_without_room_waits_for_the_operator(code: str) -> None:
    words = language(code)
    full, fine = (shown(code, disk=Disk(free, 2 * 10**9)) for free in (10**9, 3 * 10**9))
    assert words("mixer_disk_is_full") in full
    assert words("mixer_needs_nothing") not in full
    assert f"{words('mixer_disk', gigabytes=3)} · {words('mixer_clock_is_steady')} · " in fine
    assert words("mixer_disk_is_full") not in fine
