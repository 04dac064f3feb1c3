"""What a text shows: facts with their origin, GPU readings, failure lines, contradictions; and how they merge."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Any, Literal, TypeVar

from bot.deployment import Deployment, Frozen, Speculation, read_version
from bot.units import Bytes

_T = TypeVar("_T")


class Origin(IntEnum):
    """How a fact is known; a higher origin outranks a lower one."""

    PASTED = 1  # said in prose, a command or a configuration
    MEASURED = 2  # printed by vLLM, torch or the driver
    ANSWERED = 3  # the person answered our question


class FactKind(Frozen):
    """What a fact name stands for: its type, how several values merge, and how we call it."""

    type: Literal["int", "float", "bool", "text", "bytes", "version", "speculation", "limits", "pairs", "words"]
    label: str
    keep: Literal["latest", "smallest", "largest"] = "latest"
    is_logged: bool = False  # a figure that vLLM printed, not a setting
    choices: tuple[str, ...] = ()  # of a text: nothing else is one

    def prefers(self, before: Any, after: Any) -> bool:
        """Return whether of two values the later one is kept."""
        if self.keep == "latest":
            return True
        return before != after and (after < before) == (self.keep == "smallest")


def _setting(kind: str, label: str) -> FactKind:
    return FactKind.model_validate({"type": kind, "label": label})


def _choice(label: str, *choices: str) -> FactKind:
    return FactKind(type="text", label=label, choices=choices)


def _figure(kind: str, label: str, keep: str = "latest") -> FactKind:
    return FactKind.model_validate({"type": kind, "label": label, "keep": keep, "is_logged": True})


# One word a fact, everywhere: placeholder, question, button value, attribute, column.
# Workers print different figures; vLLM takes the minimum of memory and tokens, and the largest of what is spent binds.
FACTS: Mapping[str, FactKind] = {
    "model": _setting("text", "model"),
    "gpu": _setting("text", "GPU"),
    "gpu_count": _setting("int", "number of GPUs"),
    "gpu_memory": _setting("bytes", "memory of one GPU"),
    "host_memory": _setting("bytes", "memory of the host"),
    "vllm_version": _setting("version", "vLLM version"),
    "version_since": FactKind(type="version", label="oldest vLLM that prints so", keep="largest"),
    "version_until": FactKind(type="version", label="newest vLLM that prints so", keep="smallest"),
    "engine": _choice("engine", "V0", "V1"),
    "entrypoint": _choice("server or offline", "server", "offline"),
    "tensor_parallel": _setting("int", "tensor parallel size"),
    "pipeline_parallel": _setting("int", "pipeline parallel size"),
    "data_parallel": _setting("int", "data parallel size"),
    "expert_parallel": _setting("bool", "expert parallel"),
    "decode_context_parallel": _setting("int", "decode context parallel size"),
    "nodes": _setting("int", "number of nodes"),
    "gpu_memory_utilization": _setting("float", "gpu_memory_utilization"),
    "max_model_len": _setting("int", "context length"),
    "auto_max_model_len": _setting("bool", "context length fitted by vLLM"),
    "max_num_seqs": _setting("int", "max_num_seqs"),
    "max_num_batched_tokens": _setting("int", "max_num_batched_tokens"),
    "kv_cache_dtype": _setting("text", "KV cache dtype"),
    "kv_cache_memory": _setting("bytes", "KV cache set by hand"),
    "num_gpu_blocks_override": _setting("int", "KV blocks set by hand"),
    "block_size": _setting("int", "block size"),
    "swap_space_gib": _setting("float", "swap space"),
    "cpu_offload_gib": _setting("float", "weights offloaded to the host"),
    "dtype": _setting("text", "dtype"),
    "quantization": _setting("text", "quantization"),
    "load_format": _setting("text", "load format"),
    "enforce_eager": _setting("bool", "eager mode"),
    "max_cudagraph_capture_size": _setting("int", "largest CUDA graph"),
    "cudagraph_mode": _setting("text", "CUDA graph mode"),
    "attention_backend": _setting("text", "attention backend"),
    "chunked_prefill": _setting("bool", "chunked prefill"),
    "prefix_caching": _setting("bool", "prefix caching"),
    "async_scheduling": _setting("bool", "async scheduling"),
    "hybrid_kv_cache": _setting("bool", "hybrid KV cache manager"),
    "mamba_cache_dtype": _setting("text", "Mamba cache dtype"),
    "mamba_ssm_cache_dtype": _setting("text", "Mamba state dtype"),
    "mamba_cache_mode": _setting("text", "Mamba cache mode"),
    "lora": _setting("bool", "LoRA"),
    "max_loras": _setting("int", "LoRA slots"),
    "max_lora_rank": _setting("int", "largest LoRA rank"),
    "speculation": _setting("speculation", "speculative decoding"),
    "multimodal_limits": _setting("limits", "multimodal limits"),
    "language_model_only": _setting("bool", "language model only"),
    "skip_mm_profiling": _setting("bool", "multimodal profiling skipped"),
    "encoder_tensor_parallel": _choice("encoder tensor parallel mode", "weights", "data"),
    "flashinfer_sampler": _setting("bool", "sampling by FlashInfer"),
    "compile_cache": _choice("compile cache (cold, warm)", "cold", "warm"),
    "gpu_link": _choice("link between GPUs (nvlink, pcie, network)", "nvlink", "pcie", "network"),
    "is_wsl": _setting("bool", "under WSL or Windows"),
    "launcher": _choice("how it is launched", "serve", "module", "python", "docker", "compose", "kubernetes"),
    "served_name": _setting("text", "served model name"),
    "environment": _setting("pairs", "environment"),
    "other_arguments": _setting("words", "other arguments"),
    "command": _setting("text", "command"),
    # what a person tells us in plain words
    "dedicated_gpu": _setting("bool", "nothing else uses the GPU"),
    "longest_request": _setting("int", "longest request served, in tokens"),
    "wanted_concurrency": _setting("int", "requests at the same time"),
    "traffic": _setting("text", "traffic (none, light, heavy)"),
    "used": _setting("bytes", "memory in use on the GPU"),
    # figures that vLLM, torch or the driver printed
    "total": _figure("bytes", "total memory", "smallest"),
    "free": _figure("bytes", "free memory at start", "smallest"),
    "desired": _figure("bytes", "desired memory", "largest"),
    "weights": _figure("bytes", "weights", "largest"),
    "activation": _figure("bytes", "activation peak", "largest"),
    "non_torch": _figure("bytes", "non-torch memory", "largest"),
    "consumed": _figure("bytes", "weights and non-torch memory", "largest"),
    "cudagraph": _figure("bytes", "CUDA graphs", "largest"),
    "cudagraph_estimated": _figure("bytes", "CUDA graphs, estimated", "largest"),
    "kv_available": _figure("bytes", "available KV cache memory", "smallest"),
    "kv_needed": _figure("bytes", "KV cache needed for one request", "largest"),
    "kv_tokens": _figure("int", "KV cache tokens", "smallest"),
    "gpu_blocks": _figure("int", "KV cache blocks", "smallest"),
    "cpu_blocks": _figure("int", "CPU blocks", "smallest"),
    "concurrency": _figure("float", "concurrency", "smallest"),
    "concurrency_len": _figure("int", "context of the concurrency figure"),
    "estimated_max_len": _figure("int", "context vLLM says would fit", "smallest"),
    "kv_usage_pct": _figure("float", "KV cache usage", "largest"),
    "running": _figure("int", "running requests"),
    "waiting": _figure("int", "waiting requests", "largest"),
    "preemptions": _figure("int", "preemptions", "largest"),
    "generation_throughput": _figure("float", "tokens generated a second"),
    "dummy_requests": _figure("int", "requests of the sampler warm-up"),
    "oom_tried": _figure("bytes", "allocation that failed"),
    "oom_free": _figure("bytes", "free memory when it failed"),
    "oom_process": _figure("bytes", "memory of the failing process"),
    "oom_allocated": _figure("bytes", "allocated by PyTorch when it failed"),
    "oom_held": _figure("bytes", "held by PyTorch when it failed"),
    "oom_listed": _figure("bytes", "largest process on the GPU when it failed", "largest"),
    "oom_graphs": _figure("bytes", "CUDA graphs when it failed"),
    "oom_allowed": _figure("bytes", "quota of the process"),
    "oom_reserved": _figure("bytes", "reserved but unallocated when it failed"),
    "derived_max_model_len": _figure("int", "context length of the model"),
    "attention_heads": _figure("int", "attention heads"),
    "exit_code": _figure("int", "exit code of the worker"),
}


def fact_value(name: str, raw: object) -> Any:
    """Return `raw`, as a person or a program gave it, as a value of that fact's type.

    Lengths read as vLLM's own flags do: 32k is 32,000, and 32K or 32Ki is 32,768.

    >>> fact_value("max_model_len", "32K"), fact_value("enforce_eager", "yes"), fact_value("concurrency", "1.25x")
    (32768, True, 1.25)

    Raises:
        ValueError: The text is no such value; the sentence says what was wanted.
    """
    kind = FACTS[name]
    value = _READERS[kind.type](raw)
    if kind.choices:
        return _chosen(value, kind.choices)
    if isinstance(value, (int, float)) and abs(value) > _MOST:
        raise ValueError(f"{str(raw)[:20]}… is larger than anything that is counted here")
    return value


_MOST = 10**18
"""More bytes or tokens than there are anywhere; what is larger still overflows in arithmetic."""


def _chosen(value: str, choices: tuple[str, ...]) -> str:
    found = next((choice for choice in choices if choice.lower() == value.lower()), None)
    if found is None:
        raise ValueError(f"{value[:40]!r} is none of {', '.join(choices)}")
    return found


_SUFFIXES = {"k": 1000, "m": 1000**2, "K": 1024, "M": 1024**2, "Ki": 1024, "Mi": 1024**2}
_YES = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def _int(raw: object) -> int:
    if isinstance(raw, bool) or (isinstance(raw, float) and not raw.is_integer()):
        raise ValueError(f"{raw!r} is no whole number")
    if isinstance(raw, (int, float)):
        return int(raw)
    text = str(raw).strip().replace(",", "").replace("_", "").replace(" ", "")
    number = text.rstrip("kKmMi")
    try:
        value = float(number) * (_SUFFIXES[suffix] if (suffix := text[len(number) :]) else 1)
    except (ValueError, KeyError) as error:
        raise ValueError(f"{raw!r} is no whole number; write it like 32768 or 32K") from error
    if not value.is_integer():
        raise ValueError(f"{raw!r} is no whole number")
    return int(value)


def _float(raw: object) -> float:
    try:
        value = float(str(raw).strip().removesuffix("x").replace(",", ""))
    except ValueError as error:
        raise ValueError(f"{raw!r} is no number") from error
    if not math.isfinite(value):
        raise ValueError(f"{raw!r} is no number")
    return value


def _bool(raw: object) -> bool:
    if isinstance(raw, bool):
        return raw
    try:
        return _YES[str(raw).strip().lower()]
    except KeyError as error:
        raise ValueError(f"{raw!r} is neither yes nor no") from error


def _bytes(raw: object) -> Bytes:
    if isinstance(raw, (int, Bytes)) and not isinstance(raw, bool):
        return Bytes(raw)
    return Bytes.parse(str(raw), decimal_prefix="binary")


def _text(raw: object) -> str:
    return str(raw).strip()


def _speculation(raw: object) -> Speculation:
    if isinstance(raw, Speculation):
        return raw
    try:
        said = json.loads(raw) if isinstance(raw, str) else raw
        if isinstance(said, Mapping) and "num_speculative_tokens" in said:  # as --speculative-config calls it
            said = {**said, "tokens": said["num_speculative_tokens"]}
            del said["num_speculative_tokens"]
        return Speculation.model_validate(said)
    except (ValueError, RecursionError) as error:
        raise ValueError(f'{raw!r} is no speculation; write it like {{"method": "mtp", "tokens": 2}}') from error


def _limits(raw: object) -> dict[str, int]:
    if not isinstance(raw, Mapping):
        raise ValueError(f'{raw!r} is no limit for each kind of item; write it like {{"image": 2}}')
    return {str(name): _int(count) for name, count in raw.items()}


def _pairs(raw: object) -> tuple[tuple[str, str], ...]:
    """Read a mapping, pairs, or "A=1 B=2"."""
    given: object = raw.items() if isinstance(raw, Mapping) else raw
    if isinstance(given, str):
        given = [word.partition("=")[::2] for word in given.split()]
    try:
        return tuple(sorted((str(name), str(value)) for name, value in given))  # type: ignore[attr-defined]
    except (TypeError, ValueError) as error:
        raise ValueError(f'{raw!r} are no variables; write them like {{"NAME": "value"}}') from error


def _words(raw: object) -> tuple[str, ...]:
    if isinstance(raw, str):
        return tuple(raw.split())
    return tuple(map(str, raw)) if isinstance(raw, Iterable) else (str(raw),)


_READERS: Mapping[str, Callable[[object], Any]] = {
    "int": _int,
    "float": _float,
    "bool": _bool,
    "text": _text,
    "bytes": _bytes,
    "version": read_version,
    "speculation": _speculation,
    "limits": _limits,
    "pairs": _pairs,
    "words": _words,
}


class Fact(Frozen):
    """One fact and where it came from."""

    name: str
    value: Any
    origin: Origin
    line: int | None = None  # 1-based, in the paste
    quote: str | None = None  # that line, scrubbed


class Conflict(Frozen):
    """Two texts that cannot both be true of one deployment."""

    name: str
    kept: Fact
    other: Fact


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


class Failure(Frozen):
    """An exception or error line; `is_wrapper` when it only reports another one."""

    kind: str | None = None  # the exception's class, dotted as printed
    message: str
    line: int
    process: str | None = None
    stage: str | None = None  # load, profile, kv_cache, capture, warmup, serving: read off the frames above it
    is_wrapper: bool = False


class Line(Frozen):
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


class Evidence(Frozen):
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
    told = (conflict.model_copy(update={"kept": kept[conflict.name]}) for conflict in conflicts)
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


_SAID_FREELY = frozenset(
    {
        "command",
        "launcher",
        "served_name",
        "environment",
        "other_arguments",
        "entrypoint",
        "traffic",
        "version_since",
        "version_until",
        "compile_cache",
        "gpu_link",
    }
)


_ROUNDED = 0.08  # "24 GB" of a shop and 23034 MiB of nvidia-smi are one card


def contradict(one: Fact, other: Fact) -> bool:
    """Return whether two values of one fact cannot both be meant."""
    kind = FACTS.get(one.name)
    if kind is None or kind.is_logged or one.name in _SAID_FREELY or Origin.ANSWERED in {one.origin, other.origin}:
        return False
    if kind.type == "bytes":
        return not math.isclose(one.value, other.value, rel_tol=_ROUNDED)
    if isinstance(one.value, str) and isinstance(other.value, str):
        return not _name_alike(one.value, other.value)
    if kind.type == "float":
        return abs(one.value - other.value) > 1e-6
    return one.value != other.value


_WORDS = re.compile(r"[a-z]+[a-z0-9.]*|[0-9][a-z0-9.]*")


def _name_alike(one: str, other: str) -> bool:
    """Return whether two texts may name one thing: a path and its last part, a full name and a short one.

    >>> _name_alike("llama 3.1 8b", "meta-llama/Llama-3.1-8B-Instruct"), _name_alike("mistral 7b", "llama 7b")
    (True, False)
    """
    names = [text.rsplit("/", 1)[-1].lower() for text in (one, other)]
    short, long = sorted((re.sub(r"[^a-z0-9]", "", name) for name in names), key=len)
    if short == long or (len(short) > 3 and short in long):  # "4090" of "RTX4090"; "A10" is not of "A100"
        return True
    first, second = (frozenset(_WORDS.findall(name)) for name in names)
    figures = [frozenset(word for word in words if any(map(str.isdigit, word))) for words in (first, second)]
    is_numbered = any(sum(map(str.isdigit, word)) > 2 for word in figures[0] & figures[1])  # "RTX 4090", "H100 SXM"
    agree = bool(figures[0] & figures[1]) and (figures[0] <= figures[1] or figures[1] <= figures[0])
    return agree and (is_numbered or not (first ^ second) or bool((first & second) - figures[0]))


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
