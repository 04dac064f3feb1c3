"""Whether the memory of a GPU ran out, as an exception says it or somebody does."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bot.diagnosis.words.lexicon import one_of
from bot.diagnosis.words.roles import is_denied

_EXCEPTION = re.compile(
    r"\b(?:cuda|hip)(?:(?: driver)? error)?\W{1,2}out of memory|\boutofmemoryerror\b|NVML_SUCCESS == r INTERNAL ASSERT FAILED",
    re.ASCII | re.IGNORECASE,
)
_SAID = re.compile(one_of("out-of-memory"), re.IGNORECASE | re.ASCII)
_OF_THE_HOST = re.compile(r"\bkill|\b137\b|\bhost\b|\bcpu\b|\bram\b|内存", re.ASCII | re.IGNORECASE)


def ran_out(text: str, sentences: Iterable[str]) -> bool:
    """Return whether it did.

    Args:
        text: All lines.
        sentences: What people say among them.
    """
    return bool(_EXCEPTION.search(text)) or any(map(_is_told, sentences))


def _is_told(sentence: str) -> bool:
    found = _SAID.search(sentence)
    is_there = found is not None and not is_denied(sentence, found.start(), found[0])
    return is_there and not _OF_THE_HOST.search(sentence)
