"""Speed and people, as a short table."""

from __future__ import annotations

from typing import Any

from bot.reply.document import Details, Table
from bot.reply.words import tokens
from bot.sizing.serving import READING_SPEED, Serving, efficiency
from bot.sizing.throughput import Rate


def say_serving(served: Serving) -> Details:
    """Say what a deployment does once it runs."""
    rows = [
        *_held(served),
        *_rate("decode, one alone", served.decode_alone),
        *_rate("decode, all of them", served.decode),
        *_rate("prefill", served.prefill),
    ]
    if served.users_by_memory is not None:
        rows.append(
            ("people by memory", f"{served.users_by_memory:,}", f"{served.active_share:.0%} of them active at a time")
        )
    if served.users is not None:
        aside = f"by memory, and {READING_SPEED:g} tokens/s each; {_per_gpu(served.users_per_gpu or 0)}"
        rows.append(("people by both", f"{served.users:,}", aside))
    table = Table(
        headers=(f"with {tokens(served.context_tokens)} tokens each", "", ""),
        rows=tuple(rows),
        numeric=(False, True, False),
        caption=f"A roofline, not a measurement: {efficiency(writes=served.writes)}.",
    )
    title = "How fast, and for how many" if served.writes else "How fast"
    return Details(title=title, parts=(table,))


def _held(served: Serving) -> list[tuple[str, str, str]]:
    at_once = f"{served.sequences:,}"
    if not served.kv_per_sequence:
        return [("sequences in a step", at_once, _per_gpu(served.sequences_per_gpu))]
    return [
        ("KV cache of one", str(served.kv_per_sequence), "one sequence, on each GPU"),
        ("sequences at once", at_once, _per_gpu(served.sequences_per_gpu)),
        ("KV cache of all", str(served.kv_of_batch), "all sequences, on each GPU"),
    ]


def answer_serving(served: Serving) -> dict[str, Any]:
    """Return the same for programs."""
    return {
        "context_tokens": served.context_tokens,
        "kv_per_sequence_gib": round(served.kv_per_sequence.in_gib, 6),
        "kv_of_batch_gib": round(served.kv_of_batch.in_gib, 4),
        "sequences": served.sequences,
        "sequences_per_gpu": round(served.sequences_per_gpu, 2),
        "decode_alone": _plain(served.decode_alone),
        "decode": _plain(served.decode),
        "prefill": _plain(served.prefill),
        "active_share": served.active_share,
        "users_by_memory": served.users_by_memory,
        "users": served.users,
        "users_per_gpu": None if served.users_per_gpu is None else round(served.users_per_gpu, 2),
        "efficiency": efficiency(writes=served.writes),
    }


def _rate(label: str, rate: Rate | None) -> list[tuple[str, str, str]]:
    if rate is None:
        return []
    return [(label, f"{rate.typical:,.0f} tokens/s", f"{rate.low:,.0f}–{rate.high:,.0f}, bound by {rate.bound}")]


def _plain(rate: Rate | None) -> dict[str, Any] | None:
    if rate is None:
        return None
    figures = {"tokens_per_second": rate.typical, "low": rate.low, "high": rate.high}
    return {**{name: round(figure, 1) for name, figure in figures.items()}, "bound": rate.bound}


def _per_gpu(amount: float) -> str:
    return f"{amount:,.1f} a GPU" if amount < 10 else f"{amount:,.0f} a GPU"
