"""What is given by name, by a program, a form or a sample, as evidence and as figures of a log."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from bot.catalog.stated_gpu import memory_alone, say_memory
from bot.diagnosis.measured import MOST_MEASURED, is_figure
from bot.diagnosis.unheard import say_fact
from bot.evidence import Evidence
from bot.fact_values import fact_value
from bot.facts import FACTS, Fact, Origin
from bot.reading.commands.arguments import is_known, read_argument
from bot.sizing.terms import Measured
from bot.units import Bytes


class BadFact(NamedTuple):
    """A fact that could not be used, in one sentence."""

    name: str
    sentence: str


def measured_of(figures: Mapping[str, Any]) -> tuple[Measured, tuple[BadFact, ...]]:
    """Return the figures of a log that are given by name, and what of them could not be used."""
    good: dict[str, Any] = {}
    bad: list[BadFact] = []
    for key, raw in figures.items():
        name = key.removesuffix("_gib")
        if name not in Measured.model_fields:
            bad.append(BadFact(name=key, sentence=f"{key!r} is no figure of a log that I know"))
        elif not is_figure(name, raw):
            bad.append(BadFact(name=key, sentence=f"{key}: {raw!r} is no such figure"))
        else:
            good[name] = Bytes.gib(raw) if key.endswith("_gib") else _whole(name, raw)
    return Measured.model_validate(good), tuple(bad)


def _whole(name: str, raw: float) -> float:
    """Return an amount in whole bytes; what counts is whole by itself, and a concurrency is not."""
    return raw if name == "concurrency" else round(raw)


def stated(facts: Mapping[str, Any], origin: Origin) -> tuple[Evidence, tuple[BadFact, ...]]:
    """Return named values as evidence, and what of them could not be used.

    `NAME_gib` is NAME in GiB; vLLM's own arguments ("enable_prefix_caching", "speculative_config") are read as in a command.
    """
    good: dict[str, Fact] = {}
    bad: list[BadFact] = []
    for key, raw in facts.items():
        if raw is None or (raw == "" and key in FACTS and FACTS[key].type == "text"):  # unknown, as of an empty field
            continue
        memory = memory_alone(raw) if key == "gpu" and isinstance(raw, str) else None
        if memory:
            bad.append(BadFact(name="text", sentence=say_memory(memory)))
        named = {"gpu_memory": memory} if memory else _named(key, raw) or _read_flag(key, raw)
        if not named:
            is_flag = is_known(key)
            bad.append(BadFact(name=key, sentence=f"{key}: I cannot read {raw!r}" if is_flag else say_fact(key)))
        for name, value in named.items():
            try:
                good[name] = Fact(name=name, value=fact_value(name, value), origin=origin)
            except ValueError as error:
                bad.append(BadFact(name=name, sentence=f"{FACTS[name].label}: {error}"))
    return Evidence(facts=good), tuple(bad)


def _named(key: str, raw: Any) -> dict[str, Any]:
    name = key.removesuffix("_gib")
    if key in FACTS:
        return {key: raw}
    if name not in FACTS or FACTS[name].type != "bytes":
        return {}
    is_amount = isinstance(raw, (int, float)) and abs(raw) < MOST_MEASURED
    return {name: Bytes.gib(float(raw)) if is_amount else raw}


def _read_flag(key: str, raw: Any) -> dict[str, Any]:
    """Return the facts that an argument of vLLM sets; a record is written as it would stand in a command."""
    return read_argument(key, raw if isinstance(raw, str) else json.dumps(raw))
