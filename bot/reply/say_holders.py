"""Who holds how much of which card, where a monitor's output is all that there is."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnosis.processes import Holder, name_holder
from bot.evidence import Evidence, GpuReading, ProcessReading
from bot.reply.document import Bullets, Part, Prose, Span
from bot.reply.spans import prose
from bot.reply.words import short_card
from bot.units import Bytes

NO_FAILURE = "This shows who holds the GPU memory, and by itself no failure."

_MOST_CARDS, _MOST_HOLDERS = 8, 4
_LONGEST_NAME = 40
_UNLISTED = Bytes.gib(1)
"""Beside its processes a card holds a context for each, which lists leave out; more is somebody's who is not listed."""


def say_holders(evidence: Evidence) -> list[Part]:
    """Say it in a line a card, and what vLLM's own share means; nothing where no card's memory was shown."""
    cards = [card for card in evidence.gpus if card.memory_used_mib is not None]
    if not cards:
        return []
    parts: list[Part] = [prose(NO_FAILURE)]
    parts.append(Bullets(items=tuple(_say_card(card, evidence) for card in cards[:_MOST_CARDS])))
    if len(cards) > _MOST_CARDS:
        parts.append(prose(f"And {len(cards) - _MOST_CARDS} more cards."))
    return [*parts, prose(" ".join(_say_more(evidence)))]


def _say_card(card: GpuReading, evidence: Evidence) -> Prose:
    name = f", {short_card(card.name)}" if card.name else ""
    total = f" of {Bytes.mib(card.memory_total_mib)}" if card.memory_total_mib else ""
    used = Bytes.mib(card.memory_used_mib or 0)
    held = "; ".join(_say_shares(card, evidence))
    text = f"GPU {card.index}{name}: {used}{total} in use{f': {held}' if held else ''}"
    return Prose(spans=(Span(text=text),))


def _say_shares(card: GpuReading, evidence: Evidence) -> Iterator[str]:
    """Yield what each process holds, the largest first, and what no process in the list does."""
    there = [process for process in evidence.processes if process.gpu == card.index]
    ranked = sorted(there, key=lambda process: -(process.memory_mib or 0))
    yield from map(_say_process, ranked[:_MOST_HOLDERS])
    if len(ranked) > _MOST_HOLDERS:
        yield f"{len(ranked) - _MOST_HOLDERS} more"
    listed = [process.memory_mib for process in there if process.memory_mib is not None]
    missing = Bytes.mib((card.memory_used_mib or 0) - sum(listed))
    if missing > _UNLISTED and len(listed) == len(there):
        yield f"{missing} by nobody who is listed"


def _say_process(process: ProcessReading) -> str:
    words = (process.name or "a process without a name").partition(" -")[0]
    name = words.replace("\\", "/").rpartition("/")[2][:_LONGEST_NAME]
    pid = f" (PID {process.pid})" if process.pid is not None else ""
    return f"{name}{pid} {Bytes.mib(process.memory_mib)}" if process.memory_mib is not None else f"{name}{pid}"


def _say_more(evidence: Evidence) -> Iterator[str]:
    """Yield what a full card means where vLLM holds it, and what helps where something fails."""
    if any(name_holder(process) is Holder.VLLM for process in evidence.processes):
        yield "vLLM takes its share of a card at start and keeps it, used or not: a card full of it is how it works."
    if not evidence.processes:
        yield "It lists no process: a query of the cards alone has none, and a container shows none outside of it."
    yield "If something fails, paste what it prints, with the launch command."
