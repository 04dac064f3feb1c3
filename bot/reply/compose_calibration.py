"""How well predictions met a folder of logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.reply.document import Bullets, Details, Document, Part, Prose, Span, Table, Title
from bot.sizing.calibrate import Coverage, Residual, coverage, residuals_of
from bot.sizing.terms import Budget, Measured
from bot.units import Bytes

PROMISED = 0.9
"""The share of figures that the stated ranges are meant to hold."""

Runs = Sequence[tuple[str, Budget, Measured]]
"""A log's name, what was predicted for it, and what it printed."""

_HEADERS = ("term", "logs", "inside", "median error", "median share", "worst error", "median range")
_NUMERIC = (False, True, True, True, True, True, True)


def compose_calibration(runs: Runs, skipped: Mapping[str, str]) -> Document:
    """Compose the table of terms, with each log's residuals and what was left out under details."""
    rows = coverage([budget for _, budget, _ in runs], [seen for _, _, seen in runs])
    summary = _summary(rows, len(runs))
    parts: list[Part] = [Title(text=summary, aside=f"{_counted(len(runs))} used, {len(skipped)} left out")]
    if rows:
        caption = f"predicted − printed; the ranges are meant to hold {PROMISED:.0%} of what is printed"
        table = Table(headers=_HEADERS, rows=tuple(_row(row) for row in rows), numeric=_NUMERIC, caption=caption)
        parts += [table, Details(title="Log by log", parts=(_logs(runs),))]
    if skipped:
        items = tuple(
            Prose(spans=(Span(text=name, style="code"), Span(text=f" {why}"))) for name, why in skipped.items()
        )
        parts.append(Details(title="Left out", parts=(Bullets(items=items),)))
    return Document(summary=summary, parts=tuple(parts), tone="size")


def answer_calibration(runs: Runs, skipped: Mapping[str, str]) -> dict[str, Any]:
    """Return the same for programs; memory in bytes."""
    rows = coverage([budget for _, budget, _ in runs], [seen for _, _, seen in runs])
    return {
        "terms": [{**row._asdict(), "share_inside": round(row.share_inside, 4)} for row in rows],
        "logs": [
            {"log": name, "terms": [item._asdict() | {"inside": item.is_inside} for item in residuals_of(budget, seen)]}
            for name, budget, seen in runs
        ],
        "left_out": dict(skipped),
    }


def _summary(rows: Sequence[Coverage], logs: int) -> str:
    if not rows:
        return "No log prints a figure that could be predicted from its settings"
    poor = [row.term.replace("_", " ") for row in rows if row.share_inside < PROMISED]
    if poor:
        return f"The stated ranges are too narrow for {', '.join(poor)}"
    return f"The stated ranges hold what {_counted(logs)} printed"


def _counted(logs: int) -> str:
    return "1 log" if logs == 1 else f"{logs} logs"


def _row(row: Coverage) -> tuple[str, ...]:
    share = f"{row.inside}/{row.logs} = {row.share_inside:.0%}"
    errors = (_amount(row.term, row.median_error), f"{row.median_share:.2%}", _amount(row.term, row.worst_error))
    return (row.term.replace("_", " "), f"{row.logs}", share, *errors, _amount(row.term, row.median_width).lstrip("+"))


def _amount(term: str, amount: float) -> str:
    if term == "kv_tokens":
        return f"{amount:+,.0f}"
    return f"{Bytes(round(amount)).in_gib:+.3f} GiB"


def _logs(runs: Runs) -> Table:
    rows = tuple(
        (name, item.term.replace("_", " "), *_figures(item)) for name, b, seen in runs for item in residuals_of(b, seen)
    )
    return Table(
        headers=("log", "term", "predicted", "printed", "range", "inside"),
        rows=rows,
        numeric=(False, False, True, True, True, False),
    )


def _figures(item: Residual) -> tuple[str, ...]:
    said = [_plain(item.term, amount) for amount in (item.predicted, item.logged, item.low, item.high)]
    return said[0], said[1], f"{said[2]} to {said[3]}", "yes" if item.is_inside else "no"


def _plain(term: str, amount: int) -> str:
    return f"{amount:,}" if term == "kv_tokens" else f"{Bytes(amount).in_gib:.2f}"
