"""Settings as a file of a deployment has them: a list of arguments, or one key for each."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from bot.catalog.flags import Flags
from bot.deployment import Deployment, Speculation
from bot.diagnosis.fixes.arguments import FLAG, arguments
from bot.diagnosis.fixes.spelling import AUTO_LENGTH, drafting, write
from bot.reading.commands.shell import scan_words

CALL = "call"
"""How a program has its settings: as the arguments of a constructor, which the manifest names."""

_NO_FLAGS = Flags.of(())
_PLAIN = re.compile(r"(?![-?:]\s)[\w./$@%+=,{}()~-][\w./@%+=,:${}()~^-]*\Z")
_LOOKS_OTHERWISE = re.compile(r"[\d.eE+_-]+\Z|(?i:true|false|yes|no|on|off|null|~)\Z|[{}\[\]]")
_CAMEL = frozenset(
    {"maxModelLen", "dtype", "tensorParallelSize", "maxNumSeqs", "maxLoras", "gpuMemoryUtilization", "enableChunkedPrefill", "enablePrefixCaching"}
)  # fmt: skip
"""Settings that the Helm chart of vLLM's production stack has a key for. Source: its helm/README.md."""

_MODEL_KEYS = {"vllmConfig": "modelURL", "engine_kwargs": "model_source"}


def list_of(key: str, words: Sequence[str], flags: Flags = _NO_FLAGS) -> str:
    """Return a list of arguments in YAML.

    Args:
        key: What the list is called in the file.
        words: The arguments as a shell has them written.
        flags: The flags of every version.
    """
    items = [item for taken in arguments(words, flags) for item in _items(taken)]
    return "\n".join([f"{key}:", *(f"  - {_scalar(item)}" for item in items)])


def array_of(key: str, words: Sequence[str]) -> str:
    """Return an instruction of a Dockerfile with its words as JSON."""
    return f"{key} {json.dumps([_passed(word) for word in words])}"


def variables_of(form: str, settings: Sequence[str]) -> str:
    """Return variables as a file has them: docker compose by default, Kubernetes, or a Dockerfile ("array").

    >>> print(variables_of("compose", ["A=1"]))
    environment:
      A: '1'
    """
    pairs = [(name, _passed(value)) for name, _, value in (word.partition("=") for word in settings)]
    if form == "array":
        return "\n".join(f"ENV {word}" for word in settings)
    if form == "kubernetes":
        lines = [f"  - name: {name}\n    value: {_scalar(value)}" for name, value in pairs]
    else:
        lines = [f"  {name}: {_scalar(value)}" for name, value in pairs]
    return "\n".join([("env:" if form == "kubernetes" else "environment:"), *lines]) if lines else ""


def settings_of(deployment: Deployment, flags: Flags, changed: Sequence[str]) -> str:
    """Return the lines of a file that change, each with its key in that file's spelling; one that is to go is null."""
    _, key, style = deployment.manifest
    lines, apart = [f"{key}:"], list[str]()
    for name in changed:
        flag = flags.for_fact("max_model_len" if name == AUTO_LENGTH else name, deployment.vllm_version)
        value = -1 if name == AUTO_LENGTH else getattr(deployment, name, None)
        if name == "model":
            lines.insert(0, f"{_MODEL_KEYS.get(key, 'model')}: {_scalar(str(value))}")
        elif flag and not (name in {"max_model_len", AUTO_LENGTH} and not value):
            opposite = flag.sets == "false" and isinstance(value, bool)
            spelt, said = _spelt(flag.name, style), _value(not value if opposite else value)
            is_apart = style == "camel" and spelt not in _CAMEL
            apart += [f"    - {flag.name}={said}"] if is_apart else []
            lines += [] if is_apart else [f"  {spelt}: {said}"]
    return "\n".join([*lines, *(["  extraArgs:  # beside those that it has", *apart] if apart else [])])


def _items(taken: Sequence[str]) -> list[str]:
    """Return the items of one argument: a long flag and its value are one."""
    passed = [_passed(word) for word in taken]
    is_long = len(passed) == 2 and passed[0].startswith("--") and FLAG.match(passed[0])
    return ["=".join(passed)] if is_long else passed


def _passed(word: str) -> str:
    """Return a written word as a program is passed it."""
    return "".join(text for text, _, _ in scan_words(word))


def _scalar(text: str) -> str:
    """Return a text as YAML has it, in quotes where it would be read otherwise."""
    is_plain = _PLAIN.match(text) and not text.startswith(("- ", "{", "@", "%")) and not _LOOKS_OTHERWISE.match(text)
    return text if is_plain else "'" + text.replace("'", "''") + "'"


def _spelt(flag: str, style: str) -> str:
    words = flag.removeprefix("--").split("-")
    if style == "camel":
        return words[0] + "".join(word.capitalize() for word in words[1:])
    return ("-" if style == "kebab" else "_").join(words)


def _value(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, Speculation):
        return json.dumps(drafting(value))
    return write(value) if isinstance(value, (int, float, dict)) else _scalar(str(value))
