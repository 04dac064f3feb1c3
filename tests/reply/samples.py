"""The parts that sample documents are made of."""

from __future__ import annotations

from bot.diagnosis.verdict import Question
from bot.reply.document import (
    BudgetRow,
    BudgetTable,
    Document,
)


def a_question(**changes: object) -> Question:
    asked = {
        "name": "longest_request",
        "text": "What is the longest request you serve?",
        "choices": ("8k", "16k", "32k"),
        "why": "It decides how much context to keep.",
    }
    return Question(**{**asked, **changes})


def a_document(*parts: object) -> Document:
    return Document(summary="The KV cache cannot hold one request", parts=parts)  # type: ignore[arg-type]


def a_budget() -> BudgetTable:
    return BudgetTable(
        rows=(
            BudgetRow(label="card", amount="22.03", note="as vLLM sees it"),
            BudgetRow(label="allowance", amount="19.83", note="× 0.90 gpu_memory_utilization"),
            BudgetRow(label="weights", amount="−14.99", note="measured, line 33"),
            BudgetRow(label="KV cache", amount="4.84", note="= 39,648 tokens", is_total=True),
        ),
        bar=(("weights", 0.68), ("KV cache", 0.22), ("kept free", 0.1)),
        footnote="Within the margin of error: KV cache 4.6–5.0 GiB.",
    )
