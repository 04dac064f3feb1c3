"""What-if tables: a row for each combination of settings."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, cast

from bot.deployment import Deployment
from bot.diagnosis.verdict import Question
from bot.frozen import Frozen
from bot.reply.document import Ask, Document, Prose, Span, Table, Title
from bot.reply.failures import say_failure
from bot.reply.words import setting, short_card, short_model, tokens
from bot.sizing.sweep import SweepRow

_FIGURES = ("fits", "KV GiB", "tokens", "requests", "longest context", "")
_LAYOUT = frozenset({"model", "gpu", "gpu_count", "tensor_parallel", "pipeline_parallel", "data_parallel"})
_NUMERIC = (False, True, True, True, True, False)


def compose_sweep(deployment: Deployment, rows: Sequence[SweepRow], questions: Sequence[Question] = ()) -> Document:
    """Compose a table of what-ifs; without a row it asks the `questions` for what is missing."""
    summary = _summary(rows)
    title = Title(text=summary, aside=_aside(deployment, rows))
    if not rows:
        asks = (Ask(question=question) for question in questions)
        return Document(summary=summary, parts=(title, *asks), tone="size")
    names = tuple(rows[0].settings)
    table = Table(
        headers=(*names, *_FIGURES),
        rows=tuple(_row(row, names) for row in rows),
        numeric=(*(_is_number(rows, name) for name in names), *_NUMERIC),
        caption="KV cache, tokens and requests of the whole context, as vLLM would count them at start.",
    )
    note = "Figures are per GPU. What nobody stated is assumed."
    return Document(summary=summary, parts=(title, table, Prose(spans=(Span(text=note),))), tone="size")


def answer_sweep(rows: Sequence[SweepRow]) -> list[dict[str, Any]]:
    """Return the rows for programs."""
    return [
        {
            "set": {name: _plain(value) for name, value in row.settings.items()},
            "fits": row.fits,
            "kv_available_gib": None if row.kv_available is None else round(row.kv_available.in_gib, 4),
            "kv_tokens": row.kv_tokens,
            "concurrency": None if row.concurrency is None else round(row.concurrency, 4),
            "longest_context": row.longest_context,
            "because": row.because,
        }
        for row in rows
    ]


def _plain(value: Any) -> Any:
    """Return a setting as JSON has it: a version as it is written, a record as its fields."""
    if isinstance(value, Frozen):
        return value.model_dump(mode="json", exclude_none=True)
    if isinstance(value, tuple):
        return [_plain(each) for each in cast("tuple[Any, ...]", value)]
    return value if isinstance(value, (str, int, float, bool, dict, list, type(None))) else str(value)


def _aside(deployment: Deployment, rows: Sequence[SweepRow]) -> str:
    """Say what runs on what; a number of cards only where every row has as many."""
    gpu = deployment.card.name if deployment.card else deployment.gpu
    varies = _LAYOUT & {name for row in rows for name in row.settings}
    if not varies or not gpu:
        return setting(deployment)
    model = "" if "model" in varies or not deployment.model else short_model(deployment.model)
    return " on ".join(
        part for part in (model, _cards(deployment, rows, "" if "gpu" in varies else short_card(gpu))) if part
    )


def _cards(deployment: Deployment, rows: Sequence[SweepRow], card: str) -> str:
    """Say the cards, and how many where every row makes do with those that were named."""
    count, sizes = deployment.gpu_count or 0, ("tensor_parallel", "pipeline_parallel", "data_parallel")
    taken = (prod(row.settings.get(name) or getattr(deployment, name) or 1 for name in sizes) for row in rows)
    if not card:
        counts = {row.gpu_count for row in rows}
        return f"{count:,} GPUs" if count > 1 and counts == {count} else ""
    return card if "gpu_count" in rows[0].settings or max(taken) > count else f"{count:,} × {card}"


def _summary(rows: Sequence[SweepRow]) -> str:
    if not rows:
        return "I need to know more to size this"
    return f"{sum(row.fits for row in rows):,} of {len(rows):,} combinations fit"


def _row(row: SweepRow, names: Sequence[str]) -> tuple[str, ...]:
    said = tuple(_value(row.settings[name]) for name in names)
    short = say_failure(row.problem) or (row.because or "").partition(". ")[0]
    if row.kv_available is None:
        return (*said, "no", "", "", "", "", short)
    figures = (f"{row.kv_available.in_gib:,.2f}", tokens(row.kv_tokens or 0), _requests(row.concurrency or 0.0))
    return (*said, "yes" if row.fits else "no", *figures, tokens(row.longest_context or 0), short)


def _requests(concurrency: float) -> str:
    return f"{concurrency:.2f}" if concurrency < 10 else f"{concurrency:,.1f}"


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, cast("tuple[object, ...]", value)))
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _is_number(rows: Sequence[SweepRow], name: str) -> bool:
    return all(isinstance(row.settings[name], (int, float)) for row in rows)
