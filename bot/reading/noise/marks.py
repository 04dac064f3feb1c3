"""Marks that chats, documents and editors put around a line that a program wrote: items of lists, numbers, borders, code.

Before a person's sentence they mean what they say, so they come off only where a program's line stands behind them.
"""

from __future__ import annotations

import re

from bot.reading.noise.prefixes import take_off_outer

_MARKS = re.compile(
    r"""(?: \s{0,40}(?:
        [-*+•◦▪‣·●○–—]{1,2}(?=\s) | \(?(?:\d{1,6}|[a-z])[.):|](?=\s) | \d{1,6}(?=\t|\s\||:[A-Z(]):?   # an item; a numbered line
      | \[[ xX✓]\](?=\s) | >{1,3} | [|│┃](?=\s)                                              # a ticked one; a quotation; a cell
      | \#\d{1,3}\s\d{1,5}\.\d{1,4}(?=\s) | \d{10}(?:\.\d{1,9})?(?=\s)                      # a step of a build; epoch seconds
      | \[?\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp][Mm])?\]?(?=\s)                                  # the time of a chat's message
      | :[a-z_]{1,30}:(?=\s) | [☐☑✅✔❌✖⚠🔴🚨🔥💥]\ufe0f?(?=\s)                                 # a sign
      | \*{1,3}(?=\S) | `(?=[^\s`])                                                           # bold type, code
      )\s{0,8} ){1,4}""",
    re.VERBOSE,
)
_CLOSING = re.compile(r"\s*(?:[|│┃]|\*{1,3}|`)\s*\Z")
_PROGRAM = re.compile(
    r"""\s*(?:
        (?:[\w.]{1,80}\.)?[A-Z]\w{0,60}(?:Error|Exception|Exit|Interrupt)\b[:(] | Traceback\ \( | File\ "[^"\n]{1,300}",\ line\ \d
      | \(?[A-Z]\w{1,40}(?:\([\w:.()]{0,80}\))?(?:\ \w{1,20}){0,2}\ pid=\d
      | (?:INFO|WARN(?:ING)?|ERROR|DEBUG|CRITICAL)\b:?\s{1,8}[\[(\d] | \[[\w./-]{1,60}\.py:\d | \{["'](?:error|object|detail)["']\s?:
      )""",
    re.VERBOSE,
)


def take_off_marks(text: str) -> str:
    """Return a program's line without what a list, a quotation, a table or an editor put around it; any other as it is.

    >>> take_off_marks("1. ValueError: boom"), take_off_marks("1. It says boom")
    ('ValueError: boom', '1. It says boom')
    """
    marks = _MARKS.match(text)
    if marks is None:
        return text
    bare = text[marks.end() :]
    if not _PROGRAM.match(take_off_outer(bare)):
        return text
    closing = _CLOSING.search(bare) if set(marks[0]) & set("|│┃*`") else None
    return bare[: closing.start()] if closing else bare


def first_word(text: str) -> int:
    """Return where the text of a line begins behind its marks.

    >>> first_word("- `boom"), first_word("boom")
    (3, 0)
    """
    marks = _MARKS.match(text)
    start = marks.end() if marks else 0
    return start + len(text[start:]) - len(text[start:].lstrip(" \t\"'"))
