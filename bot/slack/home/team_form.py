"""Teams on the Home tab: one line each, and the form that sets them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from bot.journal.team_sheet import DAYS, TeamSheet
from bot.reply.block_kit import ID, button
from bot.slack.api.markup import escape

VIEW = f"{ID}:team:form"
_MOST_TEAMS = 12
_MOST_OPTIONS = 100
_FIND_ID = "Like S0123ABC: in Slack, open the group under People and choose Copy group ID"
_GROUP = re.compile(r"S[A-Z0-9]{2,}")


def section(
    sheets: Sequence[TeamSheet], public: Collection[str], editable: Collection[str], *, may_add: bool
) -> list[Any]:
    """Return the blocks of the Home tab; of channels only the `public` ones are named, `editable` teams have a button."""
    blocks = [_line(sheet, public, is_editable=sheet.name in editable) for sheet in sheets[:_MOST_TEAMS]]
    left = len(sheets) - len(blocks)
    if left > 0:
        blocks.append(_plain(f"{left} more; `vllm-triage team list` shows all."))
    if not sheets:
        blocks.append(_plain("No teams yet: every incident belongs to the workspace."))
    if may_add:
        blocks.append({"type": "actions", "elements": [button("New team", f"{ID}:team:new", "new")]})
    return blocks


def _plain(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "plain_text", "text": text[:2900]}}


def _line(sheet: TeamSheet, public: Collection[str], *, is_editable: bool) -> dict[str, Any]:
    elements: list[dict[str, Any]] = [{"type": "text", "text": sheet.name, "style": {"bold": True}}]
    for channel in sheet.channels:
        if channel in public:
            elements += [{"type": "text", "text": " · "}, {"type": "channel", "channel_id": channel}]
    hidden = len(set(sheet.channels) - set(public))
    told = [f"{hidden} private" if hidden else "", _digest(sheet), _keeping(sheet)]
    elements.append({"type": "text", "text": "".join(f" · {text}" for text in told if text)})
    block = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements}]}
    if not is_editable:
        return block
    said = " ".join(escape(element.get("text", "")) or f"<#{element['channel_id']}>" for element in elements)
    text = {"type": "mrkdwn", "text": " ".join(said.split())[:2900]}
    return {"type": "section", "text": text, "accessory": button("Edit", f"{ID}:team:edit:{sheet.name}", sheet.name)}


def _digest(sheet: TeamSheet) -> str:
    if not sheet.digest_channel:
        return "no digest"
    return f"digest on {sheet.digest_day.capitalize()} at {sheet.digest_time}, {sheet.zone}"


def _keeping(sheet: TeamSheet) -> str:
    return f"kept {sheet.retention_days} days" if sheet.retention_days else ""


def form(sheet: TeamSheet | None, groups: Mapping[str, str]) -> dict[str, Any]:
    """Return the form with a team's settings, or an empty one for a new team; `groups` are the user groups by id."""
    team = sheet or TeamSheet(name="new team")
    return {
        "type": "modal",
        "callback_id": VIEW,
        "private_metadata": team.name if sheet else "",
        "title": {"type": "plain_text", "text": team.name[:24] if sheet else "New team"},
        "submit": {"type": "plain_text", "text": "Save"},
        "close": {"type": "plain_text", "text": "Cancel"},
        "blocks": [*([] if sheet else [_field("name", "Name", _words(""))]), *_fields(team, groups)],
    }


def _fields(team: TeamSheet, groups: Mapping[str, str]) -> list[dict[str, Any]]:
    return [*_ownership(team, groups), *_weekly(team), *_keeping_and_calling(team, groups)]


def _ownership(team: TeamSheet, groups: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        _field("channels", "Channels it owns", _channels(team.channels), is_optional=True),
        _field("members", "Members", _people(team.members), is_optional=True),
        _field("leads", "Leads, who may change this form", _people(team.leads), is_optional=True),
        _groups("groups", "User groups whose people it has", team.groups, groups, is_one=False),
    ]


def _weekly(team: TeamSheet) -> list[dict[str, Any]]:
    return [
        _field("digest_channel", "Channel of the weekly digest", _channel(team.digest_channel), is_optional=True),
        _field("digest_day", "Day of the digest", _day(team.digest_day)),
        _field("digest_time", "Time of the digest", {"type": "timepicker", "initial_time": team.digest_time}),
        _field("zone", "Time zone", _words(team.zone), "For example Europe/Berlin"),
    ]


def _keeping_and_calling(team: TeamSheet, groups: Mapping[str, str]) -> list[dict[str, Any]]:
    quiet, called = "Quiet hours, when nobody is called", "User group called on escalation"
    return [
        _field("quiet_hours", quiet, _words(team.quiet_hours), "For example 20:00-07:00", is_optional=True),
        _groups("escalation", called, tuple(filter(None, [team.escalation])), groups, is_one=True),
        _field("retention_days", "Days that pastes are kept", _days(team.retention_days), is_optional=True),
    ]


def _field(
    name: str, label: str, element: dict[str, Any], hint: str = "", *, is_optional: bool = False
) -> dict[str, Any]:
    block: dict[str, Any] = {
        "type": "input",
        "block_id": name,
        "optional": is_optional,
        "label": {"type": "plain_text", "text": label},
        "element": {**element, "action_id": f"{ID}:teaming:{name}"},
    }
    return {**block, "hint": {"type": "plain_text", "text": hint}} if hint else block


def _words(text: str | None) -> dict[str, Any]:
    return {"type": "plain_text_input", "max_length": 200, **({"initial_value": text} if text else {})}


def _groups(name: str, label: str, chosen: Sequence[str], groups: Mapping[str, str], *, is_one: bool) -> dict[str, Any]:
    """Return the choice of user groups, or of their ids where we are not told of them or there are too many."""
    if not 0 < len(groups) <= _MOST_OPTIONS:
        return _field(name, f"{label}, by id", _words(", ".join(chosen)), _FIND_ID, is_optional=True)
    options = {id_: {"text": {"type": "plain_text", "text": groups[id_][:75]}, "value": id_} for id_ in groups}
    picked = [options[id_] for id_ in chosen if id_ in options]
    # One of several can be taken back; Slack knows no way to unset a single choice.
    element = {"type": "multi_static_select", "options": list(options.values())}
    told = {"initial_options": picked} if picked else {}
    return _field(name, label, {**element, **told, **({"max_selected_items": 1} if is_one else {})}, is_optional=True)


def _people(ids: Sequence[str]) -> dict[str, Any]:
    return {"type": "multi_users_select", **({"initial_users": list(ids)} if ids else {})}


def _channels(ids: Sequence[str]) -> dict[str, Any]:
    told = {"initial_conversations": list(ids)} if ids else {}
    return {"type": "multi_conversations_select", "filter": {"include": ["public", "private"]}, **told}


def _channel(id_: str | None) -> dict[str, Any]:
    told = {"initial_conversation": id_} if id_ else {}
    return {"type": "conversations_select", "filter": {"include": ["public", "private"]}, **told}


def _day(day: str) -> dict[str, Any]:
    options = {each: {"text": {"type": "plain_text", "text": each.capitalize()}, "value": each} for each in DAYS}
    return {"type": "static_select", "options": list(options.values()), "initial_option": options[day]}


def _days(days: int | None) -> dict[str, Any]:
    element = {"type": "number_input", "is_decimal_allowed": False, "min_value": "1", "max_value": "3650"}
    return {**element, **({"initial_value": str(days)} if days else {})}


def filled(view: Mapping[str, Any], before: TeamSheet | None) -> TeamSheet | dict[str, str]:
    """Return what the form says, or a sentence by the field that is wrong."""
    values: Mapping[str, Mapping[str, Any]] = (view.get("state") or {}).get("values") or {}
    said = {name: _value(next(iter(field.values()), {})) for name, field in values.items()}
    said["escalation"] = next(iter(_GROUP.findall(str(said.get("escalation") or ""))), said.get("escalation") or None)
    said["groups"] = tuple(_GROUP.findall(str(said.get("groups") or "")))  # chosen, or typed with what stands between
    for name in ("channels", "members", "leads"):
        said[name] = tuple(said.get(name) or ())
    kept = {"name": before.name, "tells_quiet_weeks": before.tells_quiet_weeks} if before else {}
    try:
        return TeamSheet.model_validate({**said, **kept})
    except ValidationError as error:
        return _complaints(error, values)


def _complaints(error: ValidationError, fields: Collection[str]) -> dict[str, str]:
    told: dict[str, str] = {}
    for each in error.errors(include_url=False):
        name = str(each["loc"][0]) if each["loc"] else ""
        sentence = each["msg"].removeprefix("Value error, ")
        field = name if name in fields else "name" if "name" in fields and "name" in sentence else "zone"
        told[field] = sentence[:150]
    return told


_CHOSEN = ("value", "selected_users", "selected_conversations", "selected_conversation", "selected_time")


def _value(field: Mapping[str, Any]) -> Any:
    chosen = [option["value"] for option in field.get("selected_options") or ()]
    option = (field.get("selected_option") or {}).get("value")
    return chosen or option or next((field[name] for name in _CHOSEN if field.get(name)), None)
