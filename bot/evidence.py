"""What a text shows: facts, GPU readings, failure lines, contradictions; and how the evidence of several texts merges."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from bot.deployment import Deployment
from bot.facts import FACTS, Conflict, Fact, contradict
from bot.frozen import Frozen

_T = TypeVar("_T")


class GpuReading(Frozen):
    """One GPU as a monitoring tool printed it; unknown is None."""

    index: int
    name: str | None = None
    uuid: str | None = None
    bus_id: str | None = None
    memory_used_mib: int | None = None
    memory_total_mib: int | None = None
    memory_free_mib: int | None = None
    memory_reserved_mib: int | None = None
    utilization_pct: int | None = None
    temperature_c: int | None = None
    power_w: float | None = None
    mig_mode: str | None = None
    display: bool | None = None
    line: int | None = None


class MigReading(Frozen):
    """One MIG device; `gpu`, `gi`, `ci` and `dev` identify it."""

    gpu: int | None = None
    gi: int | None = None
    ci: int | None = None
    dev: int | None = None
    profile: str | None = None
    uuid: str | None = None
    memory_used_mib: int | None = None
    memory_total_mib: int | None = None
    line: int | None = None


class ProcessReading(Frozen):
    """One process on a GPU; a pid that the paste cuts away is None."""

    gpu: int | None = None
    gi: int | None = None
    ci: int | None = None
    pid: int | None = None
    type: str | None = None
    name: str | None = None
    user: str | None = None
    memory_mib: int | None = None
    line: int | None = None


class Failure(NamedTuple):
    """An exception or error line; `is_wrapper` when it only reports another one."""

    message: str
    line: int
    kind: str | None = None  # the exception's class, dotted as printed
    process: str | None = None
    stage: str | None = None  # load, profile, kv_cache, capture, warmup, serving: read off the frames above it
    is_wrapper: bool = False


class Line(NamedTuple):
    """A line of the paste, with noise and secrets taken off."""

    number: int
    text: str
    start: int = 0  # where the message begins, behind a log prefix of vLLM's
    process: str | None = None  # "EngineCore_DP0", "Worker_TP1" …
    level: str | None = None

    @property
    def message(self) -> str:
        """The line without its log prefix."""
        return self.text[self.start :] if self.start else self.text


class Evidence(NamedTuple):
    """All that a text shows about one deployment."""

    facts: Mapping[str, Fact] = {}
    conflicts: tuple[Conflict, ...] = ()
    gpus: tuple[GpuReading, ...] = ()
    mig_devices: tuple[MigReading, ...] = ()
    processes: tuple[ProcessReading, ...] = ()
    driver: str | None = None
    cuda: str | None = None
    failures: tuple[Failure, ...] = ()
    lines: tuple[Line, ...] = ()  # what wordings are matched against; of long files only the telling ones
    kinds: frozenset[str] = frozenset()  # which readers found something: "vllm-log", "command", "nvidia-smi", "prose" …
    unfinished: tuple[str, ...] = ()  # what a reader began and could not finish, one sentence each
    config: Mapping[str, Any] | None = None  # a config.json that was pasted, for the catalogue to read

    def value(self, name: str) -> Any:
        """Return a fact's value, or None when nobody stated it."""
        fact = self.facts.get(name)
        return None if fact is None else fact.value

    def deployment(self) -> Deployment:
        """Return the deployment as far as the facts show it; shape and card are the catalogue's to add."""
        known = {name: fact.value for name, fact in self.facts.items() if name in Deployment.model_fields}
        return Deployment.model_validate(known)


def gather(facts: Iterable[Fact], **readings: Any) -> Evidence:
    """Return evidence of `facts`, where each name keeps one value, and of other readings.

    A higher origin wins; of one origin the figure's own rule (smallest, largest), otherwise the later.
    """
    kept: dict[str, Fact] = {}
    conflicts: list[Conflict] = []
    for fact in facts:
        before = kept.get(fact.name)
        kept[fact.name] = fact if before is None else _prefer(before, fact)
        if before is not None and contradict(before, fact):
            other = before if kept[fact.name] is fact else fact
            conflicts.append(Conflict(name=fact.name, kept=kept[fact.name], other=other))
    told = (conflict._replace(kept=kept[conflict.name]) for conflict in conflicts)
    settled = [conflict for conflict in told if contradict(conflict.kept, conflict.other)]
    return Evidence(facts=kept, conflicts=_unique(_conflict_key, settled), **readings)


def merge(*evidences: Evidence) -> Evidence:
    """Return one evidence of several, the latest last: answered beats measured beats pasted, later beats earlier.

    Idempotent, and associative up to the order of conflicts. Of two lists of GPUs the later counts that shows
    memory: a bare list of names never hides readings.
    """
    if len(evidences) < 2:
        return evidences[0] if evidences else Evidence()
    woven = gather(fact for evidence in evidences for fact in evidence.facts.values())
    return Evidence(
        facts=woven.facts,
        conflicts=_settle(woven, evidences),
        gpus=_latest([evidence.gpus for evidence in evidences], _shows_memory),
        mig_devices=_latest([evidence.mig_devices for evidence in evidences], bool),
        processes=_latest([evidence.processes for evidence in evidences], bool),
        driver=_latest([evidence.driver for evidence in evidences], bool),
        cuda=_latest([evidence.cuda for evidence in evidences], bool),
        failures=_unique(_failure_key, *(evidence.failures for evidence in evidences)),
        lines=_unique(_line_key, *(evidence.lines for evidence in evidences)),
        kinds=frozenset().union(*(evidence.kinds for evidence in evidences)),
        unfinished=_unique(_itself, *(evidence.unfinished for evidence in evidences)),
        config=_latest([evidence.config for evidence in evidences], bool),
    )


def _settle(woven: Evidence, evidences: Sequence[Evidence]) -> tuple[Conflict, ...]:
    """Return every conflict once, told from the side of the fact that was kept in the end."""
    conflicts = [*woven.conflicts, *(conflict for evidence in evidences for conflict in evidence.conflicts)]
    told = [
        Conflict(name=conflict.name, kept=woven.facts[conflict.name], other=fact)
        for conflict in conflicts
        for fact in (conflict.kept, conflict.other)
        if contradict(woven.facts[conflict.name], fact)
    ]
    return _unique(_conflict_key, told)


def _prefer(before: Fact, after: Fact) -> Fact:
    if before.origin != after.origin:
        return max(before, after, key=lambda fact: fact.origin)
    kind = FACTS.get(before.name)
    return after if kind is None or kind.prefers(before.value, after.value) else before


def _shows_memory(gpus: tuple[GpuReading, ...]) -> bool:
    return any(gpu.memory_used_mib is not None or gpu.memory_total_mib is not None for gpu in gpus)


def _latest(values: Sequence[_T], is_full: Callable[[_T], bool]) -> _T:
    """Return the latest of the fullest values: full before merely present before empty."""
    _, place = max((2 if is_full(value) else 1 if value else 0, place) for place, value in enumerate(values))
    return values[place]


def _unique(key: Callable[[_T], Hashable], *parts: Iterable[_T]) -> tuple[_T, ...]:
    """Return every item once, in order; of two with one key the first."""
    seen: dict[Hashable, _T] = {}
    for part in parts:
        for item in part:
            seen.setdefault(key(item), item)
    return tuple(seen.values())


def _line_key(line: Line) -> Hashable:
    return line.number, line.text


def _failure_key(failure: Failure) -> Hashable:
    return failure.kind, failure.message, failure.line, failure.process


def _conflict_key(conflict: Conflict) -> Hashable:
    return conflict.name, repr(conflict.kept.value), repr(conflict.other.value)


def _itself(item: Hashable) -> Hashable:
    return item
