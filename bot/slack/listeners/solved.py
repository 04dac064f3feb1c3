"""A press of "Solved" counts at once; then the person who pressed it may say what did it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from slack_bolt import Ack, App, Respond
from slack_sdk import WebClient

from bot.case import Entry, EntryKind, Thread, fold
from bot.hub.look_up import recall
from bot.journal.entries import entries
from bot.slack.desk import Desk, now
from bot.slack.hearing.heard import diagnose_case
from bot.slack.listeners.actions import take_action, thread_of_action
from bot.slack.listeners.once import once
from bot.slack.saying.opening import open_quietly
from bot.slack.saying.telling import person_of

VIEW = "vt1:solved"
_MOST = 8


def register(app: App, desk: Desk) -> None:
    """Listen to "Solved" and to what solved it."""

    def count(ack: Ack, body: dict[str, Any]) -> None:
        take_action(desk, body, body["actions"][0])
        ack()

    def ask(body: dict[str, Any], client: WebClient, _: Respond) -> None:
        ask_how(desk, client, body, thread_of_action(body))

    app.action("vt1:resolve")(ack=count, lazy=[once(desk, ask)])

    @app.view(VIEW)
    def _how(ack: Ack, body: dict[str, Any], view: dict[str, Any]) -> None:
        take_fix(desk, body, view)
        ack()


def ask_how(desk: Desk, client: WebClient, body: Mapping[str, Any], thread: Thread) -> None:
    """Open the form; when Slack does not let us, the click counts all the same."""
    case = fold(entries(desk.journal, thread))
    fixes = diagnose_case(desk, thread, case, recall).prescriptions if case.said else ()
    options = [_option(each.title, each.fix.id) for each in fixes if each.title][:_MOST]
    view = {
        "type": "modal",
        "callback_id": VIEW,
        "private_metadata": thread.model_dump_json(),
        "title": _plain("Solved"),
        "submit": _plain("Send"),
        "close": _plain("Skip"),
        "blocks": [*([_choice(options)] if options else []), _words()],
    }
    open_quietly(client, body, view)


def take_fix(desk: Desk, body: Mapping[str, Any], view: Mapping[str, Any]) -> None:
    """Write what solved it; what was typed outranks what was chosen."""
    values: Mapping[str, Any] = (view.get("state") or {}).get("values") or {}
    typed = values.get("other", {}).get("other", {}).get("value")
    chosen = (values.get("fix", {}).get("fix", {}).get("selected_option") or {}).get("value")
    fix = typed or chosen
    if not fix:
        return
    thread = Thread.model_validate_json(str(view.get("private_metadata")))
    person = person_of(body)
    entry = Entry(kind=EntryKind.RESOLVED, at=now(), author=person, value=str(fix)[:200])
    desk.take(thread, entry, [f"fix:{thread.channel}:{thread.root}:{view.get('id')}"])


def _choice(options: list[dict[str, Any]]) -> dict[str, Any]:
    element = {"type": "radio_buttons", "action_id": "fix", "options": options}
    return {"type": "input", "block_id": "fix", "optional": True, "label": _plain("What did it?"), "element": element}


def _words() -> dict[str, Any]:
    element = {"type": "plain_text_input", "action_id": "other", "max_length": 200}
    label = _plain("Something else, in a few words")
    return {"type": "input", "block_id": "other", "optional": True, "label": label, "element": element}


def _option(title: str, value: str) -> dict[str, Any]:
    return {"text": _plain(title if len(title) <= 75 else f"{title[:74]}…"), "value": value[:150]}


def _plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text}
