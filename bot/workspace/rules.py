"""A small language for what a JSON value may be; each rule yields Slack's complaints with a JSON pointer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bot.workspace.wire import Json

Rule = Callable[[object, str], Iterator[str]]


def words(most: int, least: int = 1) -> Rule:
    """Return the rule for a string of so many characters."""

    def check(value: object, pointer: str) -> Iterator[str]:
        if not isinstance(value, str):
            yield f"[ERROR] must be a string [json-pointer:{pointer}]"
        elif len(value) > most:
            yield f"[ERROR] must be less than {most + 1} characters [json-pointer:{pointer}]"
        elif len(value) < least:
            yield f"[ERROR] must be more than {least - 1} characters [json-pointer:{pointer}]"

    return check


def number(value: object, pointer: str) -> Iterator[str]:
    """Yield a complaint unless the value is a number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        yield f"[ERROR] must be a number [json-pointer:{pointer}]"


def positive(value: object, pointer: str) -> Iterator[str]:
    """Yield a complaint unless the value is a number above zero."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        yield f"[ERROR] must be a number greater than 0 [json-pointer:{pointer}]"


def flag(value: object, pointer: str) -> Iterator[str]:
    """Yield a complaint unless the value is true or false."""
    if not isinstance(value, bool):
        yield f"[ERROR] must be a boolean [json-pointer:{pointer}]"


def anything(_value: object, _pointer: str) -> Iterator[str]:
    """Accept every value."""
    yield from ()


def choice(*allowed: str) -> Rule:
    """Return the rule for one of a few words."""

    def check(value: object, pointer: str) -> Iterator[str]:
        if value not in allowed:
            yield f"[ERROR] must be one of: {', '.join(allowed)} [json-pointer:{pointer}]"

    return check


def many(rule: Rule, most: int, least: int = 1) -> Rule:
    """Return the rule for a list of so many items that each follow a rule."""

    def check(value: object, pointer: str) -> Iterator[str]:
        if not isinstance(value, list):
            yield f"[ERROR] must be an array [json-pointer:{pointer}]"
            return
        items: list[object] = value
        if len(items) > most:
            yield f"[ERROR] no more than {most} items allowed [json-pointer:{pointer}]"
        if len(items) < least:
            yield f"[ERROR] no fewer than {least} items allowed [json-pointer:{pointer}]"
        for place, item in enumerate(items):
            yield from rule(item, f"{pointer}/{place}")

    return check


def shape(required: Mapping[str, Rule], optional: Mapping[str, Rule] | None = None) -> Rule:
    """Return the rule for an object with these fields and no others."""
    fields = {**required, **(optional or {}), "type": anything}

    def check(value: object, pointer: str) -> Iterator[str]:
        if not isinstance(value, dict):
            yield f"[ERROR] must be an object [json-pointer:{pointer}]"
            return
        body: Json = value
        for name in required:
            if body.get(name) is None:
                yield f"[ERROR] missing required field: {name} [json-pointer:{pointer}]"
        for name, each in body.items():
            yield from _field(fields.get(name), each, pointer, name)

    return check


def kinds(table: Mapping[str, Rule]) -> Rule:
    """Return the rule for an object whose `type` names which rule it follows."""

    def check(value: object, pointer: str) -> Iterator[str]:
        kind = value.get("type") if isinstance(value, dict) else None
        rule = table.get(str(kind))
        if rule is None:
            yield f"[ERROR] unsupported type: {kind} [json-pointer:{pointer}/type]"
            return
        yield from rule(value, pointer)

    return check


def both(*rules: Rule) -> Rule:
    """Return the rule that all of these rules make together."""

    def check(value: object, pointer: str) -> Iterator[str]:
        for rule in rules:
            yield from rule(value, pointer)

    return check


def one_of_fields(*names: str) -> Rule:
    """Return the rule that at least one of these fields is there."""

    def check(value: object, pointer: str) -> Iterator[str]:
        body: Json = value if isinstance(value, dict) else {}
        if not any(body.get(name) for name in names):
            yield f"[ERROR] missing required field: {names[0]} [json-pointer:{pointer}]"

    return check


def text(most: int, *, is_plain: bool = False, least: int = 1) -> Rule:
    """Return the rule for a text object of so many characters."""
    said = {"text": words(most, least)}
    plain = shape(said, {"emoji": flag})
    mrkdwn = shape(said, {"verbatim": flag})
    return kinds({"plain_text": plain} if is_plain else {"plain_text": plain, "mrkdwn": mrkdwn})


def _field(rule: Rule | None, value: object, pointer: str, name: str) -> Iterator[str]:
    if rule is None:
        yield f"[ERROR] invalid additional property: {name} [json-pointer:{pointer}/{name}]"
    elif value is not None:
        yield from rule(value, f"{pointer}/{name}")
