"""A chart as a PNG, for Slack workspaces that do not draw charts yet; needs Pillow, the extra `picture`."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from bot.reply.charts.svg import COLOURS
from bot.reply.charts.text import below, say, top
from bot.reply.document import Chart

_WIDTH, _HEIGHT = 1200, 480
_LEFT, _RIGHT, _TOP, _BOTTOM = 90, 24, 84, 68


def draw(chart: Chart) -> bytes | None:
    """Return the picture, or None where Pillow is not installed."""
    try:
        from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415  optional
    except ImportError:
        return None
    picture = Image.new("RGB", (_WIDTH, _HEIGHT), "white")
    pen = _Pen(chart, ImageDraw.Draw(picture), ImageFont.load_default(22))
    pen.frame()
    if chart.kind == "bars":
        pen.bars()
    else:
        pen.lines()
    written = BytesIO()
    picture.save(written, "PNG", optimize=True)
    return written.getvalue()


class _Pen:
    """Where a chart's values lie in the picture, and what draws them."""

    def __init__(self, chart: Chart, canvas: Any, font: Any) -> None:
        self.chart = chart
        self.canvas = canvas
        self.font = font
        self.most = top(chart)

    def x(self, place: float) -> float:
        return _LEFT + (place + 0.5) * (_WIDTH - _LEFT - _RIGHT) / max(1, len(self.chart.labels))

    def y(self, value: float) -> float:
        return _HEIGHT - _BOTTOM - value / self.most * (_HEIGHT - _TOP - _BOTTOM)

    def say(self, x: float, y: float, text: str, anchor: str = "mm", colour: str = "#333333") -> None:
        self.canvas.text((x, y), text, fill=colour, font=self.font, anchor=anchor)

    def frame(self) -> None:
        """Draw title, legend, grid and labels."""
        self.say(_LEFT, 24, self.chart.title, "lm")
        left = float(_LEFT)
        for number, series in enumerate(self.chart.series):
            self.canvas.rectangle((left, 50, left + 16, 66), fill=COLOURS[number % len(COLOURS)])
            self.say(left + 24, 58, series.name, "lm")
            left += 64 + self.canvas.textlength(series.name, font=self.font)
        for value in (0, self.most / 2, self.most):
            self.canvas.line((_LEFT, self.y(value), _WIDTH - _RIGHT, self.y(value)), fill="#dddddd")
            self.say(_LEFT - 10, self.y(value), say(value), "rm")
        for place, lines in enumerate(below(self.chart)):
            for number, line in enumerate(lines):
                self.say(self.x(place), _HEIGHT - _BOTTOM + 20 + 24 * number, line)

    def bars(self) -> None:
        """Draw a bar a value."""
        count = max(1, len(self.chart.series))
        width = min(60, (_WIDTH - _LEFT - _RIGHT) / max(1, len(self.chart.labels)) * 0.72 / count)
        for number, series in enumerate(self.chart.series):
            for place, value in enumerate(series.values):
                left = self.x(place) + (number - count / 2) * width
                box = (left, self.y(value), left + width - 3, self.y(0))
                self.canvas.rectangle(box, fill=COLOURS[number % len(COLOURS)])

    def lines(self) -> None:
        """Draw a line a series."""
        for number, series in enumerate(self.chart.series):
            points = [(self.x(place), self.y(value)) for place, value in enumerate(series.values)]
            self.canvas.line(points, fill=COLOURS[number % len(COLOURS)], width=4)
