"""The doors look unknown models up, and say why where that fails."""

import json

from click.testing import CliRunner

from bot.cli.main import program
from bot.consult import ask
from bot.hub.look_up import look_up

from .conftest import CONFIG


def sized(text: str) -> dict:
    return json.loads(CliRunner().invoke(program, ["size", text, "--json"], catch_exceptions=False).stdout)


def test_size_reads_an_unknown_model_from_the_hub(hub):
    hub.put("acme/parrot-1b", "config.json", CONFIG)

    assert 32768 == sized("acme/parrot-1b on L4")["budget"]["kv_bytes_per_token"]


def test_size_says_why_the_hub_did_not_help(hub):
    hub.refusals["acme/parrot-1b"] = (403, "GatedRepo")
    (sentence,) = sized("acme/parrot-1b on L4")["unused"]

    assert "I do not know the model 'acme/parrot-1b'. acme/parrot-1b is gated" in sentence


def test_a_question_says_why_the_name_was_no_answer(hub):
    text = (
        "vllm serve acme/parrot-1b --gpu-memory-utilization 0.9\nValueError: No available memory for the cache blocks. "
        "Try increasing `gpu_memory_utilization` when initializing the engine."
    )
    whys = {question.name: question.why for question in ask(text, {"gpu": "L4"}, look_up).questions}

    assert "has no model acme/parrot-1b" in whys["model"]


def test_a_known_model_asks_nobody(hub):
    sized("meta-llama/Llama-3.1-8B on L4")

    assert [] == hub.asked
