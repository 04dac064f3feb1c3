"""A sizing starts without what it does not need: that is what makes it quick."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

HEAVY = ("aiohttp", "bot.catalog.config.read_config", "bot.catalog.problem", "bot.diagnosis.diagnose", "bot.diagnosis.fixes.prescriptions", "bot.hub.look_up",
         "bot.reading.commands.command", "bot.reading.monitors.rows", "difflib", "httpx2", "huggingface_hub", "hyperscan", "PIL", "rapidfuzz", "rich", "slack_sdk", "sqlalchemy",
         "statistics", "yaml")  # fmt: skip

PROGRAM = """
import sys
from bot.cli.main import main
try:
    main(["size", "8xH100 llama-3.3-70b --max-model-len 32k"])
except SystemExit:
    pass
print(*sys.modules, sep="\\n", file=sys.stderr)
"""


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> frozenset[str]:
    """What is imported at the second start, which finds what the first one parsed."""
    cache = {**os.environ, "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=cache, capture_output=True, text=True, check=True, timeout=60
        )
        assert "It fits" in done.stdout
    return frozenset(done.stderr.split())


@pytest.mark.parametrize("name", HEAVY)
def test_a_sizing_does_without(modules, name):
    assert name not in modules


def test_of_the_monitors_formats_none_is_read_for_a_sentence(modules):
    assert not {
        name for name in modules if name.startswith("bot.reading.monitors.") and name.endswith(("table", "xml"))
    }
