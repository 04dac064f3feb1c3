"""The first lines of a digest: how many, against the weeks before, how fast, how helpful."""

from __future__ import annotations

from statistics import mean

from bot.reply.document import Chart, Prose, Series, Span
from bot.weekly.figures import Gathered, median_hours, say_count, say_hours

_USUAL_WEEKS = 4
_UNUSUAL = 1.25  # times the mean of the weeks before


def totals(gathered: Gathered) -> Prose:
    """Return the numbers of the week in one paragraph."""
    now, then = len(gathered.incidents), len(gathered.before)
    against = f"{change(now, then)}{_usual(gathered)}" if gathered.is_over else f"so far; {then:,} the week before"
    spans = [Span(text=say_count(now), style="bold"), Span(text=f" ({against})")]
    told = [_states(gathered), *_speed(gathered), _helpful(gathered)] if now else []
    spans += [Span(text=f" · {text}") for text in told if text]
    return Prose(spans=tuple(spans))


def change(now: int, then: int) -> str:
    """Say a number against the one of the week before.

    >>> change(3, 1), change(2, 2)
    ('2 more than the week before', 'as many as the week before')
    """
    if now == then:
        return "as many as the week before"
    return f"{abs(now - then):,} {'more' if now > then else 'fewer'} than the week before"


def _usual(gathered: Gathered) -> str:
    earlier = [count for _, count in gathered.trend[:-1]][-_USUAL_WEEKS:]
    if len(earlier) < _USUAL_WEEKS or not any(earlier):
        return ""
    usual, now = mean(earlier), len(gathered.incidents)
    if now > usual * _UNUSUAL:
        return f", above the usual {usual:.1f}"
    return f", below the usual {usual:.1f}" if now * _UNUSUAL < usual else f", about the usual {usual:.1f}"


def _states(gathered: Gathered) -> str:
    states = [incident.state for incident in gathered.incidents]
    reopened = sum(incident.reopened > 0 for incident in gathered.incidents)
    again = f", {reopened} reopened" if reopened else ""
    return f"{states.count('resolved'):,} resolved, {states.count('open'):,} open{again}"


def _speed(gathered: Gathered) -> list[str]:
    answer = median_hours(gathered.incidents, "answered_at")
    solution = median_hours((incident for incident in gathered.incidents if incident.resolver), "resolved_at")
    told = [f"median time to a first answer {say_hours(answer)}"] if answer is not None else []
    return told + ([f"median time to resolution {say_hours(solution)}"] if solution is not None else [])


def _helpful(gathered: Gathered) -> str:
    voices = [incident.helpful for incident in gathered.incidents if incident.helpful is not None]
    share = f" ({sum(voices) / len(voices):.0%})" if len(voices) > 4 else ""
    return f"{sum(voices)} of {len(voices)} called helpful{share}" if voices else ""


def trend(gathered: Gathered) -> list[Chart]:
    """Return the weeks as a chart, or nothing where there is only one."""
    if sum(count > 0 for _, count in gathered.trend) < 2:
        return []
    weeks, counts = zip(*gathered.trend, strict=True)
    labels = tuple(week.partition("-")[2] for week in weeks)
    series = (Series(name="opened", values=tuple(map(float, counts))),)
    return [Chart(title="Incidents by week", labels=labels, series=series, kind="lines")]
