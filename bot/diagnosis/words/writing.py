"""What somebody wrote, as it is laid out: a title, headings, and sentences without what they quote."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.diagnosis.words.roles import Role, words_of
from bot.evidence import Line
from bot.reading.late import Late

_INNER_MARKS = str.maketrans("", "", "*_`")
_LAST_MARKS = " \t:.,;!?#>)]}\"'’”-–—=~|：。？！】"
_FIRST_MARKS = Late(r"[^\w|]*(?:\d{1,2}[.)]\s{1,3})?")
_ITS_PARTS = Late(r"\s?\((?:optional|required|utc)\Z")
_MARKED = re.compile(r"\s{0,3}(?:#{1,6}\s|\*\*|__|【)")
_QUOTED = Late(
    r"```[^`]{0,4000}```|`[^`\n]{1,400}`|\"[^\"\n]{1,600}\"|“[^”\n]{1,600}”|«[^»\n]{1,600}»|「[^」\n]{1,600}」"
)
# The name of an exception, and what follows it, was copied; so was what is set off as a quotation.
_COPIED = Late(
    r"(?<=\()[\w.]{0,60}(?:Error|Exception):\s(?:[^()\n]|\([^()\n]{0,200}\)){0,600}(?=\))|^\s{0,12}(?:>|\W{0,6}\b[\w.]{0,60}(?:Error|Exception):\s).*$|\b[\w.]{0,60}(?:Error|Exception):\s[^\n\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]*",
    re.MULTILINE,
)

_ERROR = re.compile(r"error|exception|traceback|fail|killed|out of memory", re.IGNORECASE)

COPY = "⟦⟧"
"""What stands in a text for what was quoted or copied into it."""

SHORT_LABEL, FEW_WORDS = 30, 4
"""Characters and words of a label that is a line of its own."""

LONGEST_LABEL = 60
"""Characters of a heading; whoever writes more before the colon writes a sentence."""


@dataclass(frozen=True)
class Writing:
    """A text as far as a person wrote it."""

    title: str  # its first line
    headings: frozenset[str]  # marked lines and labels before a colon, bare and in small letters; the title is none
    said: str  # the sentences, without the headings, and a sign for what is quoted or copied
    ends_in_a_record: bool = False  # nothing is said below what a program wrote into its log


def read_writing(spoken: Sequence[tuple[Line, Role]]) -> Writing:
    """Return the layout of lines.

    Args:
        spoken: Lines with their roles, in order.
    """
    texts: list[tuple[str, Role]] = [(line.text, role) for line, role in spoken if line.text.strip()]
    title = texts[0][0].strip() if texts else ""
    last = texts[-1][0] if texts else ""
    headings = {text: name for text, role in texts[1:] if role != "record" and (name := _name(text))}
    said = [
        text if role in {"said", "wished"} else _behind_a_quotation(text, role)
        for text, role in texts
        if role not in {"command", "heading"} and not (text in headings and text != last and _is_all(text))
    ]
    own = "\n".join(map(words_of, said))
    ends_in_a_record = bool(texts) and texts[-1][1] == "record" and not texts[-1][0].startswith(">")
    plain = _COPIED.regex.sub(COPY, _QUOTED.regex.sub(COPY, own))
    return Writing(title, frozenset(headings.values()), plain, ends_in_a_record)


def _behind_a_quotation(text: str, role: Role) -> str:
    """Return the sign for what a program wrote, or what follows it where it was quoted: "…Error: it died`. That was …"."""
    quoted, mark, rest = text.rpartition("`")
    return (
        rest
        if mark and quoted.count("`") % 2 == 0 and rest[:1] in set(" .,;:)")
        else COPY
        if role == "record" or _ERROR.search(text)
        else ""
    )


def _name(text: str) -> str:
    """Return the name of a marked line, or the label before a colon, "" where there is neither."""
    if _MARKED.match(text):
        return bare(text.partition("**:")[0].partition(":**")[0])
    return label(text) if ":" in text[:LONGEST_LABEL] or "：" in text[:LONGEST_LABEL] else ""


def _is_all(text: str) -> bool:
    """Return whether a heading is all of its line; many words before a colon are a sentence."""
    is_short = len(text) <= SHORT_LABEL and len(text.split()) <= FEW_WORDS
    return text.lstrip().startswith(("#", "【")) or text.rstrip().endswith(("**", "__", *(":：" if is_short else "")))


def bare(text: str) -> str:
    """Return a heading without its marks: `## **Purpose** (optional)` is "purpose"."""
    plain = text[: 2 * LONGEST_LABEL].translate(_INNER_MARKS).rstrip(_LAST_MARKS)
    first = _FIRST_MARKS.regex.match(plain)
    return _ITS_PARTS.regex.sub("", plain[first.end() :] if first else plain).lower()


def label(text: str) -> str:
    """Return what stands before the first colon of a line, bare."""
    return bare(re.split("[:：]", text[:LONGEST_LABEL], maxsplit=1)[0])
