"""What the week's incidents cost, where that can be computed, with the rule beside each figure."""

from __future__ import annotations

from collections.abc import Iterable

from bot.incident import Incident
from bot.reply.document import Part, Prose, Span
from bot.weekly.figures import Gathered, say_count, section

_CONTEXT = (
    "KV cache that one request of the configured length takes, less what one of the length offered takes; "
    "each deployment once"
)
_IDLE = "memory of GPUs that the launch leaves unused; each deployment once"
_HOURS = "GPUs of the deployment × hours from the paste to its resolution by a person; an upper bound"


def lost(gathered: Gathered) -> list[Part]:
    """Return memory and GPU-hours lost, or nothing where none can be computed."""
    items = [
        *_memory("over-long contexts", "context_lost", _CONTEXT, gathered.incidents),
        *_memory("idle GPUs", "idle_memory", _IDLE, gathered.incidents),
        *_hours(gathered.incidents),
    ]
    return section("What it cost", items)


def _memory(what: str, name: str, rule: str, incidents: Iterable[Incident]) -> list[Prose]:
    largest: dict[tuple[object, ...], int] = {}
    for incident in incidents:
        amount = getattr(incident, name)
        if amount:
            deployment = (incident.thread.channel, incident.model, incident.gpu, incident.gpu_count)
            largest[deployment] = max(amount, largest.get(deployment, 0))
    if not largest:
        return []
    told = f"{sum(largest.values()) / 2**30:,.0f} GiB"
    where = f" by {what} of {say_count(len(largest), 'deployment')} ({rule})"
    return [Prose(spans=(Span(text=told, style="bold"), Span(text=where)))]


def gpu_hours(incidents: Iterable[Incident]) -> tuple[float, int]:
    """Return the GPU-hours that resolved cases waited, and how many cases they are."""
    waited = [
        (incident.resolved_at - incident.opened_at).total_seconds() / 3600 * incident.gpu_count
        for incident in incidents
        if incident.resolved_at and incident.resolver and incident.gpu_count
    ]
    return sum(waited), len(waited)


def _hours(incidents: Iterable[Incident]) -> list[Prose]:
    hours, cases = gpu_hours(incidents)
    if not cases:
        return []
    where = f" until {say_count(cases, 'case')} were resolved ({_HOURS})"
    return [Prose(spans=(Span(text=f"{hours:,.0f} GPU-hours", style="bold"), Span(text=where)))]
