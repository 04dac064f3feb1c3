"""Who wrote a line and what for: only what a person says of what happened is a complaint.

A command, a setting, a record of a program, the form of an issue and a wish are none, whatever words stand in them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from bot.diagnosis.words.lexicon import one_of
from bot.diagnosis.words.swapped import put_right
from bot.evidence import Line

Role: TypeAlias = Literal["said", "wished", "heading", "record", "command", "machine"]
"""`said`: a person's own words. `wished`: what somebody expects or asks to have. `heading`: a form's own text.
`record`: of a log or a progress bar. `command`: with its settings. `machine`: frames, code, tables, exceptions."""

# How a line of a program begins: frames, frames' code, tables, commands, exceptions, compilers and shells.
_MACHINE_START = re.compile(
    r"""
      \s*(?:File\ ["“] | [|+][-=\s|+]|\|\s | \^+(?!\^|\s?[A-Za-z]) | ~+\^ | [{}\]<] | \$\s | (?:raise|return|await|self\.|import|from)\b
        | (?:[\w.]+\.)?\w*(?:Error|Exception|Exit|Warning)\b[:(] | Traceback\b | Value\ error,\s | \[?[\w./-]+\.py:\d | [\w.-]+:\ \S+\Z
        | (?:ptxas|nvcc|nvlink|cicc)\s{1,4}(?:fatal|error|warning)\s{0,4}: | (?:/[\w./-]{1,60}/)?(?:ld(?:\.\w{2,5})?|collect2|gcc|g\+\+|ninja):\s
        | (?:/[\w./-]{1,60}/)?(?:ba|z|da)?sh:\s(?:line\s)?\d{1,6}:\s )
    """,
    re.VERBOSE,
)

_REQUEST = re.compile(r"\s*curl\s")  # what it sends to a model is a sentence, and nobody's complaint
_COMMAND_START = re.compile(
    r"""\s*(?:vllm\s+(?:serve|bench|chat|complete|run-batch|collect-env)\b   # "vllm takes all memory" is a sentence
          | (?:-\s+)?["']?--\w | \[ | \#\s | \w+\s*=\s*\S | [\w./-]+\.py\b   # "--swap-space 16 uses all my memory" is a sentence too
          | (?:docker|podman|python3?|kubectl|nvidia-smi|export|pip|helm|ray)\s+[-\w./]+\s+[-\w./]+)""",
    re.VERBOSE | re.ASCII,
)

# Nobody begins a sentence at the ninth column, or ends one with the rest of a record in JSON.
_INDENTED = re.compile(r"(?:\ {8}|\t\t)\s*(?![-*•+>\s]|\d{1,3}[.)]\s)[^\u0080-\uffff]", re.VERBOSE)
_DATA = re.compile(r"""["']\w{1,30}["']:\s?(?:["'\d]|None\b|null\b)[^\n]{0,200}\}["']?\s*\Z""", re.VERBOSE)

# What makes a sentence of a line that begins with a command: "vllm serve org/m crashes, why?"
_SENTENCE = re.compile(
    r"""[?!]\s*\Z | [a-z],\s[a-z] | (?:\b[a-zà-ÿ]{1,14}[ ,]{1,2}){4}[a-zà-ÿ] | [\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{2}   # other scripts write no commands
      | \s(?:does|do|did|is|isn't|doesn't|won't|fails?|failed|crash(?:es|ed)|dies|hangs|gives|says|works|uses|takes|needs|the|I|but|and|then)(?:\s|[.,]|\Z)""",
    re.VERBOSE,
)

# What stands inside a log record or a progress bar only.
_RECORD = re.compile(
    r"""\bAvg\ (?:prompt|generation)\ throughput\b|\b\d\d:\d\d:\d\d\b|\bpid=\d+|\b(?:INFO|WARNING|ERROR|DEBUG|CRITICAL)\b\s*[:\d\[(]
      | \d%(?:\ Completed)?\s?\| | \d/\d{1,9}\ \[\d | \w\.(?:cc|cpp|cu|go):\d{1,5}\b | \((?:raylet|pid=|autoscaler)""",
    re.VERBOSE,
)

# The questions that the forms of issue trackers ask, each alone on its line or before its answer.
_FORM = re.compile(
    r"""\s*[#*_\W]{0,8}(?:
        (?P<wish>expected\ (?:behaviou?r|results?|output)|what\ (?:did\ )?you\ expect(?:ed)?(?:\ to\ happen)?|alternatives?|the\ feature,?\ motivation\ and\ pitch
          |(?:feature\ )?motivation|describe\ the\ solution\ you'd\ like|possible\ (?:solution|fix)|期望(?:行为|结果)|预期(?:行为|结果)|期待する動作)
      | (?:describe\ the\ (?:bug|issue|problem)|your\ current\ environment|(?:steps\ )?to\ reproduce|reproduction(?:\ steps)?|(?:actual|current)\ (?:behaviou?r|results?)
          |additional\ (?:context|info(?:rmation)?)|how\ would\ you\ like\ to\ use\ vllm|before\ submitting\ a\ new\ issue|model\ input\ dumps|environment|system\ info
          |(?:relevant\ )?log\ output|logs?|screenshots?|what\ happened|who\ can\ help|versions?|问题描述|复现步骤|现象|实际行为)
      )[*_\W]{0,6}(?P<answer>:\s*\S.*)?\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_TICKED = re.compile(r"\s*(?:[-*]\s)?\[[ xX]\]\s")
_WISH = re.compile(r"\s*[\[(](?:feature(?:\ request)?|feat|rfc|roadmap|docs?|proposal)[\])]", re.IGNORECASE)

# What people copy into their sentences: records of a log, commands, settings that follow each other.
_COPIED = re.compile(
    r"""\[[\w./-]{1,60}\.(?:py|cc|cpp):\d{1,5}\][^"`]{0,400}   # a record, up to the closing quote
      | `(?:\w+=\S+\s+)*(?:vllm|docker|podman|python3?|kubectl|pip|curl|helm|ray)\s[^`]{1,800}`
      | (?:(?<=\s)|\A)--[a-z][\w-]{2,60}(?:[=\ ][^\s-][^\s]{0,80})?(?:\s+--[a-z][\w-]{2,60}(?:[=\ ][^\s-][^\s]{0,80})?)+""",
    re.VERBOSE | re.ASCII,
)

_END = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？])")  # as people end them
_ENDED = re.compile(r"[.!?:。！？]['\")*_`]{0,3}\s*\Z")
_GOES_ON = re.compile(r"\s*[a-zà-ÿа-я(,]")

_SYMPTOM = re.compile(one_of("crashes", "stuck", "slow", "out-of-memory", "garbage", "leaks"), re.IGNORECASE | re.ASCII)
_DENIAL = re.compile(
    r"""(?:\b(?:no|not|never|without|zero|nor|neither|isn't|wasn't|aren't|doesn't|does\ not|don't|didn't|won't|kein\w{0,2}|nicht|ohne|sin|ningún|sans|aucune?)\s(?:\w{1,10}\s)?(?:any\s|more\s|longer\s)?
        |(?:没有|没|不会|无|не|нет|без)\s?)\Z""",
    re.VERBOSE | re.IGNORECASE,
)

# Somebody took it for that once, and turned away from it; or leaves it out.
_SUPPOSED = re.compile(
    r"""\b(?:(?:thinking|thought)\b|(?:suspect|consider|guess|assume|blame)(?:ed|d|ing)\b | dachte\b|vermutete\b|pensé\b|pensaba\b|pensais\b|soupçonnais\b|creía\b|думал\w{0,3}\b|подозревал\w{0,2}\b) [^.!?;,\n]{0,30}\Z
      | (?:以为|怀疑|考虑过|本以为)[^。！？，\n]{0,12}\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_DISMISSED = re.compile(
    r"[^.!?;\n。！？]{0,30}?(?:\b(?:but|however|yet|though|only to)\b|\b(?:aber|doch|jedoch|pero|mais|но)\b|但|可是|不过|然而|结果)",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    r"(?:\b(?:rul(?:ed|ing) out|exclud(?:ed|ing)|unrelated to|instead of|rather than|nothing to do with|not (?:related to|caused by|due to|because of|a matter of|an issue of)|ausgeschlossen|descart\w{2,4}|écarté)\s(?:\w{1,10}\s){0,2}|(?:排除了?|исключ\w{2,4}\s))\Z",
    re.IGNORECASE,
)
_RULED_OUT = re.compile(
    r"\s(?:\w{1,10}\s){0,2}?(?:(?:is|was|can be|has been|were|are) (?:ruled out|excluded|not (?:it|the (?:cause|reason|problem|case)))|(?:isn't|wasn't) (?:it|the (?:cause|reason|problem))|ist ausgeschlossen|исключ[её]н\w?)\b|\S{0,4}(?:かと思|ではない|でもない|인 줄 알았|은 아니|는 아니|已排除|被排除)",
    re.IGNORECASE,
)


def role_of(line: Line) -> Role:
    """Return the role of a line as far as its own form tells."""
    if _is_record(line):
        return "record"
    if _TICKED.match(line.text):
        return "heading"
    if _WISH.match(line.text):
        return "wished"
    if _REQUEST.match(line.text) or (_COMMAND_START.match(line.text) and not _SENTENCE.search(line.text)):
        return "command"
    return "machine" if _is_of_a_machine(line.text) else "said"


def _is_of_a_machine(text: str) -> bool:
    return any((_MACHINE_START.match(text), _INDENTED.match(text), text.endswith("}") and _DATA.search(text)))


def roles_of(lines: Sequence[Line]) -> Iterator[Role]:
    """Yield the role of each line; what answers a form's question for wishes is a wish, up to the next question."""
    is_wish = False
    for line in lines:
        form = _FORM.match(line.text) if len(line.text) < LONGEST_HEADING else None
        if form:
            is_wish = form["wish"] is not None
            yield "wished" if is_wish and form["answer"] else "said" if form["answer"] else "heading"
            continue
        role = role_of(line)
        is_wish = is_wish and role == "said"
        yield "wished" if is_wish and role == "said" else role


LONGEST_HEADING = 200
"""Characters of a form's question and an answer on its line."""


def is_said(line: Line) -> bool:
    """Return whether a person says something on the line, as far as its own form tells."""
    return role_of(line) == "said"


def _is_record(line: Line) -> bool:
    """Return whether a program wrote the line into its log."""
    return line.level is not None or line.process is not None or bool(_RECORD.search(line.text[:80]))


def words_of(text: str) -> str:
    """Return what a person says on a line, without what was copied into it; every word stays in its place.

    >>> words_of("it stops at [loader.py:12] Loading weights")
    'it stops at                               '
    """
    if "--" not in text and "`" not in text and "[" not in text:
        return text
    return _COPIED.sub(lambda found: " " * len(found[0]), text)


CUT_AT_A_SPACE = frozenset({79, 99, 119})
"""Lengths of lines that a terminal of a usual width cut behind a space, which is lost."""


class Told(NamedTuple):
    """The text of lines, where what a person wrote is whole sentences, one each."""

    texts: tuple[str, ...]
    lines: tuple[Line, ...]  # for each text the line that it begins on
    said: tuple[int, ...]  # the indexes of the sentences


def tell_apart(lines: Sequence[Line], cut: Collection[int] = ()) -> Told:
    """Return lines with people's words split where a sentence ends, and joined where only the line does.

    Args:
        lines: The paste, or a part of it.
        cut: The indexes of lines that were cut at a column, within a word too.
    """
    texts, begun, said, before = list[str](), list[Line](), list[int](), ""
    for index, (line, role) in enumerate(zip(lines, roles_of(lines), strict=True)):
        is_rest = bool(before) and index - 1 in cut and role != "record"
        is_told = bool(line.text.strip()) and (role == "said" or is_rest)
        pieces = _END.split(put_right(words_of(line.text))) if is_told else [line.text]
        if is_rest or (before and is_told and _GOES_ON.match(line.text) and not _ENDED.search(before)):
            is_torn = is_rest and len(before) not in CUT_AT_A_SPACE
            texts[-1] += pieces.pop(0) if is_torn else f" {pieces.pop(0).lstrip()}"
        said += range(len(texts), len(texts) + len(pieces)) if is_told else ()
        texts += pieces
        begun += [line] * len(pieces)
        before = line.text if is_told else ""
    return Told(tuple(texts), tuple(begun), tuple(said))


_CONDITION = re.compile(
    r"(?:\A|[.!?:;\]]\s{1,3}|,\s(?:or|and)\s)(?:if|when(?:ever)?|in case|to (?:avoid|prevent))\b[^.!?]{0,300}\Z",
    re.IGNORECASE,
)


def is_conditional(text: str, start: int) -> bool:
    """Return whether what stands at a place is only thought of: "If you run out of memory, consider …".

    >>> is_conditional("If it runs out of memory, wait.", 11), is_conditional("Out of memory. If so, wait.", 0)
    (True, False)
    """
    return bool(_CONDITION.search(text[max(0, start - 320) : start]))


_OF_ANYBODY = re.compile(
    r"\b(?:if|when(?:ever)?|in case) (?:you|anyone|anybody|someone|somebody) (?:ever |still )?(?:sees?|gets?|hits?|runs? into|encounters?|finds?)\b[^.!?]{0,120}\Z",
    re.IGNORECASE,
)


def is_of_anybody(text: str, start: int) -> bool:
    """Return whether what stands at a place happens to whoever reads it: "if you see …, raise the share".

    >>> is_of_anybody("If you see an OOM, wait.", 14), is_of_anybody("If I send ten, it OOMs", 18)
    (True, False)
    """
    return bool(_OF_ANYBODY.search(text[max(0, start - 160) : start]))


def is_denied(text: str, start: int, found: str) -> bool:
    """Return whether a symptom is said not to be there: "no OOM in the log", "it does not hang", "OOM is ruled out".

    >>> is_denied("there are no crashes", 13, "crashes"), is_denied("no memory left", 3, "memory")
    (True, False)
    """
    return bool(_SYMPTOM.match(found)) and (
        follows_a_denial(text, start) or _is_dismissed(text, start, start + len(found))
    )


def _is_dismissed(text: str, start: int, end: int) -> bool:
    """Return whether a symptom was only thought of: "I was thinking of OOM, but …", "OOM is ruled out"."""
    before, after = text[max(0, start - 60) : start], text[end : end + 60]
    is_doubted = _SUPPOSED.search(before) and _DISMISSED.match(after)
    return bool(is_doubted or _LEFT_OUT.search(before) or _RULED_OUT.match(after))


def follows_a_denial(text: str, start: int) -> bool:
    """Return whether a "no", "not" or "without" stands right before a place."""
    return bool(_DENIAL.search(text[max(0, start - 40) : start]))
