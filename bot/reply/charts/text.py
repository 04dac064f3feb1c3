"""A chart in letters: one row a label, one bar a series."""

from __future__ import annotations

from math import ceil
from textwrap import wrap

from bot.reply.document import Chart

_BELOW = 16  # letters; six labels side by side
_LINE, _LEAST_BAR = 88, 10
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_COLUMNS = "▁▂▃▄▅▆▇█"


def rows(chart: Chart, width: int = 40) -> list[str]:
    """Return the chart as lines; the longest bar has `width` columns, fewer beside long labels.

    >>> from bot.reply.document import Series
    >>> rows(Chart(title="t", labels=("a", "bb"), series=(Series(name="n", values=(4, 1)),)), width=4)
    ['a   ████ 4', 'bb  █    1']
    """
    most = max((value for series in chart.series for value in series.values), default=0)
    label = max((len(text) for text in chart.labels), default=0)
    name = max(len(series.name) for series in chart.series) if len(chart.series) > 1 else 0
    width = min(width, max(_LEAST_BAR, _LINE - label - name))
    lines: list[str] = []
    for place, text in enumerate(chart.labels):
        for number, series in enumerate(chart.series):
            head = text if number == 0 else ""
            told = f"{series.name:<{name}}  " if name else ""
            value = series.values[place]
            lines.append(f"{head:<{label}}  {told}{_bar(value, most, width):<{width}} {say(value)}")
    return lines


def spark(chart: Chart) -> str:
    """Return the first series of a chart in one line, a column a value.

    >>> from bot.reply.document import Series
    >>> spark(Chart(title="Incidents", labels=("W46", "W47", "W48"), series=(Series(name="n", values=(0, 8, 4)),)))
    'Incidents: ▁█▅ from W46, 0, to W48, 4'
    """
    values = chart.series[0].values
    most = max(values) or 1
    columns = "".join(_COLUMNS[round((len(_COLUMNS) - 1) * value / most)] for value in values)
    first, last = (f"{label}, {say(value)}" for label, value in ((chart.labels[n], values[n]) for n in (0, -1)))
    return f"{chart.title}: {columns} from {first}, to {last}"


def _bar(value: float, most: float, width: int) -> str:
    eighths = round(8 * width * value / most) if most > 0 else 0
    whole, rest = divmod(eighths, 8)
    return "█" * whole + (_EIGHTHS[rest] if rest else "")


def below(chart: Chart) -> list[list[str]]:
    """Return what stands below each value of a drawn chart, in at most two short lines.

    >>> below(Chart(title="t", labels=("the context is left at its default", "W48"), series=()))
    [['the context is', 'left at its…'], ['W48']]
    """
    return [wrap(label, _BELOW, max_lines=2, placeholder="…") for label in chart.short or chart.labels]


def top(chart: Chart) -> float:
    """Return where a chart's axis ends: at its largest value, or one more where half of that would be no whole number.

    >>> from bot.reply.document import Series
    >>> [top(Chart(title="t", labels=("a",), series=(Series(name="n", values=(most,)),))) for most in (0, 1, 7, 8.5)]
    [1, 2, 8, 10]
    """
    most = max((value for series in chart.series for value in series.values), default=0)
    return 2 * ceil(most / 2) if most else 1


def say(value: float) -> str:
    """Say a figure of a chart.

    >>> say(3.0), say(2.5), say(1234)
    ('3', '2.5', '1,234')
    """
    return f"{round(value):,}" if value == round(value) else f"{value:,.1f}"
