"""What people compare their trouble with: "works on the A100s, now on an A10G it does not"."""

from __future__ import annotations

import re
from typing import NamedTuple

from bot.reading.late import Late

_BREAK = Late(
    r"[.;!?](?:\s|\Z)|,\s|[，。；]|\s(?=(?:but|while|whereas|however|now|though|although|yet|and|aber|jedoch|mais|pero|но)\s)|(?=但|而在)"
)
_WORKS = re.compile(
    r"""(?i)\b(?:work(?:s|ed|ing)? | fine | ok(?:ay)? | no\s(?:problem|issue|trouble|error)s? | runs?\s(?:well|perfectly|great|smoothly) | ran
      | was\srunning | used\sto | previously | before\sthat | earlier | succeed(?:s|ed) | starts?\sup | funktioniert | läuft | lief | marche | funciona | работает)\b
    | 正常 | 没问题 | 没有问题 | 能跑""",
    re.VERBOSE,
)
_FAILS = Late(
    r"""(?i)\b(?:not | \w+n't | cannot | fail(?:s|ed|ing|ure)? | crash\w* | errors?(?<!no\serror)(?<!no\serrors) | oom\w* | out\sof\smemory | hangs? | hung | dies? | died | broken?
      | breaks? | unable | never | no\slonger | slow\w* | stuck | killed | refuses? | nicht | kein\w* | pas | не)\b
    | 报错 | 失败 | 不行 | 不能 | 无法 | 不足""",
    re.VERBOSE,
)
_REPLACED = Late(
    r"""(?i)\b(?P<from>from\s[^,;:]{2,40}?)\sto\s
    | \b(?:instead\sof|unlike(?:\son)?|compared\s(?:to|with)|rather\sthan|than\son|vs\.?|versus)\s(?P<of>(?:[^\s,;]+[ ]?){1,3})""",
    re.VERBOSE,
    signs=("from", "instead", "unlike", "compared", "rather", "than", "vs", "versus"),
)
_ELSEWHERE = Late(
    r"(?i)\bnot on\b|\b(?:here|elsewhere|other|another|new|this (?:one|machine|box|server|node|host|card|gpu)|prod(?:uction)?|cluster|customer)\b|另一|新的"
)


class Contrast(NamedTuple):
    """A sentence taken apart; what is taken out leaves blanks, so that nothing new meets."""

    own: str  # what the trouble is with
    other: str  # what it is compared with
    is_elsewhere: bool  # the trouble is with a place that is told apart from the other


def tell_apart(text: str) -> Contrast:
    """Return what a sentence says of the trouble, and what it only compares it with.

    >>> tell_apart("fine on our A100s, does not start on an A10G").own.strip()
    'does not start on an A10G'
    """
    spans = [*_working_clauses(text), *_replaced(text)]
    if not spans:
        return Contrast(text, "", is_elsewhere=False)
    own, other = list(text), [" "] * len(text)
    for start, end in spans:
        other[start:end] = text[start:end]
        own[start:end] = " " * (end - start)
    rest = "".join(own)
    return Contrast(rest, "".join(other), is_elsewhere=_ELSEWHERE.search(rest) is not None)


def _working_clauses(text: str) -> list[tuple[int, int]]:
    if not _WORKS.search(text):
        return []
    ends = [found.end() for found in _BREAK.finditer(text)]
    clauses = zip([0, *ends], [*ends, len(text)], strict=True)
    return [(start, end) for start, end in clauses if _is_working(text[start:end])]


def _is_working(clause: str) -> bool:
    return _WORKS.search(clause) is not None and _FAILS.search(clause) is None


def _replaced(text: str) -> list[tuple[int, int]]:
    return [found.span("from" if found["from"] else "of") for found in _REPLACED.finditer(text)]
