"""What is said of facts that were worked out: the print that they rest on, and what it leaves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from bot.deployment import Deployment, Gpu, Speculation
from bot.evidence import Evidence
from bot.facts import FACTS
from bot.sizing.terms import Assumption, Measured
from bot.units import Bytes

if TYPE_CHECKING:
    from bot.diagnosis.ranks import Ranks
    from bot.sizing.calibrate import Residual

_PRINTED_AS = {"tokens_of_memory": ("kv_tokens", "gpu_blocks"), "room": ("kv_available",)}
_SAID_AS = {"card": "gpu"}
_AXES = {"tensor_parallel": "TP", "pipeline_parallel": "PP", "data_parallel": "DP"}


class Untold(NamedTuple):
    """A deployment with the facts that were worked out, and what is said of them."""

    deployment: Deployment
    assumptions: tuple[Assumption, ...] = ()
    remarks: tuple[str, ...] = ()
    by_figures: tuple[str, ...] = ()  # the facts that figures decide, and no line outright

    def and_(self, values: Mapping[str, Any], default: Deployment, ground: str) -> Untold:
        """Return this with the values that one print leaves instead of the default."""
        said = (
            Assumption(name=_SAID_AS.get(name, name), value=_plain(each), because=ground)
            for name, each in values.items()
        )
        sentence = _say_values(values, default, ground)
        decided = self.deployment.with_(**values)
        return self._replace(
            deployment=decided, assumptions=(*self.assumptions, *said), remarks=(*self.remarks, sentence)
        )


def ground_of_figure(far: Residual, seen: Measured, evidence: Evidence) -> str:
    """Return the figure that excludes the default, with its line."""
    said = {
        "weights": f"{seen.weights} of weights a GPU",
        "tokens_of_memory": f"{seen.kv_available} hold {far.logged:,} tokens",
        "kv_available": f"{seen.kv_available} for the KV cache",
        "kv_needed": f"one request needs {Bytes(far.logged)} of KV cache",
        "room": f"{seen.kv_available} for the KV cache beside the weights",
    }
    return _with_line(said[far.term], evidence, *_PRINTED_AS.get(far.term, (far.term,)))


def ground_of_length(length: int, evidence: Evidence) -> str:
    """Return the print that tells the longest context."""
    return _with_line(f"the log counts requests of {length:,} tokens", evidence, "concurrency_len")


def ground_of_ranks(fact: str, ranks: Ranks) -> str:
    """Return the name of a process that tells the layout, with its line."""
    if fact == "expert_parallel":
        return f"a worker has a rank of experts (line {ranks.line})"
    if ranks.least == 1:
        return f"one process does all the work (line {ranks.line})"
    return f"a worker is named {_AXES[fact]}{ranks.least - 1} (line {ranks.line})"


def _say_values(values: Mapping[str, Any], default: Deployment, ground: str) -> str:
    """Say in one sentence what a print decides, and which default it excludes."""
    named = " and ".join(_say_value(name, value, getattr(default, name)) for name, value in values.items())
    return f"{ground[0].upper()}{ground[1:]}: {named}."


def _say_value(name: str, value: Any, default: Any) -> str:
    if name == "kv_cache_dtype":
        return f"the KV cache is kept in {value}"
    if name == "speculation":
        return f"{value.tokens} tokens are drafted by {value.kind.upper()}"
    if name == "card":
        return f"it is the {value.name}" + (f", not the {default.name}" if default else "")
    if name == "expert_parallel":
        return "experts are parallel"
    return f"{FACTS[name].label} {value:,}, not {default:,}"


def _with_line(text: str, evidence: Evidence, *names: str) -> str:
    lines = (evidence.facts[name].line for name in names if name in evidence.facts)
    line = next(filter(None, lines), None)
    return f"{text} (line {line})" if line else text


def _plain(value: Any) -> str:
    if isinstance(value, Gpu):
        return value.name
    return f"{value.kind} {value.tokens}" if isinstance(value, Speculation) else str(value)
