"""Meddling: faults, time, limits, sockets, redelivery and installations, for tests."""

from __future__ import annotations

from dataclasses import replace

from bot.workspace.faults import Fault
from bot.workspace.scopes import ALL_SCOPES
from bot.workspace.stage import Ask
from bot.workspace.state import people
from bot.workspace.wire import ApiError, Json, fresh_id


async def fault(ask: Ask) -> Json:
    """Arm a fault: `kind`, and if wanted `on`, `times`, `after`, `seconds`, `error`; `clear` disarms all."""
    faults = ask.stage.rig.faults
    if ask.given.get("clear"):
        faults.clear()
        return {"ok": True}
    fields = {name: value for name, value in ask.given.items() if name in Fault.__slots__}
    faults.add(Fault(**fields))
    return {"ok": True, "waiting": len(faults.waiting)}


async def clock(ask: Ask) -> Json:
    """Move the time on by `advance` seconds, or wait faster by `factor`."""
    clock = ask.stage.rig.clock
    clock.advance(float(ask.given.get("advance", 0)))
    clock.factor = float(ask.given.get("factor", clock.factor))
    return {"ok": True, "now": clock.now(), "factor": clock.factor}


async def rates(ask: Ask) -> Json:
    """Switch Slack's rate limits on or off."""
    ask.stage.rig.rates.is_on = bool(ask.given.get("on"))
    ask.stage.rig.rates.buckets.clear()
    return {"ok": True, "on": ask.stage.rig.rates.is_on}


async def sockets(ask: Ask) -> Json:
    """Count the app's sockets; `farewell` sends a disconnect with that reason, `cut` drops them without a word."""
    hub = ask.stage.hub
    if ask.given.get("cut"):
        return {"ok": True, "cut": hub.cut()}
    reason = ask.given.get("farewell")
    if reason in ("warning", "refresh_requested", "link_disabled", "too_many_websockets"):
        return {"ok": True, "told": await hub.say_farewell(reason)}
    return {"ok": True, "open": len(hub.sockets)}


async def redeliver(ask: Ask) -> Json:
    """Send an event again: by `event_id`, or the last one of a `type` that a person caused."""
    delivery, wanted = ask.stage.delivery, ask.words("event_id")
    kind = ask.words("type") or "message"
    if wanted is None:
        events = [each for each in delivery.sent.values() if _is_said(each["event"], kind)]
        wanted = events[-1]["event_id"] if events else ""
    number = int(ask.given.get("number", 1))
    return {"ok": delivery.redeliver(wanted, number, ask.words("reason") or "http_timeout"), "event_id": wanted}


async def settle(ask: Ask) -> Json:
    """Wait until the app has acknowledged everything."""
    return {"ok": await ask.stage.delivery.settle(float(ask.given.get("seconds", 30)))}


async def scopes(ask: Ask) -> Json:
    """Take scopes away from the app in a team (`without`), or give all back."""
    install = ask.install
    granted = ALL_SCOPES - set(ask.given.get("without", []))
    ask.world.installations[install.token] = replace(install, scopes=frozenset(granted))
    return {"ok": True, "scopes": sorted(granted)}


async def found(ask: Ask) -> Json:
    """Found another team, and install the app there with a `token` if one is given."""
    team = people.found_team(ask.world, ask.need("name"))
    token = ask.words("token")
    if token:
        people.install(ask.world, team.id, token, people.identity(ask.world))
    ask.world.show("channels")
    return {"ok": True, "team": team.id}


async def oauth_code(ask: Ask) -> Json:
    """Give out a code that `oauth.v2.access` exchanges for a token of the team."""
    code = fresh_id("code-", 16)
    ask.stage.rig.codes[code] = ask.team
    return {"ok": True, "code": code}


async def request_url(ask: Ask) -> Json:
    """Set the app's request URL (nothing goes back to Socket Mode); with `verify`, send the challenge."""
    ask.stage.rig.app.request_url = ask.words("url")
    verified = await ask.stage.delivery.http.verify() if ask.given.get("verify") else None
    return {"ok": verified is not False, "verified": verified}


async def event(ask: Ask) -> Json:
    """Announce an event as it is, such as `tokens_revoked` or a second app_mention."""
    told = ask.given.get("event")
    if not isinstance(told, dict) or not isinstance(told.get("type"), str):
        raise ApiError("invalid_arguments", "wanted 'event' with a 'type' that is a word")
    ask.world.announce(ask.team, {"event_ts": ask.world.next_ts(), **told})
    return {"ok": True}


def _is_said(event: Json, kind: str) -> bool:
    return event["type"] == kind and not event.get("bot_id")
