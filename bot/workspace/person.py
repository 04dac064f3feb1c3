"""A person in the stand-in, as synchronous tests and scripts act for them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import TypeVar
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from bot.workspace.wire import ApiError, Json

PATIENCE = 30.0  # seconds: what never comes is waited for once, what comes is waited for no longer than it takes
_DRIVER_SECONDS = 60.0


class Person:
    """Acts as one user over the driver's HTTP; every verb of the driver is `do(verb, **fields)`."""

    def __init__(self, base: str, name: str, team: str | None = None) -> None:
        self._base = base
        self.name = name
        self._team = team

    def do(self, verb: str, **fields: object) -> Json:
        """Call a verb of the driver as this person.

        Raises:
            ApiError: when the driver refuses, with its code and sentence.
        """
        who: Json = {"user": self.name, **({"team": self._team} if self._team else {})}
        body = json.dumps({**who, **fields}).encode()
        request = Request(f"{self._base}/driver/{verb}", body, {"Content-Type": "application/json"})  # noqa: S310
        try:
            with urlopen(request, timeout=_DRIVER_SECONDS) as response:  # noqa: S310 - loopback only
                return json.loads(response.read())
        except HTTPError as error:
            said = json.loads(error.read() or b"{}")
            messages = said.get("response_metadata", {}).get("messages", [])
            raise ApiError(said.get("error", "unknown"), *messages) from None

    def post(self, channel: str, text: str, **more: object) -> Json:
        """Post in a channel; `thread_ts` makes it a reply."""
        return self.do("post", channel=channel, text=text, **more)

    def upload(self, channel: str, content: str, **more: object) -> Json:
        """Upload a text as a snippet."""
        return self.do("upload", channel=channel, content=content, **more)

    def click(self, channel: str, ts: str, action_id: str, value: object = None) -> Json:
        """Press a button, or choose a value, in a message."""
        return self.do("click", channel=channel, ts=ts, action_id=action_id, value=value)

    def slash(self, channel: str, command: str, text: str = "") -> Json:
        """Type a slash command."""
        return self.do("slash", channel=channel, command=command, text=text)

    def messages(self, channel: str, thread_ts: str | None = None) -> list[Json]:
        """Return what this person sees in a channel or a thread, oldest first."""
        return self.do("messages", channel=channel, thread_ts=thread_ts)["messages"]

    def views(self) -> list[Json]:
        """Return this person's open modals, the lowest first."""
        return self.do("views")["views"]

    def shown_by(self, act: Callable[[], object], seconds: float = PATIENCE) -> Json:
        """Do something and return the modal that it opens.

        Raises:
            TimeoutError: when none opens in time.
        """
        before = {view["id"] for view in self.views()}
        act()
        return wait_until(lambda: [view for view in self.views() if view["id"] not in before], seconds)[-1]

    def calls(self, method: str | None = None) -> list[Json]:
        """Return the app's Web API calls."""
        return self.do("calls", method=method)["calls"]

    def replies(self, channel: str, ts: str) -> list[Json]:
        """Return the replies in a thread, without its parent."""
        return [each for each in self.messages(channel, ts) if each["ts"] != ts]

    def wait_for_reply(self, channel: str, ts: str, seconds: float = PATIENCE) -> Json:
        """Return the app's first reply in a thread.

        Raises:
            TimeoutError: when there is none in time.
        """
        found = wait_until(lambda: [each for each in self.replies(channel, ts) if each.get("bot_id")], seconds)
        return found[0]


_T = TypeVar("_T")


def wait_until(look: Callable[[], _T], seconds: float = PATIENCE) -> _T:
    """Look again and again until there is something to see, and return it.

    Raises:
        TimeoutError: when there is nothing in time.
    """
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if seen := look():
            return seen
        time.sleep(0.01)
    raise TimeoutError(f"Nothing to see after {seconds} s.")
