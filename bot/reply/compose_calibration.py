"""How well predictions met a folder of logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from bot.reply.document import Bullets, Details, Document, Part, Prose, Span, Table, Title
from bot.sizing.calibrate import Coverage, Residual, coverage
from bot.units import Bytes

PROMISED = 0.9
"""The share of figures that the stated ranges are meant to hold."""

_HEADERS = ("term", "logs", "inside", "median error", "median share", "worst error", "median range")
_NUMERIC = (False, True, True, True, True, True, True)
_TOKENS = frozenset({"kv_tokens", "tokens_of_memory"})
_CAPTION = (
    f"predicted − printed; the ranges are meant to hold {PROMISED:.0%} of what is printed. "
    "Tokens of memory: how many the printed memory holds"
)
_MISSING = "A KV cache below zero does not fit: so much is missing before its first block."

_HINT = (
    "Add what logs do not show: --gpu NAME for all of them, or beside NAME.log in NAME.json, "
    'such as {"model": "Qwen/Qwen3-8B", "gpu": "L40S"}; facts.json speaks for a folder'
)


class Run(NamedTuple):
    """One log, its residuals, and why some or all of its figures are held against nothing."""

    name: str
    residuals: Sequence[Residual] = ()
    because: str = ""
    detail: str = ""


def compose_calibration(runs: Sequence[Run]) -> Document:
    """Compose the table of terms and the reasons by number, with each log's residuals and reason under details."""
    used = [run for run in runs if run.residuals]
    rows = coverage(_all(used))
    summary = _summary(rows, len(used)) if runs else "No logs are there: the folder is empty, or holds none"
    parts: list[Part] = [Title(text=summary, aside=f"{_counted(len(used))} used, {len(runs) - len(used)} left out")]
    if rows:
        table = Table(headers=_HEADERS, rows=tuple(_row(row) for row in rows), numeric=_NUMERIC, caption=_CAPTION)
        parts.append(table)
    parts += _reasons(runs)
    if rows:
        parts.append(Details(title="Log by log", parts=(_logs(used),)))
    if any(run.because for run in runs):
        parts.append(Details(title="Left out, in whole or in part", parts=(_left_out(runs),)))
    return Document(summary=summary, parts=tuple(parts), tone="size")


def answer_calibration(runs: Sequence[Run]) -> dict[str, Any]:
    """Return the same for programs; memory in bytes."""
    used = [run for run in runs if run.residuals]
    return {
        "terms": [{**row._asdict(), "share_inside": round(row.share_inside, 4)} for row in coverage(_all(used))],
        "logs": [
            {"log": run.name, "terms": [item._asdict() | {"inside": item.is_inside} for item in run.residuals]}
            for run in used
        ],
        "left_out": {run.name: _why(run) for run in runs if not run.residuals},
        "in_part": {run.name: _why(run) for run in used if run.because},
    }


def _all(runs: Iterable[Run]) -> list[Residual]:
    return [residual for run in runs for residual in run.residuals]


def _summary(rows: Sequence[Coverage], logs: int) -> str:
    if not rows:
        return "No log prints a figure that could be predicted from its settings"
    poor = [row.term.replace("_", " ") for row in rows if row.share_inside < PROMISED]
    if poor:
        return f"The stated ranges are too narrow for {', '.join(poor)}"
    return f"The stated ranges hold what {_counted(logs)} printed"


def _counted(logs: int) -> str:
    return "1 log" if logs == 1 else f"{logs} logs"


def _reasons(runs: Sequence[Run]) -> list[Part]:
    """Say how many logs want what; what one can add to them is the next step."""
    reasons = Counter((bool(run.residuals), run.because) for run in runs if run.because)
    if not reasons:
        return []
    lines = [
        f"{_counted(count)} {'used in part' if used else 'left out'}: {because}"
        for (used, because), count in reasons.most_common()
    ]
    if any(
        run.because.startswith(("no model", "no GPU", "no list of flags", "no whole list of flags")) for run in runs
    ):
        lines.append(_HINT)
    return [Bullets(items=tuple(Prose(spans=(Span(text=line),)) for line in lines))]


def _why(run: Run) -> str:
    return f"{run.because}: {run.detail}" if run.detail else run.because


def _left_out(runs: Sequence[Run]) -> Bullets:
    items = (
        Prose(spans=(Span(text=run.name, style="code"), Span(text=f" {_why(run)}"))) for run in runs if run.because
    )
    return Bullets(items=tuple(items))


def _row(row: Coverage) -> tuple[str, ...]:
    share = f"{row.inside}/{row.logs} = {row.share_inside:.0%}"
    relative = "—" if row.median_share is None else f"{row.median_share:.2%}"
    errors = (_amount(row.term, row.median_error), relative, _amount(row.term, row.worst_error))
    return (row.term.replace("_", " "), f"{row.logs}", share, *errors, _amount(row.term, row.median_width).lstrip("+"))


def _amount(term: str, amount: float) -> str:
    if term in _TOKENS:
        return f"{amount:+,.0f}"
    return f"{round(Bytes(round(amount)).in_gib, 3) + 0.0:+.3f} GiB"  # no minus before a zero


def _logs(runs: Sequence[Run]) -> Table:
    rows = tuple((run.name, item.term.replace("_", " "), *_figures(item)) for run in runs for item in run.residuals)
    return Table(
        headers=("log", "term", "predicted", "printed", "range", "inside"),
        rows=rows,
        numeric=(False, False, True, True, True, False),
        caption=_MISSING
        if any(item.term == "kv_available" and min(item.low, item.logged) < 0 for item in _all(runs))
        else "",
    )


def _figures(item: Residual) -> tuple[str, ...]:
    said = [_plain(item.term, amount) for amount in (item.predicted, item.logged, item.low, item.high)]
    return said[0], said[1], f"{said[2]} to {said[3]}", "yes" if item.is_inside else "no"


def _plain(term: str, amount: int) -> str:
    return f"{amount:,}" if term in _TOKENS else f"{Bytes(amount).in_gib:.2f}"
