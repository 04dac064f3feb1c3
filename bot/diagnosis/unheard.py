"""What of a launch command says nothing: flags that vLLM, or this version, lacks, and values that a flag does not take."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from bot.evidence import Evidence
from bot.facts import FACTS, Origin
from bot.reading.argument_values import as_float, as_share
from bot.reading.commands.argument_list import first_argument, take_arguments
from bot.reading.commands.arguments import full_name, is_known, is_told, misspelt, read_argument
from bot.reading.commands.shell import scan_words

if TYPE_CHECKING:
    from packaging.version import Version

    from bot.catalog.flags import Flag, Flags
    from bot.deployment import Deployment

ALIKE = 75.0
"""Likeness, of 100, from which another spelling was probably meant."""

ALIKE_VALUE = 65.0
"""The same for values, which are short and few."""

MOST = 3
"""Flags that are named: of more the text was no command of vLLM's."""

_FLAG = re.compile(r"--[A-Za-z][\w-]{1,60}")
_SHARES = frozenset({"gpu_memory_utilization", "device_memory_utilization"})
_NO_VALUE = frozenset({"none", "null"})
_PLACEHOLDER = re.compile(r"[$<{]")


def unheard(evidence: Evidence, flags: Flags) -> tuple[str, ...]:
    """Return a sentence for each flag of the launch command that is unknown or absent, and for each value that is none.

    And for each value that was taken for another one than it says.
    """
    words: Sequence[str] = evidence.value("other_arguments") or ()
    names = [word.partition("=")[0] for word in words if _FLAG.fullmatch(word.partition("=")[0])]
    unknown = [name for name in dict.fromkeys(names) if flags.by_name(name) is None]
    return (
        *_misspelt(evidence, flags),
        *(say_flag(name, flags) for name in unknown[:MOST]),
        *_absent(evidence, flags),
        *bad_values(evidence, flags),
        *(sentence for name, value in said_in_command(evidence) if (sentence := taken_otherwise(name, value))),
    )


def unread(evidence: Evidence) -> Iterator[str]:
    """Yield a sentence for each argument of the launch command whose value reads as none: "-tp 0", "--max-num-seqs lots"."""
    said = (
        (name, value)
        for name, value in said_in_command(evidence)
        if value and is_known(name) and not read_argument(name, value)
    )
    known = [(name, value) for name, value in said if value.lower() not in _NO_VALUE and not _PLACEHOLDER.search(value)]
    yield from (f"{name} takes no {value[:40]!r}; I left it out of account." for name, value in known[:MOST])


def uncounted(evidence: Evidence, flags: Flags) -> Iterator[str]:
    """Yield a sentence for each flag of the launch command that changes what is sized, and that sizing does not count."""
    yield from say_uncounted(said_in_command(evidence), flags)


def say_uncounted(said: Iterable[tuple[str, str]], flags: Flags) -> Iterator[str]:
    """Yield a sentence for each of these flags that sizing does not count, or not all that it holds."""
    rows = dict.fromkeys(flags.by_name(name.partition(".")[0]) for name, value in said if not is_told(name, value))
    yield from (f"I left {row.name} out of the budget: {row.uncounted}." for row in rows if row and row.uncounted)


def taken_otherwise(name: str, value: str) -> str | None:
    """Return a sentence where a share of the card was written as a percentage without its sign.

    >>> taken_otherwise("--gpu-memory-utilization", "90")
    'I took --gpu-memory-utilization 90 as 0.9: vLLM takes a share of the card, at most 1.'
    """
    if full_name(name) not in _SHARES or (said := as_float(value)) is None:
        return None
    share = as_share(value)
    if share is None or share == said:
        return None
    return f"I took {name} {value} as {share:g}: vLLM takes a share of the card, at most 1."


def said_in_command(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yield the flags of the launch command and their values, as they were written."""
    words = [word for word, _, _ in scan_words(evidence.value("command") or "")]
    arguments = take_arguments(words, first_argument(words))
    yield from ((argument.name, argument.value) for argument in arguments if argument.name)


def _misspelt(evidence: Evidence, flags: Flags) -> Iterator[str]:
    """Yield a sentence for each flag that was read as another one, since vLLM would not."""
    texts = (line.text for line in evidence.lines if "--" in line.text)
    names = dict.fromkeys(found[0] for text in texts for found in _FLAG.finditer(text))
    meant = ((name, misspelt(name)) for name in names if flags.by_name(name) is None)
    told = [(name, f"--{other.replace('_', '-')}") for name, other in meant if other]
    yield from (f"{name} is no flag of vLLM's; I read it as {other}." for name, other in told[:MOST])


def _absent(evidence: Evidence, flags: Flags) -> Iterator[str]:
    """Yield a sentence for each flag of the launch command that its version does not have."""
    words = [word for word, _, _ in scan_words(evidence.value("command") or "")]
    names = [word for word in words[first_argument(words) :] if word.startswith("--")]
    yield from say_absent_flags(names, evidence.value("vllm_version"), flags)


def say_absent_flags(names: Iterable[str], version: Version | None, flags: Flags) -> Iterator[str]:
    """Yield a sentence for each of these flags that a version does not have."""
    rows = map(flags.by_name, names)
    absent = dict.fromkeys(row for row in rows if row and row.exists_in(version) is False)
    yield from (_say_absence(row, version) for row in list(absent)[:MOST] if version)


def say_absent(deployment: Deployment, names: Iterable[str], flags: Flags) -> Iterator[str]:
    """Yield a sentence for each of these settings, which the deployment's version knows no way to make."""
    for name in names:
        row = next(row for row in flags.rows if row.fact == name)
        if deployment.vllm_version:
            yield _say_absence(row, deployment.vllm_version)


def _say_absence(row: Flag, version: Version) -> str:
    if row.since and version < row.since:
        return f"vLLM {version} has no {row.name} yet; it came with {row.since}."
    instead = f"; {row.renamed_to} took its place" if row.renamed_to else ""
    return f"vLLM {version} no longer has {row.name}{instead}."


def say_flag(name: str, flags: Flags) -> str:
    """Say that vLLM has no such flag, and which one was probably meant."""
    known = [row.name for row in flags.rows if not row.is_environment]
    close = nearest(name.replace("_", "-").lower(), known)
    return (
        f"{name} is no flag of vLLM's that I know; {f'did you mean {close}?' if close else 'I left it out of account.'}"
    )


def say_fact(name: str) -> str:
    """Say that there is no such fact, and which one was probably meant."""
    close = nearest(name.lower(), tuple(FACTS))
    return f"{name!r} is no fact I know{f'; did you mean {close}?' if close else ''}"


def bad_values(evidence: Evidence, flags: Flags) -> Iterator[str]:
    """Yield a sentence for each word that a flag does not take, as far as they are listed."""
    for row in flags.rows:
        fact = evidence.facts.get(row.fact or "") if row.values and not row.is_environment else None
        if fact and fact.origin is not Origin.MEASURED and not _takes(row, str(fact.value)):
            yield _say_value(row, str(fact.value))


def _takes(row: Flag, value: str) -> bool:
    return value.rpartition(".")[2].lower().replace("_", "-") in {word.replace("_", "-") for word in row.values}


def _say_value(row: Flag, value: str) -> str:
    close = nearest(value.lower(), row.values, ALIKE_VALUE)
    known = (
        f"did you mean {close}?" if close else f"it takes {', '.join(row.values[:8])}{' …' if row.values[8:] else ''}."
    )
    return f"{value} is no value of {row.name} that I know; {known}"


def nearest(word: str, known: Sequence[str], likeness: float = ALIKE) -> str | None:
    """Return the word that is spelt most like another one, or None when none is.

    >>> nearest("--max-model-ln", ["--max-num-seqs", "--max-model-len"])
    '--max-model-len'
    """
    from rapidfuzz import fuzz, process  # noqa: PLC0415  # for what nobody knows only

    found = process.extractOne(word, known, scorer=fuzz.ratio, score_cutoff=likeness)
    return found[0] if found else None
