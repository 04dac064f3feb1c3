"""One set of sample documents for every look."""

from __future__ import annotations

import pytest

from bot.reply.document import Ask, Bullets, Command, Details, Document, Prose, Quote, Span, Table, Title
from tests.reply.samples import a_budget, a_document, a_question


@pytest.fixture
def reply() -> Document:
    """A reply that uses every part."""
    return a_document(
        Title(
            text="The KV cache cannot hold one request of 131,072 tokens", aside="vLLM 0.11.0 · Llama-3.1-8B on 1 × L4"
        ),
        Quote(line=41, text="16.00 GiB KV cache is needed, `which` is <larger> & *more*"),
        Prose(
            spans=(
                Span(text="The context is too long. ", style="bold"),
                Span(text="See "),
                Span(text="docs", url="https://docs.vllm.ai"),
            )
        ),
        a_budget(),
        Command(
            title="Serve what you use",
            text="vllm serve m --max-model-len 32768",
            gives="1.2 requests",
            costs="shorter context",
        ),
        Bullets(items=(Prose(spans=(Span(text="fp8 alone: 67,648 tokens"),)),)),
        Table(headers=("tp", "tokens"), rows=(("1", "39,648"), ("4", "400,000")), numeric=(True, True)),
        Ask(question=a_question()),
        Details(title="All causes considered", parts=(Prose(spans=(Span(text="Too many sequences: ruled out."),)),)),
    )
