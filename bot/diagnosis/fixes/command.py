"""The command that starts a deployment, as it was launched, in the spelling of its version; never with a secret."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bot.catalog.flags import Flags
from bot.deployment import Deployment
from bot.diagnosis.fixes.arguments import FLAG, arguments, without_settings
from bot.diagnosis.fixes.assumed import untold
from bot.diagnosis.fixes.fresh import fresh_call, fresh_command
from bot.diagnosis.fixes.manifests import settings_of, words_in
from bot.diagnosis.fixes.spelling import AUTO_LENGTH, SETTING, said, without_secret
from bot.diagnosis.fixes.wrapping import wrapped
from bot.facts import FACTS
from bot.reading.commands.argument_list import first_argument
from bot.reading.commands.arguments import ARGUMENTS, full_name
from bot.reading.commands.shell import is_operator, join_written, quote_word, written_words

_NAMES_MODEL = frozenset({"--model", "--model_id", "--model-id"})


def command_line(deployment: Deployment, flags: Flags, changed: Iterable[str] = ()) -> str:
    """Return the command that starts `deployment`.

    Args:
        deployment: What is to be started.
        flags: The flags of every version.
        changed: Facts that differ from the command as it was launched; they are said even where they are defaults.
    """
    names = [name for name in FACTS if name in set(changed)]
    if deployment.launcher == "python" and not deployment.command:
        return fresh_call(deployment, flags, names)
    if deployment.manifest.is_file:
        return _in_manifest(deployment, flags, names)
    if deployment.command:
        return wrapped(join_written(_relaunch(deployment, flags, names)), deployment, flags)
    return " ".join(map(quote_word, fresh_command(deployment, flags, names)))


def _in_manifest(deployment: Deployment, flags: Flags, names: Sequence[str]) -> str:
    """Return what is to stand in the file: the list of arguments, or the settings that change."""
    file = deployment.manifest
    if not file.is_list:
        return settings_of(deployment, flags, names)
    launched, _ = _launched(deployment)
    is_elsewhere = "model" in names and not _names_model(launched)
    kept = [name for name in names if not (is_elsewhere and name == "model")]
    words = _relaunch(deployment, flags, kept, may_move=False)
    head = f"# the model: {deployment.model}\n" if is_elsewhere else ""
    if file.style == "line":
        words = [wrapped(join_written(words), deployment, flags)]
    inside = words if file.is_whole or file.style == "line" else words[first_argument(words) :]
    return head + words_in(file, inside, flags)


def _names_model(words: Sequence[str]) -> bool:
    own = first_argument(words)
    is_first = any(not FLAG.match(word) for word in words[own : own + 1])
    return is_first or any(word.partition("=")[0] in _NAMES_MODEL for word in words[own:])


def _launched(deployment: Deployment) -> tuple[list[str], list[str]]:
    """Return the words of the command as it was pasted, up to the first pipe or redirection, and those from there on."""
    words = written_words(deployment.command or "")
    own = first_argument(words) if first_argument(words) < len(words) else 1
    end = next((place for place, word in enumerate(words) if place >= own and is_operator(word)), len(words))
    return words[:end], words[end:]


def _relaunch(deployment: Deployment, flags: Flags, changed: Sequence[str], *, may_move: bool = True) -> list[str]:
    """Return the pasted command with the changed facts in place of the old ones, everything else kept as it was written."""
    # The model is kept for _with_model to replace: with its --model gone the next flag would stand behind `serve`.
    gone = {"max_model_len" if name == AUTO_LENGTH else name for name in changed if name != "model"}
    launched, tail = _launched(deployment)
    told = {fact for taken in arguments(launched, flags) for fact in _facts_of(taken, flags)}
    words = list(_kept(launched, deployment, flags, gone))
    words = _model_first(words, flags) if may_move else words
    if "model" in changed and deployment.model:
        words = _with_model(words, quote_word(deployment.model))
    has_file = any(word.partition("=")[0] == "--config" for word in launched)  # which may tell the others
    names = {*changed, *(() if has_file else untold(deployment, told | gone))} - {"model"}
    further = said(deployment, flags, [name for name in FACTS if name in names])
    return [*words, *map(quote_word, further), *tail]


def _kept(words: Sequence[str], deployment: Deployment, flags: Flags, gone: set[str]) -> Iterator[str]:
    """Yield the words that stay: those before vLLM's own arguments are another program's, as docker's --device is."""
    own, place = first_argument(words), 0
    for taken in arguments(words, flags):
        is_own = place >= own
        flag = flags.by_name(taken[0]) if FLAG.match(taken[0]) else None
        is_absent = is_own and flag is not None and flag.exists_in(deployment.vllm_version) is False
        if not (is_absent or _facts_of(taken, flags) & gone):
            kept = without_settings(taken, gone)
            yield from without_secret(kept) if kept else ()
        place += len(taken)


def _facts_of(taken: Sequence[str], flags: Flags) -> frozenset[str]:
    """Return the facts that a flag sets, or a variable before the program or behind docker's -e."""
    variable = SETTING.match(taken[-1]) if len(taken) == 1 or taken[0] in {"-e", "--env"} else None
    if variable is None and not FLAG.match(taken[0]):
        return frozenset()
    name = variable[1] if variable else taken[0].partition("=")[0]
    row = flags.by_name(name)
    by_name = () if variable else ARGUMENTS.get(full_name(name), ())
    return frozenset({fact for fact, _ in by_name} | ({row.fact} if row and row.fact else set()))


def _model_first(words: list[str], flags: Flags) -> list[str]:
    """Return `vllm serve` with its model right behind it: some versions refuse one behind --model there."""
    own = first_argument(words)
    if words[own - 1 : own] != ["serve"] or not FLAG.match("".join(words[own : own + 1])):
        return words
    parts = list(arguments(words[own:], flags))
    named = [part for part in parts if part[0].partition("=")[0] == "--model" and "=".join(part).count("=")]
    bare = [part for part in parts if not FLAG.match(part[0])]
    chosen = named[:1] or (bare if len(bare) == 1 else [])
    model = ["=".join(chosen[0]).removeprefix("--model=")] if chosen else []
    return [*words[:own], *model, *(word for part in parts if part not in chosen for word in part)]


def _with_model(words: list[str], model: str) -> list[str]:
    for place, word in enumerate(words):
        name, equals, _ = word.partition("=")
        if name in _NAMES_MODEL and equals:
            return [*words[:place], f"{name}={model}", *words[place + 1 :]]
        if word in _NAMES_MODEL and place + 1 < len(words):
            return [*words[: place + 1], model, *words[place + 2 :]]
    for place, word in enumerate(words[:-1]):
        if word == "serve":
            after = place + 1 if FLAG.match(words[place + 1]) else place + 2
            return [*words[: place + 1], model, *words[after:]]
    return [*words, "--model", model]
