"""Which card a name means: nvidia-smi's, a shop's, a cloud's, or a few words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from bot.catalog.gpu_rows import MEMORY, Instance, Row, cards, instances, squeeze, squeeze_whole
from bot.catalog.stated_gpu import KEPT_BACK, capability_in, memory_in, printed_in, unlisted, without_printed
from bot.deployment import Gpu
from bot.units import Bytes

_COUNT = re.compile(r"(?:(?<![\w.])(\d{1,3})\s*[x×*]\s*(?=[a-z])|(?:[x×*]\s*(\d{1,3})\Z))", re.IGNORECASE)
_COUNT_WORD = re.compile(r"\A(one|two|three|four|six|eight|sixteen)\s+", re.IGNORECASE)
_COUNT_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "six": 6, "eight": 8, "sixteen": 16}
_MIG = re.compile(r"(?<!\w)(\d)g\.(\d+)gb(?:\+me(?:\.all)?|\+gfx)?", re.IGNORECASE)
# "A100-20C", "GRID A100D-20C"; "H100-2-20C" lies on a MIG slice.
_VGPU = re.compile(
    r"\A(?:vgpu )?(?:nvidia |grid )?(?P<card>[a-z]+\d+\w*?)(?:dx|xm|x|d|l)?-(?:\d-)?(?P<gib>\d{1,3})[cqab]\Z",
    re.IGNORECASE,
)
_BARE_MEMORY = re.compile(r"(?<=\d)-(16|24|32|40|48|64|80|94|96|141)\Z")  # "A100-80", as clouds and people write it
_CHIP = re.compile(r"\b(?:GA10\d|GH100|GB20[2-9]|AD10\d|TU1\d\d)\b", re.IGNORECASE)  # several cards have it
_WORD = re.compile(r"[A-Za-z]+|\d+")
_LONGEST = 200  # characters of a name that are looked at
_BRACKET = re.compile(r"\([^()]*\)")
_MODDED = 2.5  # times the usual memory at most: boards are rebuilt with twice of it, a GH200's "480GB" is the host's
_NEAR = 0.12  # nvidia-smi, torch and a shop count one card's memory within this share of each other


@dataclass(frozen=True)  # a tuple has a method `count` of its own
class GpuMatch:
    """What a name means: a card and how many, or several cards to choose from.

    Both `card` and `candidates` are set where the name fits cards of unequal memory and one is by far the usual.
    """

    card: Gpu | None = None
    count: int | None = None
    candidates: tuple[str, ...] = ()


@lru_cache(maxsize=4096)  # names are what people write, and a server never ends
def find_gpu(name: str, memory: Bytes | None = None) -> GpuMatch:
    """Return the card that a name means.

    Args:
        name: "NVIDIA H100 80GB HBM3", "4090", "4x A100 80GB", "g6.12xlarge", "H100 MIG 3g.40gb", "GRID A100-40C" …
        memory: One card's total, where something printed it; it decides between cards of one name.
    """
    text = " ".join(_CHIP.sub(" ", name[:_LONGEST]).replace("…", "...").split())
    machine = _find_instance(text)
    if machine and text.lower() in instances() and not any(text.lower() in row.prints for row in cards()):
        return GpuMatch(card=_named(machine.gpu), count=machine.gpus)
    plain = (
        text if _MIG.search(text) else _BARE_MEMORY.sub(r" \1GB", without_printed(_BRACKET.sub(" ", text)).strip(" ,;"))
    )
    count, plain = _take_count(plain)
    match = _find_beside(plain, memory, _stated_beside(text), count or 1) if squeeze(plain) else GpuMatch()
    if not _can_be(match.card, text) and (stated := unlisted(plain, text, memory)):
        match = GpuMatch(card=stated)
    if match.card is None and (aside := _BRACKET.search(text)):
        match = _find_any(aside[0].strip("()"), memory)
    if machine and match.card is None:
        match = GpuMatch(card=_named(machine.gpu))
    known = count if count is not None else machine.gpus if machine else None
    return replace(match, count=known)


def _can_be(card: Gpu | None, text: str) -> bool:
    """Return whether the card that a name was taken for is the one of this text: one of another capability is not."""
    stated = capability_in(text)
    return card is not None and (stated is None or card.compute_capability in {None, stated})


def _stated_beside(text: str) -> Bytes | None:
    """Return the memory that stands in brackets, or anywhere in mebibytes; a partition of a card has its own."""
    if _MIG.search(text):
        return None
    beside = " ".join(word for word in " ".join(_BRACKET.findall(text)).split() if not _is_machine(word))
    return memory_in(beside) or printed_in(text)


def _is_machine(word: str) -> bool:
    """Whether a word is a cloud's machine: the "1g" of "a2-highgpu-1g" counts cards."""
    return word.strip("()[],;:").lower() in instances()


def _find_beside(text: str, memory: Bytes | None, stated: Bytes | None, count: int) -> GpuMatch:
    """Return the card of a name, with the memory that stands beside it; that may be what several have together."""
    match = _find_any(text, memory or stated)
    if memory or not stated or count == 1 or match.card is None or match.card in [row.card for row in cards()]:
        return match
    shared = _find_any(text, Bytes(stated // count))
    return shared if shared.card in [row.card for row in cards()] else match


def _find_instance(text: str) -> Instance | None:
    found = instances()
    words = (word.strip("()[],;:\"'`").lower() for word in (text, *text.split()))
    return next((found[word] for word in words if word in found and _tells_a_machine(word)), None)


def _tells_a_machine(word: str) -> bool:
    """Some clouds call a machine by its card's name; that is no machine name inside a sentence."""
    return any(mark in word for mark in "._-= ")


def _take_count(text: str) -> tuple[int | None, str]:
    if word := _COUNT_WORD.match(text):
        return _COUNT_WORDS[word[1].lower()], text[word.end() :].removesuffix("s")
    found = _COUNT.search(text)
    if not found:
        return None, text
    return int(found[1] or found[2]), text[: found.start()] + " " + text[found.end() :]


def _named(name: str) -> Gpu | None:
    return next((row.card for row in cards() if row.card.name == name), None)


def _find_any(text: str, memory: Bytes | None) -> GpuMatch:
    if "+" in text and not _MIG.search(text):
        return _tightest(_find_any(part, memory) for part in text.split("+") if part.strip())
    text = text.strip()
    rows = _rows_of(text)
    is_whole = any(text.lower() in row.prints or squeeze_whole(text) in row.exact for row in rows)
    if not is_whole and (virtual := _find_vgpu(text)).card:
        return virtual
    said = None if _MIG.search(text) or any(text.lower() in row.prints for row in rows) else MEMORY.search(text)
    memory = memory or (Bytes.gib(float(said[1])) if said else None)
    return _choose(rows, memory, squeeze(text)) if rows else GpuMatch()


def _tightest(matches: Iterable[GpuMatch]) -> GpuMatch:
    """Of unlike cards in one machine the smallest binds."""
    known = [(match.card.memory, match) for match in matches if match.card and match.card.memory]
    return min(known, key=lambda pair: pair[0])[1] if known else GpuMatch()


def _rows_of(text: str) -> list[Row]:
    if mig := _MIG.search(text):
        return _mig_rows(text, f"{mig[1]}g.{mig[2]}gb")
    if text.endswith(".."):
        start = text.rstrip(". ").lower()
        return [row for row in cards() if not row.mig and any(name.startswith(start) for name in row.prints)]
    printed = [row for row in cards() if text.lower() in row.prints]
    if printed:
        return printed
    exact = [row for row in cards() if squeeze_whole(text) in row.exact and not row.mig]
    if exact:
        return exact
    wanted = squeeze(text)
    equal = [row for row in cards() if wanted in row.names and not row.mig]
    return equal or _beginning(wanted)


def _beginning(wanted: str) -> list[Row]:
    """More words than any name has ("H100 SXM NVLink"), or fewer ("RTX PRO 6000 Blackwell")."""
    if not any(sign.isdigit() for sign in wanted) or len(wanted) < 2:
        return []
    longer = [row for row in cards() if not row.mig and any(name.startswith(wanted) for name in row.names)]
    if longer and len(wanted) >= 4:
        return longer
    inside = [
        (len(name), row)
        for row in cards()
        if not row.mig
        for name in row.names
        if len(name) >= 2 and any(c.isdigit() for c in name) and any(c.isalpha() for c in name) and _holds(wanted, name)
    ]
    longest = max((length for length, _ in inside), default=0)
    return [row for length, row in inside if length == longest]


def _holds(wanted: str, name: str) -> bool:
    """`name` stands in `wanted` and is not the beginning of a longer model number ("l4" in "l40s")."""
    at = wanted.find(name)
    if at < 0:
        return False
    before, after = wanted[:at], wanted[at + len(name) :]
    return not (before[-1:].isalpha() and len(name) < 4) and not (after[:1].isdigit() and name[-1].isdigit())


def _mig_rows(text: str, profile: str) -> list[Row]:
    told = re.sub(r"\bmig\b", " ", _MIG.sub(" ", text), flags=re.IGNORECASE)
    rest = squeeze(told)
    rows = [row for row in cards() if row.mig == profile]
    parents = {row.parent for row in rows if row.parent and rest and squeeze(row.parent) in rest}
    if memory := MEMORY.search(told):
        parents = {parent for parent in parents if memory[1] in _WORD.findall(parent)} or parents
    return [row for row in rows if row.parent in parents] if parents else rows if not rest else []


def _find_vgpu(text: str) -> GpuMatch:
    """A virtual card that no row names: its parent's facts, and the memory its own name says."""
    found = _VGPU.match(text)
    parents = _rows_of(found["card"]) if found else []
    if not found or not parents:
        return GpuMatch()
    memory = Bytes.gib(float(found["gib"]))
    return GpuMatch(card=_resized(parents[0].card, memory).model_copy(update={"name": f"vGPU {text}"}))


def _choose(rows: list[Row], memory: Bytes | None, wanted: str) -> GpuMatch:
    usual = rows[0].card
    if memory is None or (usual.memory and memory > _MODDED * usual.memory):
        return GpuMatch(card=usual, candidates=_other_sizes(rows, usual, wanted))
    near = [row.card for row in rows if _is_near(row.card, memory)]
    if near:
        return GpuMatch(card=usual if usual in near else near[0])
    sibling = [
        row.card for row in cards() if _is_near(row.card, memory) and not row.mig and _stem(row.card) == _stem(usual)
    ]
    return GpuMatch(card=sibling[0] if sibling else _resized(usual, memory))


def _other_sizes(rows: list[Row], usual: Gpu, wanted: str) -> tuple[str, ...]:
    """Names of the cards that the name may also mean and that have another amount of memory."""
    stem = _stem(usual)
    bare = wanted == stem
    kin = [row.card for row in cards() if row in rows or (bare and _stem(row.card) == stem and not row.mig)]
    if len({card.memory for card in kin}) < 2:
        return ()
    return tuple(dict.fromkeys((usual.name, *(card.name for card in kin))))


def _stem(card: Gpu) -> str:
    """The model number alone: "A100" of "A100 SXM4 80GB"."""
    words = re.sub(r"\b(?:sxm\d?|pcie|nvl|active|\d+gb)\b", " ", card.name.lower())
    return squeeze(words)


def _is_near(card: Gpu, memory: Bytes) -> bool:
    return any(total and abs(total - memory) <= _NEAR * memory for total in (card.memory, card.torch_memory))


def _resized(card: Gpu, memory: Bytes) -> Gpu:
    """A modded or virtual card: the same chip with other memory, of which the driver keeps about half a GiB."""
    return card.model_copy(
        update={
            "memory": memory,
            "torch_memory": Bytes(memory - KEPT_BACK),
            "torch_memory_is_measured": False,
            "note": f"{card.name} with {memory}",
        }
    )
