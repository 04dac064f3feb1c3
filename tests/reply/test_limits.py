"""Whatever a person pastes, what we send is what Slack takes, and never a mention or markup."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.consult import ask
from bot.reply import block_kit
from bot.reply.compose import compose
from bot.reply.document import (
    Ask,
    BudgetRow,
    BudgetTable,
    Bullets,
    Command,
    Details,
    Document,
    Part,
    Prose,
    Quote,
    Span,
    Table,
    Title,
)
from tests.reply.oracles import assert_modelled, complaints
from tests.reply.samples import a_question

HOSTILE = st.text(max_size=300) | st.sampled_from(
    [
        "", " ", "\x00", "<!channel>", "<!here>", "<@U0123456>", "<#C0123456>", "<!subteam^S1>", "@everyone", ":tada:",
        "*bold* _it_ ~no~ `x`", "```", "&lt;!channel&gt;", "<javascript:alert(1)|x>", "</script>", "x" * 4_000,
        "word " * 3_000, "\n" * 300, "😀" * 400, "\u202eabc", "e" + "\u0301" * 200,
    ]
)  # fmt: skip
SPANS = st.lists(
    st.builds(Span, text=HOSTILE, style=st.sampled_from(["plain", "bold", "italic", "code"])), min_size=1, max_size=4
)
PROSE = st.builds(Prose, spans=SPANS.map(tuple))
ROWS = st.lists(st.builds(BudgetRow, label=HOSTILE, amount=HOSTILE, note=HOSTILE), min_size=1, max_size=6)
SHARES = st.lists(st.tuples(HOSTILE, st.floats(0, 1)), max_size=6)
QUESTIONS = st.builds(
    lambda name, text, choices, guess: a_question(name=name, text=text, choices=tuple(choices), guess=guess),
    st.sampled_from(["model", "gpu", "max_model_len", "log"]),
    HOSTILE,
    st.lists(HOSTILE, max_size=130),
    HOSTILE,
)
FLAT: st.SearchStrategy[Part] = st.one_of(
    st.builds(Title, text=HOSTILE, aside=HOSTILE),
    PROSE,
    st.builds(Bullets, items=st.lists(PROSE, min_size=1, max_size=8).map(tuple)),
    st.builds(Quote, line=st.none() | st.integers(1, 10**9), text=HOSTILE),
    st.builds(BudgetTable, rows=ROWS.map(tuple), bar=SHARES.map(tuple), footnote=HOSTILE),
    st.builds(Command, title=HOSTILE, text=HOSTILE, gives=HOSTILE, costs=HOSTILE, risk=HOSTILE),
    st.tuples(HOSTILE, HOSTILE).map(lambda row: Table(headers=row, rows=(row, row), caption=row[0])),
    st.builds(Ask, question=QUESTIONS),
)
DOCUMENTS = st.builds(
    Document,
    summary=HOSTILE,
    parts=st.lists(
        FLAT | st.builds(Details, title=HOSTILE, parts=st.lists(FLAT, max_size=5).map(tuple)), max_size=30
    ).map(tuple),
)


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
