"""What people say in their own words: model, cards, version, flags, memory, context length."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from bot.evidence import Evidence, Line, gather
from bot.facts import Conflict, Fact, Origin, contradict
from bot.reading.commands.launches import find_extents
from bot.reading.commands.shell import COMMENT
from bot.reading.figures import note
from bot.reading.late import Late
from bot.reading.prose.contrast import tell_apart
from bot.reading.prose.flags import Said, find_flags
from bot.reading.prose.gpus import find_cards
from bot.reading.prose.instances import find_instances
from bot.reading.prose.memory import find_memory
from bot.reading.prose.models import find_model_name
from bot.reading.prose.settings import find_settings
from bot.units import Bytes

LONGEST_SENTENCE = 1_500
MOST_SENTENCES = 300
MOST_CHARACTERS = 40_000
"""Characters of all sentences that are read; a chat message has at most 40,000."""

_CARD_FACTS = frozenset({"gpu", "gpu_count", "gpu_memory", "nodes"})
_TELLS_APART = frozenset({"model", "gpu", "vllm_version"})
MOST_APART = 2
"""Sentences with another value; more of them are a list of what somebody has or tried."""
_FIRST_COUNTS = frozenset({"model", "gpu", "gpu_count", "gpu_memory"})
_FLAGS = Late(
    r"\s{1,80}-{1,2}[a-z-]+[ =]\S+\s+--[a-z-]+", signs=("--",)
)  # an indented command goes on from the line before
_COMMENTED_OUT = Late(r"\s{0,40}#\s{0,4}(?:-\s)?[\"']?(?:--[a-z]|[a-z]+[_-][\w-]{1,40}:\s)", signs=("#",))
_GAPS = re.compile(r" {2,}")
# What a machine wrote, although no log prefix stands before it.
_MACHINE = re.compile(
    r"""\A\s*(?:
        File[ ]" | Traceback | \| | [+|=*~^-]{3,} | [{}\[\]] | "[\w.-]+"\s*: | (?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception)\b | raise\b | return\b | self\.
      | \w+\s?=\s?(?:dict\(|\{|\[) | import\b | from\s\w+\simport | def\b | class\b | Loading\b | Capturing\b | GPU\sKV | KV\s?cache\ssize | Maximum\sconcurrency | Available\sKV
      | Free\smemory | Model\sloading | Memory\sprofiling | vllm: | \#\s(?:HELP|TYPE|GPU|CPU) | NVRM | \[\s*\d+\.\d+\]
    )
    | \bCUDA\sgraph\smemory\sprofiling\b | Replace\sgpu_memory_utilization | LLM\sengine\s\(v | non-default\sargs | Namespace\(
    | (?:Tried|tried)\sto\sallocate | KV\scache\sis\sneeded | HTTP/1\.1" | \bMiB\s*\| | KV\scache\susage: | 's\smax\sseq\slen | larger\sthan\sthe\sderived""",
    re.VERBOSE,
)

_QUOTED_ERROR = Late(r"\b[A-Z]\w{0,60}(?:Error|Exception)\b|CUDA out of memory")


def read(lines: Sequence[Line]) -> Evidence:
    """Return what sentences say; of several models or cards the first named counts, of other things the last."""
    sentences = [words for line in lines if (words := _own_words(line)) is not None]
    ends = accumulate(len(line.text) for line in sentences[:MOST_SENTENCES])
    read_ones = [line for line, end in zip(sentences, ends, strict=False) if end <= MOST_CHARACTERS]
    said = list(_read_sentences(read_ones))
    facts = list(_read_all(said))
    if not facts:
        return Evidence()
    found = gather(facts, kinds=frozenset({"prose"}))
    is_whole = len(read_ones) == len(sentences)
    told = () if is_whole else (f"Of the sentences only the first {len(read_ones)} were read.",)
    return found._replace(conflicts=tuple(_contradictions(said, found)), unfinished=told)


class _Statement(NamedTuple):
    """What a sentence says: of the trouble itself, or of what that is compared with."""

    name: str
    value: object
    line: Line
    is_other: bool
    is_elsewhere: bool  # the trouble is with something told apart from the other


def _contradictions(said: Sequence[_Statement], found: Evidence) -> Iterator[Conflict]:
    """Yield a conflict where other sentences name another model, card or version, and compare it with nothing.

    What else people say differently is what they tried.
    """
    for name in sorted(_TELLS_APART & found.facts.keys()):
        kept = found.facts[name]
        others = [
            note(name, one.value, one.line, Origin.PASTED) for one in said if one.name == name and not one.is_other
        ]
        apart = [other for other in others if contradict(kept, other)]
        if 0 < len(apart) <= MOST_APART:
            yield Conflict(name=name, kept=kept, other=apart[0])


def _read_all(said: Sequence[_Statement]) -> Iterator[Fact]:
    own = {statement.name for statement in said if not statement.is_other}
    hidden = own | _CARD_FACTS if own & _CARD_FACTS or any(statement.is_elsewhere for statement in said) else own
    has: set[str] = set()
    for name, value, line, is_other, _ in said:
        is_late = name in has and name in _FIRST_COUNTS
        if not is_late and not (is_other and name in hidden):
            has.add(name)
            yield note(name, value, line, Origin.PASTED)


def _read_sentences(lines: Sequence[Line]) -> Iterator[_Statement]:
    for line in lines:
        for text, is_command in _sentences_of(line):
            contrast = tell_apart(text)
            for part, is_other in ((contrast.own, False), (contrast.other, True)):
                said = _GAPS.sub(" ", part) if contrast.other else part
                facts = _read_sentence(said, is_command=is_command) if part.strip() else ()
                for name, value in facts:
                    yield _Statement(name, value, line, is_other, is_other and contrast.is_elsewhere)


def _own_words(line: Line) -> Line | None:
    """Return what a person wrote of a line, which may run into an error that was pasted behind it; None of a machine's."""
    text = line.text
    if line.level or line.process or line.start or _COMMENTED_OUT.match(text) or not 3 <= len(text) <= LONGEST_SENTENCE:
        return None
    if _MACHINE.search(text) is None:
        return line
    quoted = _QUOTED_ERROR.search(text)
    words = text[: quoted.start()] if quoted else ""
    words = words.rpartition(" ")[0] if words.endswith(".") else words  # the module of the error
    return line._replace(text=words) if len(words) >= 3 and _MACHINE.search(words) is None else None


def _sentences_of(line: Line) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a line, and whether each is of a command: around a command there is a sentence on either side."""
    extents = sorted(find_extents(line))
    if extents:
        starts, ends = zip(*extents, strict=True)
        borders = zip(accumulate((0, *ends), max), (*starts, len(line.text)), strict=True)
        yield from ((line.text[end:start], False) for end, start in borders if end < start)
        return
    command, *comments = COMMENT.split(line.message, maxsplit=1)
    if _FLAGS.match(command) is None:
        yield line.message, False
        return
    yield command, True
    yield from ((comment, False) for comment in comments)


def _read_sentence(text: str, *, is_command: bool) -> Iterator[tuple[str, object]]:
    """Yield what a sentence says; of a launch command only the cards, since its own reader knows the rest better."""
    flags = find_flags(text) if not is_command else Said((), text)
    yield from flags.facts
    text = flags.rest
    name = None if is_command else find_model_name(text)
    if name:
        yield "model", name
    instances = find_instances(text)
    said = find_cards(text, has_machines=not instances)
    if said.name:
        yield "gpu", said.name
    if said.cards:
        yield "gpu_count", said.cards
    if said.nodes:
        yield "nodes", said.nodes
    if said.memory_gib and not said.name:
        yield "gpu_memory", Bytes.gib(said.memory_gib)
    if instances:
        yield "instances", instances
    if not is_command:
        yield from find_memory(text)
        yield from find_settings(text)
