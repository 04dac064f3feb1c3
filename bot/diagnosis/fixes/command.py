"""The command that starts a deployment, as it was launched, in the spelling of its version; never with a secret."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from bot.catalog.flags import Flag, Flags
from bot.deployment import Deployment, Speculation
from bot.facts import FACTS
from bot.reading.commands.command import first_argument
from bot.reading.commands.shell import is_operator

_FLAG = re.compile(r"--?[A-Za-z]")
_SECRET = re.compile(
    r"""token(?![a-z])                       # a token; not the count of --max-num-batched-tokens, nor --tokenizer
      | secret | passw | credential
      | (?:api|access|private)[-_]?key | \bkey\b""",
    re.VERBOSE | re.IGNORECASE,
)
_SETTING = re.compile(r"[A-Za-z_]\w*=")
_HIDDEN = "YOUR_SECRET"
_SAID_OF_A_SWITCH = frozenset({"true", "false"})  # as versions took that had no --no-…
_AUTO_LENGTH = "auto_max_model_len"


def command_line(deployment: Deployment, flags: Flags, changed: Iterable[str] = ()) -> str:
    """Return the command that starts `deployment`.

    Args:
        deployment: What is to be started.
        flags: The flags of every version.
        changed: Facts that differ from the command as it was launched; they are said even where they are defaults.
    """
    names = [name for name in FACTS if name in set(changed)]
    if deployment.launcher == "python" and not _launched(deployment):
        return _python_call(deployment, flags, names)
    if _launched(deployment):
        return _join(_relaunch(deployment, flags, names))
    return _join(_fresh(deployment, flags, names))


def _join(words: Sequence[str]) -> str:
    """Return words as a shell reads them; a setting before the program keeps its name outside the quotes."""
    program = next((place for place, word in enumerate(words) if not _SETTING.match(word)), len(words))
    settings = (word.partition("=") for word in words[:program])
    return " ".join(
        [*(f"{name}={shlex.quote(value)}" for name, _, value in settings), *map(shlex.quote, words[program:])]
    )


def can_be_said(deployment: Deployment, flags: Flags, name: str) -> bool:
    """Return whether this version has a way to set that fact on its command line."""
    return name in {"model", _AUTO_LENGTH} or flags.for_fact(name, deployment.vllm_version) is not None


def _launched(deployment: Deployment) -> list[str]:
    """Return the words of the command as it was pasted, up to the first pipe or redirection."""
    if not deployment.command:
        return []
    try:
        words = shlex.split(deployment.command)
    except ValueError:
        words = deployment.command.split()
    end = next((place for place, word in enumerate(words) if place and is_operator(word)), len(words))
    return words[:end]


def _relaunch(deployment: Deployment, flags: Flags, changed: Sequence[str]) -> list[str]:
    """Return the pasted command with the changed facts in place of the old ones, everything else kept."""
    # The model is kept for _with_model to replace: with its --model gone the next flag would stand behind `serve`.
    gone = {"max_model_len" if name == _AUTO_LENGTH else name for name in changed if name != "model"}
    words = _model_first(list(_kept(_launched(deployment), deployment, flags, gone)), flags)
    if "model" in changed and deployment.model:
        words = _with_model(words, deployment.model)
    return [*words, *_said(deployment, flags, [name for name in changed if name != "model"])]


def _kept(words: Sequence[str], deployment: Deployment, flags: Flags, gone: set[str]) -> Iterator[str]:
    """Yield the words that stay: those before vLLM's own arguments are another program's, as docker's --device is."""
    own, place = first_argument(words), 0
    for taken in _arguments(words, flags):
        flag = flags.by_name(taken[0]) if _FLAG.match(taken[0]) else None
        is_absent = flag is not None and place >= own and flag.exists_in(deployment.vllm_version) is False
        if flag is None or not (flag.fact in gone or is_absent):
            yield from _without_secret(taken)
        place += len(taken)


def _arguments(words: Sequence[str], flags: Flags) -> Iterator[Sequence[str]]:
    """Yield each word, with its value where it is a flag that has one."""
    place = 0
    while place < len(words):
        taken = _argument(words, place, flags)
        yield taken
        place += len(taken)


def _argument(words: Sequence[str], place: int, flags: Flags) -> Sequence[str]:
    """Return the word at `place` with the value that follows it, when it is a flag that has one."""
    word, following = words[place], words[place + 1 : place + 2]
    if not _FLAG.match(word) or "=" in word or not following or _FLAG.match(following[0]):
        return [word]
    flag = flags.by_name(word)
    is_switch = flag is not None and flag.type == "switch" and following[0].lower() not in _SAID_OF_A_SWITCH
    return [word] if is_switch else [word, *following]


def _without_secret(words: Sequence[str]) -> Iterator[str]:
    name, equals, _ = words[0].partition("=")
    if len(words) == 2 and words[0] in {"-e", "--env"}:
        yield words[0]
        yield from _without_secret(words[1:])
    elif _SECRET.search(name) and (equals or len(words) == 2):
        yield from (f"{name}={_HIDDEN}",) if equals else (name, _HIDDEN)
    else:
        yield from words


def _model_first(words: list[str], flags: Flags) -> list[str]:
    """Return `vllm serve` with its model right behind it: some versions refuse one behind --model there."""
    own = first_argument(words)
    if words[own - 1 : own] != ["serve"] or not _FLAG.match("".join(words[own : own + 1])):
        return words
    parts = list(_arguments(words[own:], flags))
    named = [part for part in parts if part[0].partition("=")[0] == "--model" and "=".join(part).count("=")]
    bare = [part for part in parts if not _FLAG.match(part[0])]
    chosen = named[:1] or (bare if len(bare) == 1 else [])
    model = ["=".join(chosen[0]).removeprefix("--model=")] if chosen else []
    return [*words[:own], *model, *(word for part in parts if part not in chosen for word in part)]


def _with_model(words: list[str], model: str) -> list[str]:
    for place, word in enumerate(words):
        if word in {"serve", "--model"} and place + 1 < len(words):
            after = place + 1 if _FLAG.match(words[place + 1]) else place + 2
            return [*words[: place + 1], model, *words[after:]]
        if word.startswith("--model="):
            return [*words[:place], f"--model={model}", *words[place + 1 :]]
    return [*words, "--model", model]


def _fresh(deployment: Deployment, flags: Flags, changed: Sequence[str]) -> list[str]:
    """Return a new command: the model, and what was stated."""
    names = [name for name in FACTS if name in changed or (_is_launched_with(deployment, name) and name != "model")]
    arguments = [*_said(deployment, flags, [name for name in names if name != "model"]), *deployment.other_arguments]
    model = deployment.model or "MODEL"
    return [
        "vllm",
        "serve",
        model,
        *(word for taken in _arguments(arguments, flags) for word in _without_secret(taken)),
    ]


_NEVER_SAID = frozenset({"model", "engine", "environment", "other_arguments", "command", "launcher", "speculation"})


def _is_launched_with(deployment: Deployment, name: str) -> bool:
    return name not in _NEVER_SAID and name in Deployment.model_fields and getattr(deployment, name) is not None


def _said(deployment: Deployment, flags: Flags, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        if name == _AUTO_LENGTH:
            yield from ("--max-model-len", "-1") if deployment.auto_max_model_len else ()
            continue
        flag = flags.for_fact(name, deployment.vllm_version)
        value = getattr(deployment, name, None)
        if flag and value is not None:
            yield from _spell(flag, value)


def _spell(flag: Flag, value: Any) -> Iterator[str]:
    """Yield the words of one flag."""
    if isinstance(value, bool):
        means = flag.sets != "false"
        name = flag.name if value is means else flag.negation
        yield from (name,) if name else ()
        return
    yield flag.name
    yield _write(value)


def _write(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".")
    if isinstance(value, Speculation):
        return json.dumps(_speculation(value))
    return json.dumps(value) if isinstance(value, dict) else str(int(value)) if isinstance(value, int) else str(value)


def _speculation(value: Speculation) -> dict[str, Any]:
    told = {"method": value.method, "model": value.model, "num_speculative_tokens": value.tokens}
    return {name: item for name, item in told.items() if item is not None}


def _python_call(deployment: Deployment, flags: Flags, changed: Sequence[str]) -> str:
    """Return the `LLM(…)` call of a deployment that was started from Python."""
    names = [name for name in FACTS if name in changed or _is_launched_with(deployment, name)]
    arguments = [f"model={deployment.model!r}"] if deployment.model else []
    for name in names:
        flag = flags.for_fact(name, deployment.vllm_version)
        if flag and name != "model":
            keyword = flag.name.removeprefix("--").replace("-", "_")
            value = getattr(deployment, name)
            arguments.append(f"{keyword}={_literal(not value if flag.sets == 'false' else value)}")
    return f"LLM({', '.join(arguments)})"


def _literal(value: Any) -> str:
    if isinstance(value, Speculation):
        return repr(_speculation(value))
    return _write(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else repr(value)
