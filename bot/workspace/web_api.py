"""The Web API's door: tokens, scopes, rate limits and faults before a method runs."""

from __future__ import annotations

import asyncio

from aiohttp import BasicAuth, web

from bot.workspace.faults import Fault, FaultKind
from bot.workspace.methods.table import METHODS, WITH_APP_TOKEN, WITHOUT_TOKEN
from bot.workspace.rig import Call, Rig
from bot.workspace.scopes import METHOD_SCOPES, missing_scope
from bot.workspace.state.records import Installation
from bot.workspace.wire import ApiError, Json, read_object

_BEFORE: frozenset[FaultKind] = frozenset(
    {"rate_limited", "server_error", "error", "delay", "lost_call", "lost_answer"}
)


async def answer_call(rig: Rig, request: web.Request) -> web.StreamResponse:
    """Answer one Web API call as Slack would."""
    method = request.match_info["method"]
    args, token = await _read(request)
    entry: Json = {"method": method, "args": args, "team": None, "at": rig.clock.now(), "ok": False, "error": None}
    rig.calls.append(entry)
    fault = rig.faults.take(method, _BEFORE)
    if fault and (refusal := await _strike(request, fault, entry)):
        return refusal
    body, install = _run(rig, method, args, token)
    entry |= {"ok": body["ok"], "error": body.get("error"), "team": install.team if install else None}
    entry["ts"] = body.get("ts") or body.get("message_ts")
    if fault and fault.kind == "lost_answer":
        return _drop(request)
    return _response(body, method, install)


def _run(rig: Rig, method: str, args: Json, token: str | None) -> tuple[Json, Installation | None]:
    install: Installation | None = None
    try:
        install = _authorise(rig, method, token)
        call = Call(rig, method, args, install)
        _check_scope(call)
        _check_rate(call)
        return METHODS[method](call), install
    except ApiError as error:
        return error.answer(), install


def _authorise(rig: Rig, method: str, token: str | None) -> Installation | None:
    """Return whose token it is.

    Raises:
        ApiError: `unknown_method`, `not_authed`, `invalid_auth` or `not_allowed_token_type`.
    """
    if method not in METHODS:
        raise ApiError("unknown_method", req_method=method)
    if method in WITHOUT_TOKEN:
        return None
    if not token:
        raise ApiError("not_authed")
    is_app_token = token == rig.app.app_token
    if method in WITH_APP_TOKEN:
        if not is_app_token:
            raise ApiError("not_allowed_token_type" if token in rig.world.installations else "invalid_auth")
        return None
    if token not in rig.world.installations:
        raise ApiError("not_allowed_token_type" if is_app_token else "invalid_auth")
    return rig.world.installations[token]


def _check_scope(call: Call) -> None:
    if call.install is None:
        return
    needed = missing_scope(call.method, call.install.scopes)
    if needed:
        raise ApiError("missing_scope", needed=needed, provided=",".join(sorted(call.install.scopes)))


def _check_rate(call: Call) -> None:
    team = call.install.team if call.install else "app"
    wait = call.rig.rates.seconds_to_wait(call.method, team, call.words("channel"))
    if wait is not None:
        raise ApiError("ratelimited", retry_after=wait)


async def _strike(request: web.Request, fault: Fault, entry: Json) -> web.StreamResponse | None:
    """Let a fault happen; returns the answer when the method shall not run at all."""
    if fault.kind == "delay":
        await asyncio.sleep(fault.seconds)
    entry["fault"] = fault.kind
    if fault.kind == "lost_call":
        return _drop(request)
    if fault.kind == "rate_limited":
        headers = {"Retry-After": str(max(1, round(fault.seconds)))}
        return web.json_response({"ok": False, "error": "ratelimited"}, status=429, headers=headers)
    if fault.kind == "server_error":
        return web.Response(status=500, text="<html><body>Server Error</body></html>", content_type="text/html")
    return web.json_response({"ok": False, "error": fault.error}) if fault.kind == "error" else None


def _drop(request: web.Request) -> web.StreamResponse:
    """Break the connection without an answer."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


def _response(body: Json, method: str, install: Installation | None) -> web.Response:
    headers: dict[str, str] = {}
    if install is not None:
        headers["X-OAuth-Scopes"] = ",".join(sorted(install.scopes))
        headers["X-Accepted-OAuth-Scopes"] = ",".join(METHOD_SCOPES.get(method, ()))
    if body.get("error") == "ratelimited":
        headers["Retry-After"] = str(body.pop("retry_after"))
        return web.json_response(body, status=429, headers=headers)
    return web.json_response(body, headers=headers)


async def _read(request: web.Request) -> tuple[Json, str | None]:
    """Return the arguments of a call and its token, from wherever the client put them."""
    args: Json = dict(request.query)
    if request.content_type == "application/json":
        args |= read_object(await request.read())
    elif request.method == "POST":
        form = await request.post()
        args |= {name: value for name, value in form.items() if isinstance(value, str)}
    header = request.headers.get("Authorization", "")
    if header.startswith("Basic "):
        login = BasicAuth.decode(header)
        return args | {"client_id": login.login, "client_secret": login.password}, None
    token = header.removeprefix("Bearer ").strip() or args.pop("token", None)
    args.pop("token", None)
    return args, token
