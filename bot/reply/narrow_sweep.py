"""What-if tables for a phone: few columns, the rest on demand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.deployment import Deployment
from bot.reply.compose_sweep import compose_sweep
from bot.reply.document import Bullets, Details, Document, Part, Prose, Span, Table
from bot.reply.spans import prose
from bot.reply.words import short_card, short_model
from bot.sizing.sweep import SweepRow

_SHORT = {
    "max_model_len": "context",
    "tensor_parallel": "TP",
    "pipeline_parallel": "PP",
    "data_parallel": "DP",
    "gpu": "GPU",
    "gpu_count": "GPUs",
    "gpu_memory_utilization": "share",
    "max_num_seqs": "seqs",
    "max_num_batched_tokens": "batch",
    "kv_cache_dtype": "KV",
    "vllm_version": "vLLM",
    "longest context": "tokens",
    "KV GiB": "GiB",
}
_NAMES = {"model": short_model, "gpu": short_card}
_NOTE = "Each request fills the whole context. What nobody stated is assumed."


def compose_narrow_sweep(deployment: Deployment, rows: Sequence[SweepRow]) -> Document:
    """Compose a table of what fits and how many requests; other figures and whole reasons are details."""
    wide = compose_sweep(deployment, rows)
    title, whole = wide.parts[0], next(part for part in wide.parts if isinstance(part, Table))
    names = tuple(rows[0].settings)
    held = _columns(whole, (*names, "fits", "requests"))
    note = Prose(spans=(Span(text=_NOTE),))
    more = Details(title="More of each", parts=tuple(_more(whole, rows)))
    return Document(summary=wide.summary, parts=(title, held, note, more), tone="size")


def _more(whole: Table, rows: Sequence[SweepRow]) -> Iterable[Part]:
    names = tuple(rows[0].settings)
    cells = zip(whole.rows, rows, strict=True)
    sized = whole._replace(rows=tuple(cell for cell, row in cells if row.kv_available is not None))
    if sized.rows:
        yield _columns(sized, (*names, "KV GiB", "tokens"), "KV cache")
        yield _columns(sized, (*names, "longest context"), "Longest context")
    why = tuple(prose(row.because, f"{_settings(row)}:") for row in rows if row.because)
    if why:
        yield Bullets(items=why)


def _columns(whole: Table, heads: Sequence[str], caption: str = "") -> Table:
    """Return some columns of a table, each under a short name."""
    places = [whole.headers.index(head) for head in heads]
    return Table(
        headers=tuple(_SHORT.get(head, head) for head in heads),
        rows=tuple(tuple(_short(whole.headers[place], row[place]) for place in places) for row in whole.rows),
        numeric=tuple(whole.numeric[place] for place in places),
        caption=caption,
    )


def _settings(row: SweepRow) -> str:
    return ", ".join(f"{_SHORT.get(name, name)} {_short(name, _said(value))}" for name, value in row.settings.items())


def _said(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _short(head: str, cell: str) -> str:
    return _NAMES[head](cell) if head in _NAMES else cell
