"""A stand-in for Slack on loopback: the Web API, Socket Mode, signed HTTP events, people, and a page.

Start it, point an app at it, and act as the people in it:

    workspace = Workspace(bot_token="xoxb-1", app_token="xapp-1")
    with workspace.run_in_thread():
        os.environ["SLACK_API_URL"] = workspace.api_url      # http://127.0.0.1:PORT/api/
        human = workspace.human()                            # bot.workspace.person.Person, a synchronous client
        sent = human.post("#vllm-help", "CUDA out of memory")
        reply = human.wait_for_reply("#vllm-help", sent["ts"])

In asyncio: `await workspace.start()`, `await workspace.stop()`. Over HTTP instead of Socket Mode:
`Workspace(request_url="http://127.0.0.1:3000/slack/events", signing_secret="…")`, or later the driver's `request_url`.
From another process: every verb of `bot.workspace.human.verbs` is `POST /driver/{verb}` with a JSON object, and the page
is at `/`. A team begins with maya (admin), jonas and priya; #general, #vllm-help (the app is in it) and the private
#inference-oncall; a direct message with the app is the channel `@app`. `manifest` (the app's own, as JSON) gives the
commands, shortcuts, subscribed events and scopes; without it everything is allowed.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

from aiohttp import web

from bot.workspace.clock import Clock
from bot.workspace.delivery import Delivery
from bot.workspace.doors import build_app
from bot.workspace.faults import Faults
from bot.workspace.http_carrier import HttpCarrier
from bot.workspace.manifest import EVERY_EVENT, commands_of, events_of, scopes_of, shortcuts_of
from bot.workspace.person import Person
from bot.workspace.rate import Rates
from bot.workspace.rig import AppFacts, Rig
from bot.workspace.seed import settle_team
from bot.workspace.sockets import SocketHub
from bot.workspace.stage import Stage
from bot.workspace.state.records import AppIdentity
from bot.workspace.state.world import World
from bot.workspace.tickets import Tickets
from bot.workspace.wire import Json, fresh_id, steady_id

_HOST = "127.0.0.1"


class Workspace:
    """One or more Slack teams on a loopback port, with one app installed in them."""

    def __init__(  # noqa: PLR0913 - each is a setting with a default, passed by name
        self,
        *,
        bot_token: str = "xoxb-local",  # noqa: S107 - opens nothing but this process
        app_token: str = "xapp-local",  # noqa: S107
        signing_secret: str = "local-signing-secret",  # noqa: S107
        other_teams: dict[str, str] | None = None,
        manifest: Json | None = None,
        request_url: str | None = None,
        port: int = 0,
        clock_factor: float = 1.0,
        ack_seconds: float = 3.0,
        name: str = "Local",
    ) -> None:
        """Prepare the teams: `name` with `bot_token`, and each of `other_teams` (name to token)."""
        app = _facts(manifest, app_token, signing_secret)
        app.request_url = request_url
        self.stage = _set(app, clock_factor, ack_seconds)
        self.rig = self.stage.rig
        identity = _identity(manifest, app.id)
        for team, token in {name: bot_token, **(other_teams or {})}.items():
            settle_team(self.rig.world, team, token, identity)
        self._port = port
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        """The page's address."""
        return f"{self.rig.base}/"

    @property
    def api_url(self) -> str:
        """The base of the Web API: what `SLACK_API_URL` is set to."""
        return f"{self.rig.base}/api/"

    def human(self, name: str = "maya", team: str | None = None) -> Person:
        """Return a synchronous client that acts as one person of a team (by name; the first without one)."""
        ids = {each.name: each.id for each in self.rig.world.teams.values()}
        return Person(self.rig.base, name, ids[team] if team else None)

    async def start(self) -> None:
        """Listen on loopback; port 0 takes a free one."""
        self._runner = web.AppRunner(build_app(self.stage), access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        site = web.TCPSite(self._runner, _HOST, self._port)
        await site.start()
        port = self._runner.addresses[0][1]
        self.rig.base = f"http://{_HOST}:{port}"
        self.rig.new_socket_address = self.stage.hub.new_address
        self.rig.later = self._later

    async def stop(self) -> None:
        """Close every connection and give up what is on its way."""
        await self.stage.hub.close()
        await self.stage.delivery.close()
        if self._runner:
            await self._runner.cleanup()

    @contextmanager
    def run_in_thread(self) -> Generator[Workspace]:
        """Run in a thread of its own until the block ends."""
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_forever, name="workspace", daemon=True)
        thread.start()
        try:
            asyncio.run_coroutine_threadsafe(self.start(), loop).result(30)
            yield self
        finally:
            asyncio.run_coroutine_threadsafe(self.stop(), loop).result(30)
            loop.call_soon_threadsafe(loop.stop)
            thread.join(5)
            loop.close()

    def _later(self, seconds: float, work: Callable[[], None]) -> None:
        """Do something after that many seconds of workspace time."""
        asyncio.get_running_loop().call_later(seconds / self.rig.clock.factor, work)


def _facts(manifest: Json | None, app_token: str, signing_secret: str) -> AppFacts:
    events = events_of(manifest) if manifest else EVERY_EVENT
    commands, shortcuts = commands_of(manifest), shortcuts_of(manifest)
    return AppFacts(steady_id("A", "app"), app_token, signing_secret, fresh_id("", 24), commands, shortcuts, events)


def _set(app: AppFacts, clock_factor: float, ack_seconds: float) -> Stage:
    """Return the parts of a stand-in that is not listening yet."""
    clock = Clock(clock_factor)
    world = World(clock)
    rig = Rig(world, clock, Faults(), Rates(clock), Tickets(clock, ack_seconds), app)
    hub = SocketHub(rig, ack_seconds)
    stage = Stage(rig, Delivery(rig, hub, HttpCarrier(rig, ack_seconds)), hub)
    world.watchers.append(stage.delivery.on_event)
    return stage


def _identity(manifest: Json | None, app_id: str) -> AppIdentity:
    shown = (manifest or {}).get("features", {}).get("bot_user", {}).get("display_name", "vLLM Triage")
    return AppIdentity(app_id, shown.lower().replace(" ", "-"), shown, scopes_of(manifest))
