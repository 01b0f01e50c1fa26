"""A headless Chromium, driven by the DevTools protocol over two pipes, so that nothing but Chromium is needed."""

import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage", "--no-first-run",
    "--no-default-browser-check", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--remote-debugging-pipe",
)  # fmt: skip
PATIENCE = 60.0
"""Seconds to wait for anything: a loaded machine starts a browser slowly."""


def chromium() -> str | None:
    """Where Chromium is, if anywhere."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One page of a fresh profile; leaving the context ends it."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._profile = Path(tempfile.mkdtemp(prefix="chromium-"))
        self._buffer, self._count, self._session = b"", 0, ""
        self.requests: list[str] = []
        """Every address that the page asked for."""

    def __enter__(self) -> Self:
        # DevTools listens at descriptor 3 and answers at 4.
        moved = ["sh", "-c", 'exec "$@" 3<&0 4>&1 0</dev/null 1>/dev/null', "sh"]
        command = [self._program, *FLAGS, f"--user-data-dir={self._profile}", "about:blank"]
        self._process = subprocess.Popen(
            [*moved, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._commands, self._answers = self._process.stdin.fileno(), self._process.stdout.fileno()
        try:
            self._attach()
        except BaseException:
            self.close()
            raise
        return self

    def _attach(self) -> None:
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self.call(f"{domain}.enable")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the browser and forget its profile."""
        self._process.terminate()
        try:
            self._process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
        shutil.rmtree(self._profile, ignore_errors=True)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """What DevTools answers; what happens meanwhile is noted."""
        self._count += 1
        session = {"sessionId": self._session} if self._session else {}
        message = {"id": self._count, "method": method, "params": parameters, **session}
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self._count:
            if answer.get("method") == "Network.requestWillBeSent":
                self.requests.append(answer["params"]["request"]["url"])
        assert "error" not in answer, f"{method}: {answer['error']}"
        result: dict[str, Any] = answer["result"]
        return result

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._answers], [], [], PATIENCE)
            more = os.read(self._answers, 1 << 20) if ready else b""
            assert more, "Chromium does not answer"
            self._buffer += more
        message, self._buffer = self._buffer.split(b"\0", 1)
        answer: dict[str, Any] = json.loads(message)
        return answer

    def value(self, script: str) -> Any:
        """What a piece of JavaScript comes to in the page."""
        return self.call("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def wait(self, script: str, until: Callable[[Any], bool] = bool) -> Any:
        """The value of the script once it is as wanted, or the last one when patience ends."""
        end = time.monotonic() + PATIENCE
        while not until(value := self.value(script)) and time.monotonic() < end:
            time.sleep(0.05)
        return value

    def open(self, page: Path, width: int = 1400, height: int = 900) -> None:
        """Load a page from disk in a window of that size."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Page.navigate", url=page.as_uri())
        self.wait(f"document.readyState === 'complete' && location.href === {page.as_uri()!r}")

    def type(self, text: str) -> None:
        """Press the keys of a text."""
        for key in text:
            self.call("Input.dispatchKeyEvent", type="keyDown", text=key, key=key)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
