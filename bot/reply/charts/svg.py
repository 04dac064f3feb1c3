"""A chart as SVG, with the figures in it for screen readers and on hover."""

from __future__ import annotations

from html import escape

from bot.reply.charts.text import below, say, top
from bot.reply.document import Chart

# Told apart by people who see few colours, on light and on dark (Okabe and Ito, 2008).
COLOURS = ("#0072B2", "#E69F00", "#CC79A7", "#56B4E9", "#009E73", "#999999")
_WIDTH, _HEIGHT = 640.0, 200.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 40.0, 8.0, 12.0, 36.0


def figure(chart: Chart) -> str:
    """Return the chart as an HTML figure with its legend."""
    drawn = _bars(chart) if chart.kind == "bars" else _lines(chart)
    svg = (
        f'<svg viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img" aria-label="{escape(_spoken(chart))}">'
        f"{_grid(chart)}{drawn}{_labels(chart)}</svg>"
    )
    unit = f" ({escape(chart.unit)})" if chart.unit else ""
    legend = "".join(
        f'<span><i style="background:{COLOURS[n % len(COLOURS)]}"></i>{escape(series.name)}</span>'
        for n, series in enumerate(chart.series)
    )
    return f'<figure class="chart"><figcaption>{escape(chart.title)}{unit} {legend}</figcaption>{svg}</figure>'


def _x(chart: Chart, place: float) -> float:
    return _LEFT + (place + 0.5) * (_WIDTH - _LEFT - _RIGHT) / max(1, len(chart.labels))


def _y(chart: Chart, value: float) -> float:
    return _HEIGHT - _BOTTOM - value / top(chart) * (_HEIGHT - _TOP - _BOTTOM)


def _grid(chart: Chart) -> str:
    pieces: list[str] = []
    for value in (0.0, top(chart) / 2, top(chart)):
        y = _y(chart, value)
        pieces.append(
            f'<line x1="{_LEFT:g}" x2="{_WIDTH - _RIGHT:g}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text x="{_LEFT - 6:g}" y="{y + 4:.1f}" text-anchor="end">{say(value)}</text>'
        )
    return "".join(pieces)


def _labels(chart: Chart) -> str:
    return "".join(
        f'<text x="{_x(chart, place):.1f}" y="{_HEIGHT - _BOTTOM + 16 + 13 * number:g}" text-anchor="middle">'
        f"{escape(line)}</text>"
        for place, lines in enumerate(below(chart))
        for number, line in enumerate(lines)
    )


def _bars(chart: Chart) -> str:
    room = (_WIDTH - _LEFT - _RIGHT) / max(1, len(chart.labels)) * 0.72
    width = min(36.0, room / max(1, len(chart.series)))
    pieces: list[str] = []
    for number, series in enumerate(chart.series):
        for place, value in enumerate(series.values):
            x, y = _x(chart, place) + (number - len(chart.series) / 2) * width, _y(chart, value)
            pieces.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{width - 2:.1f}" height="{_HEIGHT - _BOTTOM - y:.1f}"'
                f' fill="{COLOURS[number % len(COLOURS)]}">{_hint(chart, number, place)}</rect>'
            )
    return "".join(pieces)


def _lines(chart: Chart) -> str:
    pieces: list[str] = []
    for number, series in enumerate(chart.series):
        colour = COLOURS[number % len(COLOURS)]
        points = [(_x(chart, place), _y(chart, value)) for place, value in enumerate(series.values)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        pieces.append(f'<polyline points="{path}" style="fill:none;stroke:{colour};stroke-width:2.5"/>')
        pieces += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}">{_hint(chart, number, place)}</circle>'
            for place, (x, y) in enumerate(points)
        ]
    return "".join(pieces)


def _hint(chart: Chart, number: int, place: int) -> str:
    series = chart.series[number]
    return f"<title>{escape(f'{series.name}, {chart.labels[place]}: {say(series.values[place])}')}</title>"


def _spoken(chart: Chart) -> str:
    told = [
        f"{series.name}: "
        + ", ".join(f"{label} {say(value)}" for label, value in zip(chart.labels, series.values, strict=True))
        for series in chart.series
    ]
    return f"{chart.title}. {'; '.join(told)}"
