"""How a version spells a setting: as a flag, or as a variable where it has no flag; never with a secret."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from bot.catalog.flags import Flag, Flags
from bot.catalog.versions import Versions
from bot.deployment import Deployment, Speculation, read_version
from bot.sizing.eras import release_of
from bot.sizing.graph_modes import NONE, usual_mode
from bot.sizing.version_prior import likely_version
from bot.units import Bytes

AUTO_LENGTH = "auto_max_model_len"
SETTING = re.compile(r"([A-Za-z_]\w*)=")
MODES = Versions(since=read_version("0.10.1"))
"""The releases that take `cudagraph_mode`. Source: vLLM 0.10.1 `config/compilation.py`."""

_COMPILATION_MODES = Versions(since=read_version("0.11.1"))
"""The releases that call a level of compiling a mode. Source: vLLM 0.11.1 `config/compilation.py`."""

_SECRET = re.compile(
    r"""token(?![a-z])                       # a token; not the count of --max-num-batched-tokens, nor --tokenizer
      | secret | passw | credential
      | (?:api|access|private)[-_]?key | \bkey\b""",
    re.VERBOSE | re.IGNORECASE,
)
_HIDDEN = "YOUR_SECRET"
_REFERENCE = re.compile(
    r"([\"']?)(?:\$[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\}|\$\([^()]*\)|`[^`]*`)\1\Z"
)  # says where a secret is kept


def can_be_said(deployment: Deployment, flags: Flags, name: str) -> bool:
    """Return whether this version has a way to set that fact: on its command line or by a variable."""
    version = deployment.vllm_version
    return name in {"model", AUTO_LENGTH} or bool(flags.for_fact(name, version) or flags.variable_for(name, version))


def said(deployment: Deployment, flags: Flags, names: Iterable[str]) -> Iterator[str]:
    """Yield the flags of these facts, each with its value; what is unknown or has no flag in the version is left out."""
    together = dict[str, Any]()
    for name in names:
        flag = flags.for_fact(name, deployment.vllm_version)
        value = getattr(deployment, name, None)
        if name == AUTO_LENGTH:
            yield from ("--max-model-len", "-1") if deployment.auto_max_model_len else ()
        elif flag and value is not None:
            yield from _spell(flag, value)
        elif isinstance(value, Speculation):
            yield from _spell_apart(value)
        elif name == "optimization_level" and value is not None:
            yield f"-O{value}"
        elif value is not None:
            together |= _compiling(name, deployment)
    if together:  # of two of this argument vLLM hears the last
        yield from ("--compilation-config", json.dumps(together))


def said_before(deployment: Deployment, flags: Flags, names: Iterable[str]) -> Iterator[str]:
    """Yield `NAME=value` for each of these facts that the version takes from a variable alone."""
    for name in names:
        value, version = getattr(deployment, name, None), deployment.vllm_version
        variable = None if flags.for_fact(name, version) else flags.variable_for(name, version)
        if variable and value is not None:
            yield f"{variable.name}={write(value)}"


def write(value: Any) -> str:
    """Return a value as a command line has it."""
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".")
    if isinstance(value, Bytes) and value % Bytes.gib(1) == 0:
        return f"{value // Bytes.gib(1)}G"  # a capital letter is binary. Source: vLLM arg_utils.py, human_readable_int
    if isinstance(value, Speculation):
        return json.dumps(drafting(value))
    return json.dumps(value) if isinstance(value, dict) else str(int(value)) if isinstance(value, int) else str(value)


def drafting(value: Speculation) -> dict[str, Any]:
    """Return speculative decoding as `--speculative-config` names its parts."""
    told = {"method": value.method, "model": value.model, "num_speculative_tokens": value.tokens}
    return {name: item for name, item in told.items() if item is not None}


def without_secret(words: Sequence[str]) -> Iterator[str]:
    """Yield a flag or variable and its value; a secret is replaced, and a variable of the shell that holds it is kept."""
    name, equals, value = words[0].partition("=")
    if len(words) == 2 and words[0] in {"-e", "--env"}:
        yield words[0]
        yield from without_secret(words[1:])
    elif _SECRET.search(name) and (equals or len(words) == 2) and not _REFERENCE.match(value or words[-1]):
        yield from (f"{name}={_HIDDEN}",) if equals else (name, _HIDDEN)
    else:
        yield from words


def _spell_apart(value: Speculation) -> Iterator[str]:
    """Yield speculative decoding as versions before --speculative-config take it."""
    drafts = value.model or ("[ngram]" if value.method == "ngram" else None)
    if drafts and value.tokens:
        yield from ("--speculative-model", drafts, "--num-speculative-tokens", str(value.tokens))


def _compiling(name: str, deployment: Deployment) -> dict[str, Any]:
    """Return a setting as the configuration of compiling has it; before graphs had modes they were on or off."""
    value, version = getattr(deployment, name), deployment.vllm_version
    if name == "compilation_mode":
        return {"level" if _COMPILATION_MODES.include(version) is False else "mode": value}
    if name == "cudagraph_capture_sizes":
        return {name: list(value)}
    if name != "cudagraph_mode" or deployment.enforce_eager or _is_usual(value.upper(), deployment):
        return {}
    if MODES.include(version) is not False:
        return {name: value.upper()}
    return {"use_cudagraph": False} if value.upper() == NONE else {}


def _is_usual(mode: str, deployment: Deployment) -> bool:
    """Return whether the release captures so of its own accord, as its log prints."""
    version = deployment.vllm_version or likely_version(deployment)[0]
    return mode == usual_mode(deployment.optimization_level, release_of(version))


def _spell(flag: Flag, value: Any) -> Iterator[str]:
    """Yield the words of one flag."""
    if isinstance(value, bool):
        means = flag.sets != "false"
        name = flag.name if value is means else flag.negation
        if name is not None:
            yield name
        return
    yield flag.name
    yield write(value)
