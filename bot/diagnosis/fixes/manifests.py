"""Settings as a file of a deployment has them: a list of arguments, or one key for each."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from bot.catalog.flags import Flags
from bot.deployment import Deployment, Manifest, Speculation
from bot.diagnosis.fixes.arguments import FLAG, arguments
from bot.diagnosis.fixes.spelling import AUTO_LENGTH, drafting, write
from bot.reading.commands.shell import join_written, quote_word, scan_words

_NO_FLAGS = Flags.of(())
_PLAIN = re.compile(r"(?![-?:]\s)[\w./$@%+=,{}()~-][\w./@%+=,:${}()~^-]*\Z")
_LOOKS_OTHERWISE = re.compile(r"[\d.eE+_-]+\Z|(?i:true|false|yes|no|on|off|null|~)\Z|[{}\[\]]")
_CAMEL = frozenset(
    {"maxModelLen", "dtype", "tensorParallelSize", "maxNumSeqs", "maxLoras", "gpuMemoryUtilization", "enableChunkedPrefill", "enablePrefixCaching"}
)  # fmt: skip
"""Settings that the Helm chart of vLLM's production stack has a key for. Source: its helm/README.md."""

_MODEL_KEYS = {"vllmConfig": "modelURL", "engine_kwargs": "model_source"}


class Form(NamedTuple):
    """How a file has the words of a command, and variables beside them."""

    words: Callable[[str, Sequence[str], Flags], str]
    variables: Callable[[Sequence[tuple[str, str]]], str]


def words_in(file: Manifest, words: Sequence[str], flags: Flags = _NO_FLAGS) -> str:
    """Return the words of a command, as a shell has them written, as they stand in a file.

    >>> words_in(Manifest("assigned", "args"), ["--model", "'a b'"])
    'args = ["--model", "a b"]'
    """
    return FORMS[file.style].words(file.key, words, flags)


def variables_in(file: Manifest, launcher: str | None, settings: Sequence[str]) -> str:
    """Return variables as the same file has them; a list of Kubernetes has other ones than that of docker compose.

    >>> print(variables_in(Manifest("list", "args"), "compose", ["A=1"]))
    environment:
      A: '1'
    """
    pairs = [(name, _passed(value)) for name, _, value in (word.partition("=") for word in settings)]
    if not pairs:
        return ""
    return (
        _of_kubernetes(pairs)
        if (file.style, launcher) == ("list", "kubernetes")
        else FORMS[file.style].variables(pairs)
    )


def _list(key: str, words: Sequence[str], flags: Flags) -> str:
    items = [item for taken in arguments(words, flags) for item in _items(taken)]
    return "\n".join([f"{key}:", *(f"  - {_scalar(item)}" for item in items)])


def _json(words: Sequence[str]) -> str:
    return json.dumps([_passed(word) for word in words], ensure_ascii=False)


def _of_compose(pairs: Sequence[tuple[str, str]]) -> str:
    return "\n".join(["environment:", *(f"  {name}: {_scalar(value)}" for name, value in pairs)])


def _of_kubernetes(pairs: Sequence[tuple[str, str]]) -> str:
    return "\n".join(["env:", *(f"  - name: {name}\n    value: {_scalar(value)}" for name, value in pairs)])


def _of_json(pairs: Sequence[tuple[str, str]]) -> str:
    return f'"environment": {json.dumps([{"name": name, "value": value} for name, value in pairs])},'


def _of_dockerfile(pairs: Sequence[tuple[str, str]]) -> str:
    return "\n".join(f"ENV {name}={quote_word(value)}" for name, value in pairs)


def _of_systemd(pairs: Sequence[tuple[str, str]]) -> str:
    return "\n".join(f"Environment={name}={quote_word(value)}" for name, value in pairs)


def _of_any(pairs: Sequence[tuple[str, str]]) -> str:
    return "\n".join(f"# in its environment: {name}={quote_word(value)}" for name, value in pairs)


def _instruction(key: str, words: Sequence[str], _flags: Flags) -> str:
    return f"{key} {_json(words)}"


def _assignment(key: str, words: Sequence[str], _flags: Flags) -> str:
    return f"{key} = {_json(words)}"


def _member(key: str, words: Sequence[str], _flags: Flags) -> str:
    return f'"{key}": {_json(words)}'


def _line(key: str, words: Sequence[str], _flags: Flags) -> str:
    return key + join_written(words)


FORMS: Mapping[str, Form] = {
    "list": Form(_list, _of_compose),  # YAML
    "array": Form(_instruction, _of_dockerfile),
    "assigned": Form(_assignment, _of_any),  # HCL, TOML, Python
    "json": Form(_member, _of_json),
    "line": Form(_line, _of_systemd),  # and supervisord
}
"""Source of variables: docker compose, Kubernetes, Dockerfile, Amazon ECS task definitions, systemd.exec(5)."""


def settings_of(deployment: Deployment, flags: Flags, changed: Sequence[str]) -> str:
    """Return the lines of a file that change, each with its key in that file's spelling; one that is to go is null."""
    style, key, spelling, _ = deployment.manifest
    beside, inside, apart = dict[str, Any](), dict[str, Any](), list[str]()
    for name in changed:
        flag = flags.for_fact("max_model_len" if name == AUTO_LENGTH else name, deployment.vllm_version)
        value = -1 if name == AUTO_LENGTH else getattr(deployment, name, None)
        if name == "model":
            beside[_MODEL_KEYS.get(key, "model")] = str(value)
        elif flag and not (name in {"max_model_len", AUTO_LENGTH} and not value):
            opposite = flag.sets == "false" and isinstance(value, bool)
            spelt, said = _spelt(flag.name, spelling), not value if opposite else value
            if spelling == "camel" and spelt not in _CAMEL:
                apart.append(f"{flag.name}={_value(said)}")
            else:
                inside[spelt] = said
    return _as_json(key, beside, inside, apart) if style == "json-keys" else _as_yaml(key, beside, inside, apart)


def _as_yaml(key: str, beside: Mapping[str, Any], inside: Mapping[str, Any], apart: Sequence[str]) -> str:
    lines = [*(f"{name}: {_scalar(value)}" for name, value in beside.items()), f"{key}:"]
    lines += [f"  {name}: {_value(value)}" for name, value in inside.items()]
    further = ["  extraArgs:  # beside those that it has", *(f"    - {said}" for said in apart)] if apart else []
    return "\n".join([*lines, *further])


def _as_json(key: str, beside: Mapping[str, Any], inside: Mapping[str, Any], apart: Sequence[str]) -> str:
    """Return the same in JSON, where nothing can be remarked: arguments of its own come in a list beside those it has."""
    values = {
        name: json.loads(_value(value)) if not isinstance(value, str) else value for name, value in inside.items()
    }
    held = {**beside, key: {**values, **({"extraArgs": list(apart)} if apart else {})}}
    return "\n".join(line.removeprefix("  ") for line in json.dumps(held, indent=2).splitlines()[1:-1])


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
