"""The tray of examples: what a newcomer tries first must be answered, and answered rightly."""

from __future__ import annotations

import json
from importlib import resources

import pytest

from bot.consult import ask

EXAMPLES = json.loads(resources.files("bot.workspace").joinpath("page/examples.json").read_text("utf-8"))
PROBLEMS = {
    "The context does not fit": "kv-cache-too-small-for-max-len",
    "No room for the cache at all": "kv-cache-no-memory",
    "Something holds the card": "free-memory-below-utilization",
    "Out of memory under load": "oom-runtime",
    "Is it leaking?": "gpu-full-at-idle-normal",
    "Only the last lines": "engine-init-failed-generic",
    "A log file": "kv-cache-too-small-for-max-len",
    "Not for the bot": None,
}
PASTES = [each for each in EXAMPLES if not each["text"].startswith("/")]


@pytest.mark.parametrize("example", PASTES, ids=lambda example: example["title"])
def test_an_example_is_recognised(example):
    problem = ask(example["text"]).problem

    assert PROBLEMS[example["title"]] == (problem.id if problem else None)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["title"])
def test_an_example_says_what_it_is(example):
    assert {"title", "note", "text"} <= example.keys()
