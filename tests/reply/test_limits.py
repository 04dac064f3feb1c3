"""Whatever a person pastes, what we send is what Slack takes, and never a mention or markup."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.consult import ask
from bot.reply import block_kit
from bot.reply.compose import compose
from bot.reply.document import Document
from tests.reply.hostile import DOCUMENTS, HOSTILE
from tests.reply.oracles import assert_modelled, complaints


@settings(max_examples=60, deadline=None)
@given(DOCUMENTS)
def test_a_message_of_any_content_is_one_that_slack_takes(document: Document):
    blocks = [
        *block_kit.render(document, "1700000000.000100"),
        block_kit.feedback("1700000000.000100", has_details=True),
    ]

    assert [] == complaints(blocks)
    assert_modelled(blocks)


@settings(max_examples=40, deadline=None)
@given(DOCUMENTS)
def test_details_of_any_content_are_a_modal_that_slack_takes(document: Document):
    blocks = block_kit.details(document)

    assert [] == complaints(blocks, "modal")
    assert_modelled(blocks)


PASTES = (
    "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`.",
    "(16.00 GiB KV cache is needed, which is larger than the available KV cache memory (4.13 GiB).",
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 23.64 GiB.",
    "RuntimeError: Engine core initialization failed. See root cause above.",
)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PASTES), HOSTILE, HOSTILE)
def test_a_hostile_paste_gets_a_reply_that_slack_takes(message: str, around: str, model: str):
    paste = f"{around}\nvllm serve org/{model} --max-model-len 8192\n{message} {around}\nVLLM::EngineCore {model}"
    blocks = block_kit.render(compose(ask(paste)), "1700000000.000100")

    assert [] == complaints(blocks)
    assert_modelled(blocks)


@pytest.mark.parametrize(
    ("block", "complaint"),
    [
        ({"type": "header", "text": {"type": "plain_text", "text": ""}}, "header.text of 0"),
        ({"type": "section", "text": {"type": "mrkdwn", "text": "<!channel>"}}, "a node of type mrkdwn"),
        ({"type": "actions", "elements": []}, "actions.elements of 0"),
    ],
)
def test_the_oracle_sees_what_is_wrong(block: dict, complaint: str):
    assert complaint in complaints([block])
