"""Deployments as YAML: docker compose, Kubernetes manifests, Helm values, `--config` files, Ray Serve, KServe.

Read line by line and not as a document: what people paste is cut out, indented by chance, or a template.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.deployment import Manifest
from bot.evidence import Evidence, Line, gather
from bot.facts import Fact, Origin
from bot.reading.commands.arguments import full_name, is_known, read_argument, sets_facts
from bot.reading.commands.command import read_listed
from bot.reading.commands.manifest_words import split_inline, split_shell, strip_quotes, without_shell
from bot.reading.commands.shell import Word, split_words
from bot.reading.figures import note

MOST_ITEMS = 200

_KEY = re.compile(
    r"(?P<indent>\s*(?:-\s+)?)(?P<key>[\"']?[A-Za-z][\w./-]{0,80}[\"']?)\s*:(?:\s+(?P<value>\S.*?))?\s*\Z"
)
_ITEM = re.compile(r"\s*-\s+(?P<value>\S.*?)\s*\Z")
_WORDS_KEYS = frozenset(
    {"args", "command", "extraargs", "extra_args", "cmd", "arguments", "vllmargs", "engineargs", "entrypoint"}
)
_SETTINGS_KEYS = frozenset({"engine_kwargs", "engine_args", "engineargs", "vllmconfig", "vllm_config", "vllm_kwargs"})
_GPU_KEYS = frozenset({"nvidia.com/gpu", "amd.com/gpu", "requestgpu"})
_CARD_KEYS = frozenset(
    {
        "accelerator_type",
        "acceleratortype",
        "nvidia.com/gpu.product",
        "gpu_type",
        "gputype",
        "accelerators",
        "accelerator",
    }
)
_MODEL_KEYS = frozenset({"modelurl", "model_source", "storageuri", "model_id", "modelid", "modeluri"})
_COUNTED_CARD = re.compile(r"([A-Za-z][\w -]{1,40}):(\d{1,2})\Z")
_VARIABLE = re.compile(r"(?:CUDA|NVIDIA|HIP|ROCR|VLLM|NCCL|PYTORCH|HF_HUB|RAY|GLOO|OMP)_[A-Z0-9_]{2,60}\Z")
_DEVICES = re.compile(r"\bdriver:\s?nvidia\b[^}]{0,80}\bcount:\s?(\d{1,2})\b|\bcount:\s?(\d{1,2})\b[^}]{0,80}\bgpu\b")
_SHORT_KEYS = frozenset({"model", "dtype", "quantization"})
_IMAGE = re.compile(r"vllm[\w./-]*:v?(?!2\d\.\d\d)(\d+\.\d+[\w.]*)")  # NVIDIA's own images count by year and month
_SCALAR = re.compile(r"[^\s:{}\[\]&*|>][^:{}&*|>]{0,300}\Z")
_CAMEL = re.compile(r"(?<=[a-z0-9])([A-Z])")


def read(lines: Sequence[Line]) -> Evidence:
    """Return what a manifest, values file or configuration sets."""
    facts = list(_read_all(lines))
    return gather(facts, kinds=frozenset({"compose"})) if facts else Evidence()


def _read_all(lines: Sequence[Line]) -> Iterator[Fact]:
    launcher = _name_launcher(lines)
    environment: dict[str, str] = {}
    for place, line in enumerate(lines):
        found = _KEY.match(line.text) if _may_set(line) else None
        if not found:
            continue
        key, value = found["key"].strip("\"'"), strip_quotes(found["value"] or "")
        if key.lower() in _WORDS_KEYS:
            yield from _read_words(lines, place, found, launcher)
        elif _VARIABLE.match(key) and value:
            environment[key] = value
        elif key == "name" and (said := _value_below(lines, place)) is not None and value.isupper():
            environment[value] = said
        else:
            yield from _read_key(key, value, line)
            yield from _describe_keys(key, value, lines, place)
            yield from _count_devices(key, value, lines, place)
            if key in _SHORT_KEYS and value and _SCALAR.match(value) and _has_neighbour(lines, place):
                yield from _note_all(key, value, line)
    yield from _read_environment(environment, lines)


def _may_set(line: Line) -> bool:
    """Return whether a line may be a key with its value: no log line, no remark."""
    is_remark = line.text.lstrip().startswith("#")
    return ":" in line.text and not (is_remark or line.level or line.process) and len(line.text) <= 4_000


def _has_neighbour(lines: Sequence[Line], place: int) -> bool:
    """Return whether an engine argument stands near at the same depth, so that a word such as "dtype" is one too."""
    depth = _depth(lines[place].text)
    near = [line.text for line in lines[max(0, place - 8) : place + 9] if _depth(line.text) == depth]
    keys = [_snake(found["key"].strip("\"'")) for text in near if (found := _KEY.match(text))]
    return any("_" in key and is_known(key) for key in keys)


def _name_launcher(lines: Sequence[Line]) -> str:
    is_kubernetes = any(
        word in line.text for line in lines for word in ("apiVersion:", "nvidia.com/gpu", "containers:", "Containers:")
    )
    return "kubernetes" if is_kubernetes else "compose"


def _read_key(key: str, value: str, line: Line) -> Iterator[Fact]:
    """Read `tensor-parallel-size: 2`, `maxModelLen: 4096`, `nvidia.com/gpu: 2` and their kin."""
    plain = key.lower()
    if plain in _GPU_KEYS and value.isdigit() and 0 < int(value[:4]) <= 64:
        yield note("gpu_count", int(value[:4]), line, Origin.PASTED)
    elif plain in _CARD_KEYS and (counted := _COUNTED_CARD.match(value)):
        yield note("gpu", counted[1], line, Origin.PASTED)
        yield note("gpu_count", int(counted[2]), line, Origin.PASTED)
    elif plain in _CARD_KEYS and _SCALAR.match(value):
        yield note("gpu", value, line, Origin.PASTED)
    elif plain in _MODEL_KEYS and not (plain == "model_id" and "/" not in value):
        yield from _note_all("model", value.removeprefix("hf://"), line)
    elif plain == "image" and (found := _IMAGE.search(value)):
        yield from _note_all("version", found[1], line)
    elif _is_setting(key, value):
        yield from _note_all(_snake(key), value, line)


def _count_devices(key: str, value: str, lines: Sequence[Line], place: int) -> Iterator[Fact]:
    """Read `count: 2` and `device_ids: ["0", "1"]` of a compose file's GPU reservation."""
    if found := _DEVICES.search(value):
        yield note("gpu_count", int(found[1] or found[2]), lines[place], Origin.PASTED)
    if key not in {"count", "device_ids"}:
        return
    is_gpu = any("nvidia" in line.text or "gpu" in line.text for line in lines[max(0, place - 4) : place + 5])
    count = (
        int(value)
        if key == "count" and value.isdigit() and len(value) < 3
        else value.count(",") + 1
        if value.startswith("[")
        else 0
    )
    if is_gpu and count:
        yield note("gpu_count", count, lines[place], Origin.PASTED)


def _is_setting(key: str, value: str) -> bool:
    """Return whether a key is an engine argument by itself; "model:" in a sentence is not."""
    snake = _snake(key)
    is_named = "_" in snake and sets_facts(snake)
    is_model = snake == "model" and "/" in value
    return bool(value) and (is_named or is_model) and (bool(_SCALAR.match(value)) or value[:1] in "{[")


def _snake(key: str) -> str:
    return full_name(_CAMEL.sub(r"_\1", key))


def _note_all(name: str, raw: str, line: Line) -> Iterator[Fact]:
    for fact, value in read_argument(name, raw).items():
        yield note(fact, value, line, Origin.PASTED)


def _describe_keys(key: str, value: str, lines: Sequence[Line], place: int) -> Iterator[Fact]:
    """Yield under which key settings stand, each by its name, and in which spelling."""
    if not _is_setting(key, value):
        return
    depth = _depth(lines[place].text)
    above = (line.text for line in reversed(lines[max(0, place - MOST_ITEMS) : place]) if _depth(line.text) < depth)
    parent = _KEY.match(next(above, ""))
    name = parent["key"].strip("\"'") if parent else ""
    if name.lower() in _SETTINGS_KEYS:
        style = "camel" if name == "vllmConfig" or re.search(r"[a-z][A-Z]", key) else "kebab" if "-" in key else "snake"
        file = Manifest("json-keys" if parent and parent["key"][:1] == '"' else "keys", name, style)
        yield note("manifest", file, lines[place], Origin.PASTED)


def _read_words(lines: Sequence[Line], place: int, found: re.Match[str], launcher: str) -> Iterator[Fact]:
    """Read a list of arguments: on the line, as items below it, or as a block of text."""
    line, value, key = lines[place], found["value"] or "", found["key"].strip("\"'")
    if found["key"] != key and value.startswith("["):  # of JSON, whose lists are read by their brackets
        return
    below = [] if value and value[0] not in "|>" else _lines_below(lines, place)
    items = split_inline(value, line) if value and not below else []
    for part in below:
        item = _ITEM.match(part.text)
        words = [Word.of(strip_quotes(item["value"]), part)] if item else split_words([part])
        items += [each for word in words for each in split_shell(word)]
    words = without_shell(items[:MOST_ITEMS])
    if any(word.text.startswith("-") for word in words):
        yield from read_listed(words, launcher, line, Manifest("list", key), is_parted=key == "args")


def _lines_below(lines: Sequence[Line], place: int) -> list[Line]:
    """Return the lines that belong to the key at `place`: deeper ones, and items at its own depth."""
    depth = _depth(lines[place].text)
    below: list[Line] = []
    for line in lines[place + 1 : place + MOST_ITEMS]:
        if not line.text.strip() or line.text.lstrip().startswith("#"):
            continue
        own = _depth(line.text)
        if own < depth or (own == depth and not line.text.lstrip().startswith("- ")):
            break
        below.append(line)
    return below


def _depth(text: str) -> int:
    return len(text) - len(text.lstrip(" \t"))


def _value_below(lines: Sequence[Line], place: int) -> str | None:
    """Return the value of a Kubernetes variable whose name stands at `place`."""
    below = (line.text.strip() for line in lines[place + 1 : place + 4])
    following = next(filter(None, below), "")
    return strip_quotes(following.partition(":")[2]) if following.startswith("value:") else None


def _read_environment(environment: dict[str, str], lines: Sequence[Line]) -> Iterator[Fact]:
    if not environment:
        return
    line = next((line for line in lines if next(iter(environment)) in line.text), lines[0])
    yield note("environment", tuple(sorted(environment.items())), line, Origin.PASTED)
    for name, value in environment.items():
        if name.startswith("VLLM_"):
            yield from _note_all(name, value, line)
