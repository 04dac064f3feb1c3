"""A problem's sentences in the figures of a case."""

from __future__ import annotations

from bot.consult import ask
from bot.diagnosis.verdict import Told


def told(paste: str) -> Told:
    found = ask(paste).told
    assert found
    return found


def test_an_unknown_figure_leaves_the_title_whole():
    assert (
        "The KV cache cannot hold one request" == told("(16.00 GiB KV cache is needed, which is larger than the").title
    )


def test_diagnostics_name_the_model_that_is_served():
    paste = "Cannot access gated repo for url https://huggingface.co/meta-llama/Llama-3.1-8B-Instruct/resolve/main/config.json."

    assert "hf download meta-llama/Llama-3.1-8B-Instruct config.json" in [step.run for step in told(paste).diagnostics]
