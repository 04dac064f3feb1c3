"""Which model a name means."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from bot.catalog.index import Head, index, likely, named_by
from bot.catalog.names import Spelling, renamed, spell, tokens_of
from bot.catalog.rows import read_row
from bot.catalog.suffixes import as_packed, of_tag, strip
from bot.model_shape import ModelShape, Quantization

_DIMENSIONS = (
    "hidden", "vocab", "layers", "heads", "kv_heads", "head_dim", "intermediate", "max_position", "pattern", "kinds", "moe", "mla", "linear",
)  # fmt: skip
# Words that tell a tuning, a date or a revision, none of which changes the shape by itself.
_HARMLESS = re.compile(
    r"(?:instruct|chat|it|base|hf|a\d+b|preview|latest|v\d+(?:\.\d+)?|\d{4,6}|thinking|text|pt|sft|dpo)\Z"
)
_SIZE = re.compile(r"\d+(?:\.\d+)?[bm]|e\d+b|\d+x\d+b")
# "Qwen_Qwen3-8B", "Qwen--Qwen3-8B"
_JOINED = re.compile(r"(?P<organisation>[A-Za-z0-9][A-Za-z0-9.-]*?)(?:--|_)(?P<base>.+)")
_MOST_CANDIDATES = 8
_USUAL = 3  # times the downloads of the next repository of a name, from which that one is meant
_RARE = 100  # times, from which the other is not worth a word


class ModelMatch(NamedTuple):
    """What a name means: one model's shape, or several names to choose from, or nothing.

    `how` is "exact", "alias", "renamed", "base name", "spelling", "suffix", "prose", "several" or "unknown".
    Both `shape` and `candidates` are set where repositories of one name store other weights and one is by far the usual.
    """

    shape: ModelShape | None = None
    candidates: tuple[str, ...] = ()
    how: str = "unknown"


@lru_cache(maxsize=4096)  # names are what people write, and a server never ends
def find_model(name: str) -> ModelMatch:
    """Return the model that a name means: an id, a path, a file, a tag or a few words."""
    spelling = _spell(name)
    if spelling is None:
        return ModelMatch()
    told = of_tag(spelling.tag)
    for find in (_by_id, _by_base, _by_every_word, _by_suffix, _by_prose, _by_likeness):
        match = find(spelling)
        if match is not None:
            return _with_quantization(match, told)
    return ModelMatch()


@lru_cache(maxsize=4096)
def is_whole_name(name: str, *, has_words: bool = True) -> bool:
    """Return whether a name is all of a known model's, with its organisation or without.

    Args:
        name: An id, a path, a file or a base name.
        has_words: Other separators between the same words count too: "deepseek r1 0528 qwen3 8b".
    """
    spelling = _spell(name)
    if spelling is None:
        return False
    names = index()
    if spelling.full in names.by_name or spelling.base.lower() in names.by_base:
        return True
    wanted = tokens_of(spelling.base) if has_words else ()
    return len(wanted) > 1 and bool(named_by(wanted))


def _spell(name: str) -> Spelling | None:
    """Take a name apart, and the organisation off a base name that mirrors and folders put it into."""
    spelling = spell(name)
    if spelling is None or spelling.base.lower() in index().by_base:
        return spelling
    joined = _JOINED.match(spelling.base)
    names = index()
    if joined is None or joined["organisation"].lower() not in names.organisations:
        return spelling
    apart = Spelling(joined["organisation"], joined["base"], spelling.tag)
    bases = (apart.base.lower(), strip(apart.base).base.lower())
    is_known = any(
        base in names.by_base or f"{joined['organisation'].lower()}/{base}" in names.by_name for base in bases
    )
    return apart if is_known else spelling


def _with_quantization(match: ModelMatch, told: Quantization | None) -> ModelMatch:
    """A GGUF type behind the colon outweighs what the repository's row says."""
    if match.shape is None or told is None:
        return match
    shape = match.shape.model_copy(update={"quantization": told, "checkpoint_bytes": None})
    return ModelMatch(shape=shape, how="suffix")


@cache
def _shape(head: Head) -> ModelShape:
    return read_row(head.row())


def _by_id(spelling: Spelling) -> ModelMatch | None:
    """The exact name, then the organisation's present name, then what else the checkpoint is called."""
    names, full = index().by_name, spelling.full
    organisation = renamed(spelling.organisation)
    present = f"{organisation}/{spelling.base}".lower() if organisation else full
    tagged = f"{full}:{spelling.tag}".lower()
    exact = names.get(full)
    if exact and exact.id.lower() == full and not _tag_tells_the_model(spelling):
        return ModelMatch(shape=_shape(exact), how="exact")
    if _tag_tells_the_model(spelling):
        return ModelMatch(shape=_shape(names[tagged]), how="alias") if tagged in names else None
    for name, how in ((present, "renamed" if present != full else "alias"), (full, "alias"), (tagged, "alias")):
        if head := names.get(name):
            return ModelMatch(shape=_shape(head), how=how)
    return None


def _tag_tells_the_model(spelling: Spelling) -> bool:
    """Ollama writes the size behind a colon: "deepseek-r1:70b" is not DeepSeek-R1."""
    return any(_SIZE.fullmatch(word) for word in tokens_of(spelling.tag or ""))


def _by_base(spelling: Spelling) -> ModelMatch | None:
    found = index().by_base.get(spelling.base.lower())
    if found and not _tag_tells_the_model(spelling):
        return _usual(found)
    wanted = _wanted(spelling)
    equal = named_by(wanted) if len(wanted) > 1 else ()
    if equal:
        return _usual(equal, how="spelling")
    return None


def _usual(heads: tuple[Head, ...], how: str = "base name") -> ModelMatch:
    """Of repositories of one name the most downloaded, if the others store the same or that one is by far the usual."""
    first = heads[0]
    unlike = [
        head for head in heads[1:] if not _stores_the_same(head, first) and head.downloads * _RARE >= first.downloads
    ]
    names = (first.id, *(head.id for head in unlike)) if unlike else ()
    if unlike and unlike[0].downloads * _USUAL > first.downloads:
        return ModelMatch(candidates=names[:_MOST_CANDIDATES], how="several")
    return ModelMatch(shape=_shape(first), candidates=names, how=how)


def _stores_the_same(one: Head, other: Head) -> bool:
    """The dimensions of repositories of one name are equal, whatever their rows make of a padded vocabulary."""
    stored = [
        shape.quantization and shape.quantization.model_copy(update={"is_known": True})
        for shape in (_shape(one), _shape(other))
    ]
    return stored[0] == stored[1]


def _wanted(spelling: Spelling) -> tuple[str, ...]:
    """The words of the name; an Ollama tag says the size and the tuning."""
    base = spelling.base
    if spelling.tag and of_tag(spelling.tag) is None:
        base = f"{base} {spelling.tag}"
    elif spelling.tag:
        base = f"{base} {strip('x-' + spelling.tag).base.removeprefix('x').strip('-')}"
    return tokens_of(base)


def _by_suffix(spelling: Spelling) -> ModelMatch | None:
    """An unknown checkpoint of a known model: shape from the base, weights from the end of the name."""
    base, told, is_plain = strip(spelling.base)
    if not base or base == spelling.base:
        return None
    plain = Spelling(spelling.organisation, base, None)
    match = _by_id(plain) or _by_base(plain) or _by_prose(plain)
    if match is None or match.shape is None:
        return match
    told = as_packed(spelling.organisation, told) or (None if is_plain else match.shape.quantization)
    shape = match.shape.model_copy(update={"quantization": told, "checkpoint_bytes": None})
    return ModelMatch(shape=shape, how="suffix")


def _by_every_word(spelling: Spelling) -> ModelMatch | None:
    """A few words that tell of the weights too: "qwen 72b awq" is a checkpoint, before it is a base model's ending."""
    if spelling.organisation or strip(spelling.base).quantization is None:
        return None
    match = _by_prose(spelling)
    return match if match and match.shape and match.shape.quantization else None


def _by_prose(spelling: Spelling) -> ModelMatch | None:
    """A few words: every one of them must stand in the name of the model."""
    wanted = _wanted(spelling)
    if not any(word[0].isalpha() for word in wanted):
        return None
    words = set(wanted)
    hits = [(head, tokens_of(head.base)) for head in likely(wanted)]
    hits = [(head, have) for head, have in hits if words <= set(have) and (len(words) > 1 or have[0] in words)]
    plain = [head for head, have in hits if all(_HARMLESS.match(word) for word in set(have) - words)]
    if plain:
        return _choose(plain)
    whole = [head for head, _ in hits if strip(head.base).quantization is None] or [head for head, _ in hits]
    names_a_version = len(words) > 1 and any(sign.isdigit() for word in words for sign in word)
    return _choose(whole) if names_a_version and whole else _several(whole)


def _by_likeness(spelling: Spelling) -> ModelMatch | None:
    """A tuned model that nobody lists: the models whose whole name stands in this one, longest name first."""
    wanted = set(_wanted(spelling))
    sizes = [word for word in wanted if _SIZE.fullmatch(word)]
    close: dict[tuple[str, ...], Head] = {}
    for head in index().heads if sizes else ():
        if (
            any(size in head.base for size in sizes)
            and wanted.issuperset(have := tokens_of(head.base))
            and len(have) > 1
        ):
            close.setdefault(have, head)  # mirrors have the same words
    return _several([close[have] for have in sorted(close, key=len, reverse=True)])


def _choose(heads: list[Head]) -> ModelMatch:
    """One shape for all of them is an answer; two are a question."""
    rows = [head.row() for head in heads[:40]]
    first = {name: rows[0].get(name) for name in (*_DIMENSIONS, "quantization")}
    same = all({name: row.get(name) for name in first} == first for row in rows)
    if same:
        return ModelMatch(shape=_shape(heads[0]), how="prose")
    return _several(heads) or ModelMatch()


def _several(heads: list[Head]) -> ModelMatch | None:
    if not heads:
        return None
    return ModelMatch(candidates=tuple(dict.fromkeys(head.id for head in heads))[:_MOST_CANDIDATES], how="several")
