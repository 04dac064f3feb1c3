"""What people say in their own words: model, cards, version, flags, memory, context length."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.evidence import Evidence, Fact, Line, Origin, gather
from bot.reading.command import find_extent
from bot.reading.figures import note
from bot.reading.prose_gpus import find_cards
from bot.reading.prose_models import find_model_name
from bot.reading.prose_settings import find_settings
from bot.reading.shell import COMMENT
from bot.units import Bytes

LONGEST_SENTENCE = 1_500
MOST_SENTENCES = 300

# What a machine wrote, although no log prefix stands before it.
_FLAGS = re.compile(r"\s--[a-z-]+[ =]\S+\s+--[a-z-]+")  # a command goes on from the line before
_MACHINE = re.compile(
    r"""\A\s*(?:
        File[ ]" | Traceback | \| | [+|=*~^-]{3,} | [{}\[\]] | "[\w.-]+"\s*: | (?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception)\b | raise\b | return\b | self\.
      | import\b | from\s\w+\simport | def\b | class\b | Loading\b | Capturing\b | GPU\sKV | KV\s?cache\ssize | Maximum\sconcurrency | Available\sKV
      | Free\smemory | Model\sloading | Memory\sprofiling | vllm: | \#\s(?:HELP|TYPE|GPU|CPU) | NVRM | \[\s*\d+\.\d+\]
    )
    | \bCUDA\sgraph\smemory\sprofiling\b | Replace\sgpu_memory_utilization | LLM\sengine\s\(v | non-default\sargs | Namespace\(
    | (?:Tried|tried)\sto\sallocate | KV\scache\sis\sneeded | HTTP/1\.1" | \bMiB\s*\| | KV\scache\susage: | 's\smax\sseq\slen | larger\sthan\sthe\sderived""",
    re.VERBOSE,
)


def read(lines: Sequence[Line]) -> Evidence:
    """Return what sentences say; of several models or cards the first named counts, of other things the last."""
    facts = list(_read_all(lines))
    if not facts:
        return Evidence()
    # People compare what they tried; that is no contradiction.
    found = gather(facts, kinds=frozenset({"prose"}))
    is_whole = sum(map(_is_prose, lines)) <= MOST_SENTENCES
    told = () if is_whole else (f"Of the sentences only the first {MOST_SENTENCES} were read.",)
    return found.model_copy(update={"conflicts": (), "unfinished": told})


def _read_all(lines: Sequence[Line]) -> Iterator[Fact]:
    has: set[str] = set()
    read_so_far = 0
    for line in lines:
        if not _is_prose(line):
            continue
        read_so_far += 1
        if read_so_far > MOST_SENTENCES:
            return
        for name, value in _read_line(line):
            if name not in has or name not in {"model", "gpu", "gpu_count", "gpu_memory"}:
                has.add(name)
                yield note(name, value, line, Origin.PASTED)


def _is_prose(line: Line) -> bool:
    text = line.text
    if line.level or line.process or line.start or not 3 <= len(text) <= LONGEST_SENTENCE:
        return False
    return _MACHINE.search(text) is None


def _read_line(line: Line) -> Iterator[tuple[str, object]]:
    """Yield what a line says; what stands around a command is a sentence before it and one behind it."""
    extent = find_extent(line)
    if extent is not None:
        yield from _read_sentence(line.text[: extent[0]], is_command=False)
        yield from _read_sentence(line.text[extent[1] :], is_command=False)
        return
    command, *comments = COMMENT.split(line.message, maxsplit=1)
    if _FLAGS.search(command) is None:
        yield from _read_sentence(line.message, is_command=False)
        return
    yield from _read_sentence(command, is_command=True)
    for comment in comments:
        yield from _read_sentence(comment, is_command=False)


def _read_sentence(text: str, *, is_command: bool) -> Iterator[tuple[str, object]]:
    """Yield what a sentence says; of a launch command only the cards, since its own reader knows the rest better."""
    name = None if is_command else find_model_name(text)
    if name:
        yield "model", name
    said = find_cards(text)
    if said.name:
        yield "gpu", said.name
    if said.cards:
        yield "gpu_count", said.cards
    if said.nodes:
        yield "nodes", said.nodes
    if said.memory_gib and not said.name:
        yield "gpu_memory", Bytes.gib(said.memory_gib)
    if not is_command:
        yield from find_settings(text)
