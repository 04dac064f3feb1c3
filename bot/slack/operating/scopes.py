"""Which scopes the app was not granted, and what is missing without them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.slack.desk import Desk
from bot.slack.operating.manifest import OPTIONAL_SCOPES, SCOPES
from bot.slack.saying.delivery import NotNowError, RefusedError, call


def missing_scopes(desk: Desk) -> Mapping[str, str]:
    """Return the scopes that Slack does not grant us, each with what it is for; when Slack does not tell, none."""
    try:
        told = call(desk.client.auth_test)
    except (RefusedError, NotNowError):
        return {}
    granted = _granted(dict(told.headers))
    wanted = {**SCOPES, **OPTIONAL_SCOPES}
    return {scope: use for scope, use in wanted.items() if granted and scope not in granted}


def _granted(headers: Mapping[str, Any]) -> set[str]:
    lists = (str(value) for name, value in headers.items() if name.lower() == "x-oauth-scopes")
    return {scope.strip() for scope in next(lists, "").split(",") if scope.strip()}
