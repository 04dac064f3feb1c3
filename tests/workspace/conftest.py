"""A running workspace, a person in it, and the app's Web API client."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from slack_sdk import WebClient

from bot.workspace.person import Person
from bot.workspace.server import Workspace


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    made = Workspace(clock_factor=2000, ack_seconds=30, other_teams={"Other": "xoxb-other"})
    with made.run_in_thread():
        yield made


@pytest.fixture
def maya(workspace: Workspace) -> Person:
    return workspace.human("maya")


@pytest.fixture
def client(workspace: Workspace) -> WebClient:
    return WebClient(token="xoxb-local", base_url=workspace.api_url, retry_handlers=[])
