"""Noise that copying, terminals, chat clients and log collectors add, and how it comes off."""

from __future__ import annotations

import re

from bot.evidence import Line
from bot.reading.late import Late
from bot.reading.noise.invisible import ANSI, INVISIBLE
from bot.reading.noise.marks import take_off_marks
from bot.reading.noise.mending import mend_text
from bot.reading.noise.prefixes import take_off_outer, take_off_vllm
from bot.reading.sampling import LONGEST_LINE

_COLOUR_WITHOUT_ESCAPE = Late(
    r"(?<![\w\]])\[(?:0|1|2|3[0-7]|4[0-7]|9[0-7])(?:;\d{1,3}){0,4}m|\[(?:0|00|22|39|49)m(?![\w\]])"  # a reset may touch the word before
)
_ENTITY = Late(r"&(?:lt|gt|amp|quot|apos|nbsp|ndash|mdash|hellip|#\d{2,6}|#[xX][0-9a-fA-F]{2,5});")
_DASH_BEFORE_FLAG = Late(r"(?<![\w)\]])[–—](?=[A-Za-z])")
_CHARACTERS = INVISIBLE | str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
        "\u2026": "...",
        "\u2028": " ",
        "\u2029": " ",
    }
)
_FENCE = Late(r"(?:```|~~~)+(?:[\w+-]{1,20}(?=\s*$))?")
_LABEL = Late(
    r"\s{0,3}\[(?:bug(?: report)?|usage|installation|performance|misc|question|issue|help(?: wanted)?|support|ci[^\]]{0,20})\]\s?:?\s{0,3}",
    re.IGNORECASE,
)
_QUOTE = Late(r"(?:[ ]{0,3}>[ ]?){1,4}(?!>)")


def tidy(text: str) -> str:
    r"""Return the text without noise; every line stays where it stood, columns included.

    >>> tidy("\x1b[36mvllm serve m –tensor-parallel-size 2\x1b[0m\r\n")
    'vllm serve m --tensor-parallel-size 2\n'
    """
    if "\x1b" in text:
        text = ANSI.sub("", text)
    if "[0m" in text or "[39m" in text:
        text = _COLOUR_WITHOUT_ESCAPE.sub("", text)
    if "&" in text:
        text = _ENTITY.sub(_unescape, text)
    text = settle_returns(text)
    if not text.isascii():
        text = _DASH_BEFORE_FLAG.sub("--", text)
    return mend_text(text.translate(_CHARACTERS))


def _unescape(entity: re.Match[str]) -> str:
    import html  # noqa: PLC0415  # for what was escaped only

    return html.unescape(entity[0])


def settle_returns(text: str) -> str:
    r"""Return text with `\n` ends only; of a line that a progress bar redrew, the pieces follow each other."""
    if "\r" not in text:
        return text
    text = re.sub(r"(?<!\r)\r+\n", "\n", text)
    return text.replace("\r", "\n") if text.count("\r") > text.count("\n") else text.replace("\r", " ")


def number_lines(text: str, first: int = 1) -> tuple[Line, ...]:
    """Return the lines of tidy text, prefixes of collectors taken off, the place of the message noted."""
    return tuple(read_line(number, line) for number, line in enumerate(text.split("\n"), first))


def read_line(number: int, text: str) -> Line:
    """Return one tidy line, without quote marks, fences and the prefixes of log collectors."""
    text = text[:LONGEST_LINE].rstrip()
    if text.lstrip()[:1] == ">":
        text = _QUOTE.sub("", text, count=1)
    if "```" in text or "~~~" in text:
        text = _FENCE.sub("", text)
    if text.lstrip()[:1] == "[":  # how issue trackers have a title begin
        text = _LABEL.sub("", text, count=1) if _LABEL.match(text) else text
    text = take_off_outer(take_off_marks(text))
    start, process, level = take_off_vllm(text)
    return Line(number=number, text=text, start=start, process=process, level=level)


def clean(text: str) -> tuple[Line, ...]:
    """Return the lines of a paste with noise taken off; leading whitespace and columns are kept."""
    return number_lines(tidy(text))
