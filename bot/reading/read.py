"""The front door of reading: text in, evidence out; it never fails."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.evidence import Evidence, Line, merge
from bot.reading.blocks import MOST_CHARACTERS
from bot.reading.crowds import say_thinned, thin
from bot.reading.noise.clean import read_line, settle_returns, tidy
from bot.reading.noise.joining import join
from bot.reading.noise.scrub import scrub
from bot.reading.readers import OF_A_RUN, READERS, reader_of
from bot.reading.runs import last_run
from bot.reading.sampling import LONGEST_LINE, MOST_LINES, Sieve, chunks_of
from bot.reading.sampling import MOST_CHARACTERS as KEPT_CHARACTERS

LONG = 60_000
"""Characters above which only telling lines are read; a chat message has at most 40,000."""


def read(text: str) -> Evidence:
    """Return all that a text shows; secrets are taken off first."""
    lines = settle_returns(text).split("\n")
    if len(text) > LONG:
        return read_lines(lines)
    found = _read_kept(list(enumerate(lines, 1)))
    cut = next((number for number, line in enumerate(lines, 1) if len(line) > LONGEST_LINE), None)
    return found._replace(unfinished=(*found.unfinished, _say_cut(cut))) if cut else found


def _say_cut(number: int) -> str:
    return f"Line {number} is longer than {LONGEST_LINE:,} characters; what follows in it was not read."


def read_lines(lines: Iterable[str]) -> Evidence:
    """Return all that a stream of lines shows, in bounded memory; line numbers are those of the stream."""
    sieve = Sieve()
    for chunk in chunks_of(lines):
        sieve.take(chunk)
    found = _read_kept(sieve.finish())
    return found._replace(unfinished=(*found.unfinished, *_what_was_left(sieve)))


def _what_was_left(sieve: Sieve) -> Iterable[str]:
    if sieve.cut:
        yield _say_cut(sieve.cut[0])
    if sieve.blocks.is_full:
        yield f"The outputs in this text have more than {MOST_CHARACTERS:,} characters; only the last were read."
    if sieve.is_full:
        yield f"More than {MOST_LINES:,} different lines or {KEPT_CHARACTERS:,} characters of them; of the later ones only the end of the text was read."


def _read_kept(kept: Sequence[tuple[int, str]]) -> Evidence:
    texts = scrub(tidy("\n".join(text for _, text in kept))).split("\n")
    lines = tuple(join([read_line(number, text) for (number, _), text in zip(kept, texts, strict=False)]))
    whole = "\n".join(line.text for line in lines)
    wanted = [name for name, hints in READERS.items() if not hints or any(hint in whole for hint in hints)]
    run, left = last_run(lines), thin(lines, whole)
    found = merge(*(_read_with(name, run if name in OF_A_RUN else left) for name in wanted))
    return found._replace(lines=lines, unfinished=(*found.unfinished, *say_thinned(lines, left)))


def _read_with(name: str, lines: Sequence[Line]) -> Evidence:
    try:
        return reader_of(name)(lines)
    except Exception as error:  # noqa: BLE001 -- one reader's fault must not cost what the others found; each is fuzzed without this net
        return Evidence(
            unfinished=(f"{name} could not be read to the end ({type(error).__name__}); what the others found stands.",)
        )
