from __future__ import annotations

import pytest

from bot.deployment import Gpu
from bot.model_shape import ModelShape, Wiring
from bot.sizing.dtypes import default, has_bfloat16

TURING = Gpu(name="made up", compute_capability=7.5)
AMPERE = Gpu(name="made up", compute_capability=8.0)


@pytest.mark.parametrize(
    ("stated", "release", "card", "dtype"),
    [
        ("float16", (0, 19), AMPERE, "float16"),
        ("bfloat16", (0, 19), AMPERE, "bfloat16"),
        ("bfloat16", (0, 19), TURING, "float16"),
        ("bfloat16", (0, 8), TURING, "bfloat16"),
        ("torch.float32", (0, 8), AMPERE, "float16"),
        ("float32", (0, 9, 0), AMPERE, "float16"),
        ("float32", (0, 9, 1), AMPERE, "bfloat16"),
        ("float32", (0, 9, 1), TURING, "float16"),
        ("float16", (0, 9, 1), TURING, "float16"),
    ],
    ids=str,
)
def test_auto_follows_checkpoint_release_and_card(
    llama_8b: ModelShape, stated: str, release: tuple[int, ...], card: Gpu, dtype: str
):
    assert dtype == default(llama_8b.model_copy(update={"dtype": stated}), release, card)[0]


@pytest.mark.parametrize(
    ("model_type", "release", "card", "dtype"),
    [
        ("gemma3", (0, 9, 0), TURING, "float16"),
        ("gemma3", (0, 9, 1), TURING, "float32"),
        ("gemma3", (0, 9, 1), AMPERE, "bfloat16"),
        ("gemma3_text", (0, 10, 1), TURING, "float16"),
        ("gemma3_text", (0, 10, 2), TURING, "float32"),
        ("gemma", (0, 19), TURING, "float16"),
    ],
)
def test_a_model_that_float16_spoils_takes_float32_on_an_old_card(llama_8b, model_type, release, card, dtype):
    """vLLM `config.py` of 0.9.0, 0.9.1 and 0.10.2, _FLOAT16_NOT_SUPPORTED_MODELS."""
    assert dtype == default(llama_8b.model_copy(update={"model_type": model_type}), release, card)[0]


def test_a_float32_model_that_embeds_is_served_in_float16(llama_8b):
    """vLLM 0.9.1 `config.py`, _resolve_auto_dtype."""
    embedding = llama_8b.model_copy(update={"dtype": "float32", "wiring": Wiring(has_lm_head=False)})

    assert "float16" == default(embedding, (0, 9, 1), AMPERE)[0]


def test_a_checkpoint_that_says_nothing_is_taken_for_bfloat16(llama_8b: ModelShape):
    silent = llama_8b.model_copy(update={"dtype": None})

    assert ("bfloat16", "most checkpoints are bfloat16") == default(silent, (0, 19), None)


def test_what_the_row_says_of_bfloat16_outranks_the_capability():
    assert has_bfloat16(Gpu(name="made up", has_bf16=True, compute_capability=7.0)) is True


def test_of_an_unknown_card_nobody_can_tell():
    assert (None, None) == (has_bfloat16(None), has_bfloat16(Gpu(name="made up")))
