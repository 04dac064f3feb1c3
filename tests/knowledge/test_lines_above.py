"""Whoever must paste more is told the command for where their log is."""

import pytest

from bot.consult import ask

OOM = "\n\nERROR [core.py:586] torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 270.00 MiB."
COMPOSE = "services:\n  llm:\n    image: vllm/vllm-openai:v0.9.2\n    command: --model Qwen/Qwen3-8B"


@pytest.mark.parametrize(
    ("launched", "command"),
    [("vllm serve Qwen/Qwen3-8B", "grep"), (COMPOSE, "docker"), ("docker run vllm/vllm-openai --model x/y", "docker")],
)
def test_the_lines_above_are_looked_for_where_the_log_is(launched: str, command: str):
    steps = [step for each in ask(launched + OOM).prescriptions for step in each.steps]

    assert command == steps[0][0].split()[0]
