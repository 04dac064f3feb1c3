"""What of a short description was not understood: misspelt flags, values that cannot be, words without a meaning."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bot.catalog.flags import Flags
from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.catalog.stated_gpu import memory_in, say_memory
from bot.diagnosis.unheard import said_in_command, say_absent_flags, say_uncounted, taken_otherwise, unheard
from bot.diagnosis.wordings.flag_values import Misfit, behind, misfits
from bot.diagnosis.wordings.load_words import find_load
from bot.diagnosis.wordings.own_names import Own, find_own, say_unknown, without_own
from bot.evidence import Evidence
from bot.facts import FACTS
from bot.reading.commands.argument_list import take_off_punctuation
from bot.reading.commands.arguments import read_argument
from bot.reading.read import read

MOST_WORDS = 40
"""Of a longer text not every word is meant for us."""

_FLAG = re.compile(
    r"(?<!\S)(--[A-Za-z][\w.-]{1,60}|-[A-Za-z]{1,4}\d?(?![\w.-])|-(?:O|cc|ac)\.[\w.]{1,60})(?:=|\s+)?"
    r"('[^'\n]{0,2000}'|\"[{\[][^\n]{0,2000}?[}\]]\"|\{(?:[^{}\n]|\{[^{}\n]{0,400}\}){0,2000}\}|(?:-(?=[\d.]))?[^\s-][^\s]{0,80}|)"
)
_SIZE = re.compile(r"(?<![\w-])(?P<how>[tpd]p)\s?[=:]?\s?(?P<size>-?\d{1,9})(?![\w.])", re.IGNORECASE)
_NO_CARDS = re.compile(r"(?<!\S)(-\d{1,6}|0{1,6})(?:\s?[x×]\s?|\s)(?P<card>[A-Za-z]\S{1,20})")
_ODD_CARDS = re.compile(r"(?<![\w.,-])(\d{3,30}|\d{1,3}\.\d{1,6})(?:\s?[x×]\s?|\s)(?P<card>[A-Za-z]\S{1,20})")
_MEMORY = re.compile(r"(?<![\w.-])(\d{1,3}(?:\.\d{1,2})?)\s?(?:GiB|GB|G)(?=[\s,;?!]|\.?(?:\s|\Z))", re.IGNORECASE)
_STATED = re.compile(r"\s?\b\d{1,3}\s?GB\b", re.IGNORECASE)
_ROUNDED = 0.08  # "24 GB" of a shop and 23034 MiB of nvidia-smi are one card
_NUMBERED = re.compile(r"[A-Za-z]{1,10}-?\d{2,5}[A-Za-z]{0,6}")  # "FOO9000", "RX-580"
_SIZED = re.compile(r"\d[bm]\b|[a-z]-?\d", re.IGNORECASE)  # "parrot-7b", "llama3"
_SIZES = {"tp": "tensor_parallel", "pp": "pipeline_parallel", "dp": "data_parallel"}
_WORD = re.compile(r"[^\s,;:()\"'?!|+=]{2,80}")
# Words that hold a sentence together and change no fact.
_FILLERS = """
a an and are as at be but by can could do does each few fit fits for from give gives given go have how i if in into is it
its just like lots make many max maximum me model models more most much my need needs no not of ok on one only or our per
please put run running runs serve served serves serving set should size sized so some something than thanks that the their
them then there these they this to too two up us use used user users using vllm want wants we what when where which while
who will with without would you your three four five six seven eight card cards gpu gpus memory vram context length window
peak average tokens token requests request concurrent concurrency cache kv long longest about around via nvidia amd intel machine node
nodes server box instance big small test production prod hello hi version budget calculate estimate total dense model's mig slice
machines
"""
_PLAIN = frozenset(_FILLERS.split())
_NAMED_IN_WORDS = frozenset({"model", "served_name"})
"""What a description names by itself, and another program's flag does not."""


class Leftover(NamedTuple):
    """What was found and not used."""

    facts: Mapping[str, Any]  # facts as they were written, that no reader took, or took otherwise than vLLM does
    flags: tuple[str, ...]  # sentences on flags and values that vLLM does not have
    words: tuple[str, ...]
    misfits: tuple[Misfit, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is to be said of it, beside what of the facts is no value."""
        memory = self.facts.get("gpu_memory")
        assumed = (say_memory(memory),) if memory else ()
        unread = (f"I made nothing of {', '.join(map(repr, self.words[:5]))}.",) if self.words else ()
        return (*self.flags, *assumed, *unread)


def leftover(text: str, evidence: Evidence, flags: Flags) -> Leftover:
    """Return what of a description says nothing to us.

    Args:
        text: As it was typed.
        evidence: What was read of it.
        flags: All flags of vLLM.
    """
    is_command = "command" in evidence.facts
    said_flags = list(_find_flags(text, flags, is_command=is_command))
    counted = list(said_in_command(evidence)) if is_command else said_flags
    ours = tuple(find_own(counted, flags))
    facts = {**dict[str, Any](_amounts(text, evidence)), **_of_flags(said_flags, flags), **_meant(ours)}
    bare = _bare(text, evidence)
    said = {name: fact.value for name, fact in read(bare).facts.items()}
    words = list(_words(bare, said)) if not is_command else []
    named = {name: word for word in words if (name := _may_name(word)) and name not in said}
    facts = {name: raw for name, raw in {**facts, **named, **said}.items() if evidence.value(name) is None}
    facts |= dict(_outranking({**_of_flags(counted, flags), **_meant(ours)}, evidence)) | without_own(ours, evidence)
    if "gpu" in facts or "gpu" in evidence.facts:
        facts.pop("gpu_memory", None)
    unknown = [
        *_say_flags(said_flags, ours, flags, is_command=is_command),
        *say_absent_flags((name for name, _ in said_flags), evidence.value("vllm_version"), flags),
        *(find_load(_FLAG.sub(" ", text)).sentences if evidence.value("wanted_concurrency") is None else ()),
        *_say_odd_cards(text, evidence),
        *_say_odd_memory(evidence.value("gpu") or ""),
        *_say_unheard(evidence, ours, flags),
    ]
    left = tuple(word for word in words if word not in named.values())
    return Leftover(facts, tuple(dict.fromkeys(unknown)), left, tuple(dict.fromkeys(misfits(counted, flags))))


def _bare(text: str, evidence: Evidence) -> str:
    """Return a description without its flags and without the numbers that are read here."""
    odd = _odd_cards(text, evidence)
    plain = text.replace(odd[0], f" {odd['card']}") if odd else text
    said = find_load(_FLAG.sub(" ", plain)).rest
    return _MEMORY.sub(" ", _NO_CARDS.sub(r" \g<card>", _SIZE.sub(" ", said)))


def _find_flags(text: str, flags: Flags, *, is_command: bool) -> Iterator[tuple[str, str]]:
    """Yield flags and what stands behind them; of one letter only outside of commands, where another program may have it."""
    for found in _FLAG.finditer(text):
        is_short, row = not found[1].startswith("--"), flags.by_name(found[1])
        if not is_short or (row and not (is_command and len(found[1]) == 2)):
            yield found[1], behind(row, take_off_punctuation(found[2]).strip("\"'"))


def _of_flags(said: Sequence[tuple[str, str]], flags: Flags) -> dict[str, Any]:
    """Return the facts that flags set, as they were written where their values read as none."""
    facts: dict[str, Any] = {}
    for name, value in said:
        meant, told = flags.means(name, value or None), read_argument(name, value)
        if told:
            facts |= told
        elif meant is not None and meant[0] in FACTS and meant[1] is not None:
            facts[meant[0]] = meant[1]
    return facts


def _meant(ours: Sequence[Own]) -> dict[str, Any]:
    return {own.fact: own.meant for own in ours}


def _outranking(set_by_flags: Mapping[str, Any], evidence: Evidence) -> Iterator[tuple[str, Any]]:
    """Yield what the last flag of its name says where a word, or an earlier flag, was read as something else."""
    for name, value in set_by_flags.items():
        heard = evidence.value(name)
        if heard is not None and name not in _NAMED_IN_WORDS and heard != value and "$" not in str(value):
            yield name, value


def _say_unheard(evidence: Evidence, ours: Sequence[Own], flags: Flags) -> Iterator[str]:
    """Say what of a command was not heard: what stands around it may be another program's; our own flags were."""
    taken = {own.name for own in ours}
    yield from (sentence for sentence in unheard(evidence, flags) if sentence.partition(" ")[0] not in taken)


def _say_flags(
    said: Sequence[tuple[str, str]], ours: Sequence[Own], flags: Flags, *, is_command: bool
) -> Iterator[str]:
    """Say of flags which ones vLLM does not have, which were read otherwise, and which are not counted."""
    yield from (own.sentence for own in ours)
    taken = {own.name for own in ours}
    for name, value in said:
        if flags.by_name(name) is None and not read_argument(name, value) and not is_command:
            yield from () if name in taken else (say_unknown(name, value, flags),)
        elif sentence := taken_otherwise(name, value):
            yield sentence
    yield from say_uncounted(said, flags)


def _amounts(text: str, evidence: Evidence) -> Iterator[tuple[str, Any]]:
    """Yield sizes and numbers of cards that none has, and the memory of a card that was not named."""
    yield from ((_SIZES[found["how"].lower()], found["size"]) for found in _SIZE.finditer(text))
    for found in filter(None, (_NO_CARDS.search(text), _odd_cards(text, evidence))):
        if find_gpu(found["card"]).card and "." not in found[1]:
            yield "gpu_count", found[1]
    if memory := _MEMORY.search(_FLAG.sub(" ", text)):  # --shm-size 8g is no card
        yield "gpu_memory", f"{memory[1]} GiB"
    if asked := find_load(_FLAG.sub(" ", text)).concurrency:
        yield "wanted_concurrency", asked


def _say_odd_cards(text: str, evidence: Evidence) -> Iterator[str]:
    odd = _odd_cards(text, evidence)
    if odd is not None and "." in odd[1]:
        yield f"I counted one {odd['card']} for '{odd[0]}': write a whole number of cards."


def _say_odd_memory(name: str) -> Iterator[str]:
    """Say of a card that is said to have another memory than its rows have which one was sized."""
    stated, card = memory_in(name), find_gpu(name).card
    known = find_gpu(_STATED.sub("", name)).card
    if stated is None or card is None or known is None or card.memory is None or known.memory is None:
        return
    if math.isclose(known.memory, stated, rel_tol=_ROUNDED) or (
        card.name != known.name and card.memory != known.memory
    ):
        return
    yield f"{known.name} has {known.memory}, not {stated}: I sized a card of {card.memory}."


def _odd_cards(text: str, evidence: Evidence) -> re.Match[str] | None:
    """Return a number of cards that is too large to be one in every text, or a part of one, unless it told another fact."""
    found = _ODD_CARDS.search(text)
    if found is None or find_gpu(found["card"]).card is None:
        return None
    number = re.compile(rf"(?<![\w.]){re.escape(found[1])}(?![\w.])")
    return None if any(number.search(str(fact.value)) for fact in evidence.facts.values()) else found


def _may_name(word: str) -> str | None:
    """Return which fact a word that no reader took may state: a model known or sized, a card known or numbered."""
    if find_gpu(word).card or _NUMBERED.fullmatch(word):
        return "gpu"
    known = find_model(word)
    return "model" if known.shape or known.candidates or "/" in word or _SIZED.search(word) else None


def _words(text: str, said: Mapping[str, object]) -> Iterator[str]:
    """Yield the words without which the same would have been read."""
    words = [found for found in _WORD.finditer(text) if not _is_plain(found[0])]
    for found in words if len(words) <= MOST_WORDS else ():
        if _is_named(found[0], said):
            continue
        without = read(f"{text[: found.start()]} {text[found.end() :]}")
        if {name: fact.value for name, fact in without.facts.items()} == said:
            yield found[0]


def _is_plain(word: str) -> bool:
    is_hidden = word[0] == "<" and word[-1] == ">"  # what stands instead of a secret
    return is_hidden or word.lower() in _PLAIN or word.startswith("-") or word.replace(".", "").isdigit()


def _is_named(word: str, said: Mapping[str, object]) -> bool:
    """Said twice, a word can be left out and still be understood."""
    plain = word.lower()
    return any(plain in str(value).lower() for value in said.values())
