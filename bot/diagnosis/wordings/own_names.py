"""Flags that vLLM lacks and that name something of ours: "--gpu-count 8", "--gpus 8", "--vllm 0.19.1", "--contxt 4k"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from bot.catalog.flags import Flags
from bot.catalog.gpus import find_gpu
from bot.diagnosis.unheard import nearest, say_flag
from bot.evidence import Evidence
from bot.fact_values import fact_value, quote
from bot.facts import FACTS
from bot.reading.commands.arguments import read_argument

OPTIONS = ("--gpu", "--config", "--sweep", "--context", "--active-share", "--picture", "--details", "--json", "--jsonl")
"""What a sizing takes beside its description."""

_FACTS = {
    **{name: name for name in ("gpu", "gpu_count", "vllm_version", "nodes", "host_memory", "instances")},
    "gpus": "gpu_count",
    "cards": "gpu_count",
    "card": "gpu",
    "vllm": "vllm_version",
    "version": "vllm_version",
    "users": "wanted_concurrency",
    "concurrency": "wanted_concurrency",
    "requests": "wanted_concurrency",
}
"""Where it runs and what for: settings of vLLM have flags of their own."""

_LONGEST = 40
_SPELLINGS = tuple(f"--{name.replace('_', '-')}" for name in _FACTS)


class Own(NamedTuple):
    """A flag of ours with a value that can be one of what it names."""

    name: str
    fact: str
    value: str

    @property
    def meant(self) -> Any:
        """The value of the fact."""
        return fact_value(self.fact, self.value)

    @property
    def sentence(self) -> str:
        """What it was taken for."""
        return f"{self.name} is no flag of vLLM's; I took it as {FACTS[self.fact].label}: {self.value}."


def find_own(said: Iterable[tuple[str, str]], flags: Flags) -> Iterator[Own]:
    """Yield the flags that vLLM lacks and that name a fact, each with its value."""
    for name, value in said:
        fact = _fact_of(name)
        if fact is None or not value or flags.by_name(name) or read_argument(name, value):
            continue
        if fact == "gpu_count" and not value.isdigit():  # "--gpus L40S"
            fact = "gpu"
        if _may_be(fact, value):
            yield Own(name, fact, value)


def without_own(ours: Iterable[Own], evidence: Evidence) -> dict[str, Any]:
    """Return the launch command without our flags, with which it would not start, where there is one."""
    command, others = evidence.value("command"), " ".join(evidence.value("other_arguments") or ())
    found = {"command": command, "other_arguments": others}
    for own in ours:
        said = re.compile(rf"(?:\A|\s+){re.escape(own.name)}(?:=|\s+)['\"]?{re.escape(own.value)}['\"]?(?=\s|\Z)")
        found = {name: said.sub("", text, count=1) if text else text for name, text in found.items()}
    return {name: text for name, text in found.items() if text != {"command": command, "other_arguments": others}[name]}


def _fact_of(name: str) -> str | None:
    return _FACTS.get(name.removeprefix("--").replace("-", "_").lower())


def _may_be(fact: str, value: str) -> bool:
    try:
        fact_value(fact, value)
    except ValueError:
        return False
    return fact != "gpu" or find_gpu(value).card is not None


def say_unknown(name: str, value: str, flags: Flags) -> str:
    """Say of a flag that neither vLLM nor we have which one was probably meant, with its value."""
    if name in OPTIONS:
        return f"{name} is an option of ours; write it outside of the description."
    if fact := _fact_of(name):
        return f"{name} is no flag of vLLM's, and I cannot take {quote(value)} as {FACTS[fact].label}."
    known = [row.name for row in flags.rows if not row.is_environment]
    close = nearest(name.replace("_", "-").lower(), (*known, *OPTIONS, *_SPELLINGS))
    if close is None or close in known:
        return say_flag(name, flags)
    given = f" {value if len(value) <= _LONGEST else quote(value)}" if value else ""
    return f"{name} is no flag that I know; did you mean {close}{given}?"
