"""The addresses of the stand-in: the Web API, sockets, files, the driver, the page and its live feed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from importlib import resources

from aiohttp import web

from bot.workspace.human.hooks import answer_hook
from bot.workspace.human.verbs import VERBS
from bot.workspace.stage import Ask, Stage
from bot.workspace.state import shelf
from bot.workspace.web_api import answer_call
from bot.workspace.wire import ApiError, Json, read_object

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
_LOGIN_PAGE = (
    "<!DOCTYPE html><html><head><title>Sign in | Slack</title></head><body>Sign in to your workspace</body></html>"
)
_TYPES = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "svg": "image/svg+xml",
}
_PICTURES = frozenset({"image/png", "image/jpeg", "image/gif"})
_POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"


def build_app(stage: Stage) -> web.Application:
    """Return the web application that serves a stage."""
    doors = Doors(stage)
    app = web.Application(middlewares=[only_loopback], client_max_size=1 << 26)
    app.add_routes(
        [
            web.route("*", "/api/{method}", doors.api),
            web.get("/link/{ticket}", stage.hub.serve),
            web.post("/hook/{name}", doors.hook),
            web.post("/upload/{file}", doors.upload),
            web.get("/files-pri/{key}/{name}", doors.download),
            web.get("/files-pri/{key}/download/{name}", doors.download),
            web.get("/pictures/{file}", doors.picture),
            web.get("/archives/{channel}/{message}", doors.permalink),
            web.get("/driver/{verb}", doors.drive),
            web.post("/driver/{verb}", doors.drive),
            web.get("/live", doors.live),
            web.get("/", doors.page),
            web.get("/page/{name}", doors.page),
        ]
    )
    return app


@web.middleware
async def only_loopback(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Refuse requests that a foreign page sends here through somebody's browser."""
    origin = request.headers.get("Origin", "")
    foreign = origin and _host_of(origin.rpartition("//")[2]) not in _LOOPBACK
    if foreign or _host_of(request.host) not in _LOOPBACK:
        raise web.HTTPForbidden(text="This workspace answers on loopback only.")
    return await handler(request)


def _host_of(place: str) -> str:
    """Return a host without its port."""
    host, colon, port = place.rpartition(":")
    return host if colon and port.isdecimal() else place


class Doors:
    """The handlers of a stage's addresses."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._feeds: set[asyncio.Queue[Json]] = set()
        stage.world.glances.append(self._tell_feeds)

    async def api(self, request: web.Request) -> web.StreamResponse:
        """Answer a Web API call."""
        return await answer_call(self._stage.rig, request)

    async def hook(self, request: web.Request) -> web.Response:
        """Take what the app posts to a response address."""
        try:
            answer_hook(self._stage.rig, request.match_info["name"], read_object(await request.read()))
        except ApiError as error:
            return web.json_response(error.answer(), status=404 if error.code.endswith("_url") else 400)
        return web.Response(text="ok")

    async def upload(self, request: web.Request) -> web.Response:
        """Take the bytes of a file."""
        file = self._stage.world.files.get(request.match_info["file"])
        if file is None:
            raise web.HTTPNotFound
        content = await request.read()
        if request.content_type.startswith("multipart/"):
            content = b"".join([await _bytes_of(part) for part in (await request.post()).values()])
        shelf.fill(file, content)
        return web.Response(text=f"OK - {len(content)}")

    async def download(self, request: web.Request) -> web.Response:
        """Serve a file to a token that may read it; everybody else gets the login page, with status 200."""
        team, _, file_id = request.match_info["key"].partition("-")
        rig = self._stage.rig
        file = rig.world.files.get(file_id)
        token = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
        install = rig.world.installations.get(token)
        rig.calls.append({"method": "download", "args": {"file": file_id}, "ok": install is not None})
        may_read = install is not None and install.team == team and "files:read" in install.scopes
        if rig.faults.take("download", frozenset({"html_file"})) or not may_read:
            return web.Response(text=_LOGIN_PAGE, content_type="text/html")
        if file is None:
            raise web.HTTPNotFound
        return web.Response(body=file.content, content_type=file.mimetype)

    async def picture(self, request: web.Request) -> web.Response:
        """Serve an uploaded picture to the page; nothing that a browser would run."""
        file = self._stage.world.files.get(request.match_info["file"])
        if file is None or file.mimetype not in _PICTURES:
            raise web.HTTPNotFound
        return web.Response(body=file.content, content_type=file.mimetype)

    async def permalink(self, request: web.Request) -> web.Response:
        """Lead from a message's address to the page that shows it."""
        digits = request.match_info["message"].removeprefix("p")
        ts = f"{digits[:-6]}.{digits[-6:]}"
        root = request.query.get("thread_ts", ts)
        raise web.HTTPFound(f"/#channel={request.match_info['channel']}&thread={root}")

    async def drive(self, request: web.Request) -> web.Response:
        """Do what a person, or a test, asks for."""
        verb = VERBS.get(request.match_info["verb"])
        given = {**request.query, **(read_object(await request.read()) if request.can_read_body else {})}
        if verb is None:
            return web.json_response({"ok": False, "error": "unknown_verb", "verbs": list(VERBS)}, status=404)
        try:
            return web.json_response(await verb(Ask(self._stage, given)))
        except ApiError as error:
            return web.json_response(error.answer(), status=400)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            # Whoever drives it said something that the verb cannot work with: theirs to set right, and no fault of ours.
            refusal = ApiError("invalid_arguments", f"{request.match_info['verb']}: {type(error).__name__}: {error}")
            return web.json_response(refusal.answer(), status=400)

    async def live(self, request: web.Request) -> web.StreamResponse:
        """Tell the page what to look at again, as server-sent events."""
        feed: asyncio.Queue[Json] = asyncio.Queue()
        self._feeds.add(feed)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
        await response.prepare(request)
        try:
            await response.write(b"retry: 500\n\n")
            while True:
                await response.write(f"data: {json.dumps(await feed.get())}\n\n".encode())
        except ConnectionError:
            return response
        finally:
            self._feeds.discard(feed)

    async def page(self, request: web.Request) -> web.Response:
        """Serve the page and what belongs to it."""
        name = request.match_info.get("name", "index.html")
        kind = _TYPES.get(name.rpartition(".")[2])
        source = resources.files("bot.workspace").joinpath("page", name)
        if kind is None or not source.is_file():
            raise web.HTTPNotFound
        headers = {"Cache-Control": "no-cache", "Content-Security-Policy": _POLICY}
        return web.Response(text=source.read_text("utf-8"), content_type=kind, headers=headers)

    def _tell_feeds(self, glance: Json) -> None:
        for feed in self._feeds:
            feed.put_nowait(glance)


async def _bytes_of(part: str | bytes | bytearray | web.FileField) -> bytes:
    if isinstance(part, web.FileField):
        return await asyncio.to_thread(part.file.read)
    return part.encode() if isinstance(part, str) else bytes(part)
