"""A chart as Slack draws it itself: the `data_visualization` block, within its limits."""

from __future__ import annotations

from textwrap import shorten
from typing import Any

from bot.reply.document import Chart, Series

# Source: Slack's block reference of June 2026; of series some pages say 12, one says 6.
MAX_CHARTS = 2  # a message
_MAX_SERIES, _MAX_POINTS = 6, 20
_MAX_TITLE, _MAX_AXIS, _MAX_LABEL = 50, 50, 20


def block(chart: Chart) -> dict[str, Any]:
    """Return the block; of more points than Slack draws the last ones are kept, they are the newest."""
    labels = _unlike((chart.short or chart.labels)[-_MAX_POINTS:])
    axes: dict[str, Any] = {"categories": labels}
    if chart.unit:
        axes["y_label"] = chart.unit[:_MAX_AXIS]
    drawn = [_series(series, labels) for series in chart.series[:_MAX_SERIES]]
    kind = "bar" if chart.kind == "bars" else "line"
    body = {"type": kind, "series": drawn, "axis_config": axes}
    return {"type": "data_visualization", "title": chart.title[:_MAX_TITLE], "chart": body}


def _series(series: Series, labels: list[str]) -> dict[str, Any]:
    values = series.values[-len(labels) :]
    data = [{"label": label, "value": value} for label, value in zip(labels, values, strict=True)]
    return {"name": series.name[:_MAX_LABEL], "data": data}


def _unlike(labels: tuple[str, ...]) -> list[str]:
    """Shorten labels, and keep them apart where their beginnings are the same: Slack finds a point by its label."""
    short: list[str] = []
    for label in labels:
        cut, number = shorten(label, _MAX_LABEL, placeholder="…") if " " in label else label[:_MAX_LABEL], 2
        while cut in short:
            tail = f" {number}"
            cut, number = label[: _MAX_LABEL - len(tail)] + tail, number + 1
        short.append(cut)
    return short
