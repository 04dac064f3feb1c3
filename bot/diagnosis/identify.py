"""Which model and card it is: by the model's own config.json, by names in the catalogue, or by looking them up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from bot.catalog.alike import close_cards, close_models, told_apart, unlisted_letters
from bot.catalog.architectures import listed
from bot.catalog.gpu_rows import MEMORY
from bot.catalog.gpus import GpuMatch, cards, find_gpu
from bot.catalog.models import ModelMatch, find_model
from bot.catalog.siblings import gguf_repository, quantized_siblings
from bot.deployment import Deployment, Gpu
from bot.diagnosis.drafting import with_draft
from bot.diagnosis.gguf import USUAL, say_gguf
from bot.diagnosis.say_untold import Untold
from bot.evidence import Evidence
from bot.model_shape import ModelShape, Quantization
from bot.sizing.terms import Assumption
from bot.units import Bytes

LookUp: TypeAlias = Callable[[str], ModelShape | str | None]
"""Reads a model that the catalogue does not know: its shape, a sentence why not, or None where it is no name."""


_PRINTS = ("weights", "kv_available", "kv_needed", "concurrency_len")  # may decide what nobody stated
_UNLIKE = 1.3
"""Times as much memory as another card of its name, from which it is said which one was taken."""


class Identified(NamedTuple):
    """A shape, or a sentence why there is none; neither where nobody named a model."""

    shape: ModelShape | None = None
    sentence: str | None = None
    name: str | None = None  # what a command may call the model; None: only as it was said
    remark: str | None = None  # what the name was taken for


class Completed(NamedTuple):
    """A deployment with its model's shape and its card, and what must be said of them."""

    deployment: Deployment
    unknown: Mapping[str, str]  # by the fact: a sentence for the model or the card that nobody knows
    worked_out: tuple[Assumption, ...] = ()  # what the log decides that nobody stated
    by_figures: tuple[str, ...] = ()  # the facts of those that its figures decide


def with_catalogue(evidence: Evidence, look_up: LookUp | None = None) -> Completed:
    """Return the deployment that the evidence shows, with its model's shape, its card, and what its log decides.

    Among the sentences is, as `text`, what a name was taken for that has several meanings, how vLLM takes such a
    checkpoint, and what was worked out.
    """
    deployment, unknown, remarks = evidence.deployment(), dict[str, str](), list[str | None]()
    if deployment.shape is None:
        found = identify(deployment.model, evidence.config, look_up)
        if found.shape:
            deployment = deployment.with_(shape=found.shape, model=_as_vllm_wants(deployment.model, found.name))
            remarks += [found.remark, say_gguf(deployment.model, found.shape.quantization, deployment.vllm_version)]
        unknown |= {"model": found.sentence} if found.sentence else {}
    deployment, undrafted = with_draft(deployment, look_up)
    remarks.append(undrafted)
    match = GpuMatch()
    if deployment.card is None and (card := deployment.gpu):
        match = find_gpu(card, evidence.value("gpu_memory") or evidence.value("total"))
        deployment = _with_card(deployment, match)
        unknown |= {} if match.card else {"gpu": unknown_card(card)}
    told = _read_off(evidence, deployment, match.candidates)
    if told.deployment.card == deployment.card:
        remarks.append(_doubt(deployment.gpu or "", match))
    said = " ".join(filter(None, (*remarks, *told.remarks)))
    unknown |= {"text": said} if said else {}
    return Completed(told.deployment, unknown, told.assumptions, told.by_figures)


def _read_off(evidence: Evidence, deployment: Deployment, cards: Sequence[str]) -> Untold:
    """Return the deployment with what its log decides, if there is a log."""
    is_log = any(name in evidence.facts for name in _PRINTS) or any(line.process for line in evidence.lines)
    if deployment.shape is None or not is_log:
        return Untold(deployment)
    from bot.diagnosis.untold import work_out  # noqa: PLC0415  # what sizing by a description does without

    return work_out(evidence, deployment, cards)


def with_facts(deployment: Deployment, facts: Mapping[str, Any]) -> Deployment:
    """Return the deployment with other facts; a model or card among them comes with what the catalogue knows of it."""
    known = dict(facts)
    if "model" in facts:
        known["shape"] = identify(facts["model"], None).shape
    if "gpu" in facts:
        found = find_gpu(facts["gpu"])
        known |= {"card": found.card, "gpu_memory": None, "gpu_count": found.count or deployment.gpu_count}
    return deployment.with_(**known)


def _doubt(name: str, found: GpuMatch) -> str | None:
    """Say which of several unlike cards a name was taken for, or a name that no card has."""
    if found.card and (word := unlisted_letters(name)):
        return f"I know no {word!r}; I took it for the {found.card.name}."
    others = [row.card for row in cards() if row.card.name in found.candidates and _is_unlike(row.card, found.card)]
    if found.card is None or not others or (MEMORY.search(name) and not found.card.name.count(" MIG ")):
        return None
    least = min((card.memory for card in others if card.memory), default=None)
    missing = Bytes(found.card.memory - least) if least and found.card.memory else Bytes(0)
    less = f", with {missing} less for the KV cache" if missing > 0 else ""
    return f"I took {name!r} for the {found.card.name}; it may also be {told_apart(others)}{less}."


def _is_unlike(card: Gpu, taken: Gpu | None) -> bool:
    """Return whether a card of the same name has so much more or less memory that it must be said; or is a slice of another."""
    if taken is None or card.name == taken.name or not card.memory or not taken.memory:
        return False
    return " MIG " in card.name or not taken.memory / _UNLIKE < card.memory < taken.memory * _UNLIKE


def _as_vllm_wants(said: str | None, known_as: str | None) -> str | None:
    """Return a name that a command can use: the repository where a person only said "llama 3.1 8b"."""
    is_told = said and ("/" in said or said.endswith(".gguf"))
    return said if is_told and known_as != f"{said}:{USUAL}" else known_as or said


def _with_card(deployment: Deployment, found: GpuMatch) -> Deployment:
    if found.card is None:
        return deployment
    housed = found.count and found.count * (deployment.nodes or 1)
    count = housed if deployment.gpu_count is None else deployment.gpu_count
    return deployment.with_(card=found.card, gpu_count=count)


def identify(name: str | None, config: Mapping[str, Any] | None, look_up: LookUp | None = None) -> Identified:
    """Return the model's shape.

    A whole config.json outranks the name, which may be a base model's; a torn one serves where the name says nothing.
    """
    known = find_model(name) if name else ModelMatch()
    told = _told(config, name) if config else Identified()
    if known.shape and (told.shape is None or _is_torn(config) or _is_same(known.shape, told.shape)):
        named = (
            _catalogued(known)
            if name and "/" not in name
            else Identified(known.shape, name=_repository(name, known.shape))
        )
        return named._replace(remark=_namesakes(name or "", known))
    if told.shape or (told.sentence and not name):
        return told._replace(remark=_unlisted(told.shape))
    found = look_up(name) if look_up and name else None
    if isinstance(found, ModelShape):
        return Identified(found, name=found.name, remark=_unlisted(found))
    return Identified(sentence=told.sentence or _unknown(name, known, found) if name else None)


def _catalogued(known: ModelMatch) -> Identified:
    """Return the shape of a loosely named model; with a quantized ending it is the checkpoint of that kind, if one is known.

    The base model's own name would load the weights unquantized.
    """
    shape = known.shape
    if shape is None or known.how != "suffix" or shape.quantization is None:
        return Identified(shape, name=shape.name if shape else None)
    if shape.quantization.method == "gguf":
        return Identified(shape, name=_gguf_name(shape, shape.quantization))
    for sibling in quantized_siblings(shape.name):
        if sibling.quantization is not None and _kind(sibling.quantization) == _kind(shape.quantization):
            return Identified(sibling, name=sibling.name)
    return Identified(shape)


def _repository(name: str | None, shape: ModelShape) -> str:
    """Return the full name of a model; of a repository of GGUF files with the type that is counted."""
    is_open = (
        shape.quantization is not None and shape.quantization.method == "gguf" and not shape.quantization.algorithm
    )
    is_file = name is None or name.startswith(("/", ".", "~")) or name.lower().endswith(".gguf")
    return f"{name}:{USUAL}" if is_open and not is_file else shape.name


def _gguf_name(shape: ModelShape, quantization: Quantization) -> str:
    """Return the repository and type to load; where none is known, words that no command takes for a repository."""
    repository, kind = gguf_repository(shape.name), quantization.algorithm or USUAL
    return f"{repository}:{kind}" if repository else f"{shape.name.rpartition('/')[2]} GGUF {kind}"


def _namesakes(name: str, known: ModelMatch) -> str | None:
    """Say which of several repositories of one name was taken, where they store other weights."""
    if known.shape is None or not known.candidates:
        return None
    others = ", ".join(other for other in known.candidates if other != known.shape.name)
    return f"I took {name!r} for {known.shape.name}; others of that name store other weights: {others}."


def _unlisted(shape: ModelShape | None) -> str | None:
    """Say of a model that was read from its config alone that nobody knows how vLLM would run it."""
    if shape is None or shape.architecture is None or listed(shape.architecture):
        return None
    return (
        f"No release of vLLM that I know lists {shape.architecture}: I sized it by the numbers in its config, as the "
        "usual model of such numbers; its weights and cache may be others."
    )


def _kind(quantization: Quantization) -> tuple[str, float | None, int | None]:
    return quantization.method, quantization.bits, quantization.group_size


def _told(config: Mapping[str, Any] | None, name: str | None) -> Identified:
    from bot.catalog.config.read_config import UnreadableConfigError, read_config  # noqa: PLC0415  # rarely pasted

    try:
        second = (config or {}).get("hf_quant_config")  # ModelOpt's second file, where somebody put it in
        return Identified(read_config(config or {}, second if isinstance(second, dict) else None, name))
    except UnreadableConfigError as error:
        return Identified(sentence=f"The config.json cannot be used: {error}")


def _is_torn(config: Mapping[str, Any] | None) -> bool:
    """A whole config names its architectures in a list; of a torn one only single values were read."""
    return not any(isinstance(value, (list, dict)) for value in (config or {}).values())


def _is_same(one: ModelShape, other: ModelShape) -> bool:
    """The catalogue knows more of a model than its config tells: sizes of files, and what was measured."""
    return _traits(one) == _traits(other)


def _traits(shape: ModelShape) -> tuple[Any, ...]:
    method = shape.quantization.method if shape.quantization else None
    return (shape.hidden, shape.layers, shape.heads, shape.kv_heads, shape.vocab, shape.max_position, method)


def _unknown(name: str, known: ModelMatch, found: str | None) -> str:
    if len(known.candidates) > 1:
        return f"{name!r} may be several models."
    if found:
        return f"I do not know the model {name!r}. {found}"
    close = known.candidates or close_models(name)
    hint = f"Did you mean {', '.join(close)}? Else give" if close else "Give"
    return f"I do not know the model {name!r}. {hint} me its config.json, or its full name on the hub."


def unknown_card(name: str) -> str:
    """Say that nobody knows a card, and which ones are spelt like it."""
    close = close_cards(name)
    named = "name it as `nvidia-smi -L` does, such as L40S or A100-80GB, or give its memory, such as 80GB."
    hint = f"did you mean {', '.join(close)}?" if close else named
    return f"I do not know the GPU {name!r}; {hint}"
