"""The budget as terms that add up, and as a bar."""

from __future__ import annotations

from collections.abc import Mapping

from bot.evidence import Fact
from bot.reply.document import BudgetRow, BudgetTable
from bot.reply.words import gib, per_token, requests, tokens
from bot.sizing.terms import Budget, Term
from bot.units import Bytes

LABELS = {
    "weights": "weights",
    "activations": "activations",
    "non_torch": "other",
    "cuda_graphs": "CUDA graphs",
    "other_processes": "other processes",
    "multimodal": "images",
}
# The fact that a pasted log prints for each term.
_LOGGED_AS = {
    "weights": "weights",
    "activations": "activation",
    "non_torch": "non_torch",
    "cuda_graphs": "cudagraph_estimated",
}


# The assumptions that move the numbers most; the rest stands under details.
_ASSUMED = {
    "vllm_version": "vLLM",
    "tensor_parallel": "tensor parallel",
    "max_num_seqs": "max_num_seqs",
    "max_num_batched_tokens": "max_num_batched_tokens",
}


def say_budget(budget: Budget, facts: Mapping[str, Fact]) -> BudgetTable:
    """Lay a budget out so that card × utilization − terms = KV cache holds line by line."""
    inside = [term for term in budget.terms if term.inside]
    beside = [term for term in budget.terms if not term.inside]
    rows = [_card(budget, facts), _allowance(budget), *(_term(term, facts) for term in inside), *_rest(budget, inside)]
    rows.append(BudgetRow(label="KV cache", amount=gib(budget.kv_available), note=_kv_note(budget), is_total=True))
    return BudgetTable(rows=tuple(rows), bar=_bar(budget, inside), footnote=_footnote(budget, beside))


def _card(budget: Budget, facts: Mapping[str, Fact]) -> BudgetRow:
    note = f"read off your line {line}" if (line := _line(facts, "total")) else "as vLLM sees it"
    return BudgetRow(label="card", amount=gib(budget.total), note=note)


def _allowance(budget: Budget) -> BudgetRow:
    share = budget.deployment.gpu_memory_utilization
    note = f"× {share:.2f} gpu_memory_utilization" if share else ""
    return BudgetRow(label="allowance", amount=gib(budget.allowance), note=note)


def _term(term: Term, facts: Mapping[str, Fact]) -> BudgetRow:
    return BudgetRow(label=LABELS[term.name], amount=f"−{gib(term.amount)}", note=_origin(term, facts))


def _origin(term: Term, facts: Mapping[str, Fact]) -> str:
    line = _line(facts, _LOGGED_AS.get(term.name, term.name))
    if term.measured:
        return f"measured, your line {line}" if line else "measured"
    if term.low == term.high:
        return "computed"
    return f"estimated {gib(term.low)}–{gib(term.high)}"


def _rest(budget: Budget, inside: list[Term]) -> list[BudgetRow]:
    """Name what the terms leave open when the log printed the KV cache itself."""
    rest = budget.allowance - sum(term.amount for term in inside) - budget.kv_available
    if abs(rest) < Bytes.gib(0.015):
        return []
    sign = "−" if rest > 0 else "+"
    return [
        BudgetRow(
            label="unexplained", amount=f"{sign}{gib(abs_bytes(rest))}", note="the log's own figure less our terms"
        )
    ]


def abs_bytes(amount: Bytes) -> Bytes:
    """Return an amount without its sign."""
    return amount if amount >= 0 else -amount


def _line(facts: Mapping[str, Fact], name: str) -> int | None:
    fact = facts.get(name)
    return fact.line if fact else None


def _kv_note(budget: Budget) -> str:
    if budget.kv_available <= 0:
        return "nothing is left"
    length = budget.deployment.max_model_len
    held = f"= {tokens(budget.kv_tokens)} tokens at {per_token(budget.kv_bytes_per_token)}"
    return f"{held} = {requests(budget.concurrency)} requests of {tokens(length)}" if length else held


def _bar(budget: Budget, inside: list[Term]) -> tuple[tuple[str, float], ...]:
    parts = [(LABELS[term.name], float(term.amount)) for term in inside]
    parts.append(("KV cache", float(max(0, budget.kv_available))))
    parts.append(("kept free", float(max(0, budget.total - max(budget.allowance, sum(int(p[1]) for p in parts))))))
    whole = max(float(budget.total), sum(amount for _, amount in parts)) or 1.0
    return tuple((label, round(amount / whole, 4)) for label, amount in parts if amount > 0)


def _footnote(budget: Budget, beside: list[Term]) -> str:
    said: list[str] = []
    if beside:
        said.append("Beside the allowance: " + ", ".join(f"{LABELS[t.name]} {t.amount}" for t in beside) + ".")
    if budget.is_within_margin:
        said.append(f"Within the margin of error: KV cache {gib(budget.kv_low)}–{gib(budget.kv_high)} GiB.")
    if (budget.deployment.gpu_count or 1) > 1:
        said.append("Per GPU; the tightest one is shown.")
    assumed = [f"{_ASSUMED[item.name]} {item.value}" for item in budget.assumptions if item.name in _ASSUMED]
    if assumed:
        said.append(f"Assumed, as nobody said otherwise: {', '.join(assumed)}.")
    return " ".join(said)
