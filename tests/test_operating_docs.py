"""What is written for operators, against the code: commands, options, settings, figures, scopes, and what compose starts."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from bot.cli.main import COMMANDS, program
from bot.settings import Settings
from bot.slack.metrics import GAUGES
from bot.slack.operating.manifest import OPTIONAL_SCOPES, SCOPES

ROOT = Path(__file__).parent.parent
GUIDES = {path: (ROOT / path).read_text() for path in ("README.md", "bot/OPERATING.md", "bot/SECURITY.md")}
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
ELSEWHERE = {"HF_ENDPOINT", "HF_TOKEN", "HF_HUB_OFFLINE"}  # the Hub library's own
SETTINGS = {name.upper() for name in Settings.model_fields} | ELSEWHERE
SETTING = re.compile(r"\b(?:SLACK|VLLM_TRIAGE|HF|DATABASE)_[A-Z_]*[A-Z]\b")


def command_lines() -> list[tuple[str, list[str]]]:
    """Return every `vllm-triage …` in the guides, split into words; what stands for more is left out."""
    found: list[tuple[str, list[str]]] = []
    for path, text in GUIDES.items():
        for line in re.findall(r"(?:^|[`/ ])vllm-triage +([a-z][^`\n]*)", text, re.MULTILINE):
            words = shlex.split(re.split(r" #| \(|[;|]|, and| and ", line)[0].rstrip(".:"), posix=True)
            found.append((path, words))
    return found


@pytest.mark.parametrize(("path", "words"), command_lines())
def test_every_command_that_is_written_down_exists(path: str, words: list[str]) -> None:
    command: click.Command | None = program
    for word in words:
        if isinstance(command, click.Group):
            assert word in command.list_commands(click.Context(command)), f"{path}: {words}"
            command = command.get_command(click.Context(command), word)
    options = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    assert {word.partition("=")[0] for word in words if word.startswith("--")} <= options | {"--help"}


def test_every_command_has_a_module_and_a_sentence() -> None:
    for name, sentence in COMMANDS.items():
        assert program.get_command(click.Context(program), name) is not None
        assert sentence.endswith(".")


def test_every_setting_that_is_written_down_exists() -> None:
    written = {name for text in (*GUIDES.values(), DOCKERFILE, str(COMPOSE)) for name in SETTING.findall(text)}

    assert set() == written - SETTINGS


def test_every_setting_is_written_down() -> None:
    assert set() == SETTINGS - set(SETTING.findall(GUIDES["bot/OPERATING.md"] + GUIDES["README.md"]))


def test_every_figure_is_written_down_and_nothing_else() -> None:
    from prometheus_client import REGISTRY

    counted = {metric.name for metric in REGISTRY.collect() if metric.name.startswith("vllm_triage_")}
    written = set(re.findall(r"`(vllm_triage_\w+)", GUIDES["bot/OPERATING.md"]))

    assert counted | set(GAUGES) == {name.removesuffix("_total") for name in written}


def test_every_scope_that_is_written_down_is_asked_for() -> None:
    written = {scope for text in GUIDES.values() for scope in re.findall(r"`([a-z_]+:[a-z]+(?:\.[a-z]+)?)`", text)}

    assert written <= set(SCOPES) | set(OPTIONAL_SCOPES) | {"connections:write"}


@pytest.mark.parametrize("service", ["app", "worker", "migrations"])
def test_what_compose_starts_is_a_command_of_ours(service: str) -> None:
    words = COMPOSE["services"][service]["command"]
    command: Any = program
    while isinstance(command, click.Group):
        command = command.get_command(click.Context(command), words[0])
        words = words[1:]

    # With the program above it, as when it is run: click keeps the help option of the first context for good.
    above = program.make_context("vllm-triage", [service], resilient_parsing=True)
    command.make_context(service, [str(word) for word in words], parent=above)


def test_what_compose_starts_has_a_read_only_root_and_waits_for_the_tables() -> None:
    for service in ("app", "worker"):
        told = COMPOSE["services"][service]
        assert told["read_only"]
        assert "service_completed_successfully" == told["depends_on"]["migrations"]["condition"]
    assert 2 == COMPOSE["services"]["app"]["deploy"]["replicas"]


def test_every_name_in_compose_leads_somewhere() -> None:
    services = COMPOSE["services"]
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
        volumes = {volume.split(":")[0] for volume in service.get("volumes", [])}
        assert volumes <= set(COMPOSE["volumes"])
