"""A new command for a deployment that was described and not launched, in the spelling of its version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from bot.catalog.flags import Flags
from bot.catalog.versions import Versions
from bot.deployment import Deployment, Speculation, VllmVersion, read_version
from bot.diagnosis.fixes.arguments import arguments
from bot.diagnosis.fixes.spelling import drafting, said, said_before, without_secret, write
from bot.facts import FACTS
from bot.reading.argument_values import read_structure
from bot.reading.commands.arguments import read_argument
from bot.sizing.eras import engine_of, release_of

SERVE = Versions(since=read_version("0.5.2"))
"""The releases that have `vllm serve`. Source: vLLM's scripts.py, which came with 0.5.2."""

ENGINE_FLAG = "VLLM_USE_V1"
_NEVER_SAID = frozenset(
    {"model", "engine", "environment", "other_arguments", "command", "wrappers", "manifest", "launcher"}
)


def fresh_command(deployment: Deployment, flags: Flags, changed: Sequence[str]) -> list[str]:
    """Return the words of a new command: variables, the model, and what was stated.

    Args:
        deployment: What is to be started.
        flags: The flags of every version.
        changed: Facts that are said even where they are defaults.
    """
    set_before = (
        flags.by_name(name) for name, _ in deployment.environment if _counts(name, deployment, flags, changed)
    )
    told = {row.fact for row in set_before if row} | _told(deployment, flags)
    names = [name for name in _names(deployment, changed) if name in changed or name not in told]
    arguments_ = [*said(deployment, flags, names), *deployment.other_arguments]
    return [
        *_environment(deployment, flags, names, changed),
        *serving(_named(deployment.model), deployment.vllm_version),
        *(word for taken in arguments(arguments_, flags) for word in without_secret(taken)),
    ]


def _told(deployment: Deployment, flags: Flags) -> set[str]:
    """Return the facts that are set by what is kept word for word: `--compilation-config '{"cudagraph_mode": "NONE"}'`."""
    kept = (taken for taken in arguments(deployment.other_arguments, flags))
    pairs = (taken if len(taken) == 2 else taken[0].partition("=")[::2] for taken in kept)
    return {fact for name, value in pairs for fact in read_argument(name, value)}


def serving(model: str, version: VllmVersion | None) -> list[str]:
    """Return the words that start a server for `model` in that version, before its flags.

    >>> serving("org/m", read_version("0.4.2"))
    ['python', '-m', 'vllm.entrypoints.openai.api_server', '--model', 'org/m']
    """
    if SERVE.include(version) is False:
        return ["python", "-m", "vllm.entrypoints.openai.api_server", "--model", model]
    return ["vllm", "serve", model]


def _named(model: str | None) -> str:
    """Return the model as a command can have it: "phi-4 awq" says what is meant and names no checkpoint."""
    return "MODEL" if model is None or (" " in model and "/" not in model) else model


def _names(deployment: Deployment, changed: Sequence[str]) -> list[str]:
    return [name for name in FACTS if name != "model" and (name in changed or _is_stated(deployment, name))]


def _is_stated(deployment: Deployment, name: str) -> bool:
    return name not in _NEVER_SAID and name in Deployment.model_fields and getattr(deployment, name) is not None


def _environment(deployment: Deployment, flags: Flags, names: Sequence[str], changed: Sequence[str]) -> Iterator[str]:
    """Yield the variables before the program: those that were set and still count, and what has no flag."""
    kept = [pair for pair in deployment.environment if _counts(pair[0], deployment, flags, changed)]
    yield from (word for name, value in kept for word in without_secret([f"{name}={value}"]))
    told = {name for name, _ in kept}
    yield from (word for word in said_before(deployment, flags, names) if word.partition("=")[0] not in told)
    if ENGINE_FLAG not in told and _is_chosen(deployment, flags):
        yield f"{ENGINE_FLAG}={int(deployment.engine == 'V1')}"


def _counts(variable: str, deployment: Deployment, flags: Flags, changed: Sequence[str]) -> bool:
    row = flags.by_name(variable)
    return row is None or (row.exists_in(deployment.vllm_version) is not False and row.fact not in changed)


def _is_chosen(deployment: Deployment, flags: Flags) -> bool:
    """Return whether the engine is named, and not the one that the version runs by itself or must run."""
    version, row = deployment.vllm_version, flags.by_name(ENGINE_FLAG)
    if deployment.engine is None or row is None or row.exists_in(version) is False:
        return False
    return version is None or engine_of(release_of(version)) != deployment.engine


_NESTING = frozenset({"vllm_kwargs"})
"""Arguments of a constructor that hold the engine's."""

_OF_LANGCHAIN = frozenset({"model", "tensor_parallel_size", "trust_remote_code", "dtype", "download_dir"})
"""What LangChain's VLLM takes itself. Source: langchain_community `llms/vllm.py`."""


def fresh_call(deployment: Deployment, flags: Flags, changed: Sequence[str]) -> str:
    """Return the `LLM(…)` call of a deployment that was started from Python, what it had besides kept."""
    others = [word for taken in deployment.other_arguments for word in without_secret([taken])]
    kept = {_keyword(name): value for name, _, value in (word.partition("=") for word in others) if name and value}
    told = {fact for name, value in kept.items() for fact in read_argument(name, value)} - {*changed}
    parts = {"model": repr(deployment.model)} if deployment.model else {}
    parts |= {name: _unquoted(value) for name, value in kept.items() if name == "model" and name not in changed}
    for name in _names(deployment, changed):
        flag, value = flags.for_fact(name, deployment.vllm_version), getattr(deployment, name, None)
        if flag and value is not None and name not in told:
            parts[_keyword(flag.name)] = _literal(not value if flag.sets == "false" else value)
    parts |= {"max_model_len": "-1"} if deployment.auto_max_model_len else {}
    parts = _with_nested(parts, kept)
    parts = {**parts, **{name: _unquoted(value) for name, value in kept.items() if name not in parts}}
    called = deployment.manifest.key if deployment.manifest.style == "call" else "LLM"
    if called.endswith("=dict") and "model" not in changed:  # which is named beside these settings
        parts.pop("model", None)
    return f"{called}({', '.join(f'{name}={value}' for name, value in parts.items())})"


def _with_nested(parts: Mapping[str, str], kept: Mapping[str, str]) -> dict[str, str]:
    """Return the arguments with those of the engine where a constructor of LangChain takes them: within another one."""
    name = next((name for name in kept if name in _NESTING), "")
    said = read_structure(kept.get(name, ""))
    if not isinstance(said, dict):
        return dict(parts)
    inside = {str(key): repr(value) for key, value in cast("dict[object, object]", said).items()}
    inside |= {key: value for key, value in parts.items() if key not in _OF_LANGCHAIN}
    pairs = ", ".join(f"{key!r}: {value}" for key, value in inside.items())
    return {**{key: value for key, value in parts.items() if key not in inside}, name: f"{{{pairs}}}"}


def _keyword(flag: str) -> str:
    return flag.removeprefix("--").replace("-", "_")


def _unquoted(value: str) -> str:
    """Return a value as a program has it: `$NAME` stands for a name of its own."""
    return value.removeprefix("$")


def _literal(value: Any) -> str:
    if isinstance(value, Speculation):
        return repr(drafting(value))
    return write(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else repr(value)
